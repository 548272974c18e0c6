import { type Check, type CheckParts, defineCheck } from '../engine/check.ts';
import type { CheckTools } from '../engine/check-tools.ts';
import { Api } from './api.ts';
import type { Collection } from './collection.ts';
import type { CollectionModel } from './collection-model.ts';
import type { PetStatus } from './contract-facts.ts';
import type { Controls } from './controls.ts';
import type { NewPet } from './inputs/body.ts';
import { type Naming, plainPet } from './inputs/new-pets.ts';
import { permitted } from './oracle.ts';
import { Pages } from './pages.ts';
import type { PetReply } from './reply.ts';
import { ofTheService } from './rules/before-the-service.ts';
import { isDocumented } from './rules/responses.ts';

type Tools = CheckTools<PetReply, CollectionModel>;

/** What the checks are written in. */
export interface Vocabulary
  extends Pick<
    Tools,
    | 'checkId'
    | 'forEach'
    | 'fewerInSmoke'
    | 'forAll'
    | 'cover'
    | 'draw'
    | 'expect'
    | 'observe'
    | 'inconclusive'
    | 'notApplicable'
    | 'profile'
    | 'strict'
  > {
  /** The three operations. */
  readonly api: Api;
  /** The animals that all checks share. */
  readonly collection: Collection;
  /** What the list shows. */
  readonly pages: Pages;
  /** What must succeed, or be refused, before other answers say anything. */
  readonly controls: Controls;
  /** How the animals of this check are named, and which categories they may have. */
  readonly naming: Naming;
  /** A plain animal to add, distinguished from all others of the check by its name. */
  readonly aPet: (status?: PetStatus) => NewPet;
  /** The same, with a status that other checks seldom give, so that in the end no status is rare. */
  readonly aRarerPet: () => NewPet;
  /**
   * At an open point, records which of the permitted readings the service has chosen; a status that is not permitted is
   * left to the rules. With --strict the status must also be documented.
   *
   * @param reading what a service does that answers with this status
   * @param input what it was seen on, where several inputs are recorded together
   */
  readonly permits: (reply: PetReply, reading: (status: number) => string, input?: string) => void;
}

export type PetCheck = Check<PetReply, CollectionModel, Vocabulary>;

/** A check of the Pet Store: its requirement's id, one sentence, what holds of every answer, and what to send. */
export function check(
  id: string,
  title: string,
  { everyAnswer, ...others }: CheckParts<PetReply, CollectionModel, Vocabulary>,
): PetCheck {
  if (everyAnswer === undefined) return defineCheck(id, title, others);
  return defineCheck(id, title, { ...others, everyAnswer: [everyAnswer].flat().map(ofTheService) });
}

/** What one run shares among its checks. */
export interface Shared {
  readonly collection: Collection;
  readonly controls: Controls;
}

export function createVocabulary(given: Tools, { collection, controls }: Shared, token: string): Vocabulary {
  const { heads } = given.state;
  const tools: Tools = {
    ...given,
    expect: (judge, ...replies) =>
      given.expect(
        (...seen) => {
          const judged = seen.at(-1);
          return judged === undefined ? judge() : heads.judged(judged, () => judge(...seen));
        },
        ...replies,
      ),
  };
  const api = new Api(tools.client, tools.state, token);
  const naming = collection.namingFor(tools.checkId);
  let serial = 0;
  const aPet = (status?: PetStatus): NewPet => {
    serial += 1;
    return plainPet(naming, `${serial}`, status);
  };
  return {
    ...tools,
    api,
    collection,
    pages: new Pages(tools, api, collection),
    controls,
    naming,
    aPet,
    aRarerPet: () => aPet(collection.rarerStatus),
    permits: (reply, reading, input) => {
      api.mustSayMore(reply);
      if (tools.strict) tools.expect(isDocumented, reply);
      // What was answered before it reached the service is recorded apart.
      const { status = 0 } = reply;
      if (permitted(reply, tools.state)?.statuses.includes(status)) tools.observe(reading(status), input, reply);
    },
  };
}
