import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Collection } from './collection.ts';
import type { Refusal } from './errors.ts';
import type { Json, JsonObject } from './json.ts';
import type { NewPet, Pet, PetStatus } from './pet.ts';

export type Operation = 'listPets' | 'createPet' | 'getPet';

/** One running service: what it holds, and the steps that it takes. */
export interface Shop {
  readonly steps: Steps;
  readonly collection: Collection;
  readonly token: string;
  /** The path in front of every operation, `/v1`. */
  readonly basePath: string;
  /** How many animals to start with; undefined for a handful. */
  readonly seedAnimals: number | undefined;
  /** The UTC date, `YYYY-MM-DD`. */
  today(): string;
  /** The next number of the seeded sequence, from 0 up to 1. */
  random(): number;
  /** Resolves after so many milliseconds; never, once the service was stopped. */
  pause(milliseconds: number): Promise<void>;
  /** Runs something every so many milliseconds until the service is stopped. */
  every(milliseconds: number, action: () => void): void;
}

/** One request under way. */
export interface Call {
  readonly shop: Shop;
  /** undefined for a path or a method that the specification does not describe. */
  readonly operation: Operation | undefined;
  /** The path segment after `/pets/`, percent-decoded. */
  readonly petId: string | undefined;
  readonly query: URLSearchParams;
  /** The how-manieth request to this service it is, from 1. */
  readonly number: number;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  header(name: string): string | undefined;
}

/** What goes back, before it is put on the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What a page is asked to hold; `nothing` for a status that no animal can have. */
export interface PageRequest {
  readonly limit: number;
  readonly status: PetStatus | 'nothing' | undefined;
}

/**
 * The steps that the service takes, each to be replaced or wrapped on its own. A step finds the others through
 * `call.shop.steps`, so that a replaced one is in force everywhere.
 */
export interface Steps {
  /** Sets up the HTTP server before it listens. */
  configure(server: Server, shop: Shop): void;
  /** Fills the collection before the service listens. */
  stock(shop: Shop): Promise<void> | void;

  /** From a request to an answer, refusals and the service's own faults included; never throws. */
  serve(call: Call): Promise<Answer>;
  /** Checks the key, then performs the operation. @throws Refusal */
  perform(call: Call): Promise<Answer>;
  /** Returns when the key is the right one. @throws Refusal 401 */
  authenticate(call: Call): void;

  listPets(call: Call): Promise<Answer> | Answer;
  /** @throws Refusal 400 */
  readLimit(call: Call): number;
  /** @throws Refusal 400 */
  readStatusFilter(call: Call): PetStatus | 'nothing' | undefined;
  selectPage(page: PageRequest, call: Call): readonly Pet[];

  createPet(call: Call): Promise<Answer>;
  /** Returns when the body may be read as JSON. @throws Refusal 415 */
  checkMediaType(call: Call): void;
  /** The whole body as text. @throws Refusal 400 */
  readBody(call: Call): Promise<string>;
  /** @throws Refusal 400 */
  parseBody(text: string, call: Call): unknown;
  /** @throws Refusal 400 */
  validateNewPet(body: unknown, call: Call): NewPet;
  assignId(shop: Shop): Promise<bigint> | bigint;
  store(pet: Pet, call: Call): void;

  getPet(call: Call): Promise<Answer> | Answer;
  /** @throws Refusal 404 */
  readPetId(call: Call): bigint;
  findPet(id: bigint, call: Call): Pet | undefined;

  describePet(pet: Pet, call: Call): JsonObject;
  describeError(refusal: Refusal, call: Call): JsonObject;
  writeJson(value: Json, call: Call): string;
  /** Puts a JSON value into an answer. */
  reply(status: number, value: Json, headers: Readonly<Record<string, string>>, call: Call): Answer;
  /** Puts an answer on the wire. */
  send(answer: Answer, call: Call): Promise<void> | void;
}

/** A change to the service: a fault, or another choice where the specification leaves one. */
export interface Change {
  /** Unique, in lower-case words joined by hyphens. */
  readonly name: string;
  /** What the changed service does, in one sentence. */
  readonly says: string;
  /** Makes the changed steps; called once for each start, so what it remembers is forgotten at the next. */
  readonly change: (steps: Steps) => Steps;
}

/** A change that breaks one requirement of the catalogue. */
export interface Fault extends Change {
  readonly breaks: string;
}

/** A change that keeps to the specification: another permitted choice. */
export interface Variant extends Change {
  /** The requirement that leaves the choice, or that the choice keeps to. */
  readonly chooses: string;
}
