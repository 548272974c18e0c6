/** The values of an animal's members besides its id. */
export interface MemberValues {
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: string;
}

export type Member = keyof MemberValues;

interface Row<Value> {
  /** A 201 may lack it, if it was not sent. */
  readonly isOptional: boolean;
  /** The value of a text that `String` wrote; undefined for any other text. */
  readonly ofText: (text: string) => Value | undefined;
}

const integerOf = (text: string): bigint | undefined => (/^-?\d+$/.test(text) ? BigInt(text) : undefined);

/** What rules compare, what a run saves for the next one, and what its messages name. */
const TABLE: { readonly [Name in Member]: Row<MemberValues[Name]> } = {
  name: { isOptional: false, ofText: String },
  categoryId: { isOptional: false, ofText: integerOf },
  status: { isOptional: true, ofText: String },
};

const isMember = (name: string): name is Member => Object.hasOwn(TABLE, name);

export const MEMBERS: readonly Member[] = Object.keys(TABLE).filter(isMember);

export const isOptional = (member: Member): boolean => TABLE[member].isOptional;

/** The values of members that were saved as texts; undefined for one that is missing. */
export function valuesOf(texts: Readonly<Record<string, string>>): {
  readonly [Name in Member]: MemberValues[Name] | undefined;
} {
  const read = <Name extends Member>(member: Name): MemberValues[Name] | undefined => {
    const text = texts[member];
    return text === undefined ? undefined : TABLE[member].ofText(text);
  };
  return { name: read('name'), categoryId: read('categoryId'), status: read('status') };
}

/** The texts of an animal's members, without those that it lacks. */
export const textsOf = (animal: { readonly [Name in Member]?: unknown }): Readonly<Record<string, string>> =>
  Object.fromEntries<string>(
    MEMBERS.flatMap((member) => (animal[member] === undefined ? [] : [[member, `${animal[member]}`]])),
  );
