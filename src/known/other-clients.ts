import { operationOf } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';
import type { OtherClientsAnimal } from './facts.ts';
import { differingMember, matches, type Seen, type ShownAnimal } from './seen.ts';

const MAX_KNOWN = 20_000;
/** How many animals of other clients are expected in pages. */
const MAX_EXPECTED = 40;

/** The animals of other clients, as responses show them. */
export class OtherClients {
  readonly #animals = new Map<bigint, OtherClientsAnimal>();
  /** Of the first of them, how they were last shown. */
  readonly #expected = new Map<bigint, ShownAnimal>();

  get all(): readonly OtherClientsAnimal[] {
    return [...this.#animals.values()];
  }

  byId(id: bigint | undefined): OtherClientsAnimal | undefined {
    return id === undefined ? undefined : this.#animals.get(id);
  }

  /** The animal with an id, if it was first shown before a point in time. */
  before(id: bigint | undefined, moment: number): OtherClientsAnimal | undefined {
    const other = this.byId(id);
    return other !== undefined && other.first.answeredAt <= moment ? other : undefined;
  }

  /** Those that match a page and are not on it, nor likely to have been removed. */
  missingFrom({ reading: { query }, exchange: { sentAt }, animals }: Seen): readonly bigint[] {
    const ids = new Set(animals.map(({ id }) => id));
    return [...this.#expected].flatMap(([id, animal]) =>
      this.before(id, sentAt) !== undefined && !ids.has(id) && matches(animal, query?.statuses) ? id : [],
    );
  }

  /** Whether a page shows one that getPet had found before. */
  showsFetched({ animals, exchange: { sentAt } }: Seen): boolean {
    return animals.some(({ id }) => (this.byId(id)?.fetched?.answeredAt ?? Number.POSITIVE_INFINITY) <= sentAt);
  }

  learnShown(id: bigint, animal: ShownAnimal, exchange: Exchange): void {
    if (this.#expected.has(id) || this.#expected.size < MAX_EXPECTED) this.#expected.set(id, animal);
    const listed = operationOf(exchange.call).success.shape === 'page' ? { animal, exchange } : undefined;
    const before = this.#animals.get(id);
    if (before !== undefined && listed !== undefined && isAnotherView(before, animal))
      this.#animals.set(id, { ...before, listed });
    if (before === undefined && this.#animals.size < MAX_KNOWN)
      this.#animals.set(id, { animal, first: exchange, listed });
  }

  learnFetched({ reading: { id }, status, exchange, animals, bytes }: Seen): void {
    const other = this.byId(id?.id);
    if (id?.id !== undefined && status === 404) this.#expected.delete(id.id);
    if (id?.id === undefined || id.kind !== 'valid' || other === undefined) return;
    if (animals[0]?.id === id.id && other.fetched === undefined)
      this.#animals.set(id.id, { ...other, fetched: exchange, bytes });
    else if (status === 404 && other.fetched !== undefined) this.#animals.set(id.id, { ...other, lost: exchange });
  }
}

/** Whether to keep this view: that which differs from the first one, for comparison with getPet. */
function isAnotherView({ animal, listed }: OtherClientsAnimal, now: ShownAnimal): boolean {
  const isOdd = (one: ShownAnimal): boolean => differingMember(one, animal) !== undefined;
  return listed === undefined || isOdd(now) || !isOdd(listed.animal);
}
