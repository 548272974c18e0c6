/** How much a run may send and add, whatever the service. */
export interface Limits {
  readonly requests: number;
  /** Further requests, for evidence. */
  readonly evidence: number;
  readonly creations: number;
  /** The share of each table that is sent, from its first row on, and how many rows at least. */
  readonly share: number;
  readonly minRows: number;
  /** Whether scripts are sent that are long. */
  readonly hasLongScripts: boolean;
  /** How many random values are drawn, as a multiple of a standard run. */
  readonly draws: number;
  /** Ages of the first animals (ms) at which everything is checked again. */
  readonly ages: readonly number[];
}

export const PROFILES = {
  smoke: {
    requests: 950,
    evidence: 150,
    creations: 140,
    share: 0.28,
    minRows: 3,
    hasLongScripts: false,
    draws: 0.3,
    ages: [0],
  },
  standard: {
    requests: 1_800,
    evidence: 300,
    creations: 260,
    share: 1,
    minRows: 20,
    hasLongScripts: true,
    draws: 1,
    ages: [0],
  },
  thorough: {
    requests: 9_000,
    evidence: 600,
    creations: 500,
    share: 1,
    minRows: 20,
    hasLongScripts: true,
    draws: 10,
    ages: [10_000, 40_000],
  },
} as const satisfies Record<string, Limits>;

export type Profile = keyof typeof PROFILES;

/** The share of the creations that the course may use; the rest is left for evidence. */
const SHARE_OF_COURSE = 0.95;

/** Counts creations that were not rejected, as each may have added something. The network counts requests. */
export class Budget {
  readonly #total: number;
  #usable: number;
  #creations = 0;
  #created = 0;
  #inFlight = 0;
  #isSpent = false;

  constructor({ creations }: Pick<Limits, 'creations'>) {
    this.#total = creations;
    this.#usable = Math.ceil(SHARE_OF_COURSE * creations);
  }

  /** The most creations. */
  get most(): number {
    return this.#total;
  }

  /** Creations that may have added something: all that were not rejected. */
  get creations(): number {
    return this.#creations;
  }

  /** Creations that the service has accepted. */
  get created(): number {
    return this.#created;
  }

  /** Whether a creation was skipped for lack of budget. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** How many more creations may be sent. */
  get room(): number {
    return this.#usable - this.#creations - this.#inFlight;
  }

  /** Makes the share available that was left for evidence. */
  openForEvidence(): void {
    this.#usable = this.#total;
  }

  /** Reserves a creation; false if none is left. `end` must follow each that was reserved. */
  begin(): boolean {
    const mayBegin = this.room > 0;
    if (mayBegin) this.#inFlight += 1;
    else this.#isSpent = true;
    return mayBegin;
  }

  end(result: 'accepted' | 'rejected' | 'unknown'): void {
    this.#inFlight -= 1;
    if (result !== 'rejected') this.#creations += 1;
    if (result === 'accepted') this.#created += 1;
  }
}
