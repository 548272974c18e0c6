/** An animal; the first versions have the numbers of JavaScript in it, the others bigints. */
export interface Pet<Integer = bigint> {
  readonly id: Integer;
  readonly name: string;
  readonly categoryId: Integer;
  readonly status?: string | undefined;
}

export type NewPet<Integer = bigint> = Omit<Pet<Integer>, 'id'>;

export interface PetQuery {
  readonly limit: number;
  readonly status?: string;
}
