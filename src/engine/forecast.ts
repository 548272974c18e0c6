import type { Profile } from '../report/model/result.ts';
import { count, duration, rate, roughly } from '../report/model/text.ts';
import { type Check, isOneAtATime } from './check.ts';
import { InconclusiveError } from './outcome-errors.ts';
import type { PaceMeter } from './pace-meter.ts';
import { LINGER_MS, type Plan } from './plan.ts';
import { rowsIn } from './request-space.ts';

/** What is known of a check before it runs. */
export type PlannedCheck = Pick<
  Check<never, never, never>,
  'id' | 'requirement' | 'stage' | 'covers' | 'repeats' | 'requests' | 'looksBack'
>;

/** What a row takes with what is asked again, what a check takes beside its rows, and its part of what checks share. */
const REQUESTS_OF_A_ROW = 1.3;
const REQUESTS_OF_A_CHECK = 3;
const MOST_SHARED_OF_A_CHECK = 25;
/** How many responses are awaited in turn: at the start, for each check, and for each request of a check alone. */
const IN_TURN_AT_START = 3;
const IN_TURN_OF_A_CHECK = 0.1;
const IN_TURN_OF_A_REQUEST = 0.4;
/** What the suite itself takes for a request (ms). */
const OWN_MS = 1.5;
/** A forecast of less (ms) is of no interest to a user. */
const WORTH_SAYING_MS = 20_000;
/** The share of the time left that is planned with, and that a wait may take; the rest is for what is asked again. */
const PLANNED_SHARE = 0.7;
const WAITED_SHARE = 0.5;

const NARROWER: Readonly<Record<Profile, readonly Profile[]>> = {
  thorough: ['standard', 'smoke'],
  standard: ['smoke'],
  smoke: [],
};

const isAlone = ({ stage, repeats }: PlannedCheck): boolean => isOneAtATime(stage) && !repeats;

/** How many requests checks send: their rows are known before anything is sent. */
export class Effort {
  readonly #seed: number;
  readonly #shared: number;
  readonly #known = new Map<string, number>();

  /** @param shared requests for what several checks need, in a run of all checks */
  constructor(seed: number, shared: number) {
    this.#seed = seed;
    this.#shared = shared;
  }

  /** Of checks, with those for what they share. */
  of(checks: readonly PlannedCheck[], profile: Profile): number {
    return Math.round(this.own(checks, profile) + Math.min(this.#shared, checks.length * MOST_SHARED_OF_A_CHECK));
  }

  own(checks: readonly PlannedCheck[], profile: Profile): number {
    return checks.reduce((sum, check) => sum + this.#ofOne(check, profile), 0);
  }

  #ofOne({ id, covers, requests }: PlannedCheck, profile: Profile): number {
    const key = `${profile} ${id}`;
    const rows = this.#known.get(key) ?? rowsIn(covers, profile, this.#seed).length;
    this.#known.set(key, rows);
    return REQUESTS_OF_A_CHECK + rows * REQUESTS_OF_A_ROW + (requests[profile] ?? 0);
  }
}

interface Parts {
  readonly effort: Effort;
  readonly plan: Pick<Plan, 'profile' | 'maxTimeMs' | 'lingerMs'> & { readonly timing: NonNullable<Plan['timing']> };
  readonly checks: readonly PlannedCheck[];
  readonly meter: PaceMeter;
  /** How many requests were sent so far, and how many of them for several checks together. */
  readonly sent: () => { readonly all: number; readonly shared: number };
  readonly say: (news: string) => void;
  /** A monotonic clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
}

/** Forecasts how long a run takes, and leaves out what its time does not allow. */
export class Forecast {
  readonly #parts: Parts;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #begun = new Set<string>();
  readonly #leftOut = new Set<string>();
  /** The profile by which checks run from now on. */
  profile: Profile;
  #isPlanned = false;
  #isRateKnown = false;
  /** How much of a wait the time did not allow (ms). */
  #notWaitedMs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    this.#startedAt = this.#now();
    this.profile = parts.plan.profile;
  }

  /** The narrower profile that the run has come to, where it has. */
  get narrowedTo(): Profile | undefined {
    return this.profile === this.#parts.plan.profile ? undefined : this.profile;
  }

  /** A check begins. @throws InconclusiveError where it is left out */
  begin(id: string): void {
    this.#begun.add(id);
    const reason = `${this.#limit} was too short; raise --max-time or --rate-limit`;
    if (this.#leftOut.has(id)) throw new InconclusiveError('left-out', reason);
  }

  /**
   * Leaves out checks that have not begun, until the others fit into the time that is left. What finds least goes
   * first: checks that only repeat what others send; then the width of the request spaces, profile by profile; then
   * further checks of requirements that another check judges; then whole requirements, those that take longest first.
   */
  plan(): void {
    if (!this.#isPlanned) this.#sayAtStart();
    this.#isPlanned = true;
    const [before, leftOutBefore] = [this.profile, this.#leftOut.size];
    this.#leaveOut(this.#remaining().filter(({ repeats }) => repeats));
    for (const narrower of NARROWER[this.profile]) if (!this.#fits()) this.profile = narrower;
    const judging = new Set([...this.#begun, ...this.#remaining().map(({ id }) => id)]);
    this.#leaveOut(this.#remaining().filter(({ id, requirement }) => id !== requirement && judging.has(requirement)));
    this.#leaveOut(this.#remaining());
    const isNews = this.profile !== before || (leftOutBefore === 0 && this.#leftOut.size > 0);
    if (isNews) this.#parts.say(`Narrowed to fit ${this.#limit}: ${this.#narrowed}`);
  }

  /** How much of a wait the time allows (ms). */
  allowedOf(milliseconds: number): number {
    const allowed = Math.min(milliseconds, Math.max(0, this.#leftMs) * WAITED_SHARE);
    this.#notWaitedMs = milliseconds - allowed;
    return allowed;
  }

  /** A response came, which the meter has noted. */
  answered(): void {
    const { meter, say } = this.#parts;
    if (this.#isRateKnown || meter.perSecond() === undefined) return;
    this.#isRateKnown = true;
    const { perSecond } = meter.pace;
    // Checks that have begun may have most of their requests still before them.
    const { left } = this.outlook;
    const milliseconds = (left / perSecond) * 1_000;
    if (milliseconds < WORTH_SAYING_MS) return;
    const what = `${count(left, 'request')} at ${rate(perSecond)} per second`;
    say(`The service limits the rate: about ${roughly(milliseconds)} more (${what})${this.#otherProfiles}`);
  }

  /** How many requests the checks send in all, how many are left, and how long they take (ms), by what is known now. */
  get outlook(): { readonly requests: number; readonly left: number; readonly leftMs: number } {
    const { effort, plan, sent, checks } = this.#parts;
    const kept = checks.filter(({ id }) => !this.#leftOut.has(id));
    const requests = effort.of(kept, this.profile);
    const left = Math.max(0, requests - sent().all);
    const sending = this.#timeOf(left, this.#remaining(), this.profile);
    return { requests, left, leftMs: Math.max(sending, this.#startedAt + waitOf(kept, plan.lingerMs) - this.#now()) };
  }

  /** What was left out, in a sentence; undefined where nothing was. */
  get remark(): string | undefined {
    const ids = this.#leftOut.size === 0 ? '' : ` (${[...this.#leftOut].join(', ')})`;
    return this.#narrowed === '' ? undefined : `Narrowed to fit ${this.#limit}: ${this.#narrowed}${ids}.`;
  }

  get #narrowed(): string {
    const { size } = this.#leftOut;
    const spaces = this.narrowedTo === undefined ? [] : [`request spaces as in --profile ${this.narrowedTo}`];
    const notWaited = this.#notWaitedMs;
    const waits = notWaited === 0 ? [] : [`looked again ${duration(notWaited)} earlier than --linger says`];
    return [...spaces, ...(size === 0 ? [] : [`without ${count(size, 'check')}`]), ...waits].join(', ');
  }

  /** The time limit as the user knows it: an option, or a default. */
  get #limit(): string {
    const { maxTimeMs, isChosen } = this.#parts.plan.timing;
    const seconds = maxTimeMs / 1_000;
    return isChosen ? `--max-time ${seconds}` : `the default time limit of ${seconds} s (--max-time)`;
  }

  get #leftMs(): number {
    return this.#startedAt + this.#parts.plan.maxTimeMs - this.#now();
  }

  #remaining(): readonly PlannedCheck[] {
    return this.#parts.checks.filter(({ id }) => !this.#begun.has(id) && !this.#leftOut.has(id));
  }

  #fits(): boolean {
    const remaining = this.#remaining();
    const requests = Math.max(0, this.#parts.effort.of(remaining, this.profile) - this.#parts.sent().shared);
    return this.#timeOf(requests, remaining, this.profile) <= this.#leftMs * PLANNED_SHARE;
  }

  /** Leaves out as many of these checks as it takes, those first that take longest. */
  #leaveOut(checks: readonly PlannedCheck[]): void {
    if (this.#fits()) return;
    const { effort, meter } = this.#parts;
    const waits = 1 + IN_TURN_OF_A_REQUEST * meter.pace.concurrency;
    const cost = (check: PlannedCheck) => effort.own([check], this.profile) * (isAlone(check) ? waits : 1);
    for (const { id } of checks.toSorted((one, other) => cost(other) - cost(one))) {
      if (!this.#fits()) this.#leftOut.add(id);
    }
  }

  /** How long requests of these checks take (ms): those that wait for one another, and all of them side by side. */
  #timeOf(requests: number, checks: readonly PlannedCheck[], profile: Profile): number {
    const { latencyMs, concurrency, perSecond } = this.#parts.meter.pace;
    const eachMs = latencyMs + OWN_MS;
    const alone = this.#parts.effort.own(checks.filter(isAlone), profile);
    const waiting = IN_TURN_AT_START + checks.length * IN_TURN_OF_A_CHECK + alone * IN_TURN_OF_A_REQUEST;
    const inTurn = Math.min(waiting, requests - requests / concurrency);
    const together = requests * Math.max(eachMs / concurrency, OWN_MS);
    return Math.max(eachMs * inTurn + together, (requests / perSecond) * 1_000);
  }

  #sayAtStart(): void {
    const { plan, meter, say } = this.#parts;
    const { requests, sendingMs, waitingMs } = this.#whole(plan.profile, plan.lingerMs);
    const milliseconds = Math.max(sendingMs, waitingMs);
    if (milliseconds < WORTH_SAYING_MS) return;
    const { latencyMs, perSecond, concurrency } = meter.pace;
    const isRate = 1_000 / perSecond > latencyMs / concurrency;
    const pace = isRate ? ` at ${rate(perSecond)} per second` : ` at ${duration(latencyMs)} per response`;
    const how = waitingMs > sendingMs ? `, and looks again after ${duration(waitingMs)}: --linger` : pace;
    say(`Takes about ${roughly(milliseconds)} (${count(requests, 'request')}${how})${this.#otherProfiles}`);
  }

  /** The profiles that take less time. */
  get #otherProfiles(): string {
    const times = NARROWER[this.profile].map((profile) => {
      const { sendingMs, waitingMs } = this.#whole(profile, Math.min(this.#parts.plan.lingerMs, LINGER_MS[profile]));
      return `--profile ${profile} takes about ${roughly(Math.max(sendingMs, waitingMs))}`;
    });
    return times.length === 0 ? '' : `; ${times.join(', ')}`;
  }

  /** How many requests a run of all checks sends, how long that takes, and until when it waits to look again (ms). */
  #whole(profile: Profile, lingerMs: number) {
    const { effort, checks } = this.#parts;
    const requests = effort.of(checks, profile);
    return { requests, sendingMs: this.#timeOf(requests, checks, profile), waitingMs: waitOf(checks, lingerMs) };
  }
}

/** How long checks wait until what was added first is old enough to look at it again (ms). */
const waitOf = (checks: readonly PlannedCheck[], lingerMs: number): number =>
  checks.some(({ stage, looksBack }) => stage === 'aged' && looksBack) ? lingerMs : 0;
