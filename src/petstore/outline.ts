import { integerAt, parseJson } from '../contract/json.ts';
import { type Catalogue, catalogueOf } from '../engine/catalogue.ts';
import type { ServiceOutline } from '../engine/service.ts';
import type { Exchange } from '../http/exchange.ts';
import { REQUIREMENTS } from './catalogue.prebuilt.ts';
import { MEMBERS } from './contract-facts.ts';
import { PET_STORE } from './description.ts';
import { revealingMisses } from './inputs/near-misses.ts';
import { PREFLIGHT } from './preflight.ts';
import { replayFormat } from './replay-format.ts';
import { idIn, memberOf, type PetReply } from './reply.ts';

/** The Pet Store for who plans and reports a run: quick to load, as none of its checks come with it. */
export const PET_STORE_OUTLINE: ServiceOutline<PetReply> = {
  description: PET_STORE,
  headerVariablePrefix: 'PETSTORE_HEADER_',
  loadCatalogue: () => CATALOGUE,
  preflight: PREFLIGHT,
  replay: replayFormat([]),
  secrets: revealingMisses,
  ledgerEntry,
};

/** What the creation ledger says of an animal that a 201 has named: what that said, and otherwise what was sent. */
export function ledgerEntry({ request, answer }: Exchange): Readonly<Record<string, string | undefined>> | undefined {
  if (request.operation !== 'createPet' || answer.kind !== 'response') return undefined;
  if (answer.status !== 201) return undefined;
  const answered = traitsIn(answer.body);
  if (answered.id === undefined) return undefined;
  const sent = traitsIn(request.body ?? new Uint8Array());
  return {
    id: answered.id,
    name: answered.name ?? sent.name,
    categoryId: answered.categoryId ?? sent.categoryId,
    status: answered.status ?? sent.status,
  };
}

/** What a body says of an animal, as far as it can be read. */
function traitsIn(body: Uint8Array): Partial<Record<'id' | 'name' | 'categoryId' | 'status', string | undefined>> {
  const json = parseJson(body, MEMBERS);
  if (json.kind !== 'json') return {};
  const text = (member: string): string | undefined => {
    const value = memberOf(json.value, member);
    return typeof value === 'string' ? value : undefined;
  };
  const integer = (member: string): string | undefined => integerAt(json, `/${member}`)?.toString();
  return {
    id: idIn(json),
    name: text('name'),
    categoryId: integer('categoryId'),
    status: text('status'),
  };
}

/** The catalogue of this service, as spec/requirements.yaml has it. */
export const CATALOGUE: Catalogue = catalogueOf(REQUIREMENTS);
