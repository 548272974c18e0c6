import { loadContract } from '../contract/contract.ts';
import { InconclusiveError, ViolationError } from '../engine/outcome-errors.ts';
import type { ServiceDefinition, ServiceRun, ServiceRunParts } from '../engine/service.ts';
import { Api } from './api.ts';
import { createPet, type ListQuery } from './calls.ts';
import { CollectionModel } from './collection-model.ts';
import { LIMIT, PET_STATUSES } from './contract-facts.ts';
import { firstLook } from './first-look.ts';
import { firstQueries } from './first-queries.ts';
import { validBody } from './inputs/body.ts';
import { rightKey } from './inputs/credentials.ts';
import { type Naming, plainPet } from './inputs/new-pets.ts';
import { PET_STORE_OUTLINE } from './outline.ts';
import { partsOf } from './parts.ts';
import { PetReply } from './reply.ts';
import { NAME_TAG, tagOf } from './run-tag.ts';
import { SharedAnimals } from './shared-animals.ts';
import { verifyCall } from './verify-call.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';

/** What the user says of this service alone. */
export interface PetStoreOptions {
  /** Known categories, each an int64; empty where any will do. */
  readonly categoryIds: readonly bigint[];
}

export type PetStoreDefinition = ServiceDefinition<PetReply, CollectionModel, Vocabulary>;

/** The Pet Store, as the engine needs to know it. */
export function petStore({ categoryIds }: PetStoreOptions = { categoryIds: [] }): PetStoreDefinition {
  return {
    ...PET_STORE_OUTLINE,
    loadContract,
    // For the animals that checks share, about.
    sharedRequests: 130,
    readReply: (call, exchange, contract) => new PetReply(call, exchange, contract),
    verify: verifyCall,
    partsOf,
    createState: (plan) => new CollectionModel(plan),
    open: (parts) => openRun(parts, categoryIds),
  };
}

/** One run against one service: the animals that its checks share, and how all of its animals are named. */
function openRun(
  { plan, state, client }: ServiceRunParts<PetReply, CollectionModel>,
  categories: readonly bigint[],
): ServiceRun<PetReply, CollectionModel, Vocabulary> {
  const { seed, token, replay, runId } = plan;
  let tag = tagOf(seed, replay === undefined ? '' : runId);
  const namingFor = (what: string): Naming => ({ tag: `${NAME_TAG} ${tag} ${what}`, categories });
  const shared = new SharedAnimals({ plan, state, client }, () => namingFor('shared'), makeTagUnique);

  /**
   * The first animal's id goes into the names of all that follow: two runs with one seed against one service then
   * tell their animals apart, and against a service in the same state they still send the same requests. It is also
   * the animal that checks share: created while nothing else is under way, its id is the same in both runs.
   */
  async function makeTagUnique(): Promise<void> {
    if (replay !== undefined || plan.readOnly) return;
    try {
      const { id } = await new Api(client, state, token).create(plainPet(namingFor('first'), ''));
      tag = tagOf(seed, `${id}`);
      // The first animal of another run with this seed has the same name; all that follow do not.
      state.runTag = `${NAME_TAG} ${tag} `;
      shared.adopt(id);
    } catch (error) {
      // What went wrong belongs to a requirement, and its checks will say so.
      if (!(error instanceof ViolationError || error instanceof InconclusiveError)) throw error;
    }
  }

  async function lookAround(queries = firstQueries(seed), fitting?: () => readonly ListQuery[]): Promise<void> {
    try {
      await firstLook(new Api(client, state, token), state, queries, fitting);
    } catch (error) {
      if (!(error instanceof InconclusiveError)) throw error;
    }
  }

  let grown = 0;
  let hasEarlyChecks = false;

  /** What becomes of each is for the rules to say. */
  async function addOne(growing: ServiceRunParts<PetReply, CollectionModel>['client']): Promise<void> {
    grown += 1;
    const pet = plainPet(namingFor('grown'), `${grown}`, PET_STATUSES[grown % PET_STATUSES.length]);
    await growing.send(createPet(validBody(pet), rightKey(token)));
  }

  return {
    async prepare(phase) {
      if (replay !== undefined) return;
      if (phase === 'found') await lookAround();
      else await shared.addFirst();
      if (phase !== 'found' && phase !== 'fresh') shared.noteFirst();
      if (phase === 'early') hasEarlyChecks = true;
      if (phase === 'main') await shared.count(hasEarlyChecks);
      if (phase === 'still') shared.countAdded();
    },
    vocabulary: (tools) => createVocabulary(tools, shared, token, namingFor(tools.checkId)),
    send: (checkClient, call) => new Api(checkClient, state, token).send(call),
    look: () => lookAround([{ limit: LIMIT.maximum }], () => []),
    grow: async (growing, count) => {
      await Promise.all(Array.from({ length: count }, () => addOne(growing)));
    },
  };
}
