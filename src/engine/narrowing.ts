import { InconclusiveError, ViolationError } from './outcome-errors.ts';
import type { Reply } from './reply.ts';
import { aboutOf, type Violation } from './violation.ts';

/** After this many right answers since a fault first showed, a call counts as answered rightly. */
const ENOUGH = 3;

/** What is known of the answers to a call: in what respects any was wrong, and when the last of them were asked for. */
interface Known {
  readonly wrong: ReadonlySet<ReturnType<typeof aboutOf>>;
  readonly sentAt: readonly number[];
}

/**
 * Finds out what a wrong answer is owed to. Of a call with several unusual things about it, each is sent alone, unless
 * enough is known of that; where one of these is answered as wrongly, that one is to blame.
 */
export class Narrowing<R extends Reply> {
  readonly #partsOf: (call: R['call']) => readonly R['call'][];
  /** By the equivalence of a call. */
  readonly #known = new Map<string, Known>();
  /** By check, when the first request was sent whose answer violates its rule. */
  readonly #since = new Map<string, number>();

  /** @param partsOf a call in plain words, and with each of its unusual things alone; none for a plain one */
  constructor(partsOf: (call: R['call']) => readonly R['call'][]) {
    this.#partsOf = partsOf;
  }

  /** Notes an answer, and by check what is wrong with it. */
  note({ call: { equivalence }, exchange: { sentAt } }: R, violations: ReadonlyMap<string, Violation>): void {
    for (const id of violations.keys()) if (!this.#since.has(id)) this.#since.set(id, sentAt);
    const { wrong, sentAt: before } = this.#known.get(equivalence) ?? { wrong: [], sentAt: [] };
    this.#known.set(equivalence, {
      wrong: new Set([...wrong, ...[...violations.values()].map(aboutOf)]),
      sentAt: [sentAt, ...before].slice(0, ENOUGH),
    });
  }

  /**
   * The violations by a reply that no part of its call explains.
   *
   * @param send sends a part; its answer is judged as any other
   * @returns by check; and the first error in which a part has ended, where the check's own rule is violated by it
   */
  async unexplained(
    { call, exchange }: R,
    violations: ReadonlyMap<string, Violation>,
    send: (part: R['call']) => Promise<unknown>,
  ): Promise<{ readonly left: ReadonlyMap<string, Violation>; readonly error: ViolationError | undefined }> {
    let left = violations;
    let error: ViolationError | undefined;
    const explains = ({ equivalence }: R['call'], violation: Violation): boolean =>
      this.#known.get(equivalence)?.wrong.has(aboutOf(violation)) === true;
    for (const part of this.#partsOf(call)) {
      if (left.size === 0) break;
      const since = Math.min(...[...left.keys()].map((id) => this.#since.get(id) ?? 0));
      const { sentAt = [] } = this.#known.get(part.equivalence) ?? {};
      const isKnown = (sentAt[0] ?? 0) >= exchange.answeredAt || (sentAt[ENOUGH - 1] ?? -1) >= since;
      try {
        if (!isKnown && ![...left.values()].some((violation) => explains(part, violation))) await send(part);
      } catch (thrown) {
        // What cannot be sent explains nothing.
        if (thrown instanceof InconclusiveError) break;
        if (!(thrown instanceof ViolationError)) throw thrown;
        error ??= thrown;
      }
      left = new Map([...left].filter(([, violation]) => !explains(part, violation)));
    }
    return { left, error };
  }
}
