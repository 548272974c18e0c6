import { PET_STATUSES } from '../contract/contract-facts.ts';
import type { JsonObject } from './json.ts';

/** An animal as a caller describes it (part 2, NewPet). */
export interface NewPet {
  readonly name: string;
  readonly categoryId: bigint;
  readonly status?: string;
  /** Members beyond those of the specification, if the service keeps them. */
  readonly extra?: JsonObject;
}

/** An animal of the collection (part 2, Pet). */
export interface Pet extends NewPet {
  readonly id: bigint;
}

/** Whether a value is one of the allowed statuses, in exactly this spelling. */
export const isPetStatus = (value: unknown): value is string => PET_STATUSES.some((status) => status === value);

/** The animals of the store, kept in order, also by status, so that listing costs only what the page holds. */
export class Collection {
  readonly #byId = new Map<bigint, Pet>();
  readonly #all: Pet[] = [];
  readonly #byStatus = new Map<string, Pet[]>(PET_STATUSES.map((status) => [status, []]));
  readonly #copies: ((change: (copy: Collection) => void) => void)[] = [];

  get(id: bigint): Pet | undefined {
    return this.#byId.get(id);
  }

  /** Has every change passed on from now, to be made in a copy of this collection at some later time. */
  replicate(passOn: (change: (copy: Collection) => void) => void): void {
    this.#copies.push(passOn);
  }

  /** Adds an animal as the newest; it replaces one with the same id. */
  add(pet: Pet): void {
    for (const passOn of this.#copies) passOn((copy) => copy.add(pet));
    this.#remove(pet.id);
    this.#byId.set(pet.id, pet);
    for (const list of this.#listsOf(pet)) list.push(pet);
  }

  /** Removes an animal; no operation of the interface does, but other callers of a real store may. */
  remove(id: bigint): void {
    for (const passOn of this.#copies) passOn((copy) => copy.remove(id));
    this.#remove(id);
  }

  #remove(id: bigint): void {
    const pet = this.#byId.get(id);
    if (pet === undefined) return;
    this.#byId.delete(id);
    for (const list of this.#listsOf(pet)) list.splice(list.lastIndexOf(pet), 1);
  }

  /** All animals, or those with one status, oldest first. */
  oldestFirst(status: string | undefined): readonly Pet[] {
    return status === undefined ? this.#all : (this.#byStatus.get(status) ?? []);
  }

  /** At most `limit` animals, newest first. */
  newest(limit: number, status?: string): readonly Pet[] {
    return this.oldestFirst(status).slice(-limit).reverse();
  }

  #listsOf({ status }: Pet): readonly Pet[][] {
    return [this.#all, this.#byStatus.get(status ?? '') ?? []];
  }
}

const NAMES = ['Bella', 'Max', 'Luna', 'Rocky', 'Coco'] as const;

/** One of the animals that a store starts with, from its 0-based position. */
export const seedAnimal = (index: number): Required<Omit<NewPet, 'extra'>> => ({
  name: NAMES[index % NAMES.length] ?? NAMES[0],
  categoryId: BigInt(1 + (index % 7)),
  status: PET_STATUSES[index % PET_STATUSES.length] ?? 'available',
});

/** Assigns ids in sequence. */
export function assignInSequence(first = 1n): () => bigint {
  let next = first;
  return () => next++;
}
