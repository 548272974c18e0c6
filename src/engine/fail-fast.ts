import { setMaxListeners } from 'node:events';
import { FIRST_VIOLATION } from '../report/model/first-violation.ts';
import type { Violation } from './violation.ts';

/** How long the answers to what is in flight may still take, once the proof is complete (ms). */
const LAST_ANSWERS_MS = 1_000;

interface Running {
  readonly end: AbortController;
  readonly ended: Promise<unknown>;
}

export interface FailFastParts {
  /** Of the whole run; aborted when nothing is in flight any more, or takes too long. */
  readonly deadline: AbortController;
  /** Whether a violation of a check ends the run: it is proven, and not an expected one. */
  readonly counts: (checkId: string, violation: Violation) => boolean;
  /** Called once. */
  readonly onFirst: (checkId: string) => void;
}

/**
 * Ends a run at its first violation, with all that a whole run would show of it. From then on only two checks may send
 * more, so that the proof is complete and the owner of a fault has its say: the one that is violated, and the one that
 * sent the request. What is in flight is answered and judged.
 */
export class FailFast {
  readonly #parts: FailFastParts;
  readonly #over = new AbortController();
  readonly #checks = new Map<string, Running>();
  readonly #others = new Set<Promise<unknown>>();
  #first: string | undefined;

  constructor(parts: FailFastParts) {
    this.#parts = parts;
    setMaxListeners(0, this.#over.signal);
    const { signal } = parts.deadline;
    const endAll = (): void => {
      for (const { end } of this.#checks.values()) end.abort(signal.reason);
      this.#over.abort(signal.reason);
    };
    signal.addEventListener('abort', endAll, { once: true });
  }

  /** The check that was violated first. */
  get first(): string | undefined {
    return this.#first;
  }

  /** Aborted at the first violation: nothing new begins. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Runs a check's own part, which must send nothing more once its signal is aborted. */
  async exercise<T>(checkId: string, work: (end: AbortSignal) => Promise<T>): Promise<T> {
    const end = new AbortController();
    setMaxListeners(0, end.signal);
    if (this.over.aborted) end.abort(this.over.reason);
    const ended = work(end.signal);
    this.#checks.set(checkId, { end, ended });
    try {
      return await ended;
    } finally {
      this.#checks.delete(checkId);
    }
  }

  /** Lets what belongs to no check come to its end, which is soon once `over` is aborted. */
  async settle<T>(work: Promise<T>): Promise<T> {
    this.#others.add(work);
    try {
      return await work;
    } finally {
      this.#others.delete(work);
    }
  }

  /** A check is violated. @param sentBy the check that sent the request */
  note(checkId: string, violation: Violation, sentBy: string): void {
    if (this.over.aborted || !this.#parts.counts(checkId, violation)) return;
    this.#first = checkId;
    this.#over.abort(FIRST_VIOLATION);
    this.#parts.onFirst(checkId);
    void this.#finish([checkId, sentBy]);
  }

  async #finish(involved: readonly string[]): Promise<void> {
    for (const [id, { end }] of this.#checks) if (!involved.includes(id)) end.abort(FIRST_VIOLATION);
    await Promise.allSettled(involved.map((id) => this.#checks.get(id)?.ended));
    const underWay = [...[...this.#checks.values()].map(({ ended }) => ended), ...this.#others];
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_ANSWERS_MS);
    });
    await Promise.race([Promise.allSettled(underWay), tooLong]);
    clearTimeout(timer);
    this.#parts.deadline.abort(FIRST_VIOLATION);
  }
}
