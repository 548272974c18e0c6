import type { RunState } from '../engine/every-answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { SentBy } from '../http/message.ts';
import { askedId, asksFor, asksForMore, filterOf, idOf, type ListCall, limitOf, type PetCall } from './calls.ts';
import { type PetStatus, REMOVAL_DATE } from './contract-facts.ts';
import { NAME_TAG } from './inputs/new-pets.ts';
import { type Refusal, Refusals, tracesOf } from './refusals.ts';
import { type Animal, type Created, isSameAnimal, type Page, type PetReply } from './reply.ts';
import { Heads, type WithHeads } from './rules/before-the-service.ts';

/** How many animals of others are remembered, and how many bytes with the answers that showed them. */
const SEEN_KEPT = { animals: 20_000, bytes: 16_000_000 };
/** What an answer takes in memory beside its body. */
const BYTES_OF_AN_ANSWER = 5_000;
/** How many animals of the run are remembered: traffic may hold any number of creations. */
const CREATED_KEPT = 5_000;

/** For how many animals of others it is remembered that a page showed them in another way. */
const MOST_DIFFERING = 100;

/** A page of the run, as far as another page of the same query can be measured by it. */
export interface Measured {
  readonly length: number;
  readonly bytes: number;
  readonly exchange: Exchange;
  readonly ids: ReadonlySet<bigint>;
  /** The animals of the run's own that it showed. */
  readonly own: readonly Created[];
}

/** An animal that the list shows, and the page that showed it. */
export interface Listed {
  readonly animal: Animal & { readonly id: bigint };
  readonly page: Page;
}

/** An animal that a page left out, asked for twice while nothing else was in flight. */
export interface LeftOut {
  readonly animal: Created;
  readonly page: Page;
}

/** Answers without a limit, before and after the one with the default limit. */
export type DefaultPages = readonly [before: PetReply, after: PetReply, withDefault: PetReply];

/** A page of all animals, and an empty one with a filter that one of these animals matches. */
export interface EmptyBesideOthers {
  readonly listed: PetReply;
  readonly filtered: PetReply;
}

/** What the run knows of the collection: what it added, what was refused, and what the pages have shown. */
export class CollectionModel implements RunState<PetReply>, WithHeads {
  /** How long the list may take to show a new animal, in milliseconds. */
  readonly settleMs: number;
  /** True on and after the date on which getPet may be gone (parts 4.3 and 9). */
  readonly getPetMayBeGone: boolean;
  readonly #created = new Map<bigint, Created>();
  readonly #createdByName = new Map<string, Created>();
  /** When the last animal of the run's own was asked for and added (ms, monotonic). */
  #lastAdded = { sentAt: Number.NEGATIVE_INFINITY, answeredAt: Number.NEGATIVE_INFINITY };
  /** What was refused, so that an animal which was made of it all the same can be recognised. */
  readonly refusals = new Refusals();
  /** Names under which an animal may exist without our knowing its id: in flight, or with the 201 lost. */
  readonly #unsettled = new Map<string, number>();
  #hasNamed = false;
  /** How many animals there were before the run added any, where a page showed all of them: of several, the longest. */
  sizeAtStart: number | undefined;
  /** The ids of those animals. */
  readonly allAtStart = new Set<bigint>();
  /** Ids of animals that an earlier run added, and that this one found as they were. */
  readonly recalled: bigint[] = [];
  /** By id, an animal as it was first seen, other than in its own 201. */
  readonly #seen = new Map<bigint, { readonly exchange: Exchange; readonly animal: Animal }>();
  /** By id, animals that this run has not added, each with the last page that showed it otherwise than it was first seen. */
  readonly othersThatDiffered = new Map<bigint, Listed>();
  #seenBytes = 0;
  /** By id, the answer that an animal is unknown which was there at first. */
  readonly #notFound = new Map<bigint, Exchange>();
  /** By limit and status, the page with the most animals that the service has shown in answer to that very query. */
  readonly #longest = new Map<string, Measured>();
  /** By limit and status, when the last page of that very query was asked for, and its length. */
  readonly #latest = new Map<string, { readonly sentAt: number; readonly length: number }>();
  /** By limit and status, the first page of that very query, where it was empty. */
  readonly #emptyAtFirst = new Map<string, Exchange>();
  /** Animals that pages left out without any sign of room so far. */
  readonly leftOut: LeftOut[] = [];
  /** Whether the collection was looked at before anything was added. */
  isLookedAt = false;
  /** Pages that were empty beside animals of others that match them, before anything was added. */
  readonly emptyBesideOthers: EmptyBesideOthers[] = [];
  /** Pages without a limit and with the default one that differed in size, before anything was added. */
  readonly defaultsThatDiffered: DefaultPages[] = [];
  /** Animals of the run's own that were shown with another status than their 201: no filter says what it must hold. */
  readonly #statusDiffers = new Set<bigint>();
  /** The operations that have succeeded with the right key. */
  readonly succeeded = new Set<PetCall['operation']>();
  /** How many calls of each operation were answered. */
  readonly answers: Record<PetCall['operation'], number> = { listPets: 0, createPet: 0, getPet: 0 };
  /** How many of them succeeded. */
  readonly successes: Record<PetCall['operation'], number> = { listPets: 0, createPet: 0, getPet: 0 };
  /** A valid body that was accepted: the control of bodies of which it is not said. */
  control: Exchange | undefined;
  /** Which requests must have reached the service. */
  readonly heads: Heads;
  /** What seems to have been answered before it reached the service, and by whom, in words. */
  readonly answeredBefore = new Set<string>();
  /** The values of `code` that were seen, by status. */
  readonly errorCodes = new Map<number, Set<string>>();
  /** Part of the names of this run's own animals, and of no other run's. */
  runTag = NAME_TAG;

  /** @param plan of which `today` is a date as `YYYY-MM-DD`, which sorts as the calendar does */
  constructor({ settleMs, today, ...sentBy }: SentBy & { readonly settleMs: number; readonly today: string }) {
    this.settleMs = settleMs;
    this.heads = new Heads(sentBy);
    this.getPetMayBeGone = today >= REMOVAL_DATE;
  }

  /** Every animal that this run added, in the order of the 201s. */
  get created(): readonly Created[] {
    return [...this.#created.values()];
  }

  /** Whether an animal was sent, and added, after all that was refused. */
  get hasAddedSinceRefusals(): boolean {
    return this.#lastAdded.sentAt > this.refusals.lastAt;
  }

  /** The length of the page of a query, where it was asked for since the last addition. */
  lengthNow({
    limit,
    status,
  }: {
    readonly limit?: number;
    readonly status?: PetStatus | undefined;
  }): number | undefined {
    const latest = this.#latest.get(queryOf({ limit: limit === undefined ? undefined : `${limit}`, status }));
    return latest !== undefined && latest.sentAt > this.#lastAdded.answeredAt ? latest.length : undefined;
  }

  /** The animal that this run added under an id; of two the first. */
  find(id: bigint | undefined): Created | undefined {
    return id === undefined ? undefined : this.#created.get(id);
  }

  /** The refusal that an animal was made of in spite of it, or changed by, if that is certain. */
  refusalOf(animal: Animal): Refusal | undefined {
    const { id, name } = animal;
    const isSettled = name !== undefined && this.#isSettled(name);
    return this.refusals.of(animal, this.find(id), isSettled);
  }

  /** The animal that this run created under this name, where it is shown under an id that the run was never given. */
  createdUnderOtherId(animal: Animal): Created | undefined {
    const { name } = animal;
    if (name?.includes(this.runTag) !== true || this.refusals.has(name)) return undefined;
    return this.#isUnaccountedFor(animal) ? this.#createdByName.get(name) : undefined;
  }

  #isUnaccountedFor({ id, name }: Animal): boolean {
    return name !== undefined && this.#isSettled(name) && this.find(id) === undefined;
  }

  #isSettled(name: string): boolean {
    return (this.#unsettled.get(name) ?? 0) <= 0;
  }

  /** The exchange in which an animal with this id was first seen, other than its own 201, if it ended before a moment. */
  seenBefore(id: bigint, moment: number): Exchange | undefined {
    const seen = this.#seen.get(id)?.exchange;
    return seen !== undefined && seen.answeredAt < moment ? seen : undefined;
  }

  /** Whether an animal was seen before the run sent one of its own. */
  wasThereAtFirst(id: bigint | undefined): boolean {
    const [own] = this.#created.values();
    return id !== undefined && this.seenBefore(id, own?.exchange.sentAt ?? Number.POSITIVE_INFINITY) !== undefined;
  }

  /** An answer, before a moment, that an animal is unknown which was there at first and had been seen by then. */
  notFoundBefore(id: bigint, moment: number): Exchange | undefined {
    const exchange = this.#notFound.get(id);
    return exchange !== undefined && exchange.answeredAt < moment ? exchange : undefined;
  }

  /** The id of an animal that was there at first: the one that was seen first; undefined where none was. */
  get oneOfOthers(): bigint | undefined {
    const [id] = this.#seen.keys();
    return this.wasThereAtFirst(id) ? id : undefined;
  }

  /** The animals of the run's own that match a filter, oldest first. */
  matching(filter: PetStatus | 'absent'): readonly Created[] {
    return this.created.filter((animal) => this.#matches(animal, filter));
  }

  #matches({ id, status }: Created, filter: PetStatus | 'absent'): boolean {
    return filter === 'absent' || (status === filter && !this.#statusDiffers.has(id));
  }

  /**
   * An animal of the run's own that a page must not be without if it is empty, and when its settling time is over
   * (milliseconds, monotonic): until then the page may be late.
   */
  matchFor({ call }: Page): { readonly animal: Created; readonly settledAt: number } | undefined {
    const { limit, status } = call.asked;
    // What else is asked for may leave out anything, and no animals are what a limit of 0 asks for.
    if (asksForMore(call) || (limit.kind === 'open' && limit.isZero)) return undefined;
    if (status.kind !== 'absent' && status.kind !== 'valid') return undefined;
    const animal = this.#oldestMatching(status.kind === 'absent' ? 'absent' : status.value);
    return animal && { animal, settledAt: animal.exchange.answeredAt + this.settleMs };
  }

  #oldestMatching(filter: PetStatus | 'absent'): Created | undefined {
    for (const animal of this.#created.values()) if (this.#matches(animal, filter)) return animal;
    return undefined;
  }

  /**
   * The page that shows that another one, in answer to the same query, has room for an animal: it is later, and holds
   * all that the other one holds and the animal; or it holds more animals, and at least as many bytes as the other one
   * with the animal. Undefined where the service has shown none.
   */
  roomFor(animal: Created, { call, reply, length, animals }: Page): Measured | undefined {
    const longest = this.#longest.get(queryOf(call));
    if (longest === undefined || longest.length <= length) return undefined;
    if (call.asked.status.kind === 'valid' && this.#statusDiffers.has(animal.id)) return undefined;
    const isLater = longest.exchange.sentAt > reply.exchange.sentAt;
    if (isLater && [...animals, animal].every(({ id }) => id !== undefined && longest.ids.has(id))) return longest;
    const isSmaller = bytesOf(reply.exchange) + bytesOf(animal.exchange) + SEPARATOR_BYTES <= longest.bytes;
    return isSmaller && !this.#isCutByAWindow(animal, { reply, animals }, longest) ? longest : undefined;
  }

  /**
   * Whether a window over the newest or over the oldest animals, filtered afterwards, explains that a page is without
   * one: no animal that is older is shown, then or later; or none that is newer, then or before.
   */
  #isCutByAWindow(
    { id: missing, exchange: { sentAt, answeredAt } }: Created,
    { reply, animals }: Pick<Page, 'reply' | 'animals'>,
    longest: Measured,
  ): boolean {
    const isLater = longest.exchange.sentAt > reply.exchange.sentAt;
    const own = animals.flatMap(({ id }) => this.find(id) ?? []);
    const isOlder = ({ id, exchange }: Created): boolean => id === missing || exchange.answeredAt < sentAt;
    const isNewer = ({ exchange }: Created): boolean => exchange.sentAt > answeredAt;
    const isOldAnimal = ({ id }: Animal): boolean => id !== undefined && this.seenBefore(id, sentAt) !== undefined;
    const reachesBack = own.some(isOlder) || animals.some(isOldAnimal) || (isLater && longest.own.some(isOlder));
    const reachesUp = own.some(isNewer) || longest.own.some(isNewer);
    return !reachesBack || !reachesUp;
  }

  begin(call: PetCall): void {
    const name = nameOfCreation(call);
    if (name === undefined) return;
    this.#hasNamed = true;
    this.#unsettled.set(name, (this.#unsettled.get(name) ?? 0) + 1);
  }

  learn(reply: PetReply): void {
    this.heads.learn(reply);
    const stranger = this.heads.strangerIn(reply);
    if (stranger !== undefined) this.answeredBefore.add(stranger);
    this.#learnFromPage(reply);
    if (reply.call.operation !== 'createPet') this.#learnSeen(reply);
    this.#learnNotFound(reply);
    const { status, errorCode } = reply;
    if (reply.isRightStatus && reply.call.credential.valid) this.succeeded.add(reply.call.operation);
    if (status !== undefined) this.answers[reply.call.operation] += 1;
    if (reply.isSuccess) this.successes[reply.call.operation] += 1;
    if (status !== undefined && errorCode !== undefined) {
      this.errorCodes.set(status, (this.errorCodes.get(status) ?? new Set()).add(errorCode));
    }
    const { created, call } = reply;
    if (created !== undefined && call.operation === 'createPet' && call.body.kind === 'valid') {
      this.control ??= reply.exchange;
    }
    if (reply.mayHaveCreated && created !== undefined) {
      const { sentAt, answeredAt } = reply.exchange;
      this.#lastAdded = {
        sentAt: Math.max(this.#lastAdded.sentAt, sentAt),
        answeredAt: Math.max(this.#lastAdded.answeredAt, answeredAt),
      };
      if (this.#created.size < CREATED_KEPT) {
        if (!this.#created.has(created.id)) this.#created.set(created.id, created);
        if (!this.#createdByName.has(created.name)) this.#createdByName.set(created.name, created);
      }
    }
    this.#learnSettled(reply);
    this.refusals.learn(reply);
  }

  /** The 201 of the animal that getPet asks for. */
  sourceOf(call: PetCall): Exchange | undefined {
    const asked = call.operation === 'getPet' ? askedId(call) : undefined;
    return asked !== undefined && 'id' in asked ? this.find(asked.id)?.exchange : undefined;
  }

  /** An answer to the very query of a page, in which it was empty before an animal was added. */
  emptyBefore(animal: Created, { call }: Page): Exchange | undefined {
    const first = this.#emptyAtFirst.get(queryOf(call));
    return first !== undefined && first.answeredAt < animal.exchange.sentAt ? first : undefined;
  }

  #learnFromPage({ page, exchange }: PetReply): void {
    if (page === undefined || !asksFor(page.call, {})) return;
    const { call, length } = page;
    const query = queryOf(call);
    const showsAll = filterOf(call) === 'absent' && length < (limitOf(call) ?? 0);
    // No animal has a name of the run's yet.
    if (showsAll && !this.#hasNamed) {
      this.sizeAtStart = Math.max(this.sizeAtStart ?? 0, length);
      for (const { id } of page.animals) if (id !== undefined) this.allAtStart.add(id);
    }
    const { sentAt } = exchange;
    if (sentAt > (this.#latest.get(query)?.sentAt ?? 0)) this.#latest.set(query, { sentAt, length });
    const longest = this.#longest.get(query);
    if (length === 0 && longest === undefined && !this.#emptyAtFirst.has(query))
      this.#emptyAtFirst.set(query, exchange);
    if (length <= (longest?.length ?? 0)) return;
    const own = page.animals.flatMap(({ id }) => this.find(id) ?? []);
    const ids = new Set(page.animals.flatMap(({ id }) => id ?? []));
    this.#longest.set(query, { length, bytes: bytesOf(exchange), exchange, ids, own });
  }

  #learnSeen({ animals, exchange, page }: PetReply): void {
    const before = this.#seen.size;
    const bytes = bytesOf(exchange) + BYTES_OF_AN_ANSWER;
    const isFull = this.#seenBytes + bytes > SEEN_KEPT.bytes;
    for (const animal of animals) {
      const { id, status } = animal;
      const own = this.find(id);
      if (own !== undefined && status !== own.status) this.#statusDiffers.add(own.id);
      if (id === undefined) continue;
      const seen = this.#seen.get(id);
      if (seen === undefined && !isFull && this.#seen.size < SEEN_KEPT.animals)
        this.#seen.set(id, { exchange, animal });
      const differs = seen !== undefined && own === undefined && !isSameAnimal(seen.animal, animal);
      if (differs && page !== undefined && this.othersThatDiffered.size < MOST_DIFFERING)
        this.othersThatDiffered.set(id, { animal: { ...animal, id }, page });
    }
    if (this.#seen.size > before) this.#seenBytes += bytes;
  }

  #learnNotFound(reply: PetReply): void {
    const { call, exchange, status } = reply;
    const id = idOf(call);
    if (status !== 404 || !call.credential.valid || id === undefined || this.#notFound.has(id)) return;
    if (this.heads.mayHaveRefused(reply)) return;
    const isOfOthers = this.find(id) === undefined && this.wasThereAtFirst(id);
    if (isOfOthers && this.seenBefore(id, exchange.sentAt) !== undefined) this.#notFound.set(id, exchange);
  }

  /**
   * A creation has ended. Without a readable 201 or a refusal its name stays unsettled, since the animal may exist; so
   * it does where the request was sent again after its connection died, since then there may be two.
   */
  #learnSettled(reply: PetReply): void {
    const name = nameOfCreation(reply.call);
    if (name === undefined || reply.exchange.resent) return;
    const isCertain = reply.animals[0]?.id !== undefined || (reply.isRefusal && (reply.status ?? 0) < 500);
    if (!isCertain) return;
    const left = (this.#unsettled.get(name) ?? 1) - 1;
    if (left > 0) this.#unsettled.set(name, left);
    else this.#unsettled.delete(name);
  }
}

/** A comma, and a blank or a line end. */
const SEPARATOR_BYTES = 3;

/** What a query asks for, however it is written. */
const queryOf = ({ limit, status }: Pick<ListCall, 'limit' | 'status'>): string => `${limit} ${status}`;

/** The size of an answer's body, all of it, in bytes. */
export function bytesOf({ answer }: Exchange): number {
  return answer.kind === 'response' ? (answer.fullSize ?? answer.body.length) : 0;
}

/** The name of the animal that a call may create. */
function nameOfCreation(call: PetCall): string | undefined {
  return call.operation === 'createPet' && call.effect === 'may create' ? tracesOf(call.body).name : undefined;
}
