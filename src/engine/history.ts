import { integerOf, type Json, parseJson } from '../contract/json.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Reply } from './reply.ts';

/** How many characters of what a failing server says distinguish its failures. */
const SAID_LENGTH = 200;

/** What is known of one answer of a run: enough to see what several wrong ones have in common. */
export interface AnswerNote {
  /** Of the exchange; answers are numbered in the order in which they came. */
  readonly number: number;
  readonly operation: string;
  /** What kind of request it answers, where the service's calls distinguish kinds. */
  readonly kind: string;
  readonly equivalence: string;
  /** In a few words, what was sent. */
  readonly description: string;
  readonly effect: 'reads' | 'must not create' | 'may create';
  /** Undefined where no response came. */
  readonly status: number | undefined;
  /** Whether the contract documents the status for the operation. */
  readonly isDocumented: boolean;
  readonly mediaType: string | undefined;
  /** Stable code of why the body is not readable as JSON, or of why no response came. */
  readonly fault: string | undefined;
  /** The members that came back with another value than was sent, by name. */
  readonly changed: readonly string[];
  /** What a failing server says, without its numbers; empty for any other answer. */
  readonly said: string;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** How a call was sent, and with which others. */
export interface HowSent<R extends Reply> {
  readonly calls: readonly R['call'][];
  /** Undefined for a call that was sent by itself. */
  readonly together: 'on one connection' | 'at one moment' | undefined;
  /** Its place among the calls. */
  readonly at: number;
}

/** One exchange of a run: what was asked, how it was sent, and what came back. */
export interface Entry<R extends Reply> extends HowSent<R> {
  readonly reply: R;
  /** How many creations the run had begun when the answer came: any of them may have had a part in it. */
  readonly created: number;
}

/** Most answers of which a note stays: traffic has no end. */
const NOTES_KEPT = 20_000;

/**
 * Everything that a run has sent, and what came back, in the order of the answers. Of every entry a note stays to the end
 * of the run, but for the first of very many; the rest, with the bodies, only as long as somebody keeps the exchange,
 * such as a proof.
 */
export class History<R extends Reply = Reply> {
  readonly #notes = new Map<number, AnswerNote>();
  readonly #entries = new WeakMap<Exchange, Entry<R>>();

  append(entry: Entry<R>): void {
    const { exchange } = entry.reply;
    this.#notes.set(exchange.number, noteOf(entry.reply));
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > NOTES_KEPT && oldest !== undefined) this.#notes.delete(oldest);
    this.#entries.set(exchange, entry);
  }

  /** The entry of an exchange of this run. */
  entry(exchange: Exchange): Entry<R> | undefined {
    return this.#entries.get(exchange);
  }

  /** The note of an exchange of this run. */
  note({ number }: Exchange): AnswerNote | undefined {
    return this.#notes.get(number);
  }

  get notes(): readonly AnswerNote[] {
    return [...this.#notes.values()];
  }
}

function noteOf(reply: Reply): AnswerNote {
  const { call, exchange, status, json } = reply;
  const { answer, number, sentAt, answeredAt } = exchange;
  const unread = json.kind === 'not json' ? json.code : undefined;
  return {
    number,
    operation: call.request.operation,
    kind: call.kind ?? '',
    equivalence: call.equivalence,
    description: call.description,
    effect: call.effect,
    status,
    isDocumented: status !== undefined && reply.documentedStatuses.includes(status),
    mediaType: reply.mediaType,
    fault: answer.kind === 'no response' ? answer.code : unread,
    changed: changedMembers(reply),
    said: saidBy(reply),
    sentAt,
    answeredAt,
  };
}

/** The members of the body that was sent which a success gives another value. */
function changedMembers({ call, json, mayHaveCreated }: Reply): readonly string[] {
  const { body } = call.request;
  if (!mayHaveCreated || body === undefined || json.kind !== 'json') return [];
  const sent = parseJson(body);
  if (sent.kind !== 'json' || !isObject(sent.value) || !isObject(json.value)) return [];
  const [before, after] = [sent.value, json.value];
  return Object.keys(before).filter(
    (name) => Object.hasOwn(after, name) && memberText(sent, before, name) !== memberText(json, after, name),
  );
}

/** A member as text, in which integers are exact and written in one way. */
function memberText(json: Json, object: object, name: string): string {
  const value: unknown = Reflect.get(object, name);
  const integer = typeof value === 'number' ? integerOf(json, `/${name}`, value) : undefined;
  return integer === undefined ? JSON.stringify(value) : `${integer}`;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Two failures of one bug differ in times and numbers, if in anything. */
function saidBy({ response }: Reply): string {
  if (response === undefined || response.status < 500) return '';
  const text = new TextDecoder().decode(response.body.subarray(0, 4 * SAID_LENGTH));
  return text.slice(0, SAID_LENGTH).replace(/[0-9a-f-]{8,}|\d+/gi, '0');
}
