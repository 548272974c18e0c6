import type { Contract } from '../contract/contract.ts';
import { type ParsedJson, parseJson } from '../contract/json.ts';
import type { SchemaFault } from '../contract/schema-fault.ts';
import { trimExchange } from '../http/evidence/trim.ts';
import { type Exchange, headerOf, type Response, type WireRequest } from '../http/exchange.ts';

export interface BodyOptions {
  /** The name of the schema that the body of every refusal must have. */
  readonly errorSchema: string;
  /** The members that are kept of a large body. */
  readonly members: ReadonlySet<string>;
}

/** What a call brought back. Its body is parsed at once and only the beginning kept: checks may hold many replies. */
export class Reply<C extends Call = Call> {
  readonly call: C;
  readonly exchange: Exchange;
  readonly json: ParsedJson;
  readonly #contract: Contract;
  readonly #errorSchema: string;
  readonly #members: ReadonlySet<string>;
  readonly #headers = new Map<string, string | undefined>();
  #faults: readonly SchemaFault[] | undefined;

  constructor(call: C, exchange: Exchange, contract: Contract, { errorSchema, members }: BodyOptions) {
    this.call = call;
    this.exchange = trimExchange(exchange);
    this.json = parseBody(exchange, members);
    this.#contract = contract;
    this.#errorSchema = errorSchema;
    this.#members = members;
  }

  /** The response, or undefined where none came. */
  get response(): Response | undefined {
    return this.exchange.answer.kind === 'response' ? this.exchange.answer : undefined;
  }

  /** The HTTP status, or undefined where no response came. */
  get status(): number | undefined {
    return this.response?.status;
  }

  /** The HTTP status, or why there is none, in a few words. */
  get statusText(): string {
    const { answer } = this.exchange;
    return answer.kind === 'response' ? `${answer.status}` : `no response: ${answer.sentence}`;
  }

  /** The media type in lower case without parameters; undefined without a Content-Type. */
  get mediaType(): string | undefined {
    return this.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  }

  header(name: string): string | undefined {
    const { response } = this;
    // Many rules ask for the same few.
    if (response !== undefined && !this.#headers.has(name)) this.#headers.set(name, headerOf(response, name));
    return this.#headers.get(name);
  }

  /** True for a 4xx and a 5xx. */
  get isRefusal(): boolean {
    return (this.status ?? 0) >= 400;
  }

  /** True where something may have been left at the service: a 2xx to a call that is no mere reading. */
  get mayHaveCreated(): boolean {
    const { status = 0 } = this;
    return this.call.effect !== 'reads' && status >= 200 && status < 300;
  }

  /** True where the answer says what was created. */
  get isCreation(): boolean {
    return this.mayHaveCreated;
  }

  /** The statuses that the contract documents for the operation. */
  get documentedStatuses(): readonly number[] {
    return this.#contract.statuses(this.call.request.operation);
  }

  /** What is wrong with the body of the request by the contract; undefined where nothing is. */
  get requestFault(): string | undefined {
    const { body, operation } = this.call.request;
    if (body === undefined) return 'there is no body';
    const json = parseJson(body, this.#members);
    if (json.kind !== 'json') return json.sentence.replace(/^The/, 'the').replace(/\.$/, '');
    return this.#contract.validateRequest(operation, json)[0]?.message;
  }

  /** How the body differs from the schema that goes with its operation and status. */
  get schemaFaults(): readonly SchemaFault[] {
    this.#faults ??= this.#validate();
    return this.#faults;
  }

  #validate(): readonly SchemaFault[] {
    const { json, status } = this;
    if (json.kind !== 'json' || status === undefined) return [];
    if (this.isRefusal) return this.#contract.validate(this.#errorSchema, json);
    if (!this.documentedStatuses.includes(status)) return [];
    return this.#contract.validateResponse(this.call.request.operation, status, json);
  }
}

function parseBody({ answer }: Exchange, members: ReadonlySet<string>): ParsedJson {
  if (answer.kind !== 'response') return { kind: 'not json', code: 'empty-body', sentence: 'there is no response' };
  const { encodingFault, body, unknownBody } = answer;
  if (unknownBody !== undefined) return { kind: 'unread', sentence: unknownBody };
  const json = parseJson(body, members);
  // A body that is not coded as its header says is read as it stands, where that is JSON.
  if (encodingFault === undefined || json.kind === 'json') return json;
  return { kind: 'not json', code: 'not-json', sentence: encodingFault };
}

/** A request as a check means it. A service's own calls add what they are made of. */
export interface Call {
  /** The request exactly as it goes on the wire. */
  readonly request: WireRequest;
  /** In a few words, such as "getThing of 7 with no key". */
  readonly description: string;
  /** Calls with the same key are one request to a service: it has no reason to answer them differently. */
  readonly equivalence: string;
  /** What kind of request it is: failures to answer two kinds may have two reasons. */
  readonly kind?: string;
  /** Whether an answer may leave something at the service: not at all, only by mistake, or as it should. */
  readonly effect: 'reads' | 'must not create' | 'may create';
}
