import type { Profile } from '../report/model/result.ts';
import { count, duration, rate, roughly } from '../report/model/text.ts';
import {
  type Effort,
  type Fit,
  fitInto,
  forecast,
  narrowerThan,
  type PaceMeter,
  type PlannedCheck,
  requestsOf,
  timeOf,
  waitOf,
} from './effort.ts';
import { InconclusiveError } from './outcome-errors.ts';
import { LINGER_MS, type Plan } from './plan.ts';

/** A run that takes longer than this (ms) is told beforehand. */
const WORTH_TELLING_MS = 20_000;
/** A forecast is told again where it has changed by this factor. */
const CHANGED = 2;
/** Of the time that is left, so much is planned with; the rest is for what is asked again, and for waits. */
const PLANNED_SHARE = 0.7;
const LAST_SHARE = 0.05;
/** A wait takes at most so much of it. */
const WAITED_SHARE = 0.5;

interface Parts {
  readonly effort: Effort;
  readonly plan: Plan & { readonly timing: NonNullable<Plan['timing']> };
  readonly checks: readonly PlannedCheck[];
  readonly meter: PaceMeter;
  /** Requests that were sent for several checks together, so far. */
  readonly sharedSent: () => number;
  /** All requests that were sent so far. */
  readonly sent: () => number;
  readonly tell: (news: string) => void;
  /** A monotonic clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
}

/** Forecasts how long a run takes, and leaves out what its time does not allow. */
export class RunTime {
  readonly #parts: Parts;
  readonly #checks: readonly PlannedCheck[];
  readonly #meter: PaceMeter;
  readonly #now: () => number;
  readonly #endsAt: number;
  readonly #begun = new Set<string>();
  readonly #leftOut = new Set<string>();
  #profile: Profile;
  #toldMs: number | undefined;
  #isPlanned = false;
  #isRateKnown = false;
  /** How much of a wait the time did not allow (ms). */
  #notWaitedMs = 0;

  constructor(parts: Parts) {
    const { plan, checks, now = () => performance.now() } = parts;
    this.#parts = parts;
    this.#now = now;
    this.#checks = checks;
    this.#profile = plan.profile;
    this.#endsAt = this.#now() + plan.maxTimeMs;
    this.#meter = parts.meter;
  }

  /** The profile by which checks run from now on. */
  get profile(): Profile {
    return this.#profile;
  }

  /** The narrower profile that it has come to, where it has. */
  get narrowedTo(): Profile | undefined {
    return this.#profile === this.#parts.plan.profile ? undefined : this.#profile;
  }

  /** An answer came, which the meter has noted. */
  answered(): void {
    if (this.#isRateKnown || this.#meter.foundPerSecond() === undefined) return;
    this.#isRateKnown = true;
    this.#tellOfRate();
  }

  /** A check begins. @throws InconclusiveError where it is left out */
  begin(id: string): void {
    this.#begun.add(id);
    if (this.#leftOut.has(id)) throw new InconclusiveError('left-out', this.#reason);
  }

  /** Plans the checks that have not begun by what is known now; nothing that was left out comes back. */
  plan(): void {
    const { effort, plan, sharedSent } = this.#parts;
    const leftMs = this.#endsAt - this.#now();
    if (!this.#isPlanned) this.#tellAtStart();
    this.#isPlanned = true;
    // Where hardly any time is left, it was not the number of requests that took it.
    if (leftMs < plan.maxTimeMs * LAST_SHARE) return;
    const fit = fitInto({
      limitMs: leftMs * PLANNED_SHARE,
      effort,
      checks: this.#remaining(),
      begun: this.#begun,
      profile: this.#profile,
      pace: this.#meter.pace,
      sharedSent: sharedSent(),
    });
    this.#adopt(fit);
  }

  /** So much of a wait as the time allows (ms). */
  allowedOf(milliseconds: number): number {
    const most = Math.max(0, this.#endsAt - this.#now()) * WAITED_SHARE;
    this.#notWaitedMs = Math.max(0, milliseconds - most);
    return Math.min(milliseconds, most);
  }

  /** What was left out, in a sentence; undefined where nothing was. */
  get remark(): string | undefined {
    const ids = this.#leftOut.size === 0 ? '' : ` (${[...this.#leftOut].join(', ')})`;
    const what = this.#narrowed;
    return what === '' ? undefined : `Narrowed to fit ${this.#limit}: ${what}${ids}.`;
  }

  get #narrowed(): string {
    const { size } = this.#leftOut;
    const spaces = this.narrowedTo === undefined ? [] : [`request spaces as in --profile ${this.narrowedTo}`];
    const notWaited = this.#notWaitedMs;
    const waits = notWaited === 0 ? [] : [`looked again ${duration(notWaited)} earlier than --linger says`];
    return [...spaces, ...(size === 0 ? [] : [`without ${count(size, 'check')}`]), ...waits].join(', ');
  }

  /** How many requests the checks send in all, how many are left, and how long they take (ms), by what is known now. */
  get outlook(): { readonly requests: number; readonly left: number; readonly leftMs: number } {
    const { effort, plan, sent } = this.#parts;
    const checks = this.#checks.filter(({ id }) => !this.#leftOut.has(id));
    const requests = requestsOf(effort, checks, this.#profile);
    const left = Math.max(0, requests - sent());
    const sending = timeOf(left, effort, this.#remaining(), this.#profile, this.#meter.pace);
    const waiting = this.#endsAt - plan.maxTimeMs + waitOf(checks, plan.lingerMs) - this.#now();
    return { requests, left, leftMs: Math.max(sending, waiting) };
  }

  #adopt({ profile, leftOut }: Fit): void {
    const isNews = profile !== this.#profile || (this.#leftOut.size === 0 && leftOut.size > 0);
    this.#profile = profile;
    for (const id of leftOut) this.#leftOut.add(id);
    if (isNews) this.#parts.tell(`Narrowed to fit ${this.#limit}: ${this.#narrowed}`);
  }

  #remaining(): readonly PlannedCheck[] {
    return this.#checks.filter(({ id }) => !this.#begun.has(id) && !this.#leftOut.has(id));
  }

  /** The time limit as the user knows it: an option that he has set, or a default. */
  get #limit(): string {
    const seconds = this.#parts.plan.timing.maxTimeMs / 1_000;
    return this.#parts.plan.timing.isChosen
      ? `--max-time ${seconds}`
      : `the default time limit of ${seconds} s (--max-time)`;
  }

  get #reason(): string {
    return `${this.#limit} was too short; raise --max-time or --rate-limit`;
  }

  #tellAtStart(): void {
    const { effort, plan } = this.#parts;
    const { pace } = this.#meter;
    const { requests, milliseconds } = forecast(effort, this.#checks, plan.profile, pace, plan.lingerMs);
    if (milliseconds < WORTH_TELLING_MS) return;
    this.#toldMs = milliseconds;
    const isWait = forecast(effort, this.#checks, plan.profile, pace, 0).milliseconds < milliseconds;
    const byPace =
      requests / pace.perSecond > (pace.latencyMs * requests) / pace.concurrency / 1_000
        ? `at ${rate(pace.perSecond)} per second`
        : `at ${duration(pace.latencyMs)} per response`;
    const how = isWait ? `, and looks again after ${duration(plan.lingerMs)}: --linger` : ` ${byPace}`;
    this.#parts.tell(`Takes about ${roughly(milliseconds)} (${count(requests, 'request')}${how})${this.#others()}`);
  }

  #tellOfRate(): void {
    const { effort, sent } = this.#parts;
    const { pace } = this.#meter;
    // Checks that have begun may have most of their requests still before them.
    const checks = this.#checks.filter(({ id }) => !this.#leftOut.has(id));
    const requests = Math.max(0, requestsOf(effort, checks, this.#profile) - sent());
    const milliseconds = (requests / pace.perSecond) * 1_000;
    const isKnown = this.#toldMs !== undefined && milliseconds < this.#toldMs * CHANGED;
    if (milliseconds < WORTH_TELLING_MS || isKnown) return;
    this.#toldMs = milliseconds;
    const what = `${count(requests, 'request')} at ${rate(pace.perSecond)} per second`;
    this.#parts.tell(`The service limits the rate: about ${roughly(milliseconds)} more (${what})${this.#others()}`);
  }

  /** The profiles that take less time. */
  #others(): string {
    const { effort, plan } = this.#parts;
    const times = narrowerThan(this.#profile).map((profile) => {
      const lingerMs = Math.min(plan.lingerMs, LINGER_MS[profile]);
      const { milliseconds } = forecast(effort, this.#checks, profile, this.#meter.pace, lingerMs);
      return `--profile ${profile} takes about ${roughly(milliseconds)}`;
    });
    return times.length === 0 ? '' : `; ${times.join(', ')}`;
  }
}
