/** How much a run may send and add: bounds that hold for every service. */
export interface Limits {
  readonly requests: number;
  /** Requests beside those, for evidence. */
  readonly evidence: number;
  readonly animals: number;
  /** How large a part of each table is sent, its first rows: 1 for all of it; and how many rows at least. */
  readonly share: number;
  readonly fewest: number;
  /** How many values are drawn at random, times those of a standard run. */
  readonly draws: number;
  /** Ages of the first animals (ms) at which everything is looked at again. */
  readonly ages: readonly number[];
}

export const PROFILES = {
  smoke: { requests: 940, evidence: 150, animals: 140, share: 0.3, fewest: 3, draws: 0.3, ages: [0] },
  standard: { requests: 1_780, evidence: 300, animals: 260, share: 0.74, fewest: 20, draws: 1, ages: [0] },
  thorough: {
    requests: 8_900,
    evidence: 600,
    animals: 500,
    share: 0.74,
    fewest: 20,
    draws: 10,
    ages: [10_000, 40_000],
  },
} as const satisfies Record<string, Limits>;

export type BudgetName = 'requests' | 'animals';

/** The budget of a run is used up. */
export class Spent extends Error {
  override readonly name = 'Spent';
  readonly what: BudgetName;
  constructor(what: BudgetName) {
    super(`the run has used up its budget of ${what}`);
    this.what = what;
  }
}

/** Counts requests when they are sent, and an animal for every creation that may have been carried out. */
export class Budget {
  readonly limits: Pick<Limits, 'requests' | 'animals'>;
  #extra = 0;
  #requests = 0;
  #animals = 0;
  #creating = 0;

  readonly #written: () => number;

  /** @param written how many requests went out, those that were sent again included */
  constructor(limits: Pick<Limits, 'requests' | 'animals'>, written: () => number = () => 0) {
    this.limits = limits;
    this.#written = written;
  }

  get requests(): number {
    return Math.max(this.#requests, this.#written());
  }

  get animals(): number {
    return this.#animals;
  }

  /** Whether so many more animals may be added. */
  hasRoomFor(animals: number): boolean {
    return this.#animals + this.#creating + animals <= this.limits.animals;
  }

  /** Lets so many more requests be sent than there are, whatever was left. */
  extend(requests: number): void {
    this.#extra = this.requests - this.limits.requests + requests;
  }

  /** @throws Spent where nothing more may be sent, or added */
  begin(creates: boolean): void {
    if (this.requests >= this.limits.requests + this.#extra) throw new Spent('requests');
    if (creates && !this.hasRoomFor(1)) throw new Spent('animals');
    this.#requests += 1;
    if (creates) this.#creating += 1;
  }

  end(creates: boolean, mayHaveAdded: boolean): void {
    if (!creates) return;
    this.#creating -= 1;
    if (mayHaveAdded) this.#animals += 1;
  }
}
