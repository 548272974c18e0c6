import type { CheckTools } from '../engine/check-tools.ts';
import type { Api } from './api.ts';
import { getPet } from './calls.ts';
import { spreadOver } from './choice-of-animals.ts';
import { bytesOf, type CollectionModel } from './collection-model.ts';
import { LIMIT, PET_STATUSES, type PetStatus } from './contract-facts.ts';
import { clientsQueries, EVERY_FILTER, type OwnQuery } from './first-queries.ts';
import { type Naming, plainPet } from './inputs/new-pets.ts';
import { type Looked, otherLeftOut } from './others-left-out.ts';
import type { Created, Page, PetReply } from './reply.ts';
import { isNotLost } from './rules/animals.ts';
import { leavesOut, leavesOutAnother } from './rules/pages.ts';

/** What a look for the run's own animals has found. */
interface OwnLook {
  readonly query: OwnQuery;
  readonly page: Page;
  /** Those that it leaves out, as the page before it did. */
  readonly missing: readonly Created[];
  readonly showsAny: boolean;
}

export const OUT_OF_SIGHT = 'no page was long enough to show an animal created by this run';

/** To see whether a page has room, at most so many animals are added, with names of at most so many characters. */
const MOST_ADDED = 12;
const LONGEST_ADDED = 900;

export const shows = (page: Page, animal: Created): boolean => page.animals.some(({ id }) => id === animal.id);

/** Whether the pages of the list leave out animals that they have room for. */
export class Pages {
  readonly #tools: CheckTools<PetReply, CollectionModel>;
  readonly #api: Api;
  readonly #model: CollectionModel;
  readonly #naming: Naming;
  readonly #seed: number;
  #serial = 0;

  constructor(tools: CheckTools<PetReply, CollectionModel>, api: Api, naming: Naming, seed: number) {
    this.#tools = tools;
    this.#api = api;
    this.#model = tools.state;
    this.#naming = naming;
    this.#seed = seed;
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
   * asked for just before, where few animals match. To be asked while nothing else is under way.
   *
   * @param status the one that it takes
   */
  async showsWhatHasNoStatus(status: PetStatus): Promise<void> {
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
  async showsItsOwnWhereTheyJustFit(longest: readonly OwnLook[]): Promise<void> {
    const lengths = longest.map(({ page, query: { status } }) => ({ limit: page.length, status }));
    const exact = lengths.filter(({ limit }) => limit > LIMIT.minimum && limit < LIMIT.maximum);
    const clients = clientsQueries(this.#seed);
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
}
