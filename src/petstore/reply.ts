import type { Contract } from '../contract/contract.ts';
import { integerAt, type Json, type ParsedJson, parseJson } from '../contract/json.ts';
import type { SchemaFault } from '../contract/schema-fault.ts';
import { kept } from '../http/evidence/kept.ts';
import { type Exchange, headerOf, type Response } from '../http/exchange.ts';
import type { Call } from './call.ts';
import { type FaultSubject, MEMBERS, subjectOf } from './fault-subject.ts';

/** An animal as the service described it; what it left out or got wrong is undefined here. */
export interface Animal {
  readonly id: bigint | undefined;
  readonly name: string | undefined;
  readonly categoryId: bigint | undefined;
  readonly status: string | undefined;
  /** Whatever stands at `status`, as JSON; undefined where the member is absent. */
  readonly statusText: string | undefined;
}

/**
 * What a call brought back, read once and strictly. Rules and checks look at nothing else. The body is read at once,
 * and only its beginning is kept: checks may hold many replies.
 */
export class Reply {
  readonly call: Call;
  readonly exchange: Exchange;
  readonly reading: ParsedJson;
  readonly #contract: Contract;
  #faults: readonly SchemaFault[] | undefined;
  #animals: readonly Animal[] | undefined;

  constructor(call: Call, exchange: Exchange, contract: Contract) {
    this.call = call;
    this.exchange = kept(exchange);
    this.reading = read(exchange);
    this.#contract = contract;
  }

  /** The response, or undefined where none came. */
  get response(): Response | undefined {
    return this.exchange.answer.kind === 'response' ? this.exchange.answer : undefined;
  }

  /** The HTTP status, or undefined where no response came. */
  get status(): number | undefined {
    return this.response?.status;
  }

  /** The media type in lower case without parameters; undefined without a Content-Type. */
  get mediaType(): string | undefined {
    return this.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  }

  header(name: string): string | undefined {
    return this.response === undefined ? undefined : headerOf(this.response, name);
  }

  /** True for a status that refuses: 4xx, and 5xx. */
  get isRefusal(): boolean {
    return (this.status ?? 0) >= 400;
  }

  /** What the body lacks in the shape that goes with its operation and status. */
  get schemaFaults(): readonly SchemaFault[] {
    this.#faults ??= this.#compare();
    return this.#faults;
  }

  faultsOf(...subjects: readonly FaultSubject[]): readonly SchemaFault[] {
    return this.schemaFaults.filter(({ pointer }) => subjects.includes(subjectOf(this.#shape, pointer)));
  }

  get #shape(): 'pets' | 'pet' | 'error' {
    if (this.isRefusal) return 'error';
    return this.call.operation === 'listPets' ? 'pets' : 'pet';
  }

  #compare(): readonly SchemaFault[] {
    const { reading, status } = this;
    if (reading.kind !== 'json' || status === undefined) return [];
    if (this.isRefusal) return this.#contract.validate('Error', reading);
    return this.#contract.statuses(this.call.operation).includes(status)
      ? this.#contract.validateResponse(this.call.operation, status, reading)
      : [];
  }

  /** True where the body is what the success of its operation documents in outline: an array, or an object. */
  get isSuccess(): boolean {
    const expected = this.call.operation === 'createPet' ? 201 : 200;
    return this.status === expected && this.reading.kind === 'json';
  }

  /** The animals in a successful reply: a page of them, or the one. Entries that are no objects are left out. */
  get animals(): readonly Animal[] {
    this.#animals ??= this.#readAnimals();
    return this.#animals;
  }

  #readAnimals(): readonly Animal[] {
    const { reading } = this;
    if (!this.isSuccess || reading.kind !== 'json') return [];
    const { value } = reading;
    if (this.call.operation !== 'listPets') {
      const animal = animalAt(reading, value, '');
      return animal === undefined ? [] : [animal];
    }
    if (!Array.isArray(value)) return [];
    const entries: readonly unknown[] = value;
    return entries.flatMap((entry, at) => animalAt(reading, entry, `/${at}`) ?? []);
  }

  /** How many entries a page holds, readable or not; undefined where the reply is no page. */
  get pageLength(): number | undefined {
    if (this.call.operation !== 'listPets' || !this.isSuccess || this.reading.kind !== 'json') return undefined;
    const { value, entries } = this.reading;
    return Array.isArray(value) ? (entries ?? value.length) : undefined;
  }
}

function read({ answer }: Exchange): ParsedJson {
  if (answer.kind !== 'response') return { kind: 'not json', code: 'empty-body', sentence: 'there is no response' };
  const { encodingFault, body } = answer;
  return encodingFault === undefined
    ? parseJson(body, MEMBERS)
    : { kind: 'not json', code: 'not-json', sentence: encodingFault };
}

function animalAt(reading: Json, value: unknown, pointer: string): Animal | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const name: unknown = 'name' in value ? value.name : undefined;
  const status: unknown = 'status' in value ? value.status : undefined;
  return {
    id: integerAt(reading, `${pointer}/id`),
    name: typeof name === 'string' ? name : undefined,
    categoryId: integerAt(reading, `${pointer}/categoryId`),
    status: typeof status === 'string' ? status : undefined,
    statusText: JSON.stringify(status),
  };
}

/** The status, or why there is none, in a few words. */
export function statusPhrase(reply: Reply): string {
  const { answer } = reply.exchange;
  return answer.kind === 'response' ? `${answer.status}` : `no response: ${answer.sentence}`;
}
