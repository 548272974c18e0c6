import type { Soak } from '../report/model/result.ts';
import { EvenPace } from './even-pace.ts';
import type { Latencies } from './latency.ts';
import { InconclusiveError } from './outcome-errors.ts';
import type { Reply } from './reply.ts';

/** The requests of a soak, and what they left at the service. */
export interface Workload {
  /**
   * The next request to send; undefined where no operation is left that answers.
   *
   * @param share of the planned time that has passed, 0 to 1
   */
  next(share: number): { readonly operation: string; readonly send: () => Promise<Reply> } | undefined;
  /** Sends an operation no more. */
  close(operation: string): void;
  /** Looks for everything that was created, so many at once. */
  verify(
    concurrency: number,
    deadline: AbortSignal,
  ): Promise<Pick<Soak, 'creations' | 'lost' | 'doubled' | 'unverified'>>;
}

export interface SoakOptions {
  readonly milliseconds: number;
  readonly concurrency: number;
  /** Most requests a second, evenly; Infinity for as many as are answered. */
  readonly perSecond: number;
  /** Resolves after that many milliseconds, or when the run ends. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Aborted where the run ends before the soak does. */
  readonly deadline: AbortSignal;
  readonly latencies: Latencies;
  /** Called when the load begins and ends. */
  readonly onLoad: (underWay: boolean) => void;
  /** Called now and then with how long the load has been under way (ms), and what the soak does. */
  readonly onProgress: (elapsedMs: number, text: string) => void;
  readonly remark: (text: string) => void;
}

/** Pause (ms) where an operation is given up for the moment. */
const GIVEN_UP_PAUSE_MS = 200;
const REPORT_EVERY_MS = 500;

/**
 * Keeps a service under steady load, with so many requests under way at all times; every answer is judged on its way.
 * Afterwards everything that was created must be found. Memory is bounded by the budget of creations, not by the time.
 */
export async function soak(workload: Workload, options: SoakOptions): Promise<Soak> {
  const { concurrency, deadline, latencies, milliseconds, onLoad, onProgress, pause, perSecond, remark } = options;
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  const pace = new EvenPace(perSecond, started + milliseconds, pause);
  const givenUp = new Set<string>();
  let isOver = false;
  let unanswered = 0;
  let reportedAt = 0;

  /** A request could not be sent: an operation that was given up may come back; other reasons end the soak. */
  const handle = async (operation: string, { code, message }: InconclusiveError): Promise<void> => {
    if (code === 'gave-up') {
      if (!givenUp.has(operation)) remark(`During the soak, ${message}.`);
      givenUp.add(operation);
      await pause(GIVEN_UP_PAUSE_MS);
    } else if (code === 'budget' || code === 'throttled') workload.close(operation);
    else isOver = true;
  };
  const keepSending = async (): Promise<void> => {
    while (await pace.turn()) {
      if (isOver || deadline.aborted) return;
      const next = workload.next(Math.min(1, elapsed() / milliseconds));
      if (next === undefined) return;
      try {
        if ((await next.send()).status === undefined) unanswered += 1;
      } catch (error) {
        if (!(error instanceof InconclusiveError)) throw error;
        await handle(next.operation, error);
      }
      if (performance.now() - reportedAt < REPORT_EVERY_MS) continue;
      reportedAt = performance.now();
      onProgress(Math.min(elapsed(), milliseconds), 'every answer is judged');
    }
  };

  onLoad(true);
  await Promise.all(Array.from({ length: concurrency }, keepSending));
  onLoad(false);
  const lasted = elapsed();
  const requests = latencies.total;
  onProgress(milliseconds, 'looking for all that was created');
  return {
    milliseconds: Math.round(lasted),
    planned: milliseconds,
    requests,
    unanswered,
    throughput: Math.round((requests / lasted) * 10_000) / 10,
    ...(await workload.verify(concurrency, deadline)),
    latencies: latencies.percentiles(),
  };
}
