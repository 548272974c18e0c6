/** How much a run may send and add: bounds that hold for every service. */
export interface Limits {
  readonly requests: number;
  /** Requests beside those, for evidence. */
  readonly evidence: number;
  readonly creations: number;
  /** How large a part of each table is sent, its first rows: 1 for all of it; and how many rows at least. */
  readonly share: number;
  readonly fewest: number;
  /** How many values are drawn at random, times those of a standard run. */
  readonly draws: number;
  /** Ages of the first creations (ms) at which everything is looked at again. */
  readonly ages: readonly number[];
}

export const PROFILES = {
  smoke: { requests: 950, evidence: 150, creations: 140, share: 0.2, fewest: 3, draws: 0.3, ages: [0] },
  standard: { requests: 1_800, evidence: 300, creations: 260, share: 0.68, fewest: 20, draws: 1, ages: [0] },
  thorough: {
    requests: 9_000,
    evidence: 600,
    creations: 500,
    share: 0.74,
    fewest: 20,
    draws: 10,
    ages: [10_000, 40_000],
  },
} as const satisfies Record<string, Limits>;

export type BudgetName = 'requests' | 'creations';

/** Requests under way may have to be sent again, and evidence may add something: so much is used for the course. */
const SHARE_OF_COURSE = { requests: 0.99, creations: 0.95 };

/** The budget of a run is used up. */
export class Spent extends Error {
  override readonly name = 'Spent';
  readonly what: BudgetName;
  constructor(what: BudgetName) {
    super(`the run has used up its budget of ${what}`);
    this.what = what;
  }
}

/** Counts requests when they are sent, and one for every creation that may have been carried out. */
export class Budget {
  readonly limits: Pick<Limits, 'requests' | 'creations'>;
  #mostRequests: number;
  #mostCreations: number;
  #requests = 0;
  #creations = 0;
  #creating = 0;

  readonly #written: () => number;

  /** @param written how many requests went out, those that were sent again included */
  constructor(limits: Pick<Limits, 'requests' | 'creations'>, written: () => number = () => 0) {
    this.limits = limits;
    this.#mostRequests = Math.ceil(SHARE_OF_COURSE.requests * limits.requests);
    this.#mostCreations = Math.ceil(SHARE_OF_COURSE.creations * limits.creations);
    this.#written = written;
  }

  get requests(): number {
    return Math.max(this.#requests, this.#written());
  }

  get creations(): number {
    return this.#creations;
  }

  /** Whether so many more creations may be added. */
  hasRoomFor(creations: number): boolean {
    return this.#creations + this.#creating + creations <= this.#mostCreations;
  }

  /** For evidence, lets so many more requests be sent than there are, and all be added that may be. */
  extend(requests: number): void {
    this.#mostRequests = this.requests + requests;
    this.#mostCreations = this.limits.creations;
  }

  /** @throws Spent where nothing more may be sent, or added */
  begin(creates: boolean): void {
    if (this.requests >= this.#mostRequests) throw new Spent('requests');
    if (creates && !this.hasRoomFor(1)) throw new Spent('creations');
    this.#requests += 1;
    if (creates) this.#creating += 1;
  }

  end(creates: boolean, mayHaveAdded: boolean): void {
    if (!creates) return;
    this.#creating -= 1;
    if (mayHaveAdded) this.#creations += 1;
  }
}
