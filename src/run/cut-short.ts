import { type Checked, requestKind } from '../check/checked.ts';
import type { FailureCode } from '../http/failure-codes.ts';
import { weightOf } from './findings.ts';

/** How a request fails if another one brings the service down or blocks it. */
const CLOSED: ReadonlySet<FailureCode> = new Set(['reset', 'truncated']);
const CODES: ReadonlySet<FailureCode> = new Set([...CLOSED, 'timeout', 'incomplete-in-time']);
/** Requests sent up to this much later (ms) may still use a connection that was closed with the rest. */
const SLACK_MS = 500;
const MAX_TRIES = 30;
const MANY_OF_A_KIND = 3;

/** Why requests were cut short. */
interface CutShort {
  /** What fails again when sent alone, and had cut others short. */
  readonly causes: ReadonlySet<Checked>;
  /** By another request in flight, which fails again when sent alone. These themselves are untested. */
  readonly cutByAnother: ReadonlySet<Checked>;
  /** In flight when the service went down for good, so that none can be sent again. */
  readonly inFlightAtTheEnd: ReadonlySet<Checked>;
}

/**
 * Finds out which of several requests that were cut short at the same time is to blame: sends them again, one at a time,
 * those that a service need not accept first, until one is cut short again; where all are of one kind, the plainest first.
 *
 * @param sendAgain sends a request alone on a new connection; undefined if the run may send no more
 */
export async function explainCutShort(
  all: readonly Checked[],
  sendAgain: (one: Checked) => Promise<Checked | 'service down' | undefined>,
): Promise<CutShort> {
  const cut = all.filter(isCutShort);
  const shared = cut.filter((one) =>
    cut.some((other) => overlap(one, other) && requestKind(other) !== requestKind(one)),
  );
  const tried = new Set<Checked>();
  const causes = new Set<Checked>();
  const isOfCauseKind = (one: Checked): boolean => [...causes].some((cause) => requestKind(cause) === requestKind(one));
  const overlapsAny = (one: Checked, all: Iterable<Checked>): boolean => [...all].some((cause) => overlap(one, cause));
  const cutWithAlike = new Set<Checked>();
  let inFlightAtTheEnd: readonly Checked[] = [];
  while (tried.size < MAX_TRIES) {
    const untried = shared.filter((one) => !tried.has(one) && !overlapsAny(one, causes));
    const next =
      untried.find(isOfCauseKind) ?? untried.find(({ expected }) => expected.mustBe !== 'accepted') ?? untried[0];
    const retried = next && (await sendAgain(next));
    if (next === undefined || retried === undefined) break;
    tried.add(next);
    if (retried === 'service down') {
      inFlightAtTheEnd = untried;
      break;
    }
    if (isCutShort(retried)) causes.add(next);
  }
  for (const alike of ofOneKind(cut.filter((one) => !shared.includes(one)))) {
    const [failed, passed]: [Checked[], Checked[]] = [[], []];
    for (const one of alike) {
      // All of the kind may fail by themselves.
      if (tried.size >= MAX_TRIES || (failed.length >= MANY_OF_A_KIND && passed.length === 0)) break;
      const retried = await sendAgain(one);
      if (retried === undefined || retried === 'service down') break;
      tried.add(one);
      (isCutShort(retried) ? failed : passed).push(one);
    }
    for (const one of passed) if (overlapsAny(one, failed)) cutWithAlike.add(one);
  }
  // Where a cause was found, those that were not sent again may have another one: neither they nor what they explain count.
  const unexplained = shared.filter((one) => causes.size > 0 && !tried.has(one));
  const cutByAnother = shared.filter(
    (one) => !causes.has(one) && (overlapsAny(one, causes) || overlapsAny(one, unexplained)),
  );
  return {
    causes,
    cutByAnother: new Set([...cutByAnother, ...cutWithAlike]),
    inFlightAtTheEnd: new Set(inFlightAtTheEnd),
  };
}

/** Those that were closed with others of their own kind alone: of each kind the plainest, which reports show, first. */
function ofOneKind(cut: readonly Checked[]): readonly (readonly Checked[])[] {
  const kinds = new Map<string, Checked[]>();
  const closed = cut.filter(({ exchange: { outcome } }) => outcome.kind === 'failure' && CLOSED.has(outcome.code));
  for (const one of closed.filter((each) => closed.some((other) => other !== each && overlap(each, other))))
    kinds.set(requestKind(one), [...(kinds.get(requestKind(one)) ?? []), one]);
  return [...kinds.values()].map((alike) => alike.sort((one, other) => weightOf(one) - weightOf(other)));
}

const isCutShort = ({ exchange: { outcome } }: Checked): boolean =>
  outcome.kind === 'failure' && CODES.has(outcome.code);

const overlap = ({ exchange: one }: Checked, { exchange: other }: Checked): boolean =>
  one.sentAt <= other.answeredAt + SLACK_MS && other.sentAt <= one.answeredAt + SLACK_MS;
