import { soundBody } from '../petstore/inputs/body.ts';
import { PET_STATUSES } from '../petstore/inputs/new-pet.ts';
import { type Mark, plainPet } from '../petstore/inputs/new-pets.ts';
import type { Ledger } from '../petstore/ledger.ts';
import type { Service } from '../petstore/service.ts';
import { duration } from '../report/formats/excerpt.ts';
import type { OperationId, Soak } from '../report/model/result.ts';
import type { Latencies } from './latency.ts';
import { mix } from './property.ts';
import { Inconclusive } from './signals.ts';

export interface SoakOptions {
  readonly service: Service;
  readonly ledger: Ledger;
  readonly mark: Mark;
  /** True on and after the date on which getPet may be gone. */
  readonly getPetMayBeGone: boolean;
  readonly readOnly: boolean;
  readonly milliseconds: number;
  /** Requests under way at once. */
  readonly concurrency: number;
  readonly seed: number;
  /** Aborted where the run ends before the soak does. */
  readonly deadline: AbortSignal;
  readonly latencies: Latencies;
  /** Switches on or off that exchanges are counted in `latencies`. */
  readonly measure: (on: boolean) => void;
  /** Told now and then how far it is. */
  readonly report: (running: string) => void;
  readonly remark: (text: string) => void;
}

/** Of a hundred requests, so many add an animal (while the budget lasts) and so many list; the others get one. */
const CREATIONS = 15;
const LISTS = 45;
const LIMITS = [undefined, 1, 20, 50, 100] as const;
const FILTERS = [undefined, ...PET_STATUSES] as const;

/** Most animals that are fetched in turn. */
const FETCHED = 1_000;
/** From this age on (ms), an animal that is not found is not merely late. */
const NO_LONGER_NEW_MS = 2_000;
/** Pause (ms) where an operation is given up for the moment. */
const GIVEN_UP_PAUSE_MS = 200;
const REPORT_EVERY_MS = 500;

/**
 * Keeps the service under steady load with requests of all three operations that must succeed, so many under way at
 * all times. Every answer is held against every rule on its way; afterwards each animal that was created must be
 * found by its id. Memory is bounded by the budget of animals, not by the time.
 */
export function underLoad(options: SoakOptions): Promise<Soak> {
  return new Load(options).run();
}

class Load {
  readonly #options: SoakOptions;
  readonly #budget: number;
  readonly #from = performance.now();
  /** Animals to fetch. */
  readonly #ids: bigint[];
  readonly #created: bigint[] = [];
  readonly #given: Set<bigint>;
  readonly #closed = new Set<OperationId>();
  readonly #givenUp = new Set<OperationId>();
  #number = 0;
  #begun = 0;
  #creations = 0;
  #doubled = 0;
  #unanswered = 0;
  #reportedAt = 0;
  #isOver = false;

  constructor(options: SoakOptions) {
    this.#options = options;
    this.#budget = options.readOnly ? 0 : options.ledger.left;
    const known = options.ledger.all().map(({ id }) => id);
    this.#ids = known.slice(0, FETCHED);
    this.#given = new Set(known);
    if (this.#budget === 0) this.#closed.add('createPet');
  }

  async run(): Promise<Soak> {
    const { concurrency, measure, latencies, milliseconds } = this.#options;
    measure(true);
    await Promise.all(Array.from({ length: concurrency }, () => this.#keepSending()));
    measure(false);
    const elapsed = performance.now() - this.#from;
    const requests = latencies.total;
    const { lost, unverified } = await this.#lookForAll();
    return {
      milliseconds: Math.round(elapsed),
      planned: milliseconds,
      requests,
      unanswered: this.#unanswered,
      throughput: Math.round((requests / elapsed) * 10_000) / 10,
      creations: this.#creations,
      lost,
      doubled: this.#doubled,
      unverified,
      latencies: latencies.percentiles(),
    };
  }

  get #elapsed(): number {
    return performance.now() - this.#from;
  }

  async #keepSending(): Promise<void> {
    const { milliseconds, deadline } = this.#options;
    while (!this.#isOver && this.#elapsed < milliseconds && !deadline.aborted) {
      const operation = this.#choose();
      if (operation === undefined) return;
      try {
        await this.#send(operation);
      } catch (error) {
        if (!(error instanceof Inconclusive)) throw error;
        await this.#heed(operation, error);
      }
      this.#tell();
    }
  }

  /** The next operation; undefined where none is left that answers. */
  #choose(): OperationId | undefined {
    this.#number += 1;
    const drawn = mix(this.#options.seed, this.#number) % 100;
    const canCreate = !this.#closed.has('createPet') && this.#begun < this.#allowedByNow;
    const canGet = !this.#closed.has('getPet') && this.#ids.length > 0;
    if (drawn < CREATIONS && canCreate) return 'createPet';
    if (!this.#closed.has('listPets') && (drawn < CREATIONS + LISTS || !canGet)) return 'listPets';
    if (canGet) return 'getPet';
    return canCreate ? 'createPet' : undefined;
  }

  /** The budget is spread over the whole time, so that animals are added to the end. */
  get #allowedByNow(): number {
    return Math.ceil(this.#budget * Math.min(1, this.#elapsed / this.#options.milliseconds));
  }

  async #send(operation: OperationId): Promise<void> {
    const { service, seed } = this.#options;
    const draw = (bound: number, what: string): number => mix(seed, this.#number, what) % bound;
    switch (operation) {
      case 'createPet':
        return this.#create(draw(PET_STATUSES.length, 'status'));
      case 'listPets': {
        const limit = LIMITS[draw(LIMITS.length, 'limit')];
        const status = FILTERS[draw(FILTERS.length, 'filter')];
        const page = await service.tryList({
          ...(limit === undefined ? {} : { limit }),
          ...(status === undefined ? {} : { status }),
        });
        if (page.status === undefined) this.#unanswered += 1;
        for (const { id } of page.animals) if (id !== undefined && this.#ids.length === 0) this.#ids.push(id);
        return;
      }
      case 'getPet': {
        const reply = await service.tryGet(this.#ids[draw(this.#ids.length, 'id')] ?? 0n);
        if (reply.status === undefined) this.#unanswered += 1;
        if (this.#options.getPetMayBeGone && (reply.status === 404 || reply.status === 410)) this.#closed.add('getPet');
      }
    }
  }

  async #create(which: number): Promise<void> {
    const { service, mark } = this.#options;
    this.#begun += 1;
    const reply = await service.tryCreate(soundBody(plainPet(mark, `${this.#begun}`, PET_STATUSES[which])));
    if (reply.status === undefined) this.#unanswered += 1;
    const id = reply.animals[0]?.id;
    if (id === undefined) return;
    this.#creations += 1;
    if (this.#given.has(id)) this.#doubled += 1;
    this.#given.add(id);
    this.#created.push(id);
    if (this.#ids.length < FETCHED) this.#ids.push(id);
  }

  /** What could not be sent: an operation that has been given up may come back, and all else ends it for good. */
  async #heed(operation: OperationId, { code, message }: Inconclusive): Promise<void> {
    if (code === 'gave-up') {
      if (!this.#givenUp.has(operation)) this.#options.remark(`During the soak, ${message}.`);
      this.#givenUp.add(operation);
      await new Promise((resolve) => setTimeout(resolve, GIVEN_UP_PAUSE_MS));
    } else if (code === 'budget') {
      this.#closed.add(operation);
    } else {
      this.#isOver = true;
    }
  }

  /** Fetches every animal that was created; one that is not found is asked for once more when it is no longer new. */
  async #lookForAll(): Promise<{ readonly lost: number; readonly unverified: number }> {
    if (this.#closed.has('getPet')) return { lost: 0, unverified: this.#created.length };
    const endedAt = performance.now();
    const first = await this.#lookFor(this.#created);
    const wait = NO_LONGER_NEW_MS - (performance.now() - endedAt);
    if (first.missing.length > 0 && wait > 0 && !this.#options.deadline.aborted) {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    const second = await this.#lookFor(first.missing);
    return { lost: second.missing.length, unverified: first.unverified + second.unverified };
  }

  async #lookFor(
    ids: readonly bigint[],
  ): Promise<{ readonly missing: readonly bigint[]; readonly unverified: number }> {
    const { service, concurrency, getPetMayBeGone } = this.#options;
    const missing: bigint[] = [];
    let unverified = 0;
    const queue = ids.values();
    const work = async (): Promise<void> => {
      for (const id of queue) {
        try {
          const { status, animals } = await service.tryGet(id);
          const isMissing = status === 404 || status === 410;
          if (isMissing && !getPetMayBeGone) missing.push(id);
          else if (animals.length === 0) unverified += 1;
        } catch (error) {
          if (!(error instanceof Inconclusive)) throw error;
          unverified += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return { missing, unverified };
  }

  #tell(): void {
    const { milliseconds, report } = this.#options;
    if (performance.now() - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = performance.now();
    report(`soak ${duration(Math.min(this.#elapsed, milliseconds))} of ${duration(milliseconds)}`);
  }
}
