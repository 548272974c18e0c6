import { type NewPet, PET_STATUSES } from './pet.ts';
import type { Shop } from './steps.ts';

/** How many animals a store starts with unless told otherwise. */
const HANDFUL = 5;

const NAMES = ['Bella', 'Max', 'Luna', 'Rocky', 'Coco'] as const;

/** The animal in so manieth place of the first stock. */
export const stockedAnimal = (place: number): NewPet => ({
  name: NAMES[place % NAMES.length] ?? NAMES[0],
  categoryId: BigInt(1 + (place % 7)),
  status: PET_STATUSES[place % PET_STATUSES.length] ?? PET_STATUSES[0],
});

/** Fills the collection with animals of every status in turn. */
export async function stock(shop: Shop): Promise<void> {
  const count = shop.seedAnimals ?? HANDFUL;
  for (let place = 0; place < count; place += 1) {
    const id = shop.steps.assignId(shop);
    shop.collection.add({
      ...stockedAnimal(place),
      id: typeof id === 'bigint' ? id : await id,
    });
  }
}
