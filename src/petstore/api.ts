import type { CheckClient } from '../engine/check-client.ts';
import { InconclusiveError, NotApplicableError } from '../engine/outcome-errors.ts';
import {
  createPet,
  getPet,
  type ListCall,
  type ListQuery,
  listAsWritten,
  listPets,
  type PetCall,
  type RequestForm,
} from './calls.ts';
import type { CollectionModel } from './collection-model.ts';
import { LIMIT, type PetStatus, REMOVAL_DATE_IN_WORDS } from './contract-facts.ts';
import type { NewPet } from './inputs/body.ts';
import { type ValidBody, validBody } from './inputs/body.ts';
import { type KeyCredential, rightKey } from './inputs/credential.ts';
import { ownerOf, ownerOfAny, permitted, SUCCESS } from './oracle.ts';
import type { Created, Page, PetReply } from './reply.ts';
import { hasAPermittedStatus } from './rules/statuses.ts';
import { Sender } from './sender.ts';

const GET_PET_IS_GONE = `getPet was removed, as announced for ${REMOVAL_DATE_IN_WORDS}`;

/**
 * The three operations as a check calls them. `send` expects nothing. `list`, `create` and `get` must succeed: where
 * they do not, the requirement that owns the success is violated, and any other check cannot be judged.
 */
export class Api {
  /** The API key itself, and as the credential that every call needs. */
  readonly token: string;
  readonly key: KeyCredential;
  readonly #client: CheckClient<PetReply, CollectionModel>;
  readonly #model: CollectionModel;
  readonly #sender: Sender;
  readonly #controls = new Map<string, Promise<PetReply>>();

  constructor(client: CheckClient<PetReply, CollectionModel>, model: CollectionModel, token: string) {
    this.#client = client;
    this.#model = model;
    this.token = token;
    this.key = rightKey(token);
    this.#sender = new Sender(client, this.key, token);
  }

  /** Sends a call under the circumstances that its form names. */
  send(call: PetCall): Promise<PetReply> {
    return this.#sender.send(call);
  }

  sendOnOneConnection(calls: readonly PetCall[]): Promise<readonly PetReply[]> {
    return this.#client.sendOnOneConnection(calls);
  }

  /** Sends calls at one moment. */
  async sendAtOneMoment(calls: readonly PetCall[]): Promise<readonly PetReply[]> {
    const sent = await this.#client.sendEach(calls, 'at one moment');
    return sent.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  list(query: ListQuery = {}, form?: RequestForm): Promise<Page> {
    return this.#page(listPets(query, this.key, form));
  }

  /** The page with the largest limit, of all animals or of a status. */
  longestPage(status?: PetStatus): Promise<Page> {
    return this.list({ limit: LIMIT.maximum, status });
  }

  /** Sends the query of a list call again, in the usual form. */
  listAgain({ search }: ListCall): Promise<Page> {
    return this.#page(listAsWritten(search, this.key));
  }

  async #page(call: ListCall): Promise<Page> {
    const reply = await this.send(call);
    if (reply.page === undefined) throw this.#notSuccessful(reply);
    return reply.page;
  }

  /** Adds an animal. What the service says of it is read from this very reply. */
  async create(what: NewPet | ValidBody, form?: RequestForm): Promise<Created & { readonly reply: PetReply }> {
    const body = 'kind' in what ? what : validBody(what);
    const reply = await this.send(createPet(body, this.key, form));
    if (reply.created === undefined) throw this.#notSuccessful(reply);
    return { ...reply.created, reply };
  }

  /** Gets an animal that exists; its id may be written in other words. */
  async get(id: bigint | string, form?: RequestForm): Promise<PetReply> {
    const reply = await this.send(getPet(id, this.key, form));
    this.#mustNotBeGone(reply);
    if (reply.animals[0] === undefined) throw this.#notSuccessful(reply);
    return reply;
  }

  /** Sends a call that must succeed, once; asked again, it gives the first reply. */
  control(call: PetCall): Promise<PetReply> {
    const { method, path, body = new Uint8Array() } = call.request;
    const text = `${method} ${path} ${Buffer.from(body).toString('latin1')}`;
    const send = async (): Promise<PetReply> => {
      const reply = await this.send(call);
      if (!reply.isSuccess) throw this.#notSuccessful(reply);
      return reply;
    };
    const sent = this.#controls.get(text) ?? send();
    this.#controls.set(text, sent);
    return sent;
  }

  /**
   * Stops a check on a reply that says nothing of what was asked: none, a 5xx, or the right key refused.
   *
   * @throws InconclusiveError where another requirement is to say so
   */
  mustSayMore(reply: PetReply): void {
    const owner = ownerOfAny(reply);
    if (owner !== undefined && owner !== this.#client.requirement) throw controlFailed(reply, owner);
  }

  /** As {@link mustSayMore}, and on a reply with a status that the oracle does not permit. */
  precondition(reply: PetReply): void {
    this.mustSayMore(reply);
    const right = permitted(reply, this.#model);
    if (right === undefined || right.requirement === this.#client.requirement) return;
    if (right.statuses.includes(reply.status ?? 0) || this.#model.heads.mayHaveRefused(reply)) return;
    throw controlFailed(reply, right.requirement);
  }

  /**
   * @throws ViolationError unless the reply has one of these statuses, or need not be the service's; InconclusiveError
   * where it says nothing of what was asked
   */
  expectStatus(reply: PetReply, expected: readonly number[]): void {
    if (ownerOfAny(reply) !== undefined) throw this.#notSuccessful(reply);
    if (!expected.includes(reply.status ?? 0)) this.#mustNotBeGone(reply);
    this.#client.expect(
      (seen) => this.#model.heads.judged(seen, () => hasAPermittedStatus(seen, { statuses: expected })),
      reply,
    );
  }

  /** As {@link expectStatus}, of the statuses that the oracle permits. */
  expectPermitted(reply: PetReply): void {
    const right = permitted(reply, this.#model);
    if (right !== undefined) this.expectStatus(reply, right.statuses);
  }

  /** Looks again until the observation satisfies, at most for the settling time; then returns the last one. */
  async eventually<T>(observe: () => Promise<T>, satisfied: (seen: T) => boolean): Promise<T> {
    const until = performance.now() + this.#model.settleMs;
    for (let wait = 50; ; wait = Math.min(wait * 2, 500)) {
      const seen = await observe();
      if (satisfied(seen) || performance.now() >= until) return seen;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  get basePath(): string {
    return this.#client.http.address.basePath;
  }

  /** Responses with 429 so far. */
  get throttled(): number {
    return this.#client.http.throttled;
  }

  /** True while a reset that may have been a keep-alive race is being looked into. */
  get doubtsResets(): boolean {
    return this.#client.http.doubtsResets;
  }

  /** Looks into resets once more that may have been such races, where there were any. */
  lookIntoResets(): void {
    this.#client.http.lookIntoResets();
  }

  #mustNotBeGone({ call, status }: PetReply): void {
    const isGone = call.operation === 'getPet' && (status === 404 || status === 410);
    if (isGone && this.#model.getPetMayBeGone) throw new NotApplicableError(GET_PET_IS_GONE);
  }

  #notSuccessful(reply: PetReply): Error {
    const { json, call } = reply;
    if (json.kind === 'unread')
      return new InconclusiveError('unread', `a response could not be read (${call.description}: ${json.sentence})`);
    if (this.#model.heads.mayHaveRefused(reply)) {
      const reason = `${call.description} was answered ${reply.statusText}, which may be for ${this.#model.heads.whyRefused(reply)}`;
      return new InconclusiveError('head-refused', reason);
    }
    const see = this.#ownerOfFailure(reply);
    if (see !== this.#client.requirement) return controlFailed(reply, see);
    const { why } = permitted(reply, this.#model) ?? {};
    // What the body of a success must be, the rules say.
    const isSuccess = (seen: PetReply) => hasAPermittedStatus(seen, { statuses: [SUCCESS[call.operation]], why });
    return this.#client.violation(isSuccess, reply) ?? controlFailed(reply, see);
  }

  /** The requirement that a reply violates which is not the success that it must be. */
  #ownerOfFailure(reply: PetReply): string {
    const owner = ownerOf(reply, this.#model);
    if (!reply.isRightStatus && owner !== undefined) return owner;
    return reply.json.kind === 'json' ? OWNER_OF_THE_BODY[reply.call.operation] : 'SERV-3';
  }
}

/** The requirement that says what the body of a success holds. */
const OWNER_OF_THE_BODY = { listPets: 'LIST-1', createPet: 'RES-4', getPet: 'GET-1' } as const;

const SHAPES = { listPets: 'an array of animals', createPet: 'the created animal', getPet: 'the animal' } as const;

/** What is wrong with a success that does not say what it must, in a sentence without a full stop. */
function whatBodyLacks({ call, json, status, schemaFaults: [fault] }: PetReply): string {
  const what = json.kind === 'json' ? fault?.message : json.sentence.replace(/^The/, 'the').replace(/\.$/, '');
  const reason = what === undefined ? '' : `: ${what}`;
  return `the ${status} to ${call.description} does not hold ${SHAPES[call.operation]}${reason}`;
}

function controlFailed(reply: PetReply, see: string): InconclusiveError {
  const { call, statusText } = reply;
  const what = reply.isRightStatus ? whatBodyLacks(reply) : `${call.description} was answered ${statusText}`;
  const reason = `the control failed (${what})`;
  return new InconclusiveError('control-failed', reason, { see });
}
