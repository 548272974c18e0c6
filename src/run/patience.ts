import type { Sent } from '../http/message.ts';

/** After this many timeouts in a row, no more requests of that lane are sent. */
const MAX_IN_A_ROW = 6;
/** How long a run waits in all for responses that do not come, or do not end (ms). */
const MAX_WAITED_MS = 60_000;

/** Knows which requests a service leaves without a response for so long that no more of them are sent. */
export class Patience {
  readonly #inARow = new Map<string, number>();
  readonly #waitedForInVain = new Set<string>();
  #waitedMs = 0;
  /** Until when waiting is counted: requests that wait at the same time count once. */
  #countedUntil = 0;

  /** @param expectation says what such requests are expected to do @returns why no more of them are sent, if so */
  whyNot(operation: string, lane: string, expectation: () => string): string | undefined {
    if ((this.#inARow.get(lane) ?? 0) >= MAX_IN_A_ROW) return `${operation} has stopped responding`;
    return this.#waitedMs >= MAX_WAITED_MS && this.#waitedForInVain.has(expectation())
      ? `the run has waited ${MAX_WAITED_MS / 1_000} s in all for responses that did not come (${expectation()})`
      : undefined;
  }

  learn(lane: string, expectation: () => string, { outcome, sentAt, answeredAt }: Sent): void {
    const code = outcome.kind === 'failure' && outcome.reached ? outcome.code : undefined;
    this.#inARow.set(lane, code === 'timeout' ? (this.#inARow.get(lane) ?? 0) + 1 : 0);
    if (code !== 'timeout' && code !== 'incomplete-in-time') return;
    this.#waitedForInVain.add(expectation());
    this.#waitedMs += Math.max(0, answeredAt - Math.max(sentAt, this.#countedUntil));
    this.#countedUntil = Math.max(this.#countedUntil, answeredAt);
  }
}
