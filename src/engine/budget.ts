/** How much a run may send and add: bounds that hold for every service. */
export interface Limits {
  readonly requests: number;
  /** Requests beside those, for evidence. */
  readonly evidence: number;
  readonly creations: number;
  /** How large a part of each table is sent, its first rows: 1 for all of it; and how many rows at least. */
  readonly share: number;
  readonly minRows: number;
  /** How many values are drawn at random, times those of a standard run. */
  readonly draws: number;
  /** Ages of the first creations (ms) at which everything is looked at again. */
  readonly ages: readonly number[];
}

export const PROFILES = {
  smoke: { requests: 950, evidence: 150, creations: 140, share: 0.2, minRows: 3, draws: 0.3, ages: [0] },
  standard: { requests: 1_800, evidence: 300, creations: 260, share: 0.68, minRows: 20, draws: 1, ages: [0] },
  thorough: {
    requests: 9_000,
    evidence: 600,
    creations: 500,
    share: 1,
    minRows: 20,
    draws: 10,
    ages: [10_000, 40_000],
  },
} as const satisfies Record<string, Limits>;

/** Evidence may add something: of the animals of a run, its course adds this share at most. */
const SHARE_OF_COURSE = 0.95;

/** Counts what may have been added: one for every creation that was not rejected. Requests are counted by the network. */
export class Budget {
  readonly #total: number;
  #usable: number;
  #creations = 0;
  #inFlight = 0;
  #isSpent = false;

  constructor({ creations }: Pick<Limits, 'creations'>) {
    this.#total = creations;
    this.#usable = Math.ceil(SHARE_OF_COURSE * creations);
  }

  get creations(): number {
    return this.#creations;
  }

  /** Whether a creation was not sent because of it. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** How many more creations may be sent. */
  get room(): number {
    return this.#usable - this.#creations - this.#inFlight;
  }

  /** From now on, all may be added that a run may add. */
  openForEvidence(): void {
    this.#usable = this.#total;
  }

  /** Whether a creation may be sent; `end` must follow where it may. */
  begin(): boolean {
    const mayBegin = this.room > 0;
    if (mayBegin) this.#inFlight += 1;
    else this.#isSpent = true;
    return mayBegin;
  }

  end(mayHaveAdded: boolean): void {
    this.#inFlight -= 1;
    if (mayHaveAdded) this.#creations += 1;
  }
}
