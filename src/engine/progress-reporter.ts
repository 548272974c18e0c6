import type { Client } from '../http/client.ts';
import type { RateLimit } from '../http/options.ts';
import type { HeldBack, RunPhase, RunProgress } from '../report/model/progress.ts';
import { PHASE_OF, type Stage } from './check.ts';
import type { Forecast } from './forecast.ts';
import type { PaceMeter } from './pace-meter.ts';

/** What a check does beside sending its requests. */
export type Activity = 'shrinking' | 'asking again';

export interface ProgressReporterParts {
  readonly onProgress: ((progress: RunProgress) => void) | undefined;
  /** How many checks there are. */
  readonly total: number;
  readonly client: Pick<Client, 'requests' | 'slowedDown' | 'heldUp'>;
  readonly rateLimit: RateLimit;
  readonly meter: PaceMeter;
  /** What forecasts how long the run takes; undefined where nothing is known of that. */
  readonly forecast: () => Pick<Forecast, 'outlook'> | undefined;
}

/** How often progress is reported (ms); it is also reported when a stage begins. */
const REPORT_EVERY_MS = 250;
/** How long after a refusal the service still counts as asking for a slower pace (ms). */
const REMEMBERED_MS = 15_000;
/** How many answers since its first refusal show at which pace it answers. */
const FEWEST_ANSWERS = 5;

/** Reports how far a run is, what it does and what holds it back. */
export class ProgressReporter {
  readonly #parts: ProgressReporterParts;
  /** By running check, how often it is at what. */
  readonly #running = new Map<string, Activity[]>();
  readonly #timer: NodeJS.Timeout | undefined;
  #phase: RunPhase = 'found';
  #reportedPhase: RunPhase | undefined;
  #done = 0;
  #refusals = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ProgressReporterParts) {
    this.#parts = parts;
    // Where the service asks for a pause, nothing else happens.
    if (parts.onProgress !== undefined) this.#timer = setInterval(() => this.report(), REPORT_EVERY_MS).unref();
  }

  /** A stage of the run begins. */
  enter(stage: Stage): void {
    this.#phase = PHASE_OF[stage];
  }

  begin(checkId: string): void {
    this.#running.set(checkId, []);
    if (this.#phase !== this.#reportedPhase) this.report();
  }

  end(checkId: string): void {
    this.#running.delete(checkId);
    this.#done += 1;
  }

  /** Says what a check is at, until the work ends. */
  async during<T>(checkId: string, activity: Activity, work: Promise<T>): Promise<T> {
    const activities = this.#running.get(checkId);
    activities?.push(activity);
    try {
      return await work;
    } finally {
      activities?.splice(activities.indexOf(activity), 1);
    }
  }

  report(news?: string): void {
    const { onProgress, total, client } = this.#parts;
    this.#reportedPhase = this.#phase;
    onProgress?.({
      phase: this.#phase,
      done: this.#done,
      total: Math.max(total, this.#done + this.#running.size),
      requests: client.requests,
      running: this.#names(),
      ...this.#outlook(),
      ...(news === undefined ? {} : { news }),
    });
  }

  /** Reports the end, and nothing after it. */
  close(): void {
    clearInterval(this.#timer);
    this.report();
  }

  /** The running checks, those first that do something special. */
  #names(): readonly string[] {
    const all = [...this.#running].map(([id, activities]) => ({ id, activity: activities.at(-1) }));
    const [special, others] = [true, false].map((is) => all.filter(({ activity }) => (activity !== undefined) === is));
    return [...(special ?? []).map(({ id, activity }) => `${id} (${activity})`), ...(others ?? []).map(({ id }) => id)];
  }

  #outlook(): Pick<RunProgress, 'share' | 'leftMs' | 'heldBack'> {
    const heldBack = this.#heldBack();
    const outlook = this.#parts.forecast()?.outlook;
    if (outlook === undefined) return { heldBack };
    const { requests, left, leftMs } = outlook;
    return {
      // What is asked again was not foreseen: there is something left as long as the run has not ended.
      share: requests === 0 ? undefined : Math.min(0.99, 1 - left / requests),
      leftMs: heldBack === undefined ? leftMs : atPace(left, heldBack),
      heldBack,
    };
  }

  #heldBack(): HeldBack | undefined {
    const { client, meter, rateLimit } = this.#parts;
    const now = performance.now();
    const { milliseconds: pauseMs = 0, of: [what, another] = [] } = client.heldUp ?? {};
    const pause = { pauseMs, ...(what === undefined || another !== undefined ? {} : { what }) };
    if (client.slowedDown > this.#refusals) this.#refusedAt = now;
    this.#refusals = client.slowedDown;
    if (now - this.#refusedAt < REMEMBERED_MS) {
      return { by: 'service', perSecond: meter.perSecond(FEWEST_ANSWERS), ...pause };
    }
    // Where only wrong keys are refused, or some requests at any rate, that is felt while nothing else is left to send.
    if (pauseMs > 0 && rateLimit.kind !== 'fixed') return { by: 'service', perSecond: undefined, ...pause };
    return rateLimit.kind === 'fixed' ? { by: 'user', perSecond: rateLimit.perSecond, pauseMs: 0 } : undefined;
  }
}

/** How long requests take (ms); undefined where the pace is not known yet. */
function atPace(requests: number, { perSecond }: HeldBack): number | undefined {
  return perSecond === undefined ? undefined : (requests / perSecond) * 1_000;
}
