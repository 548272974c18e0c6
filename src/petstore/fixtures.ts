import { Inconclusive } from '../engine/signals.ts';
import { LARGEST_LIMIT } from './inputs/limits.ts';
import { type Mark, plainPet } from './inputs/new-pets.ts';
import type { Knowledge } from './knowledge.ts';
import type { Created } from './ledger.ts';
import type { Page, Service } from './service.ts';

/** Beyond the largest page, so that a page of the largest limit is a real bound. */
const MORE_THAN_A_PAGE = LARGEST_LIMIT + 5;

export interface FixtureOptions {
  readonly readOnly: boolean;
  /** One failure is sent again: nothing is added beyond what it takes. */
  readonly replaying: boolean;
}

/** What several checks need and the run makes once: an animal to get, and a collection longer than a page. */
export class Fixtures {
  readonly #service: Service;
  readonly #mark: () => Mark;
  readonly #knowledge: Knowledge;
  readonly #options: FixtureOptions;
  #animal: Promise<bigint> | undefined;
  #populated: Promise<void> | undefined;
  #surveyed: number | undefined;

  /** @param service one that belongs to no check: what goes wrong here is for the checks that own it to say */
  constructor(service: Service, mark: () => Mark, knowledge: Knowledge, options: FixtureOptions) {
    this.#service = service;
    this.#mark = mark;
    this.#knowledge = knowledge;
    this.#options = options;
  }

  /** Takes an animal of the run's own for the one that checks share. */
  adopt(id: bigint): void {
    this.#animal ??= Promise.resolve(id);
  }

  /**
   * Counts the collection while nothing else is under way, so that how many animals are added to it later does not
   * hang on which request is quicker. Where that fails, it is counted when it is needed.
   */
  async survey(): Promise<void> {
    if (this.#options.readOnly) return;
    const page = await this.#service.tryList({ limit: LARGEST_LIMIT }).catch(forgiveNotSent);
    if (page?.pageLength !== undefined) this.#surveyed = this.#known(page);
  }

  /** The id of an animal that exists: one of the run's own, or one from the list where nothing may be created. */
  anAnimal(): Promise<bigint> {
    this.#animal ??= this.#options.readOnly
      ? this.#found()
      : this.#service.create(plainPet(this.#mark(), 'shared')).then(({ id }) => id);
    return this.#animal;
  }

  /** Resolves when more animals are known to exist than the largest page holds. */
  populated(): Promise<void> {
    this.#populated ??= this.#options.readOnly ? this.#isPopulated() : this.#populate();
    return this.#populated;
  }

  async #found(): Promise<bigint> {
    const page = await this.#service.list();
    const id = page.animals.find((animal) => animal.id !== undefined)?.id;
    if (id === undefined) {
      throw new Inconclusive('read-only', '--read-only: the list is empty, and no animal may be added to get', {
        byOption: true,
      });
    }
    return id;
  }

  async #isPopulated(): Promise<void> {
    const page = await this.#service.list({ limit: LARGEST_LIMIT });
    if ((page.pageLength ?? 0) < LARGEST_LIMIT) {
      const reason = `--read-only: the list shows ${page.pageLength ?? 0} animals, too few to judge the bounds of a page`;
      throw new Inconclusive('read-only', reason, { byOption: true });
    }
  }

  async #populate(): Promise<void> {
    const known = this.#surveyed ?? this.#known(await this.#service.list({ limit: LARGEST_LIMIT }));
    // The run whose failure is replayed has left what it added; a full page shows that it is still there.
    if (this.#options.replaying && known >= LARGEST_LIMIT) return;
    const missing = Math.max(0, MORE_THAN_A_PAGE - known);
    if (missing > this.#knowledge.ledger.left) {
      const reason = `the collection shows ${known} animals and the budget leaves ${this.#knowledge.ledger.left}; ${missing} more are needed: raise --max-creates`;
      throw new Inconclusive('budget', reason, { byOption: true });
    }
    const added: Promise<Created>[] = Array.from({ length: missing }, (_, at) =>
      this.#service.create(plainPet(this.#mark(), `page ${at}`, 'available')),
    );
    await Promise.all(added);
  }

  /** How many animals are known to exist: those on the page, or those that the run has added. */
  #known(page: Page): number {
    return Math.max(page.pageLength ?? 0, this.#knowledge.ledger.all().length);
  }
}

/** What kept a request from being sent is for the checks to say. */
function forgiveNotSent(error: unknown): undefined {
  if (!(error instanceof Inconclusive)) throw error;
}
