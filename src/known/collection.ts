import { OPERATIONS, operationOf } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';
import type { IdState } from '../reading/expected.ts';
import type { Terms } from '../reading/fill.ts';
import type { Reading } from '../reading/reading.ts';
import type { OtherClientsAnimal, OwnAnimal, SeenPage } from './facts.ts';
import { markIn } from './marks.ts';
import { endOf, Pages } from './pages.ts';
import { plainIdOf, Recall } from './recall.ts';
import { Rejections } from './rejections.ts';
import { Repeated, type Sequence } from './repeated.ts';
import { differingMember, isComplete, type Seen, type ShownAnimal } from './seen.ts';

const MAX_OF_OTHER_CLIENTS = 20_000;
/** How many animals of other clients are expected in pages. */
const MAX_EXPECTED = 40;
/** A free id is at least this far from every id that was seen, and from the ends of common integer ranges. */
const FAR = 1_000_000n;
const EDGES = [0n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n].flatMap((edge) => [edge, -edge]);

/** What the run knows of the collection, each fact with the exchange that showed it. Learns after the rules have checked. */
export class Collection {
  readonly #ownById = new Map<bigint, OwnAnimal>();
  readonly #ofOtherClients = new Map<bigint, OtherClientsAnimal>();
  /** Of the first animals of other clients, how they were last shown. */
  readonly #expected = new Map<bigint, ShownAnimal>();
  /** The animals of the run that a page showed. */
  readonly #listed = new Set<bigint>();
  /** The animals of the run that a page left out before any showed them, with its query. */
  readonly #leftOut = new Set<string>();
  readonly #pages = new Pages();
  readonly #onConnection = new Map<number, readonly Seen[]>();
  readonly #requestedIds = new Set<bigint>();
  readonly #seenIds: bigint[] = [];
  readonly #accepted = new Map<string, Exchange>();
  readonly #keyless = new Map<string, Exchange>();
  /** By the body of its creation. */
  readonly #ownByBody = new Map<string, OwnAnimal>();
  readonly rejections: Rejections;
  readonly repeated: Repeated;
  readonly settleMs: number;
  /** The part of names that marks this run. */
  readonly tag: string;

  /** The animals of an earlier run. */
  readonly recall: Recall;

  constructor({ settleMs, tag, remembered = [] }: Pick<Terms, 'settleMs' | 'remembered'> & { readonly tag: string }) {
    this.recall = new Recall(remembered);
    this.repeated = new Repeated(settleMs);
    this.settleMs = settleMs;
    this.tag = tag;
    this.rejections = new Rejections(tag);
  }

  get ownAnimals(): readonly OwnAnimal[] {
    return [...this.#ownById.values()];
  }

  get animalsOfOtherClients(): readonly OtherClientsAnimal[] {
    return [...this.#ofOtherClients.values()];
  }

  /** The animal of the run with an id, if its 201 came before a point in time. */
  ownBefore(id: bigint | undefined, moment: number): OwnAnimal | undefined {
    const own = id === undefined ? undefined : this.#ownById.get(id);
    return own !== undefined && own.exchange.answeredAt <= moment ? own : undefined;
  }

  ownById(id: bigint | undefined): OwnAnimal | undefined {
    return id === undefined ? undefined : this.#ownById.get(id);
  }

  ofOtherClients(id: bigint | undefined): OtherClientsAnimal | undefined {
    return id === undefined ? undefined : this.#ofOtherClients.get(id);
  }

  /** The animal of other clients with an id, if it was first shown before a point in time. */
  ofOtherClientsBefore(id: bigint | undefined, moment: number): OtherClientsAnimal | undefined {
    const other = id === undefined ? undefined : this.#ofOtherClients.get(id);
    return other !== undefined && other.first.answeredAt <= moment ? other : undefined;
  }

  ownByBody(body: string | undefined): OwnAnimal | undefined {
    return body === undefined ? undefined : this.#ownByBody.get(body);
  }

  /** What was known of the requested id before the request was sent. */
  idStateBefore({ id }: Reading, sentAt: number): IdState {
    if (id?.id === undefined) return 'unknown';
    if (this.ownBefore(id.id, sentAt) !== undefined) return 'own';
    return this.isFree(id.id) ? 'free' : 'unknown';
  }

  /** Whether no animal is likely to have this id: it is far from all that were seen, and was never requested. */
  isFree(id: bigint): boolean {
    const far = (other: bigint): boolean => (id > other ? id - other : other - id) > FAR;
    return !this.#requestedIds.has(id) && this.#seenIds.every(far) && EDGES.every(far);
  }

  largestPage(query: string): SeenPage | undefined {
    return this.#pages.largest(query);
  }

  /** The first valid request of an operation that was accepted. */
  accepted(operation: string): Exchange | undefined {
    return this.#accepted.get(operation);
  }

  /** A request of an operation without a key that was rejected with 401 as the first on its connection. */
  keylessRejected(operation: string): Exchange | undefined {
    return this.#keyless.get(operation);
  }

  /** The exchanges before this one on its connection, oldest first; at most three. */
  previous({ connection, place }: Exchange): readonly Seen[] {
    return (this.#onConnection.get(connection) ?? []).filter(({ exchange }) => exchange.place < place);
  }

  /** The last exchanges of a connection up to this one, oldest first. */
  sequence({ exchange }: Seen, length: number): Sequence {
    const before = this.previous(exchange).map((one) => one.exchange);
    return [...before, exchange].slice(-length);
  }

  /** The run's own animals that match a page but are not on it, oldest first. */
  missingFrom({ reading: { query }, exchange: { sentAt }, animals, shape }: Seen): readonly OwnAnimal[] {
    if (query === undefined || shape !== 'page' || query.isUnknown) return [];
    const ids = new Set(animals.map(({ id }) => id));
    return this.ownAnimals.filter(
      (own) => own.exchange.answeredAt <= sentAt && !ids.has(own.id) && matches(own, query.statuses),
    );
  }

  /** The missing animals that a page has not ended before, newest first. */
  leftOutOf(seen: Seen): readonly OwnAnimal[] {
    const page = this.pageOf(seen);
    return this.missingFrom(seen).filter(({ exchange }) => exchange.sentAt > page.endsAt);
  }

  /** The run's own animals that no page has shown. */
  get unlisted(): readonly OwnAnimal[] {
    return this.ownAnimals.filter(({ id }) => !this.#listed.has(id));
  }

  /** The animals of other clients that match a page and are not on it, nor likely to have been removed. */
  missingOfOtherClients({ reading: { query }, exchange, animals }: Seen): readonly OtherClientsAnimal[] {
    const ids = new Set(animals.map(({ id }) => id));
    return [...this.#expected].flatMap(([id, animal]) => {
      const other = this.#ofOtherClients.get(id);
      const isKnown = other !== undefined && other.first.answeredAt <= exchange.sentAt;
      return isKnown && !ids.has(id) && matches(animal, query?.statuses) ? other : [];
    });
  }

  /** As {@link Pages.roomFor}, with the page itself as the latest. */
  roomFor(id: bigint, first: Exchange, seen: Seen, again: readonly Exchange[] | undefined) {
    const mayHaveIt = (page: SeenPage): boolean => first.sentAt > page.endsAt && !page.ids.has(id);
    const { bytes = 0 } = this.#ofOtherClients.get(id) ?? {};
    return this.#pages.roomFor(seen.reading.query?.text ?? '', first, this.pageOf(seen), bytes, again, mayHaveIt);
  }

  /** The page between two getPet of an animal of other clients that agree, so that it had not changed in between. */
  pageBetweenFetches(
    seen: Seen,
  ): { readonly id: bigint; readonly page: Seen; readonly animal: ShownAnimal | undefined } | undefined {
    const [first, page] = this.previous(seen.exchange).slice(-2);
    const id = plainIdOf(seen.reading);
    if (id === undefined || first === undefined || plainIdOf(first.reading) !== id || page?.shape !== 'page')
      return undefined;
    if (this.ownById(id) !== undefined) return undefined;
    if (seen.status === 404 && first.status === 404) return { id, page, animal: undefined };
    const [[animal], [before]] = [seen.animals, first.animals];
    if (animal?.id !== id || before?.id !== id || differingMember(animal, before) !== undefined) return undefined;
    return { id, page, animal };
  }

  /** A page as it is compared with others of its query. */
  pageOf(seen: Seen): SeenPage {
    const { exchange, animals, length = 0, bytes } = seen;
    const shown = animals.flatMap(({ id }) => this.ownBefore(id, exchange.sentAt)?.exchange ?? []);
    return {
      length,
      bytes,
      exchange,
      ids: new Set(animals.map(({ id }) => id)),
      bytesLeftOut: Math.max(0, ...this.missingFrom(seen).map(({ bytes }) => bytes)),
      endsAt: endOf(shown),
    };
  }

  /** How soon the list shows an animal of the run: whether the same query left it out after its 201. */
  delayIn(seen: Seen): string | undefined {
    const { query } = seen.reading;
    const first = seen.animals.filter(({ id }) => id !== undefined && this.#ownById.has(id) && !this.#listed.has(id));
    if (query === undefined || seen.shape !== 'page' || first.length === 0) return undefined;
    const isLate = first.some(({ id }) => this.#leftOut.has(`${query.text} ${id}`));
    return isLate ? 'shows a new animal with a delay' : 'shows a new animal immediately';
  }

  learn(seen: Seen): void {
    this.recall.learn(seen);
    const { exchange, reading, status, shape } = seen;
    if (reading.id?.id !== undefined) this.#requestedIds.add(reading.id.id);
    if (
      status !== undefined &&
      status < 300 &&
      shape !== undefined &&
      reading.key.kind === 'right' &&
      reading.kind === 'valid'
    ) {
      if (!this.#accepted.has(reading.operation)) this.#accepted.set(reading.operation, exchange);
    }
    if (status === 401 && reading.requirement === 'AUTH-2' && exchange.place === 0)
      this.#keyless.set(reading.operation, exchange);
    const before = this.#onConnection.get(exchange.connection) ?? [];
    this.#onConnection.set(exchange.connection, [...before, seen].slice(-3));
    const { adds, says } = OPERATIONS[reading.operation];
    if (adds) this.#learnCreation(seen);
    else for (const animal of seen.animals) this.#learnAnimalOfOtherClients(animal, exchange);
    if (says === 'id' && reading.key.kind === 'right') this.#learnFetched(seen);
    if (shape === 'page' && seen.length !== undefined) this.#learnPage(seen);
  }

  #learnCreation(seen: Seen): void {
    const { exchange, reading, status, shape } = seen;
    const isRejected = status !== undefined && status >= 400 && status < 500;
    const because = reading.key.kind === 'right' ? 'body' : 'key';
    this.rejections.learn(exchange, isRejected ? because : undefined);
    if (isRejected && (reading.kind !== 'valid' || because === 'key')) {
      this.rejections.lastRejectedAt = Math.max(this.rejections.lastRejectedAt, exchange.answeredAt);
    }
    if (isRejected) return;
    const [animal] = seen.animals;
    if (status !== 201 || shape !== 'animal' || animal === undefined || !isComplete(animal)) return;
    this.#seenIds.push(animal.id);
    const isStatusOmitted = reading.body?.animal.status?.every((one) => one === undefined) === true;
    const { bytes } = seen;
    const own: OwnAnimal = { ...animal, exchange, bytes, isStatusOmitted };
    if (!this.#ownById.has(animal.id)) this.#ownById.set(animal.id, own);
    const body = exchange.request.body;
    if (body !== undefined && body.length < 10_000) {
      const text = Buffer.from(body).toString('latin1');
      if (!this.#ownByBody.has(text)) this.#ownByBody.set(text, own);
    }
  }

  #learnAnimalOfOtherClients(animal: ShownAnimal, exchange: Exchange): void {
    const { id, name } = animal;
    if (id === undefined || this.#ownById.has(id)) return;
    if (this.#expected.has(id) || this.#expected.size < MAX_EXPECTED) this.#expected.set(id, animal);
    const listed = operationOf(exchange.call).success.shape === 'page' ? { animal, exchange } : undefined;
    const before = this.#ofOtherClients.get(id);
    if (before !== undefined && listed !== undefined && this.#isAnotherView(before, animal))
      this.#ofOtherClients.set(id, { ...before, listed });
    if (before !== undefined || this.#ofOtherClients.size >= MAX_OF_OTHER_CLIENTS) return;
    this.#seenIds.push(id);
    if (name !== undefined && markIn(name, this.tag) !== undefined) return;
    this.#ofOtherClients.set(id, { animal, first: exchange, listed });
  }

  #learnFetched({ reading: { id }, status, exchange, animals, bytes }: Seen): void {
    const other = id?.id === undefined ? undefined : this.#ofOtherClients.get(id.id);
    if (id?.id !== undefined && status === 404) this.#expected.delete(id.id);
    if (id?.id === undefined || id.kind !== 'valid' || other === undefined) return;
    if (animals[0]?.id === id.id && other.fetched === undefined)
      this.#ofOtherClients.set(id.id, { ...other, fetched: exchange, bytes });
    else if (status === 404 && other.fetched !== undefined)
      this.#ofOtherClients.set(id.id, { ...other, lost: exchange });
  }

  /** Keeps the view that differs from the first one, for comparison with getPet. */
  #isAnotherView({ animal, listed }: OtherClientsAnimal, now: ShownAnimal): boolean {
    const isOdd = (one: ShownAnimal): boolean => differingMember(one, animal) !== undefined;
    return listed === undefined || isOdd(now) || !isOdd(listed.animal);
  }

  #learnPage(seen: Seen): void {
    const { query } = seen.reading;
    if (query === undefined) return;
    const page = this.pageOf(seen);
    this.#pages.learn(query.text, page);
    if (page.length < query.atMost)
      for (const { id } of this.missingFrom(seen)) if (!this.#listed.has(id)) this.#leftOut.add(`${query.text} ${id}`);
    for (const id of page.ids) {
      if (id !== undefined && this.#ownById.has(id)) this.#listed.add(id);
      this.repeated.learn(`${query.text} ${id}`, undefined);
    }
  }
}

const matches = ({ status }: ShownAnimal, statuses: readonly string[] | undefined): boolean =>
  statuses === undefined || (status !== undefined && statuses.includes(status));
