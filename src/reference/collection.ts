import { PET_STATUSES, type Pet, type PetStatus } from './pet.ts';

/**
 * The animals of the store. A page is cut from the newest end of a row that is kept for it, so listing costs what the
 * page holds and not what the collection holds.
 */
export class Collection {
  readonly #byId = new Map<bigint, Pet>();
  readonly #all: Pet[] = [];
  readonly #byStatus = new Map<PetStatus, Pet[]>(PET_STATUSES.map((status) => [status, []]));

  get size(): number {
    return this.#byId.size;
  }

  get(id: bigint): Pet | undefined {
    return this.#byId.get(id);
  }

  /** Puts an animal in; one that has the same id makes way for it. */
  add(pet: Pet): void {
    if (this.#byId.has(pet.id)) this.remove(pet.id);
    this.#byId.set(pet.id, pet);
    for (const row of this.#rowsOf(pet)) row.push(pet);
  }

  /** Takes an animal out; no operation of the interface does, but other callers of a real store may. */
  remove(id: bigint): void {
    const pet = this.#byId.get(id);
    if (pet === undefined) return;
    this.#byId.delete(id);
    for (const row of this.#rowsOf(pet)) {
      const place = row.lastIndexOf(pet);
      if (place >= 0) row.splice(place, 1);
    }
  }

  /** All animals, or those with one status, oldest first. */
  oldestFirst(status: PetStatus | undefined): readonly Pet[] {
    return status === undefined ? this.#all : (this.#byStatus.get(status) ?? []);
  }

  /** At most `limit` animals, newest first. */
  newest(limit: number, status: PetStatus | undefined): readonly Pet[] {
    return this.oldestFirst(status).slice(-limit).reverse();
  }

  #rowsOf(pet: Pet): readonly Pet[][] {
    const ofStatus = pet.status === undefined ? undefined : this.#byStatus.get(pet.status);
    return ofStatus === undefined ? [this.#all] : [this.#all, ofStatus];
  }
}
