import type { Client } from '../http/client.ts';
import type { RateLimit } from '../http/options.ts';
import type { HeldBack, RunPhase, RunProgress } from '../report/model/progress.ts';
import { RecentPace } from './recent-pace.ts';
import type { RunTime } from './run-time.ts';

/** What a check does beside sending its requests. */
export type Activity = 'shrinking' | 'asking again';

export interface ProgressTellerParts {
  readonly onProgress: ((progress: RunProgress) => void) | undefined;
  /** How many checks there are. */
  readonly total: number;
  readonly client: Pick<Client, 'requests' | 'slowedDown' | 'heldUp'>;
  readonly rateLimit: RateLimit;
  readonly soakMs: number | undefined;
  /** What forecasts how long the run takes; undefined where nothing is known of that. */
  readonly time: () => Pick<RunTime, 'outlook'> | undefined;
}

/** Progress is told this often (ms), and at once where a check begins or ends. */
const TOLD_EVERY_MS = 250;

/** Tells how far a run is, what it does and what holds it back. */
export class ProgressTeller {
  readonly #parts: ProgressTellerParts;
  readonly #pace = new RecentPace();
  /** By running check, how often it is at what. */
  readonly #running = new Map<string, Activity[]>();
  readonly #timer: NodeJS.Timeout | undefined;
  #phase: RunPhase = 'found';
  #done = 0;
  #soak: { readonly elapsedMs: number; readonly text: string } | undefined;

  constructor(parts: ProgressTellerParts) {
    this.#parts = parts;
    // Where the service asks for a pause, nothing else happens.
    if (parts.onProgress !== undefined) this.#timer = setInterval(() => this.tell(), TOLD_EVERY_MS).unref();
  }

  /** A phase of the run begins. */
  enter(phase: RunPhase): void {
    this.#phase = phase;
  }

  /** An answer came that was not refused. */
  answered(): void {
    this.#pace.note(performance.now());
  }

  begin(checkId: string): void {
    this.#running.set(checkId, []);
    this.tell();
  }

  end(checkId: string): void {
    this.#running.delete(checkId);
    this.#done += 1;
    this.tell();
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

  /** How long the soak has been under way (ms), and what it does. */
  soaks(elapsedMs: number, text: string): void {
    this.#phase = 'soak';
    this.#soak = { elapsedMs, text };
    this.tell();
  }

  tell(news?: string): void {
    const { onProgress, total, client } = this.#parts;
    onProgress?.({
      phase: this.#phase,
      done: this.#done,
      total: Math.max(total, this.#done + this.#running.size),
      requests: client.requests,
      running: this.#soak === undefined ? this.#names() : [this.#soak.text],
      ...this.#outlook(),
      ...(news === undefined ? {} : { news }),
    });
  }

  /** Nothing is told any more. */
  close(): void {
    clearInterval(this.#timer);
  }

  /** The running checks, those first that do something special. */
  #names(): readonly string[] {
    const all = [...this.#running].map(([id, activities]) => ({ id, activity: activities.at(-1) }));
    const [special, others] = [true, false].map((is) => all.filter(({ activity }) => (activity !== undefined) === is));
    return [...(special ?? []).map(({ id, activity }) => `${id} (${activity})`), ...(others ?? []).map(({ id }) => id)];
  }

  #outlook(): Pick<RunProgress, 'share' | 'leftMs' | 'heldBack'> {
    const { soakMs = 0, time } = this.#parts;
    const heldBack = this.#heldBack();
    if (this.#soak !== undefined) {
      const { elapsedMs } = this.#soak;
      return { share: elapsedMs / soakMs, leftMs: Math.max(0, soakMs - elapsedMs), heldBack };
    }
    const outlook = time()?.outlook;
    if (outlook === undefined) return { heldBack };
    const { requests, left, leftMs } = outlook;
    return {
      // What is asked again was not foreseen: there is something left as long as the run has not ended.
      share: requests === 0 ? undefined : Math.min(0.99, 1 - left / requests),
      leftMs: heldBack === undefined ? leftMs + soakMs : atPace(left, heldBack, soakMs),
      heldBack,
    };
  }

  #heldBack(): HeldBack | undefined {
    const { client, rateLimit } = this.#parts;
    const now = performance.now();
    const { milliseconds: pauseMs = 0, of: [what, another] = [] } = client.heldUp ?? {};
    const pause = { pauseMs, ...(what === undefined || another !== undefined ? {} : { what }) };
    if (this.#pace.isRefused(client.slowedDown, now)) {
      return { by: 'service', perSecond: this.#pace.perSecond(now), ...pause };
    }
    // Where only wrong keys are refused, or some requests at any rate, that is felt while nothing else is left to send.
    if (pauseMs > 0 && rateLimit.kind !== 'fixed') return { by: 'service', perSecond: undefined, ...pause };
    return rateLimit.kind === 'fixed' ? { by: 'user', perSecond: rateLimit.perSecond, pauseMs: 0 } : undefined;
  }
}

/** How long so many requests take, and then the soak (ms); undefined where the pace is not known yet. */
function atPace(requests: number, { perSecond }: HeldBack, soakMs: number): number | undefined {
  return perSecond === undefined ? undefined : (requests / perSecond) * 1_000 + soakMs;
}
