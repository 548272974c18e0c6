import { boundText } from '../contract/bounded-json.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Body, Traces } from './inputs/body.ts';
import { LONGEST_CERTAIN_NAME } from './inputs/names.ts';
import { isOfARun } from './inputs/new-pets.ts';
import type { Animal, Created, PetReply } from './reply.ts';

/** A refusal, and what was wrong with the request: its key, or its body. */
export interface Refusal {
  readonly exchange: Exchange;
  readonly because: 'key' | 'body';
}

/** The first characters of a refused name that distinguish it from all others. */
const SURELY_CUT = 60;

/** What a run was refused: an animal with the name or the category of it was made of it all the same. */
export class Refusals {
  /** By name, and by category where that distinguishes it. */
  readonly #refused = new Map<string | bigint, Refusal>();
  /** Those of the refused names that a service may have found too long, uncut. */
  readonly #longRefused: string[] = [];
  /** Traces, as of refusals, of requests that were accepted, or of which nobody knows: an animal may be made of these. */
  readonly #maybeTaken = new Set<string | bigint>();
  /** What was wrong with the requests. */
  readonly because = new Set<Refusal['because']>();
  /** When the last refusal came (ms, monotonic). */
  lastAt = Number.NEGATIVE_INFINITY;

  /**
   * The refusal that an animal was made of in spite of it, or changed by, if that is certain.
   *
   * @param own the animal that the run has added under its id
   * @param isSettled whether no other animal may have its name
   */
  of({ name, categoryId }: Animal, own: Created | undefined, isSettled: boolean): Refusal | undefined {
    const byCategory =
      categoryId === undefined || own?.categoryId === categoryId ? undefined : this.#refusedWith(categoryId);
    if (byCategory !== undefined || name === undefined) return byCategory;
    if (!isSettled || own?.name === name) return undefined;
    return this.#refusedWith(name) ?? (own === undefined ? this.#refusedWithMoreThan(name) : undefined);
  }

  /** Whether a request with this name was refused. */
  has(name: string): boolean {
    return this.#refused.has(name);
  }

  /** The refusal of a long name of which this one is the start. */
  #refusedWithMoreThan(name: string): Refusal | undefined {
    if (name.length < SURELY_CUT || !isOfARun(name)) return undefined;
    const long = this.#longRefused.find((refused) => refused.startsWith(name));
    return long === undefined ? undefined : this.#refusedWith(boundText(long));
  }

  #refusedWith(trace: string | bigint): Refusal | undefined {
    return this.#maybeTaken.has(trace) ? undefined : this.#refused.get(trace);
  }

  /** Notes a refusal, so that an animal which was made of the refused request can be recognised. */
  learn({ call, status = 0, exchange }: PetReply): void {
    if (call.operation !== 'createPet') return;
    const { body, credential } = call;
    if (body.kind === 'valid' && credential.valid) return;
    const isRefused = status >= 400 && status < 500;
    const refusal = { exchange, because: credential.valid ? 'body' : 'key' } as const;
    if (isRefused) {
      this.because.add(refusal.because);
      this.lastAt = Math.max(this.lastAt, exchange.answeredAt);
    }
    const { name, categoryId } = tracesOf(body);
    for (const trace of [name, categoryId]) {
      // A name without the mark of a run may be somebody else's.
      if (trace === undefined || (typeof trace === 'string' && !isOfARun(trace))) continue;
      if (!isRefused) this.#maybeTaken.add(trace);
      else if (!this.#refused.has(trace)) {
        this.#refused.set(trace, refusal);
        const whole = nameIn(body) ?? '';
        if (trace === name && whole.length > LONGEST_CERTAIN_NAME) this.#longRefused.push(whole);
      }
    }
  }
}

/** How to recognise an animal made of a body: a long name is cut as it is in every answer. */
export function tracesOf(body: Body): Traces {
  const name = nameIn(body);
  const traces = body.kind === 'invalid' ? body.traces : {};
  return name === undefined ? traces : { ...traces, name: boundText(name) };
}

const nameIn = (body: Body): string | undefined => (body.kind === 'invalid' ? body.traces.name : body.pet.name);
