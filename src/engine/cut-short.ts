import type { Checked } from './checked.ts';

/** What a request can suffer from another: the service goes down, or stands still. */
const CODES = new Set(['reset', 'closed-early', 'truncated', 'timeout', 'incomplete-in-time']);
/** A request that goes out so much later (ms) may still meet a connection that was closed with the others. */
const SLACK_MS = 100;
const MAX_TRIES = 30;

/** Whose doing it was that requests were cut short. */
interface CutShort {
  /** Another request that was under way did it, and does it again alone; of these themselves nothing is known. */
  readonly cutByAnother: ReadonlySet<Checked>;
  /** Under way when the service went down for good, so that none can be sent again. */
  readonly inFlightAtTheEnd: ReadonlySet<Checked>;
}

/**
 * Sends requests of several kinds that were cut short at the same time once more, one at a time, first those that a
 * service need not accept, until the one among them is found that is cut short again.
 *
 * @param sendAgain sends a request alone on a new connection; undefined where the run may send no more
 */
export async function explainCutShort(
  all: readonly Checked[],
  sendAgain: (one: Checked) => Promise<Checked | 'service down' | undefined>,
): Promise<CutShort> {
  const cut = all.filter(isCutShort);
  const shared = cut.filter((one) => cut.some((other) => other.kind !== one.kind && overlap(one, other)));
  const tried = new Set<Checked>();
  const causes = new Set<Checked>();
  const isKnown = ({ kind }: Checked): boolean => [...causes].some((cause) => cause.kind === kind);
  const overlapsAny = (one: Checked, all: Iterable<Checked>): boolean => [...all].some((cause) => overlap(one, cause));
  let atTheEnd: readonly Checked[] = [];
  while (tried.size < MAX_TRIES) {
    const open = shared.filter((one) => !tried.has(one) && !overlapsAny(one, causes));
    const next = open.find(isKnown) ?? open.find(({ mustBe }) => mustBe !== 'accepted') ?? open[0];
    const retried = next && (await sendAgain(next));
    if (next === undefined || retried === undefined) break;
    tried.add(next);
    if (retried === 'service down') {
      atTheEnd = open;
      break;
    }
    if (isCutShort(retried)) causes.add(next);
  }
  // Of a kind that has done it: not tried, so that nothing is said of them, but of those that they explain.
  const likely = shared.filter((one) => isKnown(one) && !tried.has(one));
  const byAnother = shared.filter(
    (one) => !causes.has(one) && (likely.includes(one) || overlapsAny(one, causes) || overlapsAny(one, likely)),
  );
  return { cutByAnother: new Set(byAnother), inFlightAtTheEnd: new Set(atTheEnd) };
}

const isCutShort = ({ exchange: { outcome } }: Checked): boolean =>
  outcome.kind === 'failure' && CODES.has(outcome.code);

const overlap = ({ exchange: one }: Checked, { exchange: other }: Checked): boolean =>
  one.sentAt <= other.answeredAt + SLACK_MS && other.sentAt <= one.answeredAt + SLACK_MS;
