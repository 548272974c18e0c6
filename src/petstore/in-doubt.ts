import type { Exchange } from '../http/exchange.ts';
import { LIMIT } from './contract-facts.ts';
import type { Omission, OtherClientsAnimal, OwnAnimal, SeenPage } from './facts.ts';
import { differingMember, isComplete, type Seen, type ShownAnimal } from './seen.ts';

/** What is known of the collection, as far as doubts need it. */
interface Facts {
  readonly settleMs: number;
  ownById(id: bigint | undefined): OwnAnimal | undefined;
  ofOtherClients(id: bigint | undefined): OtherClientsAnimal | undefined;
  largestPage(query: string): SeenPage | undefined;
  missingFrom(seen: Seen, settled: boolean): readonly OwnAnimal[];
  previous(exchange: Exchange): readonly Seen[];
}

/** What was asked in a row on one connection, and shows something in two ways. */
type Sequence = readonly Exchange[];

/** In how many pages in a row an animal must be missing before it counts as left out. */
const PAGES_IN_A_ROW = 5;
/** How many animals of other clients are looked for in pages. */
const MAX_LOOKED_FOR = 40;

/** What lag, a cache or another client could explain, and how often in a row it was seen all the same. */
export class InDoubt {
  readonly #facts: Facts;
  /** The first animals of other clients that were seen. */
  #ofOtherClients: OtherClientsAnimal[] = [];
  readonly #omissions = new Map<string, Omission>();
  /** By animal of other clients or by filter, when it was shown in two ways in a row. */
  readonly #disagreements = new Map<string, readonly Sequence[]>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /**
   * The run's own animals for which a page may have room: it holds fewer than it may, and no window over the newest explains
   * that they are not there, as it shows, or a longer page does, what is older.
   */
  possiblyOmitted(seen: Seen): readonly OwnAnimal[] {
    const { query } = seen.reading;
    const { length, animals } = seen;
    if (query === undefined || length === undefined || query.atMost <= length || query.mayBeEmpty) return [];
    const missing = this.#facts.missingFrom(seen, false);
    if (length === 0) return missing.slice(0, 1);
    if (query.kind !== 'valid') return [];
    const shown = [...animals, ...(this.#facts.largestPage(query.canonical)?.animals ?? [])];
    const at = this.#oldestOf(shown)?.answeredAt ?? Number.POSITIVE_INFINITY;
    return missing.filter(({ exchange }) => at < exchange.sentAt);
  }

  /** The exchange that first showed one of these animals. */
  #oldestOf(shown: readonly ShownAnimal[]): Exchange | undefined {
    const first = shown.flatMap(
      ({ id }) => this.#facts.ownById(id)?.exchange ?? this.#facts.ofOtherClients(id)?.first ?? [],
    );
    return first.toSorted((one, other) => one.answeredAt - other.answeredAt)[0];
  }

  /** An animal of other clients that a page of all animals leaves out, though it may have room. */
  omittedOfOtherClients({
    reading: { query },
    shape,
    length,
    animals,
    exchange,
  }: Seen): OtherClientsAnimal | undefined {
    if (query === undefined || shape !== 'page' || length === undefined || query.atMost <= length || query.mayBeEmpty)
      return undefined;
    if (length > 0 && (query.status !== 'absent' || query.kind !== 'valid')) return undefined;
    const { statuses } = query;
    const ids = new Set(animals.map(({ id }) => id));
    return this.#ofOtherClients.find(
      ({ animal: { id, status }, first }) =>
        first.answeredAt <= exchange.sentAt &&
        id !== undefined &&
        !ids.has(id) &&
        (statuses === undefined || (status !== undefined && statuses.includes(status))) &&
        !this.#isLastingFor(query.canonical, id),
    );
  }

  /** Where a fetch ends one more look for an animal of other clients that a page left out: what it is known by. */
  openOmissionKey(seen: Seen): string | undefined {
    const left = this.#omissionBetweenFetches(seen);
    return left === undefined || this.#isLastingFor(left.query, left.id) ? undefined : `${left.query} ${left.id}`;
  }

  #omissionBetweenFetches(seen: Seen) {
    const around = this.#pageBetweenFetches(seen);
    const query = around?.page.reading.query;
    if (around?.animal === undefined || query === undefined) return undefined;
    const { id, page, animal } = around;
    const matches =
      query.statuses === undefined || (animal.status !== undefined && query.statuses.includes(animal.status));
    if (!matches || page.length === undefined || page.animals.some((one) => one.id === id)) return undefined;
    return { id, animal, query: query.canonical, page, length: page.length };
  }

  #isLastingFor(query: string, id: bigint): boolean {
    const left = this.omission(query, id);
    return left !== undefined && this.isLasting(left);
  }

  /** When getPet and the list disagreed on an animal of other clients in a row, and the fetches on either side agreed. */
  disagreements(id: bigint | undefined): readonly Sequence[] {
    return (id === undefined ? undefined : this.#disagreements.get(`${id}`)) ?? [];
  }

  /** The same of the pages of a filter with the default limit and without one. */
  differingDefaults(seen: Seen): readonly Sequence[] {
    return this.#defaultsDiffer(seen) ? (this.#disagreements.get(defaultsKey(seen)) ?? []) : [];
  }

  /** Whether something that was seen in a row, and now once more, was seen for all of the settle time. */
  lastsLongEnough(again: readonly Sequence[]): boolean {
    const [first, last] = [again[0]?.at(-1), again.at(-1)?.at(-1)];
    return (
      again.length >= PAGES_IN_A_ROW - 1 &&
      first !== undefined &&
      last !== undefined &&
      last.answeredAt - first.sentAt >= this.#facts.settleMs
    );
  }

  /** Without a limit, with limit=20, and without one again: the same filter on one connection. */
  isDefaultsTriple(seen: Seen): boolean {
    const [first, middle] = this.#facts.previous(seen.exchange).slice(-2);
    const { query } = seen.reading;
    const [one, other] = [first?.reading.query, middle?.reading.query];
    if (
      query?.limit !== 'absent' ||
      query.kind !== 'valid' ||
      one?.canonical !== query.canonical ||
      other?.limit !== 'valid'
    )
      return false;
    return other.atMost === LIMIT.default && `${other.statuses}` === `${query.statuses}`;
  }

  /** Others may add and remove animals: only between two pages of one length is a third comparable. */
  #defaultsDiffer(seen: Seen): boolean {
    const [first, middle] = this.#facts.previous(seen.exchange).slice(-2);
    return this.isDefaultsTriple(seen) && first?.length === seen.length && middle?.length !== seen.length;
  }

  /** What is shown in two ways, as far as this exchange tells, by a key; undefined where nothing is. */
  disagreementKey(seen: Seen): string | undefined {
    if (this.#defaultsDiffer(seen)) return defaultsKey(seen);
    const around = this.#pageBetweenFetches(seen);
    const listed = around?.page.animals.find(({ id }) => id === around.id);
    if (around === undefined || listed === undefined) return undefined;
    const { id, animal } = around;
    return animal === undefined || differingMember(listed, animal) !== undefined ? `${id}` : undefined;
  }

  /**
   * Where a fetch of an animal of other clients ends what was asked in a row, fetch, page and fetch: both fetches show it
   * alike, or neither finds it, so that it was the same when the page was made.
   */
  #pageBetweenFetches(
    seen: Seen,
  ): { readonly id: bigint; readonly page: Seen; readonly animal: ShownAnimal | undefined } | undefined {
    const [first, page] = this.#facts.previous(seen.exchange).slice(-2);
    const id = plainId(seen);
    if (
      id === undefined ||
      first === undefined ||
      plainId(first) !== id ||
      page?.shape !== 'page' ||
      this.#facts.ownById(id) !== undefined
    )
      return undefined;
    if (seen.status === 404 && first.status === 404) return { id, page, animal: undefined };
    const [[animal], [before]] = [seen.animals, first.animals];
    if (animal?.id !== id || before?.id !== id || differingMember(animal, before) !== undefined) return undefined;
    return { id, page, animal };
  }

  /** The page that showed an animal of other clients otherwise than this fetch does. */
  conflictingPage(seen: Seen): Exchange | undefined {
    const id = plainId(seen);
    const listed = this.#facts.ofOtherClients(id)?.listed;
    if (listed === undefined || seen.shape === undefined) return undefined;
    const [now] = seen.animals;
    const isGone = seen.status === 404;
    const differs =
      isGone || (now !== undefined && isComplete(listed.animal) && differingMember(now, listed.animal) !== undefined);
    return differs ? listed.exchange : undefined;
  }

  omission(query: string, id: bigint): Omission | undefined {
    return this.#omissions.get(`${query} ${id}`);
  }

  /** What was left out of a query in a row, for all of the settle time. */
  lastingOmissions(query: string): readonly Omission[] {
    return [...this.#omissions.values()].filter((one) => one.query === query && this.isLasting(one));
  }

  isLasting({ animal, pages }: Omission): boolean {
    const [first, last] = [pages[0], pages.at(-1)];
    if (first === undefined || last === undefined) return false;
    const since = Math.max(animal.exchange.answeredAt, Math.min(first.exchange.sentAt, animal.exchange.answeredAt + 1));
    return pages.length >= PAGES_IN_A_ROW && last.exchange.sentAt >= since + this.#facts.settleMs;
  }

  /** getPet finds an animal of other clients before and after a page without it; in a row, or it counts anew. */
  #learnOmissionOfOtherClients(seen: Seen): void {
    const around = this.#pageBetweenFetches(seen);
    if (around !== undefined && around.animal === undefined) {
      this.#ofOtherClients = this.#ofOtherClients.filter(({ animal }) => animal.id !== around.id);
    }
    const left = this.#omissionBetweenFetches(seen);
    if (left === undefined) {
      const [, page] = this.#facts.previous(seen.exchange).slice(-2);
      this.#omissions.delete(`${page?.reading.query?.canonical} ${plainId(seen)}`);
      return;
    }
    const { id, animal, query, page, length } = left;
    const before = this.omission(query, id);
    if (before !== undefined && this.isLasting(before)) return;
    const bytes = seen.answer?.body.length ?? 0;
    const missing = before?.animal ?? {
      id,
      name: animal.name ?? '',
      exchange: seen.exchange,
      bytes,
      isStatusOmitted: false,
    };
    const fetchesAround = this.sequenceOf(seen);
    const last = { length, bytes: page.answer?.body.length ?? 0, exchange: page.exchange, animals: [], fetchesAround };
    this.#omissions.set(`${query} ${id}`, { query, animal: missing, pages: [...(before?.pages ?? []), last] });
  }

  /** An exchange, and the two before it on its connection. */
  sequenceOf({ exchange }: Seen): Sequence {
    return [
      ...this.#facts
        .previous(exchange)
        .slice(-2)
        .map((one) => one.exchange),
      exchange,
    ];
  }

  /** An animal of other clients was seen for the first time. */
  addOfOtherClients(other: OtherClientsAnimal): void {
    if (this.#ofOtherClients.length < MAX_LOOKED_FOR) this.#ofOtherClients.push(other);
  }

  /** Learns of an exchange before the collection does. */
  learn(seen: Seen): void {
    const { exchange, reading } = seen;
    if (exchange.quiet) this.#learnOmissionOfOtherClients(seen);
    const key = this.disagreementKey(seen);
    if (key !== undefined)
      this.#disagreements.set(key, [...(this.#disagreements.get(key) ?? []), this.sequenceOf(seen)]);
    else if (this.isDefaultsTriple(seen)) this.#disagreements.delete(defaultsKey(seen));
    else if (reading.id?.kind === 'valid' && this.#facts.previous(exchange).at(-1)?.shape === 'page')
      this.#disagreements.delete(`${reading.id.id}`);
  }

  /** A page that was asked for while nothing else was under way: what it leaves out again, and what it shows. */
  learnPage(seen: Seen, page: SeenPage): void {
    const { query } = seen.reading;
    if (query === undefined) return;
    const ids = new Set(seen.animals.map(({ id }) => id));
    for (const [key, left] of this.#omissions)
      if (left.query === query.canonical && ids.has(left.animal.id)) this.#omissions.delete(key);
    for (const animal of this.possiblyOmitted(seen)) {
      const key = `${query.canonical} ${animal.id}`;
      const before = this.#omissions.get(key);
      if (before !== undefined && this.isLasting(before)) continue;
      const witness =
        before?.witness ??
        this.#oldestOf([...seen.animals, ...(this.#facts.largestPage(query.canonical)?.animals ?? [])]);
      this.#omissions.set(key, { query: query.canonical, animal, pages: [...(before?.pages ?? []), page], witness });
    }
  }
}

const defaultsKey = ({ reading: { query } }: Seen): string => `defaults ${query?.canonical}`;

/** The id that a fetch asks for in plain digits: in another spelling, it need not be found. */
const plainId = (seen: Seen | undefined): bigint | undefined =>
  seen?.reading.id?.kind === 'valid' ? seen.reading.id.id : undefined;
