import type { JsonObject } from './json.ts';

/** The allowed values of PetStatus (part 2). */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** Whether a value is one of the allowed statuses, in exactly these letters. */
export const isPetStatus = (value: unknown): value is PetStatus => PET_STATUSES.some((status) => status === value);

/** An animal as a caller describes it (part 2, NewPet). */
export interface NewPet {
  readonly name: string;
  readonly categoryId: bigint;
  readonly status?: PetStatus;
  /** Members beyond those of the specification, where a service keeps them. */
  readonly extra?: JsonObject;
}

/** An animal of the collection (part 2, Pet). */
export interface Pet extends NewPet {
  readonly id: bigint;
}
