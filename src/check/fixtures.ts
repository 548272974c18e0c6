import { LARGEST_LIMIT } from '../generate/limits.ts';
import { type Mark, plainPet } from '../generate/new-pets.ts';
import type { Created } from '../target/ledger.ts';
import type { Knowledge } from './knowledge.ts';
import type { Service } from './service.ts';
import { Inconclusive } from './signals.ts';

/** Beyond the largest page, so that a page of the largest limit is a real bound. */
const MORE_THAN_A_PAGE = LARGEST_LIMIT + 5;

/** What several checks need and the run makes once: an animal to get, and a collection longer than a page. */
export class Fixtures {
  readonly #service: Service;
  readonly #mark: () => Mark;
  readonly #knowledge: Knowledge;
  readonly #readOnly: boolean;
  #animal: Promise<bigint> | undefined;
  #populated: Promise<void> | undefined;

  /** @param service one that belongs to no check: what goes wrong here is for the checks that own it to say */
  constructor(service: Service, mark: () => Mark, knowledge: Knowledge, readOnly: boolean) {
    this.#service = service;
    this.#mark = mark;
    this.#knowledge = knowledge;
    this.#readOnly = readOnly;
  }

  /** The id of an animal that exists: one of the run's own, or one from the list where nothing may be created. */
  anAnimal(): Promise<bigint> {
    this.#animal ??= this.#readOnly
      ? this.#found()
      : this.#service.create(plainPet(this.#mark(), 'shared')).then(({ id }) => id);
    return this.#animal;
  }

  /** Resolves when more animals are known to exist than the largest page holds. */
  populated(): Promise<void> {
    this.#populated ??= this.#readOnly ? this.#isPopulated() : this.#populate();
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
    const page = await this.#service.list({ limit: LARGEST_LIMIT });
    const known = Math.max(page.pageLength ?? 0, this.#knowledge.ledger.all().length);
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
}
