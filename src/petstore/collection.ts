import type { CheckTools } from '../engine/check-tools.ts';
import type { Api } from './api.ts';
import { getPet, type ListQuery, type PetCall } from './calls.ts';
import type { CollectionModel } from './collection-model.ts';
import { LIMIT, PET_STATUSES, type PetStatus } from './contract-facts.ts';
import { type Naming, plainPet } from './inputs/new-pets.ts';
import type { Created, Page, PetReply } from './reply.ts';
import { leavesOut } from './rules/pages.ts';
import type { SharedAnimals } from './shared-animals.ts';

/** What came of looking for an animal in the list, within the settling time. */
export type ListSearch =
  | { readonly kind: 'shown'; readonly page: Page; readonly milliseconds: number }
  /** The page is full of others, or the service may keep its pages this short. */
  | { readonly kind: 'hidden'; readonly page: Page }
  /** The page had room: the service has shown longer ones. */
  | { readonly kind: 'left out'; readonly page: Page };

/** An animal, and the query whose page showed it. */
interface Listed {
  readonly id: bigint;
  readonly query: ListQuery;
}

const WIDEST_GAP = 40n;
const MOST_UNUSED_IDS = 80;

/** What a check can ask of the collection of animals. */
export class Collection {
  /** What the run knows of it so far. */
  readonly model: CollectionModel;
  /** The id of an animal that exists. */
  readonly anAnimal: () => Promise<bigint>;
  /** Resolves when more animals exist than the largest page holds. */
  readonly outgrowsAPage: () => Promise<void>;
  /** Resolves when an operation was accepted with the right key: the positive control of what is sent without it. */
  readonly accepts: (operation: PetCall['operation']) => Promise<void>;
  readonly #api: Api;
  readonly #tools: CheckTools<PetReply, CollectionModel>;
  readonly #naming: Naming;
  #serial = 0;

  constructor(tools: CheckTools<PetReply, CollectionModel>, api: Api, shared: SharedAnimals, naming: Naming) {
    this.model = tools.state;
    this.anAnimal = () => shared.anAnimal();
    this.outgrowsAPage = () => shared.outgrowAPage();
    this.accepts = (operation) => shared.accepts(operation);
    this.#tools = tools;
    this.#api = api;
    this.#naming = naming;
  }

  longestPage(status?: PetStatus): Promise<Page> {
    return this.#api.list({ limit: LIMIT.maximum, status });
  }

  /** The longest page of all animals, and of each status. */
  everyLongestPage(): Promise<readonly Page[]> {
    return Promise.all([undefined, ...PET_STATUSES].map((status) => this.longestPage(status)));
  }

  /** Looks for an animal in the longest page, until it is there or the settling time is over. */
  async lookFor(animal: Created, status?: PetStatus): Promise<ListSearch> {
    const shows = ({ animals }: Page): boolean => animals.some(({ id }) => id === animal.id);
    const page = await this.#api.eventually(() => this.longestPage(status), shows);
    if (shows(page)) {
      return { kind: 'shown', page, milliseconds: page.reply.exchange.answeredAt - animal.exchange.answeredAt };
    }
    return { kind: page.length < this.model.longestPage ? 'left out' : 'hidden', page };
  }

  /** The list shows an animal: unfiltered, and filtered by its status. */
  async shows(animal: Created): Promise<void> {
    const ownStatus = PET_STATUSES.find((status) => status === animal.status);
    const filters = new Set([undefined, ownStatus]);
    const searches = await Promise.all([...filters].map((status) => this.lookFor(animal, status)));
    const leftOut = searches.find(({ kind }) => kind === 'left out');
    if (leftOut !== undefined) this.#tools.expect(leavesOut(animal, leftOut.page));
    this.#findsAny(searches);
  }

  /** The list shows animals that are added now; so it would show what earlier requests have left. */
  async showsWhatIsAddedNext(...statuses: readonly PetStatus[]): Promise<void> {
    const searches: ListSearch[] = [];
    for (const [at, status] of statuses.entries()) {
      this.#serial += 1;
      const animal = await this.#api.create(plainPet(this.#naming, `next ${this.#serial}`, status));
      if (at === 0 && statuses.length > 1) searches.push(await this.lookFor(animal));
      searches.push(await this.lookFor(animal, status));
    }
    this.#findsAny(searches);
  }

  #findsAny(searches: readonly ListSearch[]): void {
    if (searches.some(({ kind }) => kind === 'shown')) return;
    const reason = 'the list never showed an animal of this run: its pages are full of others';
    this.#tools.inconclusive('out-of-sight', reason);
  }

  /** Animals on the longest pages that neither this run nor another has added, each once, by ascending id. */
  async othersAnimals(most: number): Promise<readonly Listed[]> {
    const byId = new Map<bigint, Listed>();
    for (const { call: query, animals } of await this.everyLongestPage()) {
      for (const { id, name } of animals) {
        if (id !== undefined && !this.model.isOfARun(name) && !byId.has(id)) byId.set(id, { id, query });
      }
    }
    return [...byId.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, most);
  }

  /**
   * Where ids are given in order, an animal that was made of a refused request stands between two of the run's own.
   * Gets every id in such gaps; the rules judge what comes back.
   */
  async fetchUnusedIds(): Promise<void> {
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
    const all = this.model.created.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const step = Math.ceil(all.length / most);
    return all.filter((_, at) => at % step === 0);
  }

  /** Resolves when so many milliseconds have passed since the first animal of the run was added. */
  async isAsOldAs(milliseconds: number): Promise<void> {
    const [oldest] = this.model.created;
    const age = oldest === undefined ? milliseconds : performance.now() - oldest.exchange.answeredAt;
    if (age < milliseconds) await new Promise((resolve) => setTimeout(resolve, milliseconds - age));
  }
}
