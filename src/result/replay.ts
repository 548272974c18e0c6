import { isDeepStrictEqual } from 'node:util';
import type { Checked } from '../check/checked.ts';
import { groupFindings, violationsFor } from '../run/findings.ts';
import type { Ending } from '../run/state.ts';
import type { Finding } from './result.ts';

/** Why a run that repeats another one ended early. */
export const ALL_FAILED_AGAIN: Ending = { reason: 'every recorded finding had failed again', reasonOf: 'user' };

/** Follows a run that repeats another one, and notes what it shows of the findings of that one. */
export class Replay {
  /** The keys of findings of which a request was sent again, and could have shown them. */
  readonly sentAgain = new Set<string>();
  readonly #recorded: readonly Finding[];
  readonly #failed = new Set<string>();

  constructor(recorded: readonly Finding[]) {
    this.#recorded = recorded;
  }

  learn(checked: Checked): void {
    const { exchange, tested } = checked;
    for (const { key, requirements, calls } of this.#recorded) {
      if (violationsFor(key, checked) !== undefined) this.#failed.add(key);
      const couldShow = tested.some(({ requirement, holds }) => holds && requirements.includes(requirement));
      if (couldShow && !this.sentAgain.has(key) && calls.some((call) => isDeepStrictEqual(call, exchange.call)))
        this.sentAgain.add(key);
    }
  }

  /** Whether every recorded finding has failed again. @param all what the run has checked so far */
  haveAllFailedAgain(all: readonly Checked[]): boolean {
    if (this.#failed.size < this.#recorded.length) return false;
    const keys = new Set(groupFindings(all).map(({ key }) => key));
    return this.#recorded.every(({ key }) => keys.has(key));
  }
}
