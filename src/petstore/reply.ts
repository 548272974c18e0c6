import type { Contract } from '../contract/contract.ts';
import { holdsPlainNumbers, integerAt, integerOf, type Json } from '../contract/json.ts';
import { textAt } from '../contract/json-text.ts';
import type { SchemaFault } from '../contract/schema-fault.ts';
import { Reply } from '../engine/reply.ts';
import type { Exchange } from '../http/exchange.ts';
import type { PetCall } from './calls.ts';
import { MEMBERS } from './contract-facts.ts';

/** An animal as the service described it; what it left out or got wrong is undefined here. */
export interface Animal {
  readonly id: bigint | undefined;
  readonly name: string | undefined;
  readonly categoryId: bigint | undefined;
  readonly status: string | undefined;
  /** The body that says it, and where it stands there. */
  readonly source?: { readonly json: Json; readonly pointer: string };
}

/** The fields on which all operations agree. */
export const AGREED_FIELDS = ['name', 'categoryId', 'status'] as const;

/** Whether two answers say the same of an animal. */
export const isSameAnimal = (one: Animal | undefined, other: Animal | undefined): boolean =>
  AGREED_FIELDS.every((field) => one?.[field] === other?.[field]);

/** An animal that the run added, as its own 201 described it. */
export interface Created extends Pick<Animal, 'source'> {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: string | undefined;
  /** Whether the body that it was made of had no status. */
  readonly isStatusOmitted: boolean;
  readonly exchange: Exchange;
}

const FIELDS = ['id', ...AGREED_FIELDS] as const;

/** What a body or its schema is about: a whole page, a whole animal, or one field of an animal. */
export type Subject = 'page' | 'animal' | (typeof FIELDS)[number];

/** What a call of the Pet Store brought back. */
export class PetReply extends Reply<PetCall> {
  #animals: readonly Animal[] | undefined;

  constructor(call: PetCall, exchange: Exchange, contract: Contract) {
    super(call, exchange, contract, { errorSchema: 'Error', members: MEMBERS });
  }

  /** An animal counts as created where a 201 gives it an id. */
  override get isCreation(): boolean {
    return this.status === 201 && this.mayHaveCreated && this.json.kind === 'json' && idIn(this.json) !== undefined;
  }

  /** True for the status of a success, whatever its body. */
  get isRightStatus(): boolean {
    return this.status === (this.call.operation === 'createPet' ? 201 : 200);
  }

  /** True for the status of a success whose body is JSON. */
  get isSuccess(): boolean {
    return this.isRightStatus && this.json.kind === 'json';
  }

  /** The animals in a successful reply: those of a page, or the one. Entries that are no objects are left out. */
  get animals(): readonly Animal[] {
    this.#animals ??= this.#readAnimals();
    return this.#animals;
  }

  #readAnimals(): readonly Animal[] {
    const { json } = this;
    if (!this.isSuccess || json.kind !== 'json') return [];
    if (this.call.operation !== 'listPets') return [animalAt(json, json.value, '') ?? []].flat();
    const entries: readonly unknown[] = Array.isArray(json.value) ? json.value : [];
    return entries.flatMap((entry, at) => animalAt(json, entry, `/${at}`) ?? []);
  }

  /** How many entries a page holds, readable or not; undefined where the reply is no page. */
  get pageLength(): number | undefined {
    if (this.call.operation !== 'listPets' || !this.isSuccess || this.json.kind !== 'json') return undefined;
    const { value, entries } = this.json;
    return Array.isArray(value) ? (entries ?? value.length) : undefined;
  }

  /** The page; undefined where the reply is none. */
  get page(): Page | undefined {
    const { call, pageLength } = this;
    if (call.operation !== 'listPets' || pageLength === undefined) return undefined;
    return { reply: this, call, length: pageLength, animals: this.animals };
  }

  /** The animal that a 201 describes in full; undefined where it does not. */
  get created(): Created | undefined {
    const [{ id, name, categoryId, status, source } = {}] = this.animals;
    const isWhole = id !== undefined && name !== undefined && categoryId !== undefined;
    if (this.call.operation !== 'createPet' || !isWhole) return undefined;
    const { body } = this.call;
    const isStatusOmitted = body.kind === 'valid' && body.pet.status === undefined;
    return { id, name, categoryId, status, isStatusOmitted, exchange: this.exchange, ...(source && { source }) };
  }

  /** The `code` of an Error. */
  get errorCode(): string | undefined {
    if (!this.isRefusal || this.json.kind !== 'json') return undefined;
    const code = memberOf(this.json.value, 'code');
    return typeof code === 'string' ? code : undefined;
  }

  /** How the body of a success differs from its schema in this respect. */
  faultsOf(subject: Subject): readonly SchemaFault[] {
    return this.schemaFaults.filter((fault) => this.#subjectOf(fault) === subject);
  }

  #subjectOf({ pointer }: SchemaFault): Subject {
    const tokens = pointer.split('/').slice(1);
    const isList = this.call.operation === 'listPets';
    // An entry that is no object at all makes the page no page of animals.
    if (isList && tokens.length < 2) return 'page';
    const field = tokens[isList ? 1 : 0];
    return FIELDS.find((known) => known === field) ?? 'animal';
  }
}

/** The id that an animal has in a body, as an integer or, wrongly, as a text. */
export function idIn(json: Json): string | undefined {
  const text = memberOf(json.value, 'id');
  return integerAt(json, '/id')?.toString() ?? (typeof text === 'string' ? text : undefined);
}

/** A successful reply of listPets. */
export interface Page {
  readonly reply: PetReply;
  readonly call: Extract<PetCall, { operation: 'listPets' }>;
  /** Entries, readable or not. */
  readonly length: number;
  readonly animals: readonly Animal[];
}

/** In which order a list shows its animals, in words. */
export function orderOf(animals: readonly Animal[]): string {
  const ids = animals.flatMap(({ id }) => id ?? []);
  const isOrdered = (before: (one: bigint, other: bigint) => boolean): boolean =>
    ids.every((id, at) => at === 0 || before(ids[at - 1] ?? id, id));
  if (isOrdered((one, other) => one < other)) return 'by ascending id';
  return isOrdered((one, other) => one > other) ? 'by descending id' : 'in an order of its own';
}

function animalAt(json: Json, value: unknown, pointer: string): Animal | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const name = memberOf(value, 'name');
  const status = memberOf(value, 'status');
  const integer = (member: string): bigint | undefined => {
    const number = memberOf(value, member);
    if (!holdsPlainNumbers(json)) return integerOf(json, `${pointer}/${member}`, number);
    return typeof number === 'number' && Number.isSafeInteger(number) ? BigInt(number) : undefined;
  };
  return {
    id: integer('id'),
    name: typeof name === 'string' ? name : undefined,
    categoryId: integer('categoryId'),
    status: typeof status === 'string' ? status : undefined,
    source: { json, pointer },
  };
}

/** A field of an animal in the service's own words, as JSON; undefined where the animal lacks it. */
export function fieldText({ source }: Pick<Animal, 'source'>, field: (typeof FIELDS)[number]): string | undefined {
  return source && textAt(source.json, `${source.pointer}/${field}`);
}

/** A member of a JSON object; undefined where the value is no object or lacks it. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
