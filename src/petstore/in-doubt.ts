import type { Exchange } from '../http/exchange.ts';
import { LIMIT } from './contract-facts.ts';
import type { Omission, OtherClientsAnimal, OwnAnimal, SeenPage } from './facts.ts';
import { differingMember, isComplete, type Seen, type ShownAnimal } from './seen.ts';

/** What doubts need of the collection. */
interface Facts {
  readonly settleMs: number;
  ownById(id: bigint | undefined): OwnAnimal | undefined;
  ofOtherClients(id: bigint | undefined): OtherClientsAnimal | undefined;
  largestPage(query: string): SeenPage | undefined;
  missingFrom(seen: Seen, settled: boolean): readonly OwnAnimal[];
  previous(exchange: Exchange): readonly Seen[];
}

/** Exchanges in a row on one connection that show something in two ways. */
type Sequence = readonly Exchange[];

/** How many pages in a row must lack an animal before it counts as omitted. */
const PAGES_IN_A_ROW = 5;
/** How many animals of other clients are expected in pages. */
const MAX_OF_OTHER_CLIENTS = 40;

/** What replication delay, a cache or another client could explain, and how often in a row it was seen. */
export class InDoubt {
  readonly #facts: Facts;
  /** The first animals of other clients that were seen. */
  #ofOtherClients: OtherClientsAnimal[] = [];
  readonly #omissions = new Map<string, Omission>();
  /** By animal of other clients or by filter, the sequences in a row that showed it in two ways. */
  readonly #conflicts = new Map<string, readonly Sequence[]>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /**
   * The run's own animals that a page may have omitted: it has fewer than permitted, and is not just the newest ones, as it
   * or a longer page of the query shows older animals.
   */
  possiblyOmitted(seen: Seen): readonly OwnAnimal[] {
    const { query } = seen.reading;
    const { length, animals } = seen;
    if (query === undefined || length === undefined || query.atMost <= length || query.mayBeEmpty) return [];
    const missing = this.#facts.missingFrom(seen, false);
    if (length === 0) return missing.slice(0, 1);
    if (query.kind !== 'valid') return [];
    const shown = [...animals, ...(this.#facts.largestPage(query.text)?.animals ?? [])];
    const at = this.#oldestOf(shown)?.answeredAt ?? Number.POSITIVE_INFINITY;
    return missing.filter(({ exchange }) => at < exchange.sentAt);
  }

  /** The first exchange that showed one of these animals. */
  #oldestOf(shown: readonly ShownAnimal[]): Exchange | undefined {
    const facts = this.#facts;
    const first = shown.flatMap(({ id }) => facts.ownById(id)?.exchange ?? facts.ofOtherClients(id)?.first ?? []);
    return first.toSorted((one, other) => one.answeredAt - other.answeredAt)[0];
  }

  /** An animal of other clients that a page may have omitted, though it had room. */
  otherClientsOmission({ reading: { query }, shape, length, animals, exchange }: Seen): OtherClientsAnimal | undefined {
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
        !this.#isLastingFor(query.text, id),
    );
  }

  /** The key of an omission of an animal of other clients that this getPet confirmed, until it lasts long enough. */
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
    return { id, animal, query: query.text, page, length: page.length };
  }

  #isLastingFor(query: string, id: bigint): boolean {
    const left = this.omission(query, id);
    return left !== undefined && this.isLasting(left);
  }

  /** The sequences in a row in which a page disagreed with the getPet before and after it on an animal of other clients. */
  conflicts(id: bigint | undefined): readonly Sequence[] {
    return (id === undefined ? undefined : this.#conflicts.get(`${id}`)) ?? [];
  }

  /** The sequences in a row in which limit=20 and no limit gave pages of different length. */
  differingDefaults(seen: Seen): readonly Sequence[] {
    return this.#defaultsDiffer(seen) ? (this.#conflicts.get(defaultsKey(seen)) ?? []) : [];
  }

  /** Whether something that was seen in these sequences, and now again, lasted for the whole settle time. */
  lastsLongEnough(sequences: readonly Sequence[]): boolean {
    const [first, last] = [sequences[0]?.at(-1), sequences.at(-1)?.at(-1)];
    return (
      sequences.length >= PAGES_IN_A_ROW - 1 &&
      first !== undefined &&
      last !== undefined &&
      last.answeredAt - first.sentAt >= this.#facts.settleMs
    );
  }

  /** Without limit, with limit=20 and without again: three pages of one filter on one connection. */
  isDefaultsTriple(seen: Seen): boolean {
    const [first, middle] = this.#facts.previous(seen.exchange).slice(-2);
    const { query } = seen.reading;
    const [one, other] = [first?.reading.query, middle?.reading.query];
    if (query?.limit !== 'absent' || query.kind !== 'valid' || one?.text !== query.text || other?.limit !== 'valid')
      return false;
    return other.atMost === LIMIT.default && `${other.statuses}` === `${query.statuses}`;
  }

  /** Other clients may add and remove animals, so a page is comparable only between two of equal length. */
  #defaultsDiffer(seen: Seen): boolean {
    const [first, middle] = this.#facts.previous(seen.exchange).slice(-2);
    return this.isDefaultsTriple(seen) && first?.length === seen.length && middle?.length !== seen.length;
  }

  /** The key of what this exchange completes a disagreement about, if any. */
  conflictKey(seen: Seen): string | undefined {
    if (this.#defaultsDiffer(seen)) return defaultsKey(seen);
    const around = this.#pageBetweenFetches(seen);
    const listed = around?.page.animals.find(({ id }) => id === around.id);
    if (around === undefined || listed === undefined) return undefined;
    const { id, animal } = around;
    return animal === undefined || differingMember(listed, animal) !== undefined ? `${id}` : undefined;
  }

  /** The page between two getPet of an animal of other clients that agree, so that it had not changed in between. */
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

  /** The latest page that shows an animal of other clients differently from this getPet. */
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

  /** The omissions of a query that lasted for the whole settle time. */
  lastingOmissions(query: string): readonly Omission[] {
    return [...this.#omissions.values()].filter((one) => one.query === query && this.isLasting(one));
  }

  isLasting({ animal, pages }: Omission): boolean {
    const [first, last] = [pages[0], pages.at(-1)];
    if (first === undefined || last === undefined) return false;
    const since = Math.max(animal.exchange.answeredAt, Math.min(first.exchange.sentAt, animal.exchange.answeredAt + 1));
    return pages.length >= PAGES_IN_A_ROW && last.exchange.sentAt >= since + this.#facts.settleMs;
  }

  /** Counts pages in a row without an animal of other clients that getPet finds before and after. */
  #learnOmissionOfOtherClients(seen: Seen): void {
    const around = this.#pageBetweenFetches(seen);
    if (around !== undefined && around.animal === undefined) {
      this.#ofOtherClients = this.#ofOtherClients.filter(({ animal }) => animal.id !== around.id);
    }
    const left = this.#omissionBetweenFetches(seen);
    if (left === undefined) {
      const [, page] = this.#facts.previous(seen.exchange).slice(-2);
      this.#omissions.delete(`${page?.reading.query?.text} ${plainId(seen)}`);
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

  /** The last three exchanges of its connection. */
  sequenceOf({ exchange }: Seen): Sequence {
    return [
      ...this.#facts
        .previous(exchange)
        .slice(-2)
        .map((one) => one.exchange),
      exchange,
    ];
  }

  /** Remembers an animal of other clients that was seen for the first time. */
  addOfOtherClients(other: OtherClientsAnimal): void {
    if (this.#ofOtherClients.length < MAX_OF_OTHER_CLIENTS) this.#ofOtherClients.push(other);
  }

  /** Learns from an exchange before the collection does. */
  learn(seen: Seen): void {
    const { exchange, reading } = seen;
    if (exchange.quiet) this.#learnOmissionOfOtherClients(seen);
    const key = this.conflictKey(seen);
    if (key !== undefined) this.#conflicts.set(key, [...(this.#conflicts.get(key) ?? []), this.sequenceOf(seen)]);
    else if (this.isDefaultsTriple(seen)) this.#conflicts.delete(defaultsKey(seen));
    else if (reading.id?.kind === 'valid' && this.#facts.previous(exchange).at(-1)?.shape === 'page')
      this.#conflicts.delete(`${reading.id.id}`);
  }

  /** Learns from a page that was requested while nothing else was in flight. */
  learnPage(seen: Seen, page: SeenPage): void {
    const { query } = seen.reading;
    if (query === undefined) return;
    const ids = new Set(seen.animals.map(({ id }) => id));
    for (const [key, left] of this.#omissions)
      if (left.query === query.text && ids.has(left.animal.id)) this.#omissions.delete(key);
    for (const animal of this.possiblyOmitted(seen)) {
      const key = `${query.text} ${animal.id}`;
      const before = this.#omissions.get(key);
      if (before !== undefined && this.isLasting(before)) continue;
      const witness =
        before?.witness ?? this.#oldestOf([...seen.animals, ...(this.#facts.largestPage(query.text)?.animals ?? [])]);
      this.#omissions.set(key, { query: query.text, animal, pages: [...(before?.pages ?? []), page], witness });
    }
  }
}

const defaultsKey = ({ reading: { query } }: Seen): string => `defaults ${query?.text}`;

/** The id that getPet requests in plain digits: in another spelling, it need not be found. */
const plainId = (seen: Seen | undefined): bigint | undefined =>
  seen?.reading.id?.kind === 'valid' ? seen.reading.id.id : undefined;
