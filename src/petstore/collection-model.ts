import type { RunState } from '../engine/every-answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { filterOf, limitOf, type PetCall } from './calls.ts';
import { LIMIT, REMOVAL_DATE } from './contract-facts.ts';
import type { Body, Traces } from './inputs/body.ts';
import type { Animal, Created, Page, PetReply } from './reply.ts';

/** Most animals of others that are remembered. */
const SEEN_KEPT = 20_000;

/** Stands in the name of every animal that a run adds, so that a person can tell them. */
export const NAME_TAG = 'conformance';

/** A refusal, and what was wrong with the request: its key, or its body. */
interface Refusal {
  readonly exchange: Exchange;
  readonly because: 'key' | 'body';
}

/** What the run knows of the collection: what it added, what was refused, and what the pages have shown. */
export class CollectionModel implements RunState<PetReply> {
  /** How long the list may take to show a new animal, in milliseconds. */
  readonly settleMs: number;
  /** True on and after the date on which getPet may be gone (parts 4.3 and 9). */
  readonly getPetMayBeGone: boolean;
  readonly #created = new Map<bigint, Created>();
  readonly #createdByName = new Map<string, Created>();
  /** By name, and by category where that tells. */
  readonly #refused = new Map<string | bigint, Refusal>();
  /** What was wrong with the requests that were refused so far. */
  readonly refusedBecause = new Set<Refusal['because']>();
  /** Names under which an animal may exist without our knowing its id: under way, or with the 201 lost. */
  readonly #unsettled = new Map<string, number>();
  /** By id, when an animal was first seen in any reply but its own 201. */
  readonly #seen = new Map<bigint, number>();
  /** By filter, the first of the run's own animals that a page showed, and when. */
  readonly #shown = new Map<string, { readonly animal: Created; readonly since: number }>();
  /** The values of `code` that were seen, by status. */
  readonly errorCodes = new Map<number, Set<string>>();
  /** Most animals that any page with the largest limit held: the service's pages can be at least this long. */
  longestPage = 0;
  /** Part of the names of this run's own animals, and of no other run's. */
  runTag = NAME_TAG;

  /** @param today a date as `YYYY-MM-DD`, which sorts as the calendar does */
  constructor({ settleMs, today }: { readonly settleMs: number; readonly today: string }) {
    this.settleMs = settleMs;
    this.getPetMayBeGone = today >= REMOVAL_DATE;
  }

  /** Every animal that this run added, in the order of the 201s. */
  get created(): readonly Created[] {
    return [...this.#created.values()];
  }

  /** The animal that this run added under an id; of two the first. */
  find(id: bigint | undefined): Created | undefined {
    return id === undefined ? undefined : this.#created.get(id);
  }

  /** Whether a run of the suite, this one or another, may have added an animal of this name. */
  isOfARun(name: string | undefined): boolean {
    return name?.includes(NAME_TAG) === true;
  }

  /** The refusal that an animal was made of in spite of it, if that is certain. */
  refusalOf(animal: Animal): Refusal | undefined {
    const { name, categoryId } = animal;
    const byCategory = categoryId === undefined ? undefined : this.#refused.get(categoryId);
    if (byCategory !== undefined || name === undefined || !this.#isUnaccountedFor(animal)) return byCategory;
    return this.#refused.get(name);
  }

  /** The animal that this run created under this name, where it is shown under an id that the run was never given. */
  createdUnderOtherId(animal: Animal): Created | undefined {
    const { name } = animal;
    if (name?.includes(this.runTag) !== true || this.#refused.has(name)) return undefined;
    return this.#isUnaccountedFor(animal) ? this.#createdByName.get(name) : undefined;
  }

  #isUnaccountedFor({ id, name }: Animal): boolean {
    return name !== undefined && (this.#unsettled.get(name) ?? 0) <= 0 && this.find(id) === undefined;
  }

  /** Whether an animal with this id was seen before a moment, in any reply but its own 201. */
  seenBefore(id: bigint, moment: number): boolean {
    const seenAt = this.#seen.get(id);
    return seenAt !== undefined && seenAt < moment;
  }

  /**
   * An animal of the run's own that a page must not be without if it is empty: it matches the filter, and the list has
   * shown it before or its settling time is over.
   */
  settledMatch({ call, reply }: Page): Created | undefined {
    const filter = filterOf(call);
    const shown = this.#shown.get(filter);
    if (shown !== undefined && shown.since < reply.exchange.sentAt) return shown.animal;
    const settledBefore = reply.exchange.sentAt - this.settleMs;
    return this.created.find(
      ({ status, exchange }) => exchange.answeredAt <= settledBefore && (filter === 'absent' || status === filter),
    );
  }

  begin(call: PetCall): void {
    const name = nameOfCreation(call);
    if (name !== undefined) this.#unsettled.set(name, (this.#unsettled.get(name) ?? 0) + 1);
  }

  learn(reply: PetReply): void {
    this.#learnFromPage(reply);
    if (reply.call.operation !== 'createPet') this.#learnSeen(reply);
    const { status, errorCode } = reply;
    if (status !== undefined && errorCode !== undefined) {
      this.errorCodes.set(status, (this.errorCodes.get(status) ?? new Set()).add(errorCode));
    }
    const { created } = reply;
    if (reply.isCreation && created !== undefined) {
      if (!this.#created.has(created.id)) this.#created.set(created.id, created);
      if (!this.#createdByName.has(created.name)) this.#createdByName.set(created.name, created);
    }
    this.#learnSettled(reply);
    this.#learnRefused(reply);
  }

  #learnFromPage({ page, exchange }: PetReply): void {
    if (page === undefined) return;
    const { call, length, animals } = page;
    if (limitOf(call) === LIMIT.maximum) this.longestPage = Math.max(this.longestPage, length);
    const filter = filterOf(call);
    if (this.#shown.has(filter)) return;
    const animal = animals.map(({ id }) => this.find(id)).find(Boolean);
    if (animal !== undefined) this.#shown.set(filter, { animal, since: exchange.answeredAt });
  }

  #learnSeen({ animals, exchange }: PetReply): void {
    for (const { id } of animals) {
      if (id !== undefined && this.#seen.size < SEEN_KEPT && !this.#seen.has(id)) {
        this.#seen.set(id, exchange.answeredAt);
      }
    }
  }

  /**
   * A creation has ended. Without a readable 201 or a refusal its name stays unsettled, since the animal may exist; so
   * it does where the request was sent again after its connection died, since then there may be two.
   */
  #learnSettled(reply: PetReply): void {
    const name = nameOfCreation(reply.call);
    if (name === undefined || reply.exchange.resent) return;
    const isCertain = reply.animals[0]?.id !== undefined || (reply.isRefusal && (reply.status ?? 0) < 500);
    if (isCertain) this.#unsettled.set(name, (this.#unsettled.get(name) ?? 1) - 1);
  }

  /** Notes a refusal, so that an animal which was made of the refused request can be told. */
  #learnRefused({ call, isRefusal, exchange }: PetReply): void {
    if (call.operation !== 'createPet' || !isRefusal) return;
    const { body, credential } = call;
    if (body.kind === 'valid' && credential.valid) return;
    const refusal = { exchange, because: credential.valid ? 'body' : 'key' } as const;
    this.refusedBecause.add(refusal.because);
    const { name, categoryId } = tracesOf(body);
    for (const trace of [name, categoryId]) {
      if (trace !== undefined && !this.#refused.has(trace)) this.#refused.set(trace, refusal);
    }
  }
}

/** The name of the animal that a call may create. */
function nameOfCreation(call: PetCall): string | undefined {
  return call.operation === 'createPet' && call.effect === 'may create' ? tracesOf(call.body).name : undefined;
}

function tracesOf(body: Body): Traces {
  return body.kind === 'invalid' ? body.traces : { name: body.pet.name };
}
