import { type Contract, loadContract } from '../contract/contract.ts';
import { readJson } from '../contract/json.ts';
import type { ServiceDefinition, ServiceRun, ServiceRunParts } from '../engine/service.ts';
import { Api } from './api.ts';
import type { PetCall } from './calls.ts';
import { Collection } from './collection.ts';
import { CollectionModel } from './collection-model.ts';
import { LIMIT, MEMBERS } from './contract-facts.ts';
import { Controls } from './controls.ts';
import { PET_STORE_OUTLINE } from './outline.ts';
import { partsOf } from './parts.ts';
import { replayFormat } from './replay-format.ts';
import { PetReply } from './reply.ts';
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
    replay: replayFormat(categoryIds),
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
    prepare: (stage) => collection.prepare(stage),
    vocabulary: (tools) => createVocabulary(tools, { collection, controls }, plan.token),
    send: (checkClient, call) => new Api(checkClient, state, plan.token).send(call),
    look: () => collection.look([{ limit: LIMIT.maximum }], () => []),
    remembers: () => collection.toRemember,
    grow: (growing, count) => collection.grow(growing, count),
  };
}

/**
 * Reads every body again as it will be sent: a valid one must fit the schema, and an invalid one must not, in the way
 * that it claims.
 *
 * @returns what the suite got wrong; undefined where nothing is
 */
export function verifyCall(call: PetCall, contract: Contract): string | undefined {
  if (call.operation !== 'createPet' || call.body.kind === 'open') return undefined;
  const { body } = call;
  const wanted = body.kind === 'valid' ? 'no fault' : `a fault of ${body.failsAs}`;
  const found = faultOf(body.bytes, contract);
  if (found === wanted) return undefined;
  const text = body.bytes === undefined ? '(no body)' : new TextDecoder().decode(body.bytes).slice(0, 200);
  return `the suite built "${body.label}" and found ${found} in it instead of ${wanted}: ${text}`;
}

function faultOf(bytes: Uint8Array | undefined, contract: Contract): string {
  const json = bytes === undefined ? undefined : readJson(bytes, MEMBERS);
  if (json?.kind !== 'json') return 'a fault of syntax';
  return contract.validateRequest('createPet', json).length > 0 ? 'a fault of schema' : 'no fault';
}
