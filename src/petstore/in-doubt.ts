import type { Exchange } from '../http/exchange.ts';
import { LIMIT } from './contract-facts.ts';
import type { LeftOut, Other, Own, PageSeen } from './facts.ts';
import { differing, isWhole, type Seen, type Shown } from './seen.ts';

/** What is known of the collection, as far as doubts need it. */
interface Facts {
  readonly settleMs: number;
  find(id: bigint | undefined): Own | undefined;
  other(id: bigint | undefined): Other | undefined;
  largest(query: string): PageSeen | undefined;
  missingFrom(seen: Seen, settled: boolean): readonly Own[];
  before(exchange: Exchange): readonly Seen[];
}

/** What was asked in a row on one connection, and shows something in two ways. */
type Asked = readonly Exchange[];

/** In how many pages in a row an animal must be missing before it counts as left out. */
const TIMES_LEFT_OUT = 5;
/** How many animals of other clients are looked for in pages. */
const MOST_LOOKED_FOR = 40;

/** What lag, a cache or another client could explain, and how often in a row it was seen all the same. */
export class InDoubt {
  readonly #facts: Facts;
  /** The first animals of other clients that were seen. */
  #firstOthers: Other[] = [];
  readonly #leftOut = new Map<string, LeftOut>();
  /** By animal of other clients or by filter, when it was shown in two ways in a row. */
  readonly #disagreed = new Map<string, readonly Asked[]>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /**
   * The run's own animals for which a page may have room: it holds fewer than it may, and no window over the newest explains
   * that they are not there, as it shows, or a longer page does, what is older.
   */
  suspects(seen: Seen): readonly Own[] {
    const { query } = seen.reading;
    const { length, animals } = seen;
    if (query === undefined || length === undefined || query.atMost <= length || query.mayBeEmpty) return [];
    const missing = this.#facts.missingFrom(seen, false);
    if (length === 0) return missing.slice(0, 1);
    if (query.kind !== 'valid') return [];
    const shown = [...animals, ...(this.#facts.largest(query.same)?.animals ?? [])];
    const at = this.#oldestOf(shown)?.answeredAt ?? Number.POSITIVE_INFINITY;
    return missing.filter(({ exchange }) => at < exchange.sentAt);
  }

  /** The exchange that first showed one of these animals. */
  #oldestOf(shown: readonly Shown[]): Exchange | undefined {
    const first = shown.flatMap(({ id }) => this.#facts.find(id)?.exchange ?? this.#facts.other(id)?.first ?? []);
    return first.toSorted((one, other) => one.answeredAt - other.answeredAt)[0];
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
        (statuses === undefined || (status !== undefined && statuses.includes(status))) &&
        !this.#isLongLeftOutFor(query.same, id),
    );
  }

  /** Where a fetch ends one more look for an animal of other clients that a page left out: what it is known by. */
  otherLeftOut(seen: Seen): string | undefined {
    const left = this.#leftOutAround(seen);
    return left === undefined || this.#isLongLeftOutFor(left.query, left.id) ? undefined : `${left.query} ${left.id}`;
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

  #isLongLeftOutFor(query: string, id: bigint): boolean {
    const left = this.leftOut(query, id);
    return left !== undefined && this.isLongLeftOut(left);
  }

  /** When getPet and the list disagreed on an animal of other clients in a row, and the fetches on either side agreed. */
  disagreedInARow(id: bigint | undefined): readonly Asked[] {
    return (id === undefined ? undefined : this.#disagreed.get(`${id}`)) ?? [];
  }

  /** The same of the pages of a filter with the default limit and without one. */
  defaultsInARow(seen: Seen): readonly Asked[] {
    return this.#isDefaultsDiffering(seen) ? (this.#disagreed.get(defaultsKey(seen)) ?? []) : [];
  }

  /** Whether something that was seen in a row, and now once more, was seen for all of the settle time. */
  isLongEnough(again: readonly Asked[]): boolean {
    const [first, last] = [again[0]?.at(-1), again.at(-1)?.at(-1)];
    return (
      again.length >= TIMES_LEFT_OUT - 1 &&
      first !== undefined &&
      last !== undefined &&
      last.answeredAt - first.sentAt >= this.#facts.settleMs
    );
  }

  /** Without a limit, with limit=20, and without one again: the same filter on one connection. */
  isDefaultsTriple(seen: Seen): boolean {
    const [first, middle] = this.#facts.before(seen.exchange).slice(-2);
    const { query } = seen.reading;
    const [one, other] = [first?.reading.query, middle?.reading.query];
    if (query?.limit !== 'absent' || query.kind !== 'valid' || one?.same !== query.same || other?.limit !== 'valid')
      return false;
    return other.atMost === LIMIT.default && `${other.statuses}` === `${query.statuses}`;
  }

  /** Others may add and remove animals: only between two pages of one length is a third comparable. */
  #isDefaultsDiffering(seen: Seen): boolean {
    const [first, middle] = this.#facts.before(seen.exchange).slice(-2);
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
    const [first, page] = this.#facts.before(seen.exchange).slice(-2);
    const id = plainId(seen);
    if (
      id === undefined ||
      first === undefined ||
      plainId(first) !== id ||
      page?.shape !== 'page' ||
      this.#facts.find(id) !== undefined
    )
      return undefined;
    if (seen.status === 404 && first.status === 404) return { id, page, animal: undefined };
    const [[animal], [before]] = [seen.animals, first.animals];
    if (animal?.id !== id || before?.id !== id || differing(animal, before) !== undefined) return undefined;
    return { id, page, animal };
  }

  /** The page that showed an animal of other clients otherwise than this fetch does. */
  listedOtherwise(seen: Seen): Exchange | undefined {
    const id = plainId(seen);
    const listed = this.#facts.other(id)?.listed;
    if (listed === undefined || seen.shape === undefined) return undefined;
    const [now] = seen.animals;
    const isGone = seen.status === 404;
    const differs =
      isGone || (now !== undefined && isWhole(listed.animal) && differing(now, listed.animal) !== undefined);
    return differs ? listed.exchange : undefined;
  }

  leftOut(query: string, id: bigint): LeftOut | undefined {
    return this.#leftOut.get(`${query} ${id}`);
  }

  /** What was left out of a query in a row, for all of the settle time. */
  longLeftOut(query: string): readonly LeftOut[] {
    return [...this.#leftOut.values()].filter((one) => one.query === query && this.isLongLeftOut(one));
  }

  isLongLeftOut({ animal, pages }: LeftOut): boolean {
    const [first, last] = [pages[0], pages.at(-1)];
    if (first === undefined || last === undefined) return false;
    const since = Math.max(animal.exchange.answeredAt, Math.min(first.exchange.sentAt, animal.exchange.answeredAt + 1));
    return pages.length >= TIMES_LEFT_OUT && last.exchange.sentAt >= since + this.#facts.settleMs;
  }

  /** getPet finds an animal of other clients before and after a page without it; in a row, or it counts anew. */
  #learnOtherLeftOut(seen: Seen): void {
    const around = this.#fetchedAround(seen);
    if (around !== undefined && around.animal === undefined) {
      this.#firstOthers = this.#firstOthers.filter(({ animal }) => animal.id !== around.id);
    }
    const left = this.#leftOutAround(seen);
    if (left === undefined) {
      const [, page] = this.#facts.before(seen.exchange).slice(-2);
      this.#leftOut.delete(`${page?.reading.query?.same} ${plainId(seen)}`);
      return;
    }
    const { id, animal, query, page, length } = left;
    const before = this.leftOut(query, id);
    if (before !== undefined && this.isLongLeftOut(before)) return;
    const bytes = seen.answer?.body.length ?? 0;
    const missing = before?.animal ?? {
      id,
      name: animal.name ?? '',
      exchange: seen.exchange,
      bytes,
      isStatusOmitted: false,
    };
    const asked = this.asked(seen);
    const last = { length, bytes: page.answer?.body.length ?? 0, exchange: page.exchange, animals: [], around: asked };
    this.#leftOut.set(`${query} ${id}`, { query, animal: missing, pages: [...(before?.pages ?? []), last] });
  }

  /** An exchange, and the two before it on its connection. */
  asked({ exchange }: Seen): Asked {
    return [
      ...this.#facts
        .before(exchange)
        .slice(-2)
        .map((one) => one.exchange),
      exchange,
    ];
  }

  /** An animal of other clients was seen for the first time. */
  sawOther(other: Other): void {
    if (this.#firstOthers.length < MOST_LOOKED_FOR) this.#firstOthers.push(other);
  }

  /** Learns of an exchange before the collection does. */
  learn(seen: Seen): void {
    const { exchange, reading } = seen;
    if (exchange.quiet) this.#learnOtherLeftOut(seen);
    const key = this.disagreement(seen);
    if (key !== undefined) this.#disagreed.set(key, [...(this.#disagreed.get(key) ?? []), this.asked(seen)]);
    else if (this.isDefaultsTriple(seen)) this.#disagreed.delete(defaultsKey(seen));
    else if (reading.id?.kind === 'valid' && this.#facts.before(exchange).at(-1)?.shape === 'page')
      this.#disagreed.delete(`${reading.id.id}`);
  }

  /** A page that was asked for while nothing else was under way: what it leaves out again, and what it shows. */
  learnPage(seen: Seen, page: PageSeen): void {
    const { query } = seen.reading;
    if (query === undefined) return;
    const ids = new Set(seen.animals.map(({ id }) => id));
    for (const [key, left] of this.#leftOut)
      if (left.query === query.same && ids.has(left.animal.id)) this.#leftOut.delete(key);
    for (const animal of this.suspects(seen)) {
      const key = `${query.same} ${animal.id}`;
      const before = this.#leftOut.get(key);
      if (before !== undefined && this.isLongLeftOut(before)) continue;
      const witness =
        before?.witness ?? this.#oldestOf([...seen.animals, ...(this.#facts.largest(query.same)?.animals ?? [])]);
      this.#leftOut.set(key, { query: query.same, animal, pages: [...(before?.pages ?? []), page], witness });
    }
  }
}

const defaultsKey = ({ reading: { query } }: Seen): string => `defaults ${query?.same}`;

/** The id that a fetch asks for in plain digits: in another spelling, it need not be found. */
const plainId = (seen: Seen | undefined): bigint | undefined =>
  seen?.reading.id?.kind === 'valid' ? seen.reading.id.id : undefined;
