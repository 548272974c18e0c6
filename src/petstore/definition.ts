import { loadContract } from '../contract/contract.ts';
import type { ServiceDefinition, ServiceRun, ServiceRunParts } from '../engine/service.ts';
import { Api } from './api.ts';
import { Collection } from './collection.ts';
import { CollectionModel } from './collection-model.ts';
import { LIMIT } from './contract-facts.ts';
import { Controls } from './controls.ts';
import { PET_STORE_OUTLINE } from './outline.ts';
import { partsOf } from './parts.ts';
import { PetReply } from './reply.ts';
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

/** One run against one service. */
function openRun(
  parts: ServiceRunParts<PetReply, CollectionModel>,
  categories: readonly bigint[],
): ServiceRun<PetReply, CollectionModel, Vocabulary> {
  const { plan, state, client } = parts;
  const collection = new Collection(parts, categories);
  const controls = new Controls(new Api(client, state, plan.token), collection);
  return {
    prepare: (phase) => collection.prepare(phase),
    vocabulary: (tools) => createVocabulary(tools, { collection, controls }, plan.token),
    send: (checkClient, call) => new Api(checkClient, state, plan.token).send(call),
    look: () => collection.look([{ limit: LIMIT.maximum }], () => []),
    grow: (growing, count) => collection.grow(growing, count),
  };
}
