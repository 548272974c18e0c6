import { LIMIT } from '../../petstore/contract-facts.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Whereabouts } from './expected.ts';
import type { Terms } from './fill.ts';
import type { Reading } from './reading.ts';
import { Recall } from './recall.ts';
import { differing, isWhole, type Seen, type Shown, type Whole } from './seen.ts';

/** An animal of the run, as its 201 showed it. */
export interface Own extends Whole {
  readonly exchange: Exchange;
  readonly reading: Reading;
  readonly bytes: number;
  /** Its body left the status out. */
  readonly isStatusOmitted: boolean;
}

/** An animal of other clients, as it was first seen, and as each operation showed it last. */
export interface Other {
  readonly animal: Shown;
  readonly first: Exchange;
  readonly isOfAnEarlierRun: boolean;
  /** As a list showed it last. */
  readonly listed?: { readonly animal: Shown; readonly exchange: Exchange } | undefined;
  /** A fetch that found it, and a later one that did not. */
  readonly fetched?: Exchange | undefined;
  readonly lost?: Exchange | undefined;
}

/** A page of a query. */
export interface PageSeen {
  readonly length: number;
  readonly bytes: number;
  readonly exchange: Exchange;
  readonly animals: readonly Shown[];
}

/** How often in a row a page left out an animal while nothing else was under way. */
export interface LeftOut {
  readonly query: string;
  readonly animal: Pick<Own, 'id' | 'name' | 'exchange' | 'bytes' | 'isStatusOmitted'>;
  readonly pages: readonly PageSeen[];
}

/** A rejected creation, and what was wrong with it. */
export interface Rejected {
  readonly exchange: Exchange;
  readonly because: 'key' | 'body';
}

const MOST_OTHERS = 20_000;
const MOST_LOOKED_FOR = 40;
/** A free id is so far from every id that was seen, and from where ids begin and end. */
const FAR = 1_000_000n;
const EDGES = [0n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n].flatMap((edge) => [edge, -edge]);

/** In how many pages in a row an animal must be missing before it counts as left out. */
const TIMES_LEFT_OUT = 5;

/** What the run knows of the collection, each fact with the exchange that taught it. Learns after the rules have looked. */
export class Collection {
  readonly #own = new Map<bigint, Own>();
  readonly #names = new Map<string, Own>();
  /** By id, a second animal that was given it. */
  readonly #others = new Map<bigint, Other>();
  /** The first of them, which are looked for in pages. */
  #firstOthers: Other[] = [];
  readonly #rejected = new Map<string, Rejected>();
  /** Marks of creations that may have been carried out without a proper 201. */
  readonly #uncertain = new Set<string>();
  readonly #largest = new Map<string, PageSeen>();
  readonly #leftOut = new Map<string, LeftOut>();
  readonly #onConnection = new Map<number, readonly Seen[]>();
  readonly #asked = new Set<bigint>();
  readonly #ids: bigint[] = [];
  readonly #successes = new Map<string, Exchange>();
  readonly #keyless = new Map<string, Exchange>();
  /** Texts of bodies that made an animal. */
  readonly #bodies = new Map<string, Own>();
  /** By animal of other clients or by filter, when it was shown in two ways in a row. */
  readonly #disagreed = new Map<string, readonly Exchange[]>();
  #lastRejectedAt = Number.NEGATIVE_INFINITY;
  readonly settleMs: number;
  /** What the names of this run hold, and of no other's. */
  readonly tag: string;

  /** What became of the animals of an earlier run. */
  readonly recall: Recall;

  constructor({ settleMs, tag, remembered = [] }: Pick<Terms, 'settleMs' | 'remembered'> & { readonly tag: string }) {
    this.recall = new Recall(remembered);
    this.settleMs = settleMs;
    this.tag = tag;
  }

  get own(): readonly Own[] {
    return [...this.#own.values()];
  }

  get others(): readonly Other[] {
    return [...this.#others.values()];
  }

  get lastRejectedAt(): number {
    return this.#lastRejectedAt;
  }

  /** The animal of the run with an id, if its 201 had come before a moment. */
  ownBefore(id: bigint | undefined, moment: number): Own | undefined {
    const own = id === undefined ? undefined : this.#own.get(id);
    return own !== undefined && own.exchange.answeredAt <= moment ? own : undefined;
  }

  find(id: bigint | undefined): Own | undefined {
    return id === undefined ? undefined : this.#own.get(id);
  }

  named(name: string | undefined): Own | undefined {
    return name === undefined || this.#uncertain.has(name) ? undefined : this.#names.get(name);
  }

  /** The first exchange that showed an animal of other clients with an id, if it had ended before a moment. */
  otherBefore(id: bigint | undefined, moment: number): Other | undefined {
    const other = id === undefined ? undefined : this.#others.get(id);
    return other !== undefined && other.first.answeredAt <= moment ? other : undefined;
  }

  madeOf(body: string | undefined): Own | undefined {
    return body === undefined ? undefined : this.#bodies.get(body);
  }

  /** What was known of the id that a request names before it was sent. */
  whereabouts({ id }: Reading, sentAt: number): Whereabouts {
    if (id?.id === undefined) return 'unknown';
    if (this.ownBefore(id.id, sentAt) !== undefined) return 'own';
    return this.isFree(id.id) ? 'free' : 'unknown';
  }

  /** Whether nobody can have an animal with this id: far from all that were seen, and never asked for. */
  isFree(id: bigint): boolean {
    const far = (other: bigint): boolean => (id > other ? id - other : other - id) > FAR;
    return !this.#asked.has(id) && this.#ids.every(far) && EDGES.every(far);
  }

  /** The rejected creation that an animal was made of in spite of it. */
  rejectedAs({ id, name, categoryId }: Shown): Rejected | undefined {
    const own = this.find(id);
    if (own !== undefined && own.name === name && own.categoryId === categoryId) return undefined;
    for (const text of [name, categoryId?.toString()]) {
      const mark = text === undefined ? undefined : this.#markIn(text);
      if (mark === undefined || this.#uncertain.has(mark)) continue;
      const rejected = this.#rejected.get(mark);
      if (rejected !== undefined && !(own !== undefined && (own.name === text || own.categoryId.toString() === text)))
        return rejected;
    }
    return undefined;
  }

  /** The mark of a row of this run within a text, whatever its letters and where it was cut behind it. */
  #markIn(text: string): string | undefined {
    return (
      new RegExp(`${this.tag} ?\\d{4}`, 'i').exec(text)?.[0].toLowerCase().replace(' ', '') ??
      /\b9\d{8}\b/.exec(text)?.[0]
    );
  }

  largest(query: string): PageSeen | undefined {
    return this.#largest.get(query);
  }

  /** The plain request of an operation that was accepted first. */
  accepted(operation: string): Exchange | undefined {
    return this.#successes.get(operation);
  }

  /** The same request without a key that was rejected with 401 on a connection that knew no good key. */
  keylessRejected(operation: string): Exchange | undefined {
    return this.#keyless.get(operation);
  }

  /** What went before on the connection of an exchange, oldest first; at most three. */
  before({ connection, place }: Exchange): readonly Seen[] {
    return (this.#onConnection.get(connection) ?? []).filter(({ exchange }) => exchange.place < place);
  }

  /** The run's own animals that a page leaves out though they match it and are listed by now, if they have settled. */
  missingFrom(seen: Seen, settled: boolean): readonly Own[] {
    const {
      reading: { query },
      exchange: { sentAt },
      animals,
    } = seen;
    if (query === undefined || seen.shape !== 'page' || query.isUnknown) return [];
    const ids = new Set(animals.map(({ id }) => id));
    const wait = settled ? this.settleMs : 0;
    return this.own.filter(
      (own) =>
        own.exchange.answeredAt + wait <= sentAt &&
        !ids.has(own.id) &&
        (query.statuses === undefined || (own.status !== undefined && query.statuses.includes(own.status))),
    );
  }

  /**
   * The run's own animals for which a page may have room: it holds fewer than it may, and no window over the newest explains
   * that they are not there, as it shows, or a longer page does, what is older.
   */
  suspects(seen: Seen): readonly Own[] {
    const { query } = seen.reading;
    const { length, animals } = seen;
    if (query === undefined || length === undefined || query.atMost <= length || query.mayBeEmpty) return [];
    const missing = this.missingFrom(seen, false);
    if (length === 0) return missing.slice(0, 1);
    if (query.kind !== 'valid') return [];
    const shown = [...animals, ...(this.#largest.get(query.same)?.animals ?? [])];
    const own = shown.flatMap(({ id }) => this.find(id) ?? []).map(({ exchange }) => exchange);
    const others = shown.flatMap(({ id }) => (id === undefined ? undefined : this.#others.get(id)) ?? []);
    const oldest = Math.min(...own.map(({ answeredAt }) => answeredAt), ...others.map(({ first }) => first.answeredAt));
    return missing.filter(({ exchange }) => oldest < exchange.sentAt);
  }

  /** An animal of other clients that a page of all animals leaves out, though it may have room. */
  suspectOther({ reading: { query }, shape, length, animals, exchange }: Seen): Other | undefined {
    if (query === undefined || shape !== 'page' || length === undefined || query.atMost <= length || query.mayBeEmpty)
      return undefined;
    if (length > 0 && (query.status !== 'absent' || query.kind !== 'valid')) return undefined;
    const { statuses } = query;
    const ids = new Set(animals.map(({ id }) => id));
    return this.#firstOthers.find(
      ({ animal: { id, status }, first }) =>
        first.answeredAt <= exchange.sentAt &&
        id !== undefined &&
        !ids.has(id) &&
        this.#others.has(id) &&
        (statuses === undefined || (status !== undefined && statuses.includes(status))) &&
        !this.#isSettledFor(query.same, id),
    );
  }

  /** Where a fetch ends one more look for an animal of other clients that a page left out: what it is known by. */
  unsettledOther(seen: Seen): string | undefined {
    const left = this.#leftOutAround(seen);
    return left === undefined || this.#isSettledFor(left.query, left.id) ? undefined : `${left.query} ${left.id}`;
  }

  #leftOutAround(seen: Seen) {
    const around = this.#fetchedAround(seen);
    const query = around?.page.reading.query;
    if (around?.animal === undefined || query === undefined) return undefined;
    const { id, page, animal } = around;
    const matches =
      query.statuses === undefined || (animal.status !== undefined && query.statuses.includes(animal.status));
    if (!matches || page.length === undefined || page.animals.some((one) => one.id === id)) return undefined;
    return { id, animal, query: query.same, page, length: page.length };
  }

  #isSettledFor(query: string, id: bigint): boolean {
    const left = this.leftOut(query, id);
    return left !== undefined && this.isSettled(left);
  }

  /** When getPet and the list disagreed on an animal of other clients in a row, and the fetches on either side agreed. */
  disagreedInARow(id: bigint | undefined): readonly Exchange[] {
    return (id === undefined ? undefined : this.#disagreed.get(`${id}`)) ?? [];
  }

  /** The same of the pages of a filter with the default limit and without one. */
  defaultsInARow(seen: Seen): readonly Exchange[] {
    return this.#isDefaultsDiffering(seen) ? (this.#disagreed.get(defaultsKey(seen)) ?? []) : [];
  }

  /** Whether something that was seen in a row, and now once more, was seen for all of the settling time. */
  isLongEnough(again: readonly Exchange[]): boolean {
    const [first, last] = [again[0], again.at(-1)];
    return (
      again.length >= TIMES_LEFT_OUT - 1 &&
      first !== undefined &&
      last !== undefined &&
      last.answeredAt - first.sentAt >= this.settleMs
    );
  }

  /** Without a limit, with limit=20, and without one again: the same filter on one connection. */
  isDefaultsTriple(seen: Seen): boolean {
    const [first, middle] = this.before(seen.exchange).slice(-2);
    const { query } = seen.reading;
    const [one, other] = [first?.reading.query, middle?.reading.query];
    if (query?.limit !== 'absent' || query.kind !== 'valid' || one?.same !== query.same || other?.limit !== 'valid')
      return false;
    return other.atMost === LIMIT.default && `${other.statuses}` === `${query.statuses}`;
  }

  /** Others may add and remove animals: only between two pages of one length is a third comparable. */
  #isDefaultsDiffering(seen: Seen): boolean {
    const [first, middle] = this.before(seen.exchange).slice(-2);
    return this.isDefaultsTriple(seen) && first?.length === seen.length && middle?.length !== seen.length;
  }

  /** What is shown in two ways, as far as this exchange tells, by a key; undefined where nothing is. */
  disagreement(seen: Seen): string | undefined {
    if (this.#isDefaultsDiffering(seen)) return defaultsKey(seen);
    const around = this.#fetchedAround(seen);
    const listed = around?.page.animals.find(({ id }) => id === around.id);
    if (around === undefined || listed === undefined) return undefined;
    const { id, animal } = around;
    return animal === undefined || differing(listed, animal) !== undefined ? `${id}` : undefined;
  }

  /**
   * Where a fetch of an animal of other clients ends what was asked in a row, fetch, page and fetch: both fetches show it
   * alike, or neither finds it, so that it was the same when the page was made.
   */
  #fetchedAround(
    seen: Seen,
  ): { readonly id: bigint; readonly page: Seen; readonly animal: Shown | undefined } | undefined {
    const [first, page] = this.before(seen.exchange).slice(-2);
    const id = plainId(seen);
    if (id === undefined || first === undefined || plainId(first) !== id || page?.shape !== 'page' || this.#own.has(id))
      return undefined;
    if (seen.status === 404 && first.status === 404) return { id, page, animal: undefined };
    const [[animal], [before]] = [seen.animals, first.animals];
    if (animal?.id !== id || before?.id !== id || differing(animal, before) !== undefined) return undefined;
    return { id, page, animal };
  }

  /** The page that showed an animal of other clients otherwise than this fetch does. */
  listedOtherwise(seen: Seen): Exchange | undefined {
    const id = plainId(seen);
    const listed = id === undefined ? undefined : this.#others.get(id)?.listed;
    if (listed === undefined || seen.shape === undefined) return undefined;
    const [now] = seen.animals;
    const isGone = seen.status === 404;
    const differs =
      isGone || (now !== undefined && isWhole(listed.animal) && differing(now, listed.animal) !== undefined);
    return differs ? listed.exchange : undefined;
  }

  /** How late the list showed the newest animal of the run. */
  delayOfNewest(seen: Seen): string | undefined {
    const own = this.own.at(-1);
    if (own === undefined || seen.shape !== 'page' || !seen.animals.some(({ id }) => id === own.id)) return undefined;
    const delay = seen.exchange.sentAt - own.exchange.answeredAt;
    return delay < 0 ? 'shows a new animal some time after its 201' : 'shows a new animal at once';
  }

  leftOut(query: string, id: bigint): LeftOut | undefined {
    return this.#leftOut.get(`${query} ${id}`);
  }

  /** What was left out of a query in a row, for all of the settling time. */
  settledLeftOut(query: string): readonly LeftOut[] {
    return [...this.#leftOut.values()].filter((one) => one.query === query && this.isSettled(one));
  }

  isSettled({ animal, pages }: LeftOut): boolean {
    const [first, last] = [pages[0], pages.at(-1)];
    if (first === undefined || last === undefined) return false;
    const since = Math.max(animal.exchange.answeredAt, Math.min(first.exchange.sentAt, animal.exchange.answeredAt + 1));
    return pages.length >= TIMES_LEFT_OUT && last.exchange.sentAt >= since + this.settleMs;
  }

  learn(seen: Seen): void {
    this.recall.learn(seen);
    const { exchange, reading, status, shape } = seen;
    if (reading.id?.id !== undefined) this.#asked.add(reading.id.id);
    if (
      status !== undefined &&
      status < 300 &&
      shape !== undefined &&
      reading.key.kind === 'right' &&
      reading.kind === 'valid'
    ) {
      if (!this.#successes.has(reading.operation)) this.#successes.set(reading.operation, exchange);
    }
    if (status === 401 && reading.requirement === 'AUTH-2' && exchange.place === 0)
      this.#keyless.set(reading.operation, exchange);
    if (exchange.quiet) this.#learnOtherLeftOut(seen);
    const key = this.disagreement(seen);
    if (key !== undefined) this.#disagreed.set(key, [...(this.#disagreed.get(key) ?? []), exchange]);
    else if (this.isDefaultsTriple(seen)) this.#disagreed.delete(defaultsKey(seen));
    else if (reading.id?.kind === 'valid' && this.before(exchange).at(-1)?.shape === 'page')
      this.#disagreed.delete(`${reading.id.id}`);
    const before = this.#onConnection.get(exchange.connection) ?? [];
    this.#onConnection.set(exchange.connection, [...before, seen].slice(-3));
    if (reading.operation === 'createPet') this.#learnCreation(seen);
    else for (const animal of seen.animals) this.#learnOther(animal, exchange);
    if (reading.operation === 'getPet' && reading.key.kind === 'right') this.#learnFetched(seen);
    if (shape === 'page' && seen.length !== undefined) this.#learnPage(seen, seen.length);
  }

  #learnCreation(seen: Seen): void {
    const { exchange, reading, status, shape } = seen;
    const marks = marksOf(exchange);
    const isRejected = status !== undefined && status >= 400 && status < 500;
    if (isRejected) {
      const because = reading.key.kind === 'bad' ? 'key' : 'body';
      if (reading.kind !== 'valid' || because === 'key')
        this.#lastRejectedAt = Math.max(this.#lastRejectedAt, exchange.answeredAt);
      for (const mark of marks) if (!this.#rejected.has(mark)) this.#rejected.set(mark, { exchange, because });
      return;
    }
    for (const mark of marks) this.#uncertain.add(mark);
    const [animal] = seen.animals;
    if (status !== 201 || shape !== 'animal' || animal === undefined || !isWhole(animal)) return;
    this.#ids.push(animal.id);
    const isStatusOmitted = reading.body?.animal.statuses?.every((one) => one === undefined) === true;
    const bytes = seen.answer?.body.length ?? 0;
    const own: Own = { ...animal, exchange, reading, bytes, isStatusOmitted };
    if (!this.#own.has(animal.id)) this.#own.set(animal.id, own);
    if (!this.#names.has(animal.name)) this.#names.set(animal.name, own);
    const body = exchange.request.body;
    if (body !== undefined && body.length < 10_000) {
      const text = Buffer.from(body).toString('latin1');
      if (!this.#bodies.has(text)) this.#bodies.set(text, own);
    }
  }

  #learnOther(animal: Shown, exchange: Exchange): void {
    const { id, name } = animal;
    if (id === undefined || this.#own.has(id)) return;
    const listed = exchange.call.operation === 'listPets' ? { animal, exchange } : undefined;
    const before = this.#others.get(id);
    if (before !== undefined && listed !== undefined && this.#isAnotherView(before, animal))
      this.#others.set(id, { ...before, listed });
    if (before !== undefined || this.#others.size >= MOST_OTHERS) return;
    this.#ids.push(id);
    if (name !== undefined && this.#markIn(name) !== undefined) return;
    const other = { animal, first: exchange, listed, isOfAnEarlierRun: name?.startsWith('conformance ') === true };
    this.#others.set(id, other);
    if (this.#firstOthers.length < MOST_LOOKED_FOR) this.#firstOthers.push(other);
  }

  #learnFetched({ reading: { id }, status, exchange, animals }: Seen): void {
    const other = id?.id === undefined ? undefined : this.#others.get(id.id);
    if (id?.id === undefined || id.kind !== 'valid' || other === undefined) return;
    if (animals[0]?.id === id.id) this.#others.set(id.id, { ...other, fetched: other.fetched ?? exchange });
    else if (status === 404 && other.fetched !== undefined) this.#others.set(id.id, { ...other, lost: exchange });
  }

  /** The view that differs is the one to be compared with what getPet shows. */
  #isAnotherView({ animal, listed }: Other, now: Shown): boolean {
    return listed === undefined || differing(now, animal) !== undefined;
  }

  /** getPet finds an animal of other clients before and after a page without it; in a row, or it counts anew. */
  #learnOtherLeftOut(seen: Seen): void {
    const around = this.#fetchedAround(seen);
    if (around !== undefined && around.animal === undefined) {
      this.#firstOthers = this.#firstOthers.filter(({ animal }) => animal.id !== around.id);
    }
    const left = this.#leftOutAround(seen);
    if (left === undefined) {
      const [, page] = this.before(seen.exchange).slice(-2);
      this.#leftOut.delete(`${page?.reading.query?.same} ${plainId(seen)}`);
      return;
    }
    const { id, animal, query, page, length } = left;
    const before = this.leftOut(query, id);
    if (before !== undefined && this.isSettled(before)) return;
    const bytes = seen.answer?.body.length ?? 0;
    const missing = before?.animal ?? {
      id,
      name: animal.name ?? '',
      exchange: seen.exchange,
      bytes,
      isStatusOmitted: false,
    };
    const last = { length, bytes: page.answer?.body.length ?? 0, exchange: page.exchange, animals: [] };
    this.#leftOut.set(`${query} ${id}`, { query, animal: missing, pages: [...(before?.pages ?? []), last] });
  }

  #learnPage(seen: Seen, length: number): void {
    const {
      exchange,
      reading: { query },
      animals,
      answer,
    } = seen;
    if (query === undefined) return;
    const page = { length, bytes: answer?.body.length ?? 0, exchange, animals: length <= LIMIT.maximum ? animals : [] };
    const largest = this.#largest.get(query.same);
    if (largest === undefined || largest.length < length) this.#largest.set(query.same, page);
    if (!exchange.quiet) return;
    const ids = new Set(animals.map(({ id }) => id));
    for (const [key, left] of this.#leftOut)
      if (left.query === query.same && ids.has(left.animal.id)) this.#leftOut.delete(key);
    for (const animal of this.suspects(seen)) {
      const key = `${query.same} ${animal.id}`;
      const before = this.#leftOut.get(key);
      if (before !== undefined && this.isSettled(before)) continue;
      this.#leftOut.set(key, { query: query.same, animal, pages: [...(before?.pages ?? []), page] });
    }
  }
}

const defaultsKey = ({ reading: { query } }: Seen): string => `defaults ${query?.same}`;

/** The id that a fetch asks for in plain digits: in another spelling, it need not be found. */
const plainId = (seen: Seen | undefined): bigint | undefined =>
  seen?.reading.id?.kind === 'valid' ? seen.reading.id.id : undefined;

/** The marks that a creation carries: what an animal that is made of it can be told by. */
function marksOf({ call, names }: Exchange): readonly string[] {
  const text = `${call.target} ${call.body ?? ''}`;
  const { NAME = '', NUMBER = '' } = names;
  return [
    ...(text.includes('$NAME')
      ? [
          NAME.replace(/^conformance /, '')
            .replace(' ', '')
            .toLowerCase(),
        ]
      : []),
    ...(text.includes('$NUMBER') ? [NUMBER] : []),
  ];
}
