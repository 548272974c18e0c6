/** Of what checks may send, they may ask again so much on top where an answer looks wrong and may only be late. */
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

  /** Takes so many requests; false, and none taken, where not so many are left. */
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
