import type { Exchange } from '../http/exchange.ts';
import { filterOf, limitOf } from './call.ts';
import type { Traces } from './inputs/body.ts';
import { LARGEST_LIMIT } from './inputs/limits.ts';
import type { Created, Ledger } from './ledger.ts';
import type { Animal, Reply } from './reply.ts';

/** Most animals of others that are remembered. */
const SEEN_KEPT = 20_000;

/** A refusal, and what was wrong with the request: its key, or its body. */
export interface Refusal {
  readonly exchange: Exchange;
  readonly because: 'key' | 'body';
}

/** What the run has learned of the collection so far. Rules read it; only the service adds to it. */
export class Knowledge {
  readonly ledger: Ledger;
  /** How long the list may take to show a new animal, in milliseconds. */
  readonly settleMs: number;
  /** True on and after the date on which getPet may be gone. */
  readonly getPetMayBeGone: boolean;
  /** By name, and by category where that tells. */
  readonly #refused = new Map<string | bigint, Refusal>();
  /** Names under which an animal may exist without our knowing its id: under way, or with the 201 lost. */
  readonly #unsettled = new Map<string, number>();
  readonly #byName = new Map<string, Created>();
  /** By id, when an animal was first seen in any reply but its own 201. */
  readonly #seen = new Map<bigint, number>();
  readonly #errorCodes = new Map<number, Set<string>>();
  #tag: string;
  readonly #anyTag: string;
  /** By filter, the first of the run's own animals that a page showed, and when. */
  readonly #shown = new Map<string, { readonly animal: Created; readonly since: number }>();
  #longestFullPage = 0;

  /** @param tag stands in the names of the run's own animals; a name without it may be anybody's */
  constructor(ledger: Ledger, settleMs: number, getPetMayBeGone: boolean, tag: string) {
    this.ledger = ledger;
    this.#tag = tag;
    this.#anyTag = tag;
    this.settleMs = settleMs;
    this.getPetMayBeGone = getPetMayBeGone;
  }

  /** The names of the run's own animals hold another tag from now on: one that no other run has. */
  renameRun(tag: string): void {
    this.#tag = tag;
  }

  /** Whether a run of the suite, this one or another, may have added an animal of this name. */
  isOfARun(name: string | undefined): boolean {
    return name?.includes(this.#anyTag) === true;
  }

  /** Most animals that any page with the largest limit ever held: the service's pages can be at least this long. */
  get longestFullPage(): number {
    return this.#longestFullPage;
  }

  /** The values of `code` that were seen, by status. */
  get errorCodes(): ReadonlyMap<number, ReadonlySet<string>> {
    return this.#errorCodes;
  }

  /** Notes that an animal of this name may be being created. */
  beginCreation(name: string): void {
    this.#unsettled.set(name, (this.#unsettled.get(name) ?? 0) + 1);
  }

  /**
   * Notes how it ended. Without a readable 201 or a refusal the name stays unsettled, since the animal may exist; so
   * it does where the request was sent again after its connection died, since then there may be two.
   */
  endCreation(name: string, reply: Reply): void {
    const certain = reply.animals[0]?.id !== undefined || (reply.isRefusal && (reply.status ?? 0) < 500);
    if (certain && !reply.exchange.resent) this.#unsettled.set(name, (this.#unsettled.get(name) ?? 1) - 1);
  }

  /** Records an animal that the run created; undefined where its 201 could not be read in full. */
  addCreated(created: Created | undefined): void {
    this.ledger.add(created);
    if (created !== undefined && !this.#byName.has(created.name)) this.#byName.set(created.name, created);
  }

  /** Notes a refusal, so that an animal which was made of the refused request can be told. */
  addRefused({ name, categoryId }: Traces, refusal: Refusal): void {
    for (const trace of [name, categoryId]) {
      if (trace !== undefined && !this.#refused.has(trace)) this.#refused.set(trace, refusal);
    }
  }

  /** The refusal that an animal was made of in spite of it, if that is certain. */
  refusalOf(animal: Animal): Refusal | undefined {
    const byCategory = animal.categoryId === undefined ? undefined : this.#refused.get(animal.categoryId);
    if (byCategory !== undefined) return byCategory;
    return this.#isUnaccountedFor(animal) && animal.name !== undefined ? this.#refused.get(animal.name) : undefined;
  }

  /** The animal that this run created under this name, where it is shown under an id that the run was never given. */
  createdUnderOtherId(animal: Animal): Created | undefined {
    if (animal.name?.includes(this.#tag) !== true || this.#refused.has(animal.name)) return undefined;
    return this.#isUnaccountedFor(animal) ? this.#byName.get(animal.name) : undefined;
  }

  #isUnaccountedFor({ id, name }: Animal): boolean {
    if (name === undefined || (this.#unsettled.get(name) ?? 0) > 0) return false;
    return id === undefined || this.ledger.find(id) === undefined;
  }

  /** Whether an animal with this id was seen before the given moment, in any reply but its own 201. */
  seenBefore(id: bigint, moment: number): boolean {
    const seenAt = this.#seen.get(id);
    return seenAt !== undefined && seenAt < moment;
  }

  /**
   * An animal of the run's own that a page must have room for: it matches the filter, and the list has shown it
   * before or the settling time is over.
   */
  settledMatch(reply: Reply): Created | undefined {
    if (reply.call.operation !== 'listPets') return undefined;
    const filter = filterOf(reply.call);
    const shown = this.#shown.get(filter);
    if (shown !== undefined && shown.since < reply.exchange.sentAt) return shown.animal;
    const before = reply.exchange.sentAt - this.settleMs;
    return this.ledger
      .all()
      .find((animal) => animal.exchange.answeredAt <= before && (filter === 'none' || animal.status === filter));
  }

  /** Learns from a reply that the rules have judged. */
  observe(reply: Reply): void {
    const { call, exchange } = reply;
    if (call.operation === 'listPets' && limitOf(call) === LARGEST_LIMIT) {
      this.#longestFullPage = Math.max(this.#longestFullPage, reply.pageLength ?? 0);
    }
    if (call.operation === 'listPets' && !this.#shown.has(filterOf(call))) {
      const animal = reply.animals.map(({ id }) => (id === undefined ? undefined : this.ledger.find(id))).find(Boolean);
      if (animal !== undefined) this.#shown.set(filterOf(call), { animal, since: exchange.answeredAt });
    }
    if (call.operation !== 'createPet') {
      for (const { id } of reply.animals) {
        if (id !== undefined && this.#seen.size < SEEN_KEPT && !this.#seen.has(id))
          this.#seen.set(id, exchange.answeredAt);
      }
    }
    const code = errorCode(reply);
    if (code !== undefined && reply.status !== undefined) {
      const codes = this.#errorCodes.get(reply.status) ?? new Set();
      this.#errorCodes.set(reply.status, codes.add(code));
    }
  }
}

function errorCode(reply: Reply): string | undefined {
  if (!reply.isRefusal || reply.reading.kind !== 'json') return undefined;
  const { value } = reply.reading;
  if (typeof value !== 'object' || value === null || !('code' in value)) return undefined;
  return typeof value.code === 'string' ? value.code : undefined;
}
