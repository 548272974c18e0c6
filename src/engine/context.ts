import type { Arbitrary } from 'fast-check';
import type { Exchange } from '../http/exchange.ts';
import { describe } from '../petstore/call.ts';
import type { Fixtures } from '../petstore/fixtures.ts';
import type { NewPet, PetStatus } from '../petstore/inputs/new-pet.ts';
import { type Mark, plainPet } from '../petstore/inputs/new-pets.ts';
import type { Knowledge } from '../petstore/knowledge.ts';
import type { Created } from '../petstore/ledger.ts';
import { type Reply, statusPhrase } from '../petstore/reply.ts';
import type { Service } from '../petstore/service.ts';
import type { Observation, Profile } from '../report/model/result.ts';
import type { Breach } from './breach.ts';
import type { Check } from './check.ts';
import type { Judging } from './judging.ts';
import type { Judge, Properties } from './property.ts';
import { Broken, Inconclusive, NotApplicable } from './signals.ts';

/** An answer that a reading permits: its status, and the few words that record it. */
export type Readings = Readonly<Record<number, string>>;

export interface ContextParts {
  readonly check: Check;
  readonly service: Service;
  readonly judging: Judging;
  readonly fixtures: Fixtures;
  readonly properties: Properties;
  readonly mark: Mark;
  readonly profile: Profile;
  readonly strict: boolean;
  /** True on and after the date on which getPet may be gone. */
  readonly getPetMayBeGone: boolean;
}

/** All that a check works with. */
export class CheckContext {
  readonly #parts: ContextParts;
  /** What was seen at an open point, and on which inputs. */
  readonly #readings = new Map<string, string[]>();
  #pets = 0;

  constructor(parts: ContextParts) {
    this.#parts = parts;
  }

  get service(): Service {
    return this.#parts.service;
  }

  get known(): Knowledge {
    return this.#parts.judging.knowledge;
  }

  get mark(): Mark {
    return this.#parts.mark;
  }

  get profile(): Profile {
    return this.#parts.profile;
  }

  get getPetMayBeGone(): boolean {
    return this.#parts.getPetMayBeGone;
  }

  get observations(): readonly Observation[] {
    const { requirement } = this.#parts.check;
    return [...this.#readings].map(([reading, inputs]) => ({
      requirement,
      reading: inputs.length === 0 ? reading : `${reading} ${listed(inputs)}`,
    }));
  }

  /** A plain animal to add, told apart from all others of the check by its name. */
  aPet(status?: PetStatus): NewPet {
    this.#pets += 1;
    return plainPet(this.mark, `${this.#pets}`, status);
  }

  /** The id of an animal that exists. */
  anAnimal(): Promise<bigint> {
    return this.#parts.fixtures.anAnimal();
  }

  /** Resolves when more animals exist than the largest page holds. */
  moreThanAPage(): Promise<void> {
    return this.#parts.fixtures.populated();
  }

  /** Resolves when so many milliseconds have passed since the animal was created. */
  async untilOldEnough(animal: Created | undefined, milliseconds: number): Promise<void> {
    const age = animal === undefined ? milliseconds : performance.now() - animal.exchange.answeredAt;
    if (age < milliseconds) await new Promise((resolve) => setTimeout(resolve, milliseconds - age));
  }

  /** Judges each of the cases, side by side. */
  each<T>(cases: readonly T[], judge: Judge<T>): Promise<void> {
    return this.#parts.properties.each(cases, judge);
  }

  /** Judges samples of an arbitrary, side by side; the first that fails is made as small as can be. */
  every<T>(arbitrary: Arbitrary<T>, samples: number, judge: Judge<T>): Promise<void> {
    return this.#parts.properties.every(arbitrary, samples, judge);
  }

  /**
   * At a point that is left open, the reply must be one that a reading permits; which one it was is recorded.
   * With --strict it must be a documented status of the operation besides.
   *
   * @param input what the reading was seen on, where the readings of several inputs are recorded together
   */
  permits(reply: Reply, readings: Readings, input?: string): void {
    const permitted = Object.keys(readings).map(Number);
    this.service.expectStatus(reply, permitted);
    const status = reply.status ?? 0;
    const reading = readings[status] ?? '';
    const documented = this.#parts.judging.contract.statuses(reply.call.operation);
    if (this.#parts.strict && !documented.includes(status)) {
      const message = `answers ${status} to ${describe(reply.call)}, which is not documented for ${reply.call.operation} (--strict)`;
      this.broken(
        { code: 'strict', message, expected: `one of ${documented.join(', ')}`, actual: `${status}` },
        reply.exchange,
      );
    }
    this.observe(reading, input);
  }

  /** Records what the service does where the specification is silent. */
  observe(reading: string, input?: string): void {
    const inputs = this.#readings.get(reading) ?? [];
    if (input !== undefined && !inputs.includes(input)) inputs.push(input);
    this.#readings.set(reading, inputs);
  }

  /** The requirement is violated; the last exchange is the one that shows it. */
  broken(breach: Breach, ...proof: readonly Exchange[]): never {
    throw new Broken(breach, proof);
  }

  /** The requirement cannot be judged here; `see` names the one that stands in the way. */
  inconclusive(code: string, reason: string, see?: string): never {
    throw new Inconclusive(code, reason, see === undefined ? {} : { see });
  }

  /** A control of another requirement's: without this status there is nothing to judge here. */
  control(reply: Reply, status: number, see: string): void {
    if (reply.status === status) return;
    const reason = `the control failed (${describe(reply.call)} was answered ${statusPhrase(reply)}): see ${see}`;
    throw new Inconclusive('control-failed', reason, { see });
  }

  notApplicable(reason: string): never {
    throw new NotApplicable(reason);
  }
}

const INPUTS_SHOWN = 3;

/** The inputs in a sentence; of many, the first few. */
function listed(inputs: readonly string[]): string {
  const more = inputs.length - INPUTS_SHOWN;
  return more <= 1 ? inputs.join(', ') : `${inputs.slice(0, INPUTS_SHOWN).join(', ')} and ${more} more such inputs`;
}
