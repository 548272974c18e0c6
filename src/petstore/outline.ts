import type { ServiceOutline } from '../engine/service.ts';
import { CATALOGUE } from './catalogue.ts';
import { PET_STORE } from './description.ts';
import { tellingMisses } from './inputs/credentials.ts';
import { ledgerEntry } from './ledger-entry.ts';
import { PREFLIGHT } from './preflight.ts';
import { REPLAY_FORMAT } from './replay-format.ts';
import type { PetReply } from './reply.ts';

/** The Pet Store for who plans and reports a run: quick to load, as none of its checks come with it. */
export const PET_STORE_OUTLINE: ServiceOutline<PetReply> = {
  description: PET_STORE,
  headerVariablePrefix: 'PETSTORE_HEADER_',
  loadCatalogue: () => CATALOGUE,
  preflight: PREFLIGHT,
  replay: REPLAY_FORMAT,
  secrets: tellingMisses,
  ledgerEntry,
};
