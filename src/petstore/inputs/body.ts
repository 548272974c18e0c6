import type { PetStatus } from '../contract-facts.ts';

/** An animal to be added, as the schema NewPet describes it. */
export interface NewPet {
  readonly name: string;
  /** An int64. */
  readonly categoryId: bigint;
  readonly status?: PetStatus | undefined;
}

/** The body of a request to add an animal: its bytes, and what they mean by construction. */
export type Body = ValidBody | InvalidBody | OpenBody;

/** Must be accepted. */
export interface ValidBody {
  readonly kind: 'valid';
  readonly label: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly pet: NewPet;
  /** The requirement that says it must be accepted. */
  readonly requirement: string;
  /** Where several things about it, or about how it is sent, are unusual: bodies with each of them alone. */
  readonly parts?: readonly ValidBody[];
  /** In that case, a body with nothing unusual about it. */
  readonly plain?: ValidBody;
}

/** Has a defect, or two, and must be refused with 400. */
export interface InvalidBody {
  readonly kind: 'invalid';
  /** The requirement that says it must be refused. */
  readonly requirement: string;
  /** The defect. */
  readonly label: string;
  readonly bytes: Uint8Array | undefined;
  readonly contentType: string | undefined;
  /** Whether it is not JSON, or JSON that is not a NewPet. */
  readonly failsAs: 'syntax' | 'schema';
  readonly traces: Traces;
  /** Where it has several defects: bodies with each of them alone. */
  readonly parts?: readonly InvalidBody[];
}

/** The specification does not say whether it is accepted. */
export interface OpenBody {
  readonly kind: 'open';
  /** The requirement that says what is permitted; undefined where none is judged by it. */
  readonly requirement?: string;
  /** What a service does that answers with a status; no other status is permitted. */
  readonly readings?: Readings;
  /** What the reading is about, where the label says it in other words. */
  readonly input?: string;
  readonly label: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** What an animal made from it must hold, where that is certain. */
  readonly pet: Partial<NewPet>;
  /** What stands in it twice: an animal made from it must hold one of these values, as text. */
  readonly oneOf?: OneOf | undefined;
  /** The id that the client chose, which the service must not take over. */
  readonly clientId?: bigint | undefined;
}

/** The values of which one counts. */
export interface OneOf {
  readonly field: keyof NewPet;
  readonly values: readonly string[];
}

/** What a service does that answers with a status. */
export type Readings = Readonly<Record<number, string>>;

/** How to recognise an animal that a service made from a refused body. */
export interface Traces {
  readonly name?: string | undefined;
  /** Only where no other body of the run names the same category. */
  readonly categoryId?: bigint;
}

export const JSON_TYPE = 'application/json';

/** How the first letters of a body look in formats other than JSON, by their media types. */
const FORMATS: readonly (readonly [type: RegExp, looks: RegExp])[] = [
  [/^application\/x-www-form-urlencoded\b/i, /^[\w.%+-]+=/],
  [/^(?:application|text)\/xml\b/i, /^\s*</],
  [/^multipart\/form-data\b/i, /^--/],
  [/^(?:application|text)\/(?:x-)?yaml\b/i, /^\s*(?:\{|\w+:)/],
];

/** Whether a body is in a format other than JSON, and sent under the media type of that format. */
export function isInAnotherFormat(bytes: Uint8Array | undefined, contentType = ''): boolean {
  const beginning = Buffer.from(bytes?.subarray(0, 100) ?? []).toString('latin1');
  return FORMATS.some(([type, looks]) => type.test(contentType) && looks.test(beginning));
}

const encoder = new TextEncoder();

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** The members of the body that adds `pet`, each value as JSON text, so that a number keeps every digit. */
export function membersOf({ name, categoryId, status }: NewPet) {
  return { name: JSON.stringify(name), categoryId: `${categoryId}`, status: status && JSON.stringify(status) };
}

/** The text of an object with these members, their values as JSON text; those that are undefined are left out. */
export function objectText(members: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return `{${given.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** The plain text of the valid body that adds `pet`. */
export function textOf(pet: NewPet): string {
  return objectText(membersOf(pet));
}

export function validBody(pet: NewPet, requirement = ownerOf(pet), label = 'a valid body'): ValidBody {
  return validBodyFrom(textOf(pet), pet, requirement, label);
}

/** The requirement that says that a plain body must be accepted. */
const ownerOf = ({ status }: NewPet): string => (status === undefined ? 'STATE-1' : 'CREATE-1');

/** A valid body that adds `pet`, written as `text`. */
export function validBodyFrom(
  text: string,
  pet: NewPet,
  requirement: string,
  label: string,
  contentType = JSON_TYPE,
): ValidBody {
  return { kind: 'valid', label, bytes: bytesOf(text), contentType, pet, requirement };
}
