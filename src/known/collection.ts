import { OPERATIONS } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';
import type { IdState } from '../reading/expected.ts';
import type { Reading } from '../reading/reading.ts';
import { Cookies } from './cookies.ts';
import { Creations } from './creations.ts';
import type { OwnAnimal, SeenPage } from './facts.ts';
import { Ids } from './ids.ts';
import { markIn } from './marks.ts';
import { Omissions } from './omissions.ts';
import { OtherClients } from './other-clients.ts';
import { endOf, isShortPage, Pages } from './pages.ts';
import { type CreatedAnimal, plainIdOf, Recall } from './recall.ts';
import { differingMember, headersOf, isComplete, matches, type Seen, type ShownAnimal } from './seen.ts';
import { Sequences } from './sequences.ts';

interface CollectionOptions {
  readonly settleMs: number;
  readonly tag: string;
  /** Animals that an earlier run created. */
  readonly remembered?: readonly CreatedAnimal[];
}

/** What the run knows of the collection, each fact with the exchange that showed it. Learns after the rules have checked. */
export class Collection {
  readonly #ownById = new Map<bigint, OwnAnimal>();
  readonly others = new OtherClients();
  /** The animals of the run that a page showed. */
  readonly #listed = new Set<bigint>();
  /** The animals of the run that a page left out before any showed them, with its query. */
  readonly #leftOut = new Set<string>();
  readonly #pages = new Pages();
  readonly sequences = new Sequences();
  /** How many creations are in flight, and when the last ended that was not rejected. */
  #creationsInFlight = 0;
  #grewAt = Number.NEGATIVE_INFINITY;
  readonly cookies = new Cookies();
  readonly ids = new Ids();
  readonly #accepted = new Map<string, Exchange>();
  readonly #keyless = new Map<string, Exchange>();
  /** By the body of its creation. */
  readonly #ownByBody = new Map<string, OwnAnimal>();
  readonly creations: Creations;
  readonly omissions: Omissions;
  readonly settleMs: number;
  /** The part of names that marks this run. */
  readonly tag: string;
  /** The animals of an earlier run. */
  readonly recall: Recall;

  constructor({ settleMs, tag, remembered = [] }: CollectionOptions) {
    this.recall = new Recall(remembered);
    this.omissions = new Omissions(settleMs);
    this.settleMs = settleMs;
    this.tag = tag;
    this.creations = new Creations(tag);
  }

  get ownAnimals(): readonly OwnAnimal[] {
    return [...this.#ownById.values()];
  }

  /** The animal of the run with an id, if its 201 came before a point in time. */
  ownBefore(id: bigint | undefined, moment: number): OwnAnimal | undefined {
    const own = this.ownById(id);
    return own !== undefined && own.exchange.answeredAt <= moment ? own : undefined;
  }

  ownById(id: bigint | undefined): OwnAnimal | undefined {
    return id === undefined ? undefined : this.#ownById.get(id);
  }

  ownByBody(body: string | undefined): OwnAnimal | undefined {
    return body === undefined ? undefined : this.#ownByBody.get(body);
  }

  /** The 201 of an animal, after the response that had not found its id before, which a cache may have kept. */
  historyOf({ id, exchange }: OwnAnimal): readonly Exchange[] {
    const first = this.ids.notFoundBefore(id, exchange.sentAt);
    return first === undefined ? [exchange] : [first, exchange];
  }

  /** What was known of the requested id before the request was sent. */
  idStateBefore({ id }: Reading, sentAt: number): IdState {
    if (id?.id === undefined) return 'unknown';
    if (this.ownBefore(id.id, sentAt) !== undefined) return 'own';
    return this.ids.isFree(id.id) ? 'free' : 'unknown';
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

  /** A creation is sent that may be accepted. @returns what to call when it has ended */
  creating(): () => void {
    this.#creationsInFlight += 1;
    return () => {
      this.#creationsInFlight -= 1;
      this.#grewAt = performance.now();
    };
  }

  /** Whether the run may have added an animal since a point in time. */
  mayHaveGrownSince(moment: number): boolean {
    return this.#creationsInFlight > 0 || this.#grewAt > moment;
  }

  /** The animals of the run in a response that were added before, each as it is shown and as its 201 showed it. */
  ownIn({ animals, exchange }: Seen): readonly { readonly shown: ShownAnimal; readonly own: OwnAnimal }[] {
    return animals.flatMap((shown) => {
      const own = this.ownBefore(shown.id, exchange.sentAt);
      return own === undefined ? [] : [{ shown, own }];
    });
  }

  /** The run's own animals that match a page but are not on it, oldest first. */
  missingFrom({ reading: { query }, exchange: { sentAt }, animals, shape }: Seen): readonly OwnAnimal[] {
    if (query === undefined || shape !== 'page' || query.isUnknown) return [];
    const ids = new Set(animals.map(({ id }) => id));
    // An entry without a readable id may be any of them.
    if (ids.has(undefined)) return [];
    return this.ownAnimals.filter(
      (own) => own.exchange.answeredAt <= sentAt && !ids.has(own.id) && matches(own, query.statuses),
    );
  }

  /** The missing animals that a page has not ended before, oldest first. */
  leftOutOf(seen: Seen): readonly OwnAnimal[] {
    const { endsAt } = this.pageOf(seen);
    return this.missingFrom(seen).filter(({ exchange }) => exchange.sentAt > endsAt);
  }

  /** The run's own animals that no page has shown. */
  get unlisted(): readonly OwnAnimal[] {
    return this.ownAnimals.filter(({ id }) => !this.#listed.has(id));
  }

  /**
   * Two pages of one query that show room for an animal: one that leaves it out, and a larger one.
   *
   * @param first the exchange that first showed the animal
   * @param seen the page that is being checked
   * @param lasting those of which one must be that which leaves it out; by default, the latest
   */
  roomFor(id: bigint, first: Exchange, seen: Seen, lasting?: readonly SeenPage[]) {
    const { bytes = 0 } = this.others.byId(id) ?? {};
    // An animal of another client is older than those of the run, if these are shown newest first.
    const hasEnded = ({ endsAt }: SeenPage): boolean =>
      this.#ownById.has(id) ? endsAt >= first.sentAt : Number.isFinite(endsAt);
    // Until its settle time is over, a page may be short of what it does not show yet.
    const from = first.answeredAt + (lasting === undefined ? 0 : this.settleMs);
    const leavesItOut = (page: SeenPage): boolean =>
      page.exchange.sentAt >= from && !hasEnded(page) && !page.ids.has(id);
    return this.#pages.roomFor(seen.reading.query?.text ?? '', this.pageOf(seen), bytes, lasting, leavesItOut);
  }

  /** How many animals were known before that match a page. */
  countMatches({ reading: { query }, exchange: { sentAt } }: Seen): number {
    const own = this.ownAnimals.filter(({ exchange }) => exchange.answeredAt <= sentAt);
    const others = this.others.all.flatMap(({ animal, first }) => (first.answeredAt <= sentAt ? animal : []));
    return [...own, ...others].filter((animal) => matches(animal, query?.statuses)).length;
  }

  /** Whether an animal is known that does not match a page. */
  hasOther({ reading: { query }, exchange: { sentAt } }: Seen): boolean {
    const isOther = (animal: ShownAnimal): boolean => !matches(animal, query?.statuses);
    return (
      this.ownAnimals.some((own) => own.exchange.answeredAt <= sentAt && isOther(own)) ||
      this.others.all.some(({ animal, first }) => first.answeredAt <= sentAt && isOther(animal))
    );
  }

  /** The page between two getPet of an animal of other clients that agree, so that it had not changed in between. */
  pageBetweenFetches(
    seen: Seen,
  ): { readonly id: bigint; readonly page: Seen; readonly first: Seen; readonly animal?: ShownAnimal } | undefined {
    const [first, page] = this.sequences.before(seen.exchange).slice(-2);
    const id = plainIdOf(seen.reading);
    if (id === undefined || first === undefined || plainIdOf(first.reading) !== id || page?.shape !== 'page')
      return undefined;
    if (this.ownById(id) !== undefined) return undefined;
    if (seen.status === 404 && first.status === 404) return { id, page, first };
    const [[animal], [before]] = [seen.animals, first.animals];
    if (animal?.id !== id || before?.id !== id || differingMember(animal, before) !== undefined) return undefined;
    return { id, page, first, animal };
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
      ...endOf(shown, seen.reading.query?.status !== 'absent'),
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
    if (reading.id?.id !== undefined) this.ids.learnRequested(reading.id.id, exchange);
    const isAccepted = status !== undefined && status < 300 && shape !== undefined;
    const isValid = reading.key.kind === 'right' && reading.kind === 'valid';
    if (isAccepted && isValid && !this.#accepted.has(reading.operation))
      this.#accepted.set(reading.operation, exchange);
    if (status === 401 && reading.requirement === 'AUTH-2' && exchange.place === 0)
      this.#keyless.set(reading.operation, exchange);
    this.cookies.learn(headersOf(exchange));
    this.#learnOmissionOfOther(seen);
    this.sequences.learn(seen);
    const { adds, says } = OPERATIONS[reading.operation];
    if (adds) this.#learnCreation(seen);
    else for (const animal of seen.animals) this.#learnShown(animal, exchange);
    if (says === 'id' && reading.key.kind === 'right') this.others.learnFetched(seen);
    if (shape === 'page' && seen.length !== undefined) this.#learnPage(seen);
  }

  #learnCreation(seen: Seen): void {
    const { exchange, reading, status, shape } = seen;
    const [animal] = seen.animals;
    this.creations.learn(seen);
    if (status !== undefined && status >= 400 && status < 500) return;
    this.#grewAt = Math.max(this.#grewAt, exchange.answeredAt);
    if (status !== 201 || shape !== 'animal' || animal === undefined || !isComplete(animal)) return;
    this.ids.learnSeen(animal.id);
    const isStatusOmitted = reading.body?.animal.status?.every((one) => one === undefined) === true;
    const own: OwnAnimal = { ...animal, exchange, bytes: seen.bytes, isStatusOmitted };
    if (!this.#ownById.has(animal.id)) this.#ownById.set(animal.id, own);
    const body = exchange.request.body;
    if (body !== undefined && body.length < 10_000) {
      const text = Buffer.from(body).toString('latin1');
      if (!this.#ownByBody.has(text)) this.#ownByBody.set(text, own);
    }
  }

  #learnShown(animal: ShownAnimal, exchange: Exchange): void {
    const { id, name } = animal;
    if (id === undefined || this.#ownById.has(id)) return;
    this.ids.learnSeen(id);
    // The run may have added it, but does not know yet under which id.
    if (name === undefined || markIn(name, this.tag) === undefined) this.others.learnShown(id, animal, exchange);
  }

  #learnPage(seen: Seen): void {
    const { query } = seen.reading;
    if (query === undefined) return;
    const page = this.pageOf(seen);
    this.#pages.learn(query.text, page);
    if (page.length < query.atMost)
      for (const { id } of this.missingFrom(seen)) {
        if (!this.#listed.has(id)) this.#leftOut.add(`${query.text} ${id}`);
        if (seen.exchange.isQuiet === true && isShortPage(seen)) this.omissions.leftOut(query.text, id, page);
      }
    for (const id of page.ids)
      if (id !== undefined) {
        if (this.#ownById.has(id)) this.#listed.add(id);
        this.omissions.ended(query.text, id);
      }
  }

  /** A page between two getPet of an animal of another client leaves it out, though it matches; or it is not there any more. */
  #learnOmissionOfOther(seen: Seen): void {
    const fetched = this.pageBetweenFetches(seen);
    const query = fetched?.page.reading.query;
    if (fetched === undefined || query?.kind !== 'valid' || seen.exchange.isQuiet !== true) return;
    const { id, page, first, animal } = fetched;
    if (animal === undefined || !matches(animal, query.statuses)) this.omissions.ended(query.text, id);
    else if (page.animals.every((one) => one.id !== id)) {
      const bytesLeftOut = Math.max(this.pageOf(page).bytesLeftOut, seen.bytes);
      const around = [first.exchange, seen.exchange] as const;
      this.omissions.leftOut(query.text, id, { ...this.pageOf(page), bytesLeftOut, around });
    }
  }
}
