import { integerAt, type Json } from '../contract/json.ts';

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
  /** The value in a response; undefined for one of another type. */
  readonly ofJson: (value: unknown, json: Json, pointer: string) => Value | undefined;
  /** How the plainest creation writes it. */
  readonly plain: string;
}

const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const integerOf = (text: string): bigint | undefined => (/^-?\d+$/.test(text) ? BigInt(text) : undefined);

/** What rules compare, what a run saves for the next one, and what its messages name. */
const TABLE: { readonly [Name in Member]: Row<MemberValues[Name]> } = {
  name: { isOptional: false, ofText: String, ofJson: stringOf, plain: '"$NAME"' },
  categoryId: {
    isOptional: false,
    ofText: integerOf,
    ofJson: (_, json, pointer) => integerAt(json, pointer),
    plain: '7',
  },
  status: { isOptional: true, ofText: String, ofJson: stringOf, plain: '"available"' },
};

const isMember = (name: string): name is Member => Object.hasOwn(TABLE, name);

export const MEMBERS: readonly Member[] = Object.keys(TABLE).filter(isMember);

export const isOptional = (member: Member): boolean => TABLE[member].isOptional;

/** What every body of a creation must have. */
export const REQUIRED: readonly string[] = MEMBERS.filter((member) => !isOptional(member));

type Values = { readonly [Name in Member]: MemberValues[Name] | undefined };

const valuesBy = (read: <Name extends Member>(name: Name) => MemberValues[Name] | undefined): Values => ({
  name: read('name'),
  categoryId: read('categoryId'),
  status: read('status'),
});

/** The values of members that were saved as texts; undefined for one that is missing. */
export const valuesOf = (texts: Readonly<Record<string, string>>): Values =>
  valuesBy((name) => {
    const text = texts[name];
    return text === undefined ? undefined : TABLE[name].ofText(text);
  });

/** The values of members in a response, of the object at a pointer; undefined for one that is missing or of another type. */
export const shownValues = (members: Readonly<Record<string, unknown>>, json: Json, pointer: string): Values =>
  valuesBy((name) => TABLE[name].ofJson(members[name], json, `${pointer}/${name}`));

/** How the plainest creation writes a member; for one that is unknown, a number. */
export const plainValueOf = (name: string): string => (isMember(name) ? TABLE[name].plain : '1');

/** The body of the plainest creation. */
export const PLAIN_BODY = `{${MEMBERS.map((name) => `${JSON.stringify(name)}:${TABLE[name].plain}`).join()}}`;

/** The texts of an animal's members, without those that it lacks. */
export const textsOf = (animal: { readonly [Name in Member]?: unknown }): Readonly<Record<string, string>> =>
  Object.fromEntries<string>(
    MEMBERS.flatMap((member) => (animal[member] === undefined ? [] : [[member, `${animal[member]}`]])),
  );
