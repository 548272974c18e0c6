import type { CheckTools } from '../engine/check-tools.ts';
import type { Judgement } from '../engine/violation.ts';
import type { Api } from './api.ts';
import { filterOf, getPet, type ListCall, listPets, type PetCall } from './calls.ts';
import { ofMostTraits, spreadOver } from './choice-of-animals.ts';
import type { CollectionModel, DefaultPages, EmptyBesideOthers, Listed } from './collection-model.ts';
import { LIMIT, PET_STATUSES, type PetStatus } from './contract-facts.ts';
import { firstLook } from './first-look.ts';
import { firstQueries } from './first-queries.ts';
import type { NewPet } from './inputs/body.ts';
import type { Naming } from './inputs/new-pets.ts';
import { everyLongestPage } from './others-as-listed.ts';
import { OUT_OF_SIGHT, Pages, shows } from './pages.ts';
import type { Created, Page, PetReply } from './reply.ts';
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

const WIDEST_GAP = 40n;
const MOST_UNUSED_IDS = 80;

/** How old the first animal is when the run looks at what becomes of animals. */
const AGED_MS = { smoke: 0, standard: 1_060, thorough: 1_500 } as const;

/** What a check can ask of the collection of animals. */
export class Collection {
  /** What the run knows of it so far. */
  readonly model: CollectionModel;
  /** The status that in the end more animals have than a page holds. */
  readonly commonStatus: PetStatus;
  /** Of the two statuses that few services give by default, the other one. */
  readonly rarerStatus: PetStatus;
  /** Whether the list leaves nothing out. */
  readonly pages: Pages;
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
  readonly #shared: SharedAnimals;
  readonly #lengths = new Map<PetStatus | undefined, Promise<number>>();
  /** A page of a status before the run has an animal with it, as it is asked for. */
  readonly #without = new Map<PetStatus, Promise<void>>();

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
    this.#shared = shared;
    this.pages = new Pages(tools, api, naming, shared.seed);
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
