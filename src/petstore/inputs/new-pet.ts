/** The values of PetStatus, part 2 of the specification. */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** A NewPet as part 2 describes it: an animal to be added. */
export interface NewPet {
  readonly name: string;
  /** An int64. */
  readonly categoryId: bigint;
  readonly status?: PetStatus;
}

/** The members of a body, each as JSON text, so that a number keeps every digit. */
export type Members = Readonly<Record<string, string>>;

export function membersOf(pet: NewPet): Members {
  return {
    name: JSON.stringify(pet.name),
    categoryId: pet.categoryId.toString(),
    ...(pet.status === undefined ? {} : { status: JSON.stringify(pet.status) }),
  };
}

/** Writes an object from members whose values are JSON text already. */
export function objectText(members: Members): string {
  return `{${Object.entries(members)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(',')}}`;
}
