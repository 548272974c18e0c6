import { CONTRACT } from '../contract/contract.ts';
import { integerAt, type Json, readJson } from '../contract/json.ts';
import { isObject } from '../contract/json-pointer.ts';
import type { SchemaFault } from '../contract/schema-fault.ts';
import { type Headers, headerOf } from '../http/message.ts';
import type { Exchange } from '../reading/exchange.ts';
import { type Expected, expected, type IdState, type Shape, shapeOf } from '../reading/expected.ts';
import { isOptional, MEMBERS, type Member, type MemberValues, shownValues } from '../reading/members.ts';
import type { Reading } from '../reading/reading.ts';
import { quote, quoteDifference } from '../text.ts';

/** An animal in a response. A member that is missing or of another type is undefined. */
export type ShownAnimal = {
  readonly id: bigint | undefined;
  /** JSON Pointer to it: `''` for the whole body, `/3` for the fourth on a page. */
  readonly pointer: string;
} & { readonly [Name in Member]: MemberValues[Name] | undefined };

/** An animal that has all required members. */
export type CompleteAnimal = ShownAnimal & { readonly id: bigint; readonly name: string; readonly categoryId: bigint };

export const isComplete = (animal: ShownAnimal): animal is CompleteAnimal =>
  animal.id !== undefined && MEMBERS.every((member) => isOptional(member) || animal[member] !== undefined);

/** What an exchange shows: the reading of the request, the expected responses, and the response. */
export interface Seen {
  readonly exchange: Exchange;
  readonly reading: Reading;
  readonly expected: Expected;
  /** How long its body is, which may be cut later. */
  readonly bytes: number;
  readonly status: number | undefined;
  /** What the body must be; undefined if the status is not permitted, or there is no response. */
  readonly shape: Shape | undefined;
  /** The body, if it must be JSON and is. */
  readonly json: Json | undefined;
  /** Why the body is not strict JSON in UTF-8, in a sentence. */
  readonly notJson: string | undefined;
  /** By which bound the suite has not read the body, so that nothing that is about it is tested. */
  readonly unread: string | undefined;
  readonly mediaType: string | undefined;
  /** Violations of the schema of its shape. */
  readonly faults: readonly SchemaFault[];
  readonly animals: readonly ShownAnimal[];
  /** How many entries a page has; undefined for anything else. */
  readonly length: number | undefined;
  readonly error: { readonly code: unknown; readonly message: unknown; readonly status: unknown } | undefined;
}

const SCHEMAS = { page: 'Pets', animal: 'Pet', error: 'Error' } as const;

/** The headers of its response, if there is one. */
export const headersOf = ({ outcome }: Exchange): Headers => (outcome.kind === 'answer' ? outcome.headers : []);

/** What an exchange shows. Never throws. `idState` is what was known of its id before it was sent. */
export function observe(exchange: Exchange, idState: IdState, mayBeGone: boolean): Seen {
  const { outcome, reading } = exchange;
  const expectedHere = expected(reading, idState, mayBeGone);
  const answer = outcome.kind === 'answer' ? outcome : undefined;
  const { status } = outcome;
  const shape = status === undefined ? undefined : shapeOf(expectedHere.permitted, status);
  const bytes = answer?.body.length ?? 0;
  const common = { exchange, reading, expected: expectedHere, bytes, status, shape };
  const type = headerOf(headersOf(exchange), 'content-type');
  const mediaType = type?.split(';')[0]?.trim().toLowerCase();
  const mayShowAnimals = status !== undefined && status < 300;
  const nothing = { json: undefined, notJson: undefined, faults: [], animals: [], length: undefined, error: undefined };
  if (answer === undefined || answer.unread !== undefined || (shape === undefined && !mayShowAnimals)) {
    return { ...common, ...nothing, mediaType, unread: answer?.unread };
  }
  const parsed = readJson(answer.body);
  const fails = (answer.encodingFault ?? (parsed.kind === 'not json' ? parsed.sentence : undefined))?.replace(
    /\.$/,
    '',
  );
  const unread = parsed.kind === 'unread' ? parsed.sentence : undefined;
  if (parsed.kind !== 'json' || fails !== undefined)
    return { ...common, ...nothing, notJson: fails, mediaType, unread };
  const schema = shape === undefined || shape === 'anything' ? undefined : SCHEMAS[shape];
  const { value } = parsed;
  return {
    ...common,
    json: parsed,
    notJson: undefined,
    unread,
    mediaType,
    faults: schema === undefined ? [] : CONTRACT.validate(schema, parsed),
    animals: mayShowAnimals ? animalsIn(parsed) : [],
    length: mayShowAnimals && Array.isArray(value) ? (parsed.entries ?? value.length) : undefined,
    error: shape === 'error' ? errorIn(value) : undefined,
  };
}

function animalsIn(json: Json): readonly ShownAnimal[] {
  const { value } = json;
  if (Array.isArray(value)) return value.map((entry, at) => animalAt(json, entry, `/${at}`));
  return isObject(value) ? [animalAt(json, value, '')] : [];
}

function animalAt(json: Json, value: unknown, pointer: string): ShownAnimal {
  const members: Readonly<Record<string, unknown>> = isObject(value) ? value : {};
  return { ...shownValues(members, json, pointer), id: integerAt(json, `${pointer}/id`), pointer };
}

function errorIn(value: unknown): Seen['error'] {
  if (!isObject(value)) return undefined;
  const { code, message, status } = value;
  return { code, message, status };
}

/** Whether an animal has one of these statuses; undefined for any. */
export const matches = ({ status }: ShownAnimal, statuses: readonly string[] | undefined): boolean =>
  statuses === undefined || (status !== undefined && statuses.includes(status));

/** The first member in which two animals differ, if any. */
export const differingMember = (one: ShownAnimal, other: ShownAnimal): Member | undefined =>
  MEMBERS.find((member) => one[member] !== other[member]);

/** A member of an animal for messages. */
export const memberText = (animal: ShownAnimal, member: Member): string => valueText(animal[member]);

/** Two values of a member for messages; of long texts, what is around the first difference. */
export const differingTexts = (one: unknown, other: unknown): readonly [string, string] =>
  typeof one === 'string' && typeof other === 'string'
    ? quoteDifference(one, other)
    : [valueText(one), valueText(other)];

const valueText = (value: unknown): string =>
  typeof value === 'string' ? quote(value) : value === undefined ? 'none' : `${value}`;

/** An animal for messages, by its id if that can be read. */
export const animalText = ({ id }: ShownAnimal): string =>
  id === undefined ? 'an animal without a readable id' : `animal ${id}`;
