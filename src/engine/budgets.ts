/**
 * How much a run may leave at the service. What is in flight may leave something too, even if it must be refused: while
 * all of it together would be too much, the next request waits.
 */
export class CreationBudget {
  readonly limit: number;
  /** Whether the user has set the limit. */
  readonly isChosen: boolean;
  /** Creations that the service has named. */
  created = 0;
  #spent = 0;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param limit most creations of the run; 0 for none */
  constructor(limit: number, isChosen = false) {
    this.limit = limit;
    this.isChosen = isChosen;
  }

  /** Successes so far, and what may yet succeed. */
  get begun(): number {
    return this.#spent + this.#underWay;
  }

  /** How many more may succeed. */
  get left(): number {
    return Math.max(0, this.limit - this.#spent);
  }

  /** Resolves when `count` requests may be sent, until `release`; with false where they would be too many. */
  async reserve(count: number): Promise<boolean> {
    while (count > 0 && count <= this.left && this.begun + count > this.limit && this.#underWay > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (count > this.left) return false;
    this.#underWay += count;
    return true;
  }

  release(count: number): void {
    this.#underWay -= count;
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  /** Counts a request that succeeded. @param isNamed whether the answer names what was created */
  spend(isNamed: boolean): void {
    this.#spent += 1;
    if (isNamed) this.created += 1;
  }
}

/** The share on top of what checks may send for asking again where an answer looks wrong and may only be late. */
const ASKED_AGAIN_SHARE = 1 / 4;

/** How many requests the checks of a run may send, whatever the service answers. */
export class RequestBudget {
  readonly limit: number;
  #left: number;
  #againLeft: number;

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.limit = limit;
    this.#left = limit;
    this.#againLeft = Math.ceil(limit * ASKED_AGAIN_SHARE);
  }

  /** Takes `count` requests; false, and none taken, if fewer are left. */
  take(count: number): boolean {
    if (count > this.#left) return false;
    this.#left -= count;
    return true;
  }

  /** Takes a request that is sent again; false where none is left. */
  takeAgain(): boolean {
    if (this.#againLeft < 1) return false;
    this.#againLeft -= 1;
    return true;
  }
}
