import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Collection, NewPet, Pet } from './collection.ts';
import type { ApiError } from './errors.ts';
import type { Json, JsonObject } from './json.ts';

export type Operation = 'listPets' | 'createPet' | 'getPet';

/** One running service: its state and its steps. */
export interface Service {
  readonly steps: Steps;
  readonly collection: Collection;
  readonly token: string;
  /** The path in front of every operation, `/v1`. */
  readonly basePath: string;
  /** How many animals to start with; undefined for the default. */
  readonly seedAnimals: number | undefined;
  /** The UTC date, `YYYY-MM-DD`. */
  today(): string;
  /** The next number of a seeded sequence, from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Resolves after that many milliseconds; never, once the service was stopped. */
  pause(milliseconds: number): Promise<void>;
  /** Repeats an action at that interval until the service is stopped. */
  every(milliseconds: number, action: () => void): void;
}

/** A request that is being handled. */
export interface Call {
  readonly service: Service;
  /** undefined for a path or a method that the specification does not describe. */
  readonly operation: Operation | undefined;
  /** The path segment after `/pets/`, percent-decoded. */
  readonly petId: string | undefined;
  readonly query: URLSearchParams;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  header(name: string): string | undefined;
}

/** A response before it is sent. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Which animals a page holds; no animal has a status outside the enumeration. */
export interface PageRequest {
  readonly limit: number;
  readonly status: string | undefined;
}

/**
 * The steps of the service; each can be overridden on its own. A step calls the others through `call.service.steps`, so
 * that an overridden one applies everywhere. Those that refuse a request throw an ApiError.
 */
export interface Steps {
  /** Sets up the HTTP server before it listens. */
  configure(server: Server, service: Service): void;
  /** Fills the collection before the service listens. */
  populate(service: Service): Promise<void> | void;

  /** From a request to a response, also for errors; never throws. */
  serve(call: Call): Promise<ApiResponse>;
  /** Checks the key, then performs the operation. */
  perform(call: Call): Promise<ApiResponse>;
  authenticate(call: Call): void;

  listPets(call: Call): Promise<ApiResponse> | ApiResponse;
  readLimit(call: Call): number;
  readStatusFilter(call: Call): string | undefined;
  selectPage(page: PageRequest, call: Call): readonly Pet[];

  createPet(call: Call): Promise<ApiResponse>;
  checkMediaType(call: Call): void;
  readBody(call: Call): Promise<string>;
  parseBody(text: string, call: Call): unknown;
  validateNewPet(body: unknown, call: Call): NewPet;
  assignId(service: Service): Promise<bigint> | bigint;
  store(pet: Pet, call: Call): void;

  getPet(call: Call): Promise<ApiResponse> | ApiResponse;
  readPetId(call: Call): bigint;
  findPet(id: bigint, call: Call): Pet | undefined;

  describePet(pet: Pet, call: Call): JsonObject;
  describeError(error: ApiError, call: Call): JsonObject;
  writeJson(value: Json, call: Call): string;
  respond(status: number, value: Json, headers: Readonly<Record<string, string>>, call: Call): ApiResponse;
  /** Puts a response on the wire. */
  send(response: ApiResponse, call: Call): Promise<void> | void;
}

/** A change to the service: a fault, or another choice where the specification leaves one. */
interface Change {
  /** Unique, in lower-case words joined by hyphens. */
  readonly name: string;
  /** What the changed service does, in one sentence. */
  readonly says: string;
  /** Makes the changed steps; called once for each start, so the state it keeps is new at each. */
  readonly change: (steps: Steps) => Steps;
}

/** A change that breaks one requirement of the catalogue. */
export interface Fault extends Change {
  readonly breaks: string;
  /** How old (ms) the first animals are when it shows, where that is later than a standard run looks. */
  readonly lingerMs?: number;
}

/** A change that keeps to the specification: another permitted choice. */
export interface Variant extends Change {
  /** The requirement that leaves the choice, or that the choice keeps to. */
  readonly chooses: string;
}
