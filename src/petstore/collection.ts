import type { CheckTools } from '../engine/check-tools.ts';
import type { Judgement } from '../engine/violation.ts';
import type { Api } from './api.ts';
import { filterOf, getPet, type ListCall, type ListQuery, listPets, type PetCall } from './calls.ts';
import { ofMostTraits, spreadOver } from './choice-of-animals.ts';
import {
  bytesOf,
  type CollectionModel,
  type DefaultPages,
  type EmptyBesideOthers,
  type Listed,
} from './collection-model.ts';
import { LIMIT, PET_STATUSES, type PetStatus } from './contract-facts.ts';
import { firstLook } from './first-look.ts';
import type { NewPet } from './inputs/body.ts';
import { inTurn } from './inputs/in-turn.ts';
import { LIMITS_OF_CLIENTS } from './inputs/limits.ts';
import { type Naming, plainPet } from './inputs/new-pets.ts';
import { everyLongestPage } from './others-as-listed.ts';
import { type Looked, otherLeftOut } from './others-left-out.ts';
import type { Created, Page, PetReply } from './reply.ts';
import { isNotLost } from './rules/animals.ts';
import { leavesOut, leavesOutAnother } from './rules/pages.ts';
import type { SharedAnimal, SharedAnimals, TimeOfRun } from './shared-animals.ts';
import { sideBySide } from './side-by-side.ts';
import type { ListRequest } from './space/list-queries.ts';

/** What came of looking for an animal in the list, within the settling time. */
export type ListSearch =
  | {
      readonly kind: 'shown';
      readonly page: Page;
      /** When it was last asked for and not shown yet, and when it was, counted from its 201 (ms). */
      readonly missingAt: number | undefined;
      readonly shownAt: number;
    }
  /** The page may be full of others, or cut for another reason. */
  | { readonly kind: 'hidden'; readonly page: Page };

const A_SECOND_MS = 1_000;

/** How soon the list showed an animal; undefined where the requests were too far apart to tell. */
export function delayInWords({
  missingAt,
  shownAt,
}: Pick<Extract<ListSearch, { kind: 'shown' }>, 'missingAt' | 'shownAt'>): string | undefined {
  if (shownAt <= A_SECOND_MS) return 'within a second';
  return missingAt !== undefined && missingAt > A_SECOND_MS ? 'after more than a second' : undefined;
}

/** A query by which the run's own animals are looked for. */
interface OwnQuery {
  readonly limit?: number;
  readonly status: PetStatus | undefined;
}

/** What a look for the run's own animals has found. */
interface OwnLook {
  readonly query: OwnQuery;
  readonly page: Page;
  /** Those that it leaves out, as the page before it did. */
  readonly missing: readonly Created[];
  readonly showsAny: boolean;
}

const EVERY_FILTER = [undefined, ...PET_STATUSES];

/** A page with such a limit has room for all animals where there are few. */
const WITH_ROOM = 30;

/** For each filter a query that no cache is made for; the seed chooses the limits. */
function clientsQueries(seed: number): readonly OwnQuery[] {
  const first = seed % LIMITS_OF_CLIENTS.length;
  const limits = [...LIMITS_OF_CLIENTS.slice(first), ...LIMITS_OF_CLIENTS.slice(0, first)];
  const ofAll = limits.filter((limit) => limit >= WITH_ROOM).slice(0, 1);
  return inTurn(EVERY_FILTER, [...ofAll, ...limits]).map(([status, limit]) => ({ limit, status }));
}

/** The queries with which the collection is looked at before anything is added, and again when something was. */
export const firstQueries = (seed: number): readonly ListQuery[] => [
  ...EVERY_FILTER.flatMap((status) => [undefined, LIMIT.default, LIMIT.maximum].map((limit) => ({ limit, status }))),
  ...clientsQueries(seed),
  ...PET_STATUSES.map((status) => ({ limit: LIMIT.minimum, status })),
];

const OUT_OF_SIGHT = 'no page was long enough to show an animal created by this run';

/** To see whether a page has room, at most so many animals are added, with names of at most so many characters. */
const MOST_ADDED = 12;
const LONGEST_ADDED = 900;

const WIDEST_GAP = 40n;
const MOST_UNUSED_IDS = 80;

/** How old the first animal is when the run looks at what becomes of animals. */
const AGED_MS = { smoke: 0, standard: 1_060, thorough: 1_500 } as const;

const shows = (page: Page, animal: Created): boolean => page.animals.some(({ id }) => id === animal.id);

/** What a check can ask of the collection of animals. */
export class Collection {
  /** What the run knows of it so far. */
  readonly model: CollectionModel;
  /** The status that in the end more animals have than a page holds. */
  readonly commonStatus: PetStatus;
  /** Of the two statuses that few services give by default, the other one. */
  readonly rarerStatus: PetStatus;
  /** The id of an animal that exists. */
  readonly anAnimal: () => Promise<bigint>;
  /** A plain animal of the run's own that was added with this status, or without one: one for all checks. */
  readonly anAnimalWith: (status?: PetStatus) => Promise<SharedAnimal>;
  /** An animal of each status is there, and one that was added without any; where nothing may be added, none need be. */
  readonly hasEveryStatus: () => Promise<void>;
  /** The id of an animal that exists and was found: the positive control of ids that are not. */
  readonly aFoundAnimal: () => Promise<bigint>;
  /** Animals of others, as the list showed them when the first check asked. */
  readonly animalsOfOthers: () => Promise<readonly Listed[]>;
  /** Resolves when more animals exist than the largest page holds. */
  readonly outgrowsAPage: () => Promise<void>;
  /** Resolves when nearly as many exist, so that with those that other checks add, a page is outgrown. */
  readonly nearlyOutgrowsAPage: () => Promise<void>;
  /** Resolves when an operation was accepted with the right key: the positive control of what is sent without it. */
  readonly accepts: (operation: PetCall['operation']) => Promise<void>;
  readonly #api: Api;
  readonly #tools: CheckTools<PetReply, CollectionModel>;
  readonly #naming: Naming;
  readonly #shared: SharedAnimals;
  readonly #lengths = new Map<PetStatus | undefined, Promise<number>>();
  /** A page of a status before the run has an animal with it, as it is asked for. */
  readonly #without = new Map<PetStatus, Promise<void>>();
  #serial = 0;

  constructor(tools: CheckTools<PetReply, CollectionModel>, api: Api, shared: SharedAnimals, naming: Naming) {
    this.model = tools.state;
    this.anAnimal = () => shared.anAnimal();
    this.anAnimalWith = (status) => shared.anAnimalWith(status);
    this.hasEveryStatus = () => shared.hasEveryStatus();
    this.aFoundAnimal = () => shared.aFoundAnimal();
    this.animalsOfOthers = () => shared.animalsOfOthers();
    this.outgrowsAPage = () => shared.outgrowAPage();
    this.nearlyOutgrowsAPage = () => shared.nearlyOutgrowAPage();
    this.accepts = (operation) => shared.accepts(operation);
    this.commonStatus = shared.commonStatus;
    this.rarerStatus = shared.rarerStatus;
    this.#tools = tools;
    this.#api = api;
    this.#naming = naming;
    this.#shared = shared;
  }

  longestPage(status?: PetStatus): Promise<Page> {
    return this.#api.list({ limit: LIMIT.maximum, status });
  }

  /** A status that more than so many of the run's own animals have; any status where there is none. */
  statusOfMoreThan(count: number): PetStatus | undefined {
    const enough = PET_STATUSES.filter((status) => this.model.matching(status).length > count);
    const choice = enough.length === 0 ? PET_STATUSES : enough;
    return choice[count % choice.length];
  }

  /** The longest page of all animals, and of each status. */
  everyLongestPage(): Promise<readonly Page[]> {
    return everyLongestPage(this.#api);
  }

  /** The run's first animal is there, and one with the status, if one is asked for; where it can be, no other. */
  async hasItsFirst(status?: PetStatus): Promise<void> {
    await this.#shared.addFirst();
    await this.anAnimal();
    if (status === undefined) return;
    await this.isListedWithout(status);
    if (this.model.matching(status).length === 0) await this.anAnimalWith(status);
  }

  /** Where the run has no animal with a status yet: an empty page beside animals that do not match is as empty as any. */
  async isListedWithout(status: PetStatus): Promise<void> {
    const listed = this.#without.get(status) ?? this.#listWithout(status);
    this.#without.set(status, listed);
    await listed;
  }

  async #listWithout(status: PetStatus): Promise<void> {
    if (this.model.matching(status).length === 0) await this.#api.list({ status });
  }

  /** Lists as a request of the space says, by the number of animals that match now where its limit depends on it. */
  async list({ query, fitting, form }: ListRequest): Promise<{ readonly call: ListCall; readonly reply: PetReply }> {
    const { key } = this.#api;
    const limit = fitting === undefined ? query.limit : fitting(await this.#lengthOf(this.statusOf({ query })));
    const call = listPets({ ...query, limit }, key, form);
    return { call, reply: await this.#api.send(call) };
  }

  /** The status that a request of the space filters by; undefined where it does not, or by what is no status. */
  statusOf({ query }: ListRequest): PetStatus | undefined {
    const filter = filterOf(listPets(query, this.#api.key));
    return filter === 'absent' || filter === 'invalid' ? undefined : filter;
  }

  /** How many animals the longest page of a filter holds now; asked for once where no page says so. */
  #lengthOf(status: PetStatus | undefined): Promise<number> {
    const known = this.#lengths.get(status) ?? this.#shared.measured(this.#askLengthOf(status));
    this.#lengths.set(status, known);
    return known;
  }

  /** Resolves when every length was asked for that a check began to ask for: what is added now changes none of them. */
  isMeasured(): Promise<void> {
    return this.#shared.isMeasured();
  }

  async #askLengthOf(status: PetStatus | undefined): Promise<number> {
    return this.model.lengthNow({ limit: LIMIT.maximum, status }) ?? (await this.longestPage(status)).length;
  }

  /** Looks for an animal in the longest page, until it is there or the settling time is over. */
  async lookFor(animal: Created, status?: PetStatus): Promise<ListSearch> {
    // Counted from request to request: what is sent late because of a rate limit is not the service's delay.
    const age = ({ reply }: Page): number => Math.max(0, reply.exchange.sentAt - animal.exchange.answeredAt);
    let missingAt: number | undefined;
    const page = await this.#api.eventually(
      () => this.longestPage(status),
      (seen) => {
        if (seen.length === LIMIT.maximum || shows(seen, animal)) return true;
        missingAt = age(seen);
        return false;
      },
    );
    return shows(page, animal) ? { kind: 'shown', page, missingAt, shownAt: age(page) } : { kind: 'hidden', page };
  }

  /**
   * Pages that were empty beside animals of others that match them, before anything was added. A replay, which begins
   * with what was recorded, looks for them now.
   */
  async emptyBesideOthers(): Promise<readonly EmptyBesideOthers[]> {
    if (!this.model.isLookedAt) await firstLook(this.#api, this.model, firstQueries(this.#shared.seed));
    return this.model.emptyBesideOthers;
  }

  /** Pages without a limit and with the default one that differed in size, before anything was added; see above. */
  async defaultsThatDiffered(): Promise<readonly DefaultPages[]> {
    await this.emptyBesideOthers();
    return this.model.defaultsThatDiffered;
  }

  /**
   * The list shows the run's own animals, with every filter and without one: the longest pages leave out none that they
   * have room for. To be asked while nothing else is under way. Where animals are missing that have had the time to be
   * listed, a few more are added afterwards: a longer page in answer to the same query shows that there was room.
   */
  async showsItsOwn(): Promise<readonly OwnLook[]> {
    const looks = await this.#leaveNothingOut(EVERY_FILTER.map((status) => ({ limit: LIMIT.maximum, status })));
    if (!looks.some(({ showsAny }) => showsAny)) {
      await this.#keepsItsOwn();
      this.#tools.inconclusive('out-of-sight', OUT_OF_SIGHT);
    }
    const isWhole = ({ query: { status } }: OwnLook): boolean => status === undefined;
    for (const look of looks) {
      const beside = looks.filter((other) => isWhole(other) !== isWhole(look)).map(({ page }) => page);
      const { page, query } = look;
      await this.#showsThoseOfOthers({ limit: LIMIT.maximum, status: query.status, page, beside });
    }
    return looks;
  }

  /** A page leaves out no animal of others: what it has room for, a longer page in answer to the same query shows. */
  async #showsThoseOfOthers(looked: Looked): Promise<void> {
    const found = await otherLeftOut(this.#api, this.model, looked);
    if (found === undefined) return;
    const { id, page, fetched } = found;
    const { limit, status } = looked;
    await this.#addSome(status, bytesOf(fetched.exchange));
    const longer = await this.#api.eventually(
      () => this.#api.list({ limit, status }),
      ({ length }) => length > page.length,
    );
    const isShown = longer.animals.some((animal) => animal.id === id);
    const needed = bytesOf(page.reply.exchange) + bytesOf(fetched.exchange);
    if (isShown || longer.length <= page.length || needed > bytesOf(longer.reply.exchange)) return;
    this.#tools.expect(
      (seen, before, after) => leavesOutAnother(id, seen, before, after),
      fetched,
      page.reply,
      longer.reply,
    );
  }

  /**
   * An animal that is added without a status is shown by the same pages, filtered by the status that it takes, that were
   * asked for just before, where few animals match. To be asked while nothing else is under way.
   *
   * @param status the one that it takes
   */
  async showsWhatHasNoStatus(status: PetStatus): Promise<void> {
    const queries: readonly OwnQuery[] = [{ status }, { limit: LIMIT.maximum, status }];
    const lengths = await Promise.all(
      queries.map(async (query) => this.model.lengthNow(query) ?? (await this.#api.list(query)).length),
    );
    if (Math.min(...lengths) >= LIMIT.default) return;
    await this.#api.create(plainPet(this.#naming, 'without a status'));
    await this.#leaveNothingOut([...queries, { limit: LIMIT.maximum, status: undefined }]);
  }

  /** An animal that no page shows is found by its id all the same. */
  async #keepsItsOwn(): Promise<void> {
    if (this.model.getPetMayBeGone) return;
    for (const animal of this.someOfItsOwn(1)) {
      this.#tools.expect((seen) => isNotLost(animal, seen), await this.#api.send(getPet(animal.id, this.#api.key)));
    }
  }

  /**
   * The same of pages without a limit, of those with limits of clients that were asked for before anything was added, and
   * of those whose limit is just the number of animals that match.
   *
   * @param longest looks at the longest pages, just before
   */
  async showsItsOwnWhereTheyJustFit(longest: readonly OwnLook[]): Promise<void> {
    const lengths = longest.map(({ page, query: { status } }) => ({ limit: page.length, status }));
    const exact = lengths.filter(({ limit }) => limit > LIMIT.minimum && limit < LIMIT.maximum);
    const clients = clientsQueries(this.#shared.seed);
    const looks = await this.#leaveNothingOut([...EVERY_FILTER.map((status) => ({ status })), ...clients, ...exact]);
    const [whole] = longest;
    const just = looks.find(({ query: { limit, status } }) => limit === whole?.page.length && status === undefined);
    if (just === undefined || whole === undefined) return;
    const { page } = just;
    await this.#showsThoseOfOthers({ limit: whole.page.length, status: undefined, page, beside: [whole.page] });
  }

  async #leaveNothingOut(queries: readonly OwnQuery[]): Promise<readonly OwnLook[]> {
    const looks = await Promise.all(queries.map((query) => this.#lookForItsOwn(query)));
    await this.#showRoom(looks.filter(({ missing }) => missing.length > 0));
    this.#judgeWhatWasLeftOut();
    return looks;
  }

  /** Which of the run's own animals the page of a query shows, and which two of its pages in a row leave out. */
  async #lookForItsOwn(query: OwnQuery): Promise<OwnLook> {
    const { limit = LIMIT.default, status } = query;
    const own = this.model.matching(status ?? 'absent');
    const missingIn = (page: Page): readonly Created[] => own.filter((animal) => !shows(page, animal));
    const isComplete = (page: Page): boolean => page.length >= limit || missingIn(page).length === 0;
    const first = await this.#api.eventually(() => this.#api.list(query), isComplete);
    const page = isComplete(first) ? first : await this.#api.list(query);
    const missing = isComplete(first) ? [] : missingIn(page).filter((animal) => !shows(first, animal));
    return { query, page, missing, showsAny: own.some((animal) => shows(page, animal)) };
  }

  /** Adds some animals for each page that leaves something out, and then waits until the pages are longer. */
  async #showRoom(lacking: readonly OwnLook[]): Promise<void> {
    for (const { query, missing, page } of lacking) {
      this.model.leftOut.push(...missing.map((animal) => ({ animal, page })));
      await this.#addSome(query.status, Math.min(...missing.map(({ exchange }) => bytesOf(exchange))));
    }
    await Promise.all(
      lacking.map(({ query, page }) =>
        this.#api.eventually(
          () => this.#api.list(query),
          ({ length }) => length > page.length,
        ),
      ),
    );
  }

  /** Holds every page that left out an animal against the longest one that the service has shown since or before. */
  #judgeWhatWasLeftOut(): void {
    for (const { animal, page } of this.model.leftOut) {
      const longer = this.model.roomFor(animal, page);
      if (longer !== undefined) this.#tools.expect((seen) => leavesOut(animal, seen, longer), page.reply);
    }
  }

  /** Adds a few animals, as large as one of so many bytes as far as their names make them so, and together larger. */
  async #addSome(status: PetStatus | undefined, bytes: number): Promise<void> {
    const length = Math.min(bytes, LONGEST_ADDED);
    const count = Math.min(MOST_ADDED, 1 + Math.ceil(bytes / length));
    const statuses = status === undefined ? PET_STATUSES : [status];
    for (let added = 0; added < count; added += 1) {
      this.#serial += 1;
      const label = `room ${this.#serial} `.padEnd(length - this.#naming.tag.length, 'x');
      await this.#api.create(plainPet(this.#naming, label, statuses[added % statuses.length]));
    }
  }

  /**
   * The list shows animals that are added now; so it would show what earlier requests have left. An animal may be one of
   * those that were refused: what was wrong with the request is mended.
   */
  async showsWhatIsAddedNext(...pets: readonly NewPet[]): Promise<void> {
    const searches: ListSearch[] = [];
    const addsAndLooks = async (pet: NewPet, filters: readonly (PetStatus | undefined)[]): Promise<void> => {
      const animal = await this.#api.create(pet);
      await sideBySide(
        ...filters.map(async (filter) => {
          searches.push(await this.lookFor(animal, filter));
        }),
      );
    };
    const isWithoutToo = (at: number): boolean => at === 0 && pets.length > 1;
    await sideBySide(
      ...pets.map((pet, at) => addsAndLooks(pet, isWithoutToo(at) ? [undefined, pet.status] : [pet.status])),
    );
    this.#findsAny(searches);
  }

  #findsAny(searches: readonly ListSearch[]): void {
    if (searches.some(({ kind }) => kind === 'shown')) return;
    this.#tools.inconclusive('out-of-sight', OUT_OF_SIGHT);
  }

  /** What getPet says of animals of others agrees with what the list shows of them at this time of the run. */
  async agreesOnOthers(
    time: TimeOfRun,
    judge: (id: bigint, page: PetReply, fetched: PetReply) => Judgement,
  ): Promise<void> {
    const disagreements = await this.#shared.othersAsListed(time);
    if (this.model.getPetMayBeGone) return;
    for (const { id, page, fetched } of disagreements) {
      this.#tools.expect((listed, seen) => judge(id, listed, seen), page, fetched);
    }
  }

  /**
   * Where ids are given in order, an animal that was made of a refused request stands between two of the run's own.
   * Gets every id in such gaps; the rules judge what comes back.
   */
  async fetchesUnusedIds(): Promise<void> {
    await this.#shared.addsOneAfterRefusals();
    const ids = this.model.created.map(({ id }) => id).toSorted((one, other) => (one < other ? -1 : 1));
    const steps = ids.slice(1).map((id, at) => ({ after: ids[at] ?? id, before: id }));
    const close = steps.filter(({ after, before }) => before - after <= WIDEST_GAP);
    if (close.length < 3 || close.length * 2 < steps.length) {
      const reason = 'ids are not given in order, so animals that the list does not show cannot be found';
      this.#tools.inconclusive('out-of-sight', reason);
    }
    const unused = close.flatMap(({ after, before }) =>
      Array.from({ length: Number(before - after) - 1 }, (_, at) => after + BigInt(at) + 1n),
    );
    await this.#tools.forEach(unused.slice(-MOST_UNUSED_IDS), async (id) => {
      await this.#api.send(getPet(id, this.#api.key));
    });
  }

  /** At most so many of the run's own animals, by name: the seed decides it, the order of additions is chance. */
  someOfItsOwn(most: number): readonly Created[] {
    return spreadOver(this.model.created, most);
  }

  /** The same, in such a way that as many different marks and scripts as possible stand in their names. */
  someOfMostTraits(most: number): readonly Created[] {
    return ofMostTraits(this.model.created, most);
  }

  /** What the run had added when its first phases were over, so that it is older than most. */
  get firstAnimals(): readonly Created[] {
    return this.#shared.firstAnimals;
  }

  /** Resolves when the first animal of the run is so old that what becomes of animals within a second shows. */
  async hasAged(): Promise<void> {
    const [oldest] = this.model.created;
    if (oldest === undefined) return;
    const age = performance.now() - oldest.exchange.answeredAt;
    const left = AGED_MS[this.#tools.profile] - age;
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  }
}
