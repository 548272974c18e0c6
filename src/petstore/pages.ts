import type { CheckTools } from '../engine/check-tools.ts';
import type { Judgement } from '../engine/violation.ts';
import type { Api } from './api.ts';
import { filterOf, getPet, type ListCall, listPets } from './calls.ts';
import { spreadOver } from './choice-of-animals.ts';
import type { Collection, TimeOfRun } from './collection.ts';
import { bytesOf, type CollectionModel } from './collection-model.ts';
import { LIMIT, PET_STATUSES, type PetStatus } from './contract-facts.ts';
import { clientsQueries, EVERY_FILTER, type OwnQuery } from './first-look.ts';
import type { NewPet } from './inputs/body.ts';
import { type Naming, plainPet } from './inputs/new-pets.ts';
import { everyLongestPage, type Looked, otherLeftOut } from './others.ts';
import type { Created, Page, PetReply } from './reply.ts';
import { isNotLost } from './rules/animals.ts';
import { leavesOut, leavesOutAnother } from './rules/pages.ts';
import { type ListRequest, limitFor } from './space/list-queries.ts';
import { onceForEach, sideBySide } from './together.ts';

/** What a look for the run's own animals has found. */
interface OwnLook {
  readonly query: OwnQuery;
  readonly page: Page;
  /** Those that it leaves out, as the page before it did. */
  readonly missing: readonly Created[];
  readonly showsAny: boolean;
}

const OUT_OF_SIGHT = 'no page was long enough to show an animal created by this run';

const WIDEST_GAP = 40n;
const MOST_UNUSED_IDS = 80;

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

/** How soon the list showed an animal; undefined where the requests were too far apart to say. */
export function delayInWords({
  missingAt,
  shownAt,
}: Pick<Extract<ListSearch, { kind: 'shown' }>, 'missingAt' | 'shownAt'>): string | undefined {
  if (shownAt <= A_SECOND_MS) return 'within a second';
  return missingAt !== undefined && missingAt > A_SECOND_MS ? 'after more than a second' : undefined;
}

/** How many animals are added to see whether a page has room, and how many characters their names have. */
const MOST_ADDED = 12;
const LONGEST_ADDED = 900;

export const shows = (page: Page, animal: Created): boolean => page.animals.some(({ id }) => id === animal.id);

/** What a check asks of the pages of the list: what they show, and whether they leave out animals that they have room for. */
export class Pages {
  readonly #tools: CheckTools<PetReply, CollectionModel>;
  readonly #api: Api;
  readonly #model: CollectionModel;
  readonly #collection: Collection;
  readonly #naming: Naming;
  #serial = 0;

  constructor(tools: CheckTools<PetReply, CollectionModel>, api: Api, collection: Collection) {
    this.#tools = tools;
    this.#api = api;
    this.#model = tools.state;
    this.#collection = collection;
    this.#naming = collection.namingFor(tools.checkId);
  }

  /**
   * The list shows the run's own animals, with every filter and without one: the longest pages leave out none that they
   * have room for. To be asked while nothing else is in flight. Where animals are missing that have had the time to be
   * listed, a few more are added afterwards: a longer page in answer to the same query shows that there was room.
   */
  async lookForOwn(): Promise<readonly OwnLook[]> {
    const looks = await this.#leaveNothingOut(EVERY_FILTER.map((status) => ({ limit: LIMIT.maximum, status })));
    if (!looks.some(({ showsAny }) => showsAny)) {
      await this.#keepsItsOwn();
      this.#tools.inconclusive('out-of-sight', OUT_OF_SIGHT);
    }
    const isWhole = ({ query: { status } }: OwnLook): boolean => status === undefined;
    for (const look of looks) {
      const beside = looks.filter((other) => isWhole(other) !== isWhole(look)).map(({ page }) => page);
      const { page, query } = look;
      await this.#lookForOthers({ limit: LIMIT.maximum, status: query.status, page, beside });
    }
    return looks;
  }

  /** A page leaves out no animal of others: what it has room for, a longer page in answer to the same query shows. */
  async #lookForOthers(looked: Looked): Promise<void> {
    const found = await otherLeftOut(this.#api, this.#model, looked);
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
   * asked for just before, where few animals match. To be asked while nothing else is in flight.
   *
   * @param status the one that it takes
   */
  async lookForOneWithoutStatus(status: PetStatus): Promise<void> {
    const queries: readonly OwnQuery[] = [{ status }, { limit: LIMIT.maximum, status }];
    const lengths = await Promise.all(
      queries.map(async (query) => this.#model.lengthNow(query) ?? (await this.#api.list(query)).length),
    );
    if (Math.min(...lengths) >= LIMIT.default) return;
    await this.#api.create(plainPet(this.#naming, 'without a status'));
    await this.#leaveNothingOut([...queries, { limit: LIMIT.maximum, status: undefined }]);
  }

  /** An animal that no page shows is found by its id all the same. */
  async #keepsItsOwn(): Promise<void> {
    if (this.#model.getPetMayBeGone) return;
    for (const animal of spreadOver(this.#model.created, 1)) {
      this.#tools.expect((seen) => isNotLost(animal, seen), await this.#api.send(getPet(animal.id, this.#api.key)));
    }
  }

  /**
   * The same of pages without a limit, of those with limits of clients that were asked for before anything was added, and
   * of those whose limit is just the number of animals that match.
   *
   * @param longest looks at the longest pages, just before
   */
  async lookForOwnWithTightLimits(longest: readonly OwnLook[]): Promise<void> {
    const lengths = longest.map(({ page, query: { status } }) => ({ limit: page.length, status }));
    const exact = lengths.filter(({ limit }) => limit > LIMIT.minimum && limit < LIMIT.maximum);
    const clients = clientsQueries(this.#collection.seed);
    const looks = await this.#leaveNothingOut([...EVERY_FILTER.map((status) => ({ status })), ...clients, ...exact]);
    const [whole] = longest;
    const just = looks.find(({ query: { limit, status } }) => limit === whole?.page.length && status === undefined);
    if (just === undefined || whole === undefined) return;
    const { page } = just;
    await this.#lookForOthers({ limit: whole.page.length, status: undefined, page, beside: [whole.page] });
  }

  /** Lists as a request of the space says, by the number of animals that match now where its limit depends on it. */
  async ask({ query, fitting, form }: ListRequest): Promise<{ readonly call: ListCall; readonly reply: PetReply }> {
    const { key } = this.#api;
    const limit =
      fitting === undefined ? query.limit : limitFor(fitting, await this.#lengthOf(this.statusOf({ query })));
    const call = listPets({ ...query, limit }, key, form);
    return { call, reply: await this.#api.send(call) };
  }

  /** How many animals the longest page of a filter holds: asked for once by a check, where no page says so. */
  readonly #lengthOf = onceForEach((status: PetStatus | undefined) =>
    this.#collection.measured(this.#askLengthOf(status)),
  );

  async #askLengthOf(status: PetStatus | undefined): Promise<number> {
    return this.#model.lengthNow({ limit: LIMIT.maximum, status }) ?? (await this.#api.longestPage(status)).length;
  }

  /** The status that a request of the space filters by; undefined where it does not, or by what is no status. */
  statusOf({ query }: ListRequest): PetStatus | undefined {
    const filter = filterOf(listPets(query, this.#api.key));
    return filter === 'absent' || filter === 'invalid' ? undefined : filter;
  }

  /** The longest page of all animals, and of each status. */
  everyLongestPage(): Promise<readonly Page[]> {
    return everyLongestPage(this.#api);
  }

  /** Looks for an animal in the longest page, until it is there or the settling time is over. */
  async lookFor(animal: Created, status?: PetStatus): Promise<ListSearch> {
    // Counted from request to request: what is sent late because of a rate limit is not the service's delay.
    const age = ({ reply }: Page): number => Math.max(0, reply.exchange.sentAt - animal.exchange.answeredAt);
    let missingAt: number | undefined;
    const page = await this.#api.eventually(
      () => this.#api.longestPage(status),
      (seen) => {
        if (seen.length === LIMIT.maximum || shows(seen, animal)) return true;
        missingAt = age(seen);
        return false;
      },
    );
    return shows(page, animal) ? { kind: 'shown', page, missingAt, shownAt: age(page) } : { kind: 'hidden', page };
  }

  /**
   * The list shows animals that are added now; so it would show what earlier requests have left. An animal may be one of
   * those that were refused: what was wrong with the request is mended.
   */
  async addAndLookFor(...pets: readonly NewPet[]): Promise<void> {
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
  async compareOthers(
    time: TimeOfRun,
    judge: (id: bigint, page: PetReply, fetched: PetReply) => Judgement,
  ): Promise<void> {
    const disagreements = await this.#collection.othersAsListed(time);
    if (this.#model.getPetMayBeGone) return;
    for (const { id, page, fetched } of disagreements) {
      this.#tools.expect((listed, seen) => judge(id, listed, seen), page, fetched);
    }
  }

  /**
   * Where ids are given in order, an animal that was made of a refused request stands between two of the run's own.
   * Gets every id in such gaps; the rules judge what comes back.
   */
  async getUnusedIds(): Promise<void> {
    await this.#collection.addAfterRefusals();
    const ids = this.#model.created.map(({ id }) => id).toSorted((one, other) => (one < other ? -1 : 1));
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

  async #leaveNothingOut(queries: readonly OwnQuery[]): Promise<readonly OwnLook[]> {
    const looks = await Promise.all(queries.map((query) => this.#lookForItsOwn(query)));
    await this.#showRoom(looks.filter(({ missing }) => missing.length > 0));
    this.#judgeWhatWasLeftOut();
    return looks;
  }

  /** Which of the run's own animals the page of a query shows, and which two of its pages in a row leave out. */
  async #lookForItsOwn(query: OwnQuery): Promise<OwnLook> {
    const { limit = LIMIT.default, status } = query;
    const own = this.#model.matching(status ?? 'absent');
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
      this.#model.leftOut.push(...missing.map((animal) => ({ animal, page })));
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
    for (const { animal, page } of this.#model.leftOut) {
      const longer = this.#model.roomFor(animal, page);
      if (longer !== undefined) this.#tools.expect((seen) => leavesOut(animal, seen, longer), page.reply);
    }
  }

  /** Adds a few animals that are together larger than `bytes`, each as large as its name can make it. */
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
}
