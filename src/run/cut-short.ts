import type { Checked } from '../check/checked.ts';
import type { FailureCode } from '../http/failure-codes.ts';

/** How a request fails if another one brings the service down or blocks it. */
const CODES: ReadonlySet<FailureCode> = new Set(['reset', 'truncated', 'timeout', 'incomplete-in-time']);
/** Requests sent up to this much later (ms) may still use a connection that was closed with the rest. */
const SLACK_MS = 500;
const MAX_TRIES = 30;

/** Why requests were cut short. */
interface CutShort {
  /** By another request in flight, which fails again when sent alone. These themselves are untested. */
  readonly cutByAnother: ReadonlySet<Checked>;
  /** In flight when the service went down for good, so that none can be sent again. */
  readonly inFlightAtTheEnd: ReadonlySet<Checked>;
}

/**
 * Finds out which of several requests that were cut short at the same time is to blame: sends them again, one at a time,
 * those that a service need not accept first, until one is cut short again.
 *
 * @param sendAgain sends a request alone on a new connection; undefined if the run may send no more
 */
export async function explainCutShort(
  all: readonly Checked[],
  sendAgain: (one: Checked) => Promise<Checked | 'service down' | undefined>,
): Promise<CutShort> {
  const cut = all.filter(isCutShort);
  const shared = cut.filter((one) => cut.some((other) => other.kind !== one.kind && overlap(one, other)));
  const tried = new Set<Checked>();
  const causes = new Set<Checked>();
  const isOfCauseKind = ({ kind }: Checked): boolean => [...causes].some((cause) => cause.kind === kind);
  const overlapsAny = (one: Checked, all: Iterable<Checked>): boolean => [...all].some((cause) => overlap(one, cause));
  let inFlightAtTheEnd: readonly Checked[] = [];
  while (tried.size < MAX_TRIES) {
    const untried = shared.filter((one) => !tried.has(one) && !overlapsAny(one, causes));
    const next = untried.find(isOfCauseKind) ?? untried.find(({ mustBe }) => mustBe !== 'accepted') ?? untried[0];
    const retried = next && (await sendAgain(next));
    if (next === undefined || retried === undefined) break;
    tried.add(next);
    if (retried === 'service down') {
      inFlightAtTheEnd = untried;
      break;
    }
    if (isCutShort(retried)) causes.add(next);
  }
  // Where a cause was found, those that were not sent again may have another one: neither they nor what they explain count.
  const unexplained = shared.filter((one) => causes.size > 0 && !tried.has(one));
  const cutByAnother = shared.filter(
    (one) => !causes.has(one) && (overlapsAny(one, causes) || overlapsAny(one, unexplained)),
  );
  return { cutByAnother: new Set(cutByAnother), inFlightAtTheEnd: new Set(inFlightAtTheEnd) };
}

const isCutShort = ({ exchange: { outcome } }: Checked): boolean =>
  outcome.kind === 'failure' && CODES.has(outcome.code);

const overlap = ({ exchange: one }: Checked, { exchange: other }: Checked): boolean =>
  one.sentAt <= other.answeredAt + SLACK_MS && other.sentAt <= one.answeredAt + SLACK_MS;
