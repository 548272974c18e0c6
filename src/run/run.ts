import { SCRIPTS } from '../../suites/course.ts';
import { PARTS } from '../../suites/index.ts';
import type { Checked } from '../check/checked.ts';
import type { Requirement } from '../check/requirement.ts';
import { PHASES } from '../check/stages.ts';
import { Network, Stopped } from '../http/network.ts';
import { isPlainCall, list } from '../reading/call.ts';
import { type Limits, PROFILES } from './budget.ts';
import { Course } from './course.ts';
import { explainCutShort } from './cut-short.ts';
import type { RunEvent } from './events.ts';
import { type Group, groupFindings, inOrder } from './findings.ts';
import { type Narrowed, Narrowing } from './narrowing.ts';
import { networkOptions, type RunOptions, termsOf } from './options.ts';
import type { SentBefore } from './preflight.ts';
import { MEASURED_REQUESTS, PROGRESS_MS, pauseText, tooSlowWarning } from './progress.ts';
import { selection } from './selection.ts';
import { SIMPLIFICATIONS } from './simpler.ts';
import type { Ending } from './state.ts';
import { pause } from './tools.ts';

/** How often, and after which pause (ms), a list is requested that was answered 503. */
const [SLOW_TRIES, SLOW_MS] = [3, 500];

/** A finding, and the simplest request that shows it; undefined if the run ended before that was found. */
export interface Found {
  readonly group: Group;
  readonly narrowed: Narrowed | undefined;
}

/** What a run has found. */
export interface Results {
  /** The exchanges of its stages, without those for evidence. */
  readonly checked: readonly Checked[];
  readonly found: readonly Found[];
  readonly requests: number;
  readonly evidenceRequests: number;
  readonly ended: Ending | undefined;
  /** Plain calls that were answered 503 are served when they are sent one at a time. */
  readonly isServedSlowly: boolean;
}

/** The selected requirements: only their rows are sent, and only they can fail. */
export function requirementsFor(options: Pick<RunOptions, 'only' | 'skip'>): readonly Requirement[] {
  const isSelected = selection(options);
  return PARTS.flatMap(({ requirements }) => requirements.filter(({ id }) => isSelected(id)));
}

/** For requests that are in flight when a run ends: they have no result. */
export function unlessStopped(error: unknown): undefined {
  if (!(error instanceof Stopped)) throw error;
}

/** One run from its first stage to its last request. Sends nothing before `send`, and must be closed. */
export class Run {
  readonly network: Network;
  readonly course: Course;
  readonly #options: RunOptions;
  readonly #limits: Limits;
  readonly #before: SentBefore;
  /** Ends the course; what is in flight is still completed. */
  readonly #stop = new AbortController();
  /** Also cancels requests in flight, and those that wait because of a 429. */
  readonly #cut = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #ticking: NodeJS.Timeout;
  readonly #interrupt = (): void => this.#end(INTERRUPTED);
  #phase = '';
  #isFinished = false;
  /** Why the course ended early; undefined if it did not. */
  #ending: Ending | undefined;

  /** @param limits in place of some of those of the profile */
  constructor(options: RunOptions, before: SentBefore, limits: Partial<Limits> = {}) {
    const { maxCreates, profile, concurrency, seed, signal } = options;
    this.#options = options;
    this.#before = before;
    this.#limits = {
      ...PROFILES[profile],
      ...limits,
      ...(maxCreates !== undefined && { creations: maxCreates }),
    };
    this.network = new Network({
      ...networkOptions(options),
      mostRequests: this.#limits.requests - before.requests,
      signal: this.#cut.signal,
    });
    this.course = new Course({
      requirements: requirementsFor(options),
      course: options.only.length === 0 ? Object.values(SCRIPTS) : [SCRIPTS.recall, SCRIPTS.found, SCRIPTS.growing],
      terms: termsOf(options),
      remembered: options.remembered,
      network: this.network,
      limits: this.#limits,
      connections: concurrency,
      seed,
      isReadOnly: options.readOnly,
      isBoundByUser: maxCreates !== undefined,
      signal: this.#stop.signal,
      onEvent: (event) => {
        options.onEvent(event);
        this.#react(event);
      },
    });
    this.#timer = setTimeout(() => this.#end(OUT_OF_TIME), options.maxTimeMs);
    this.#ticking = setInterval(() => this.#report(), PROGRESS_MS);
    signal.addEventListener('abort', this.#interrupt);
    if (signal.aborted) this.#interrupt();
  }

  /** Ends the course; requests in flight are still completed. What ends it first is the reason. */
  stop(ending: Ending): void {
    this.#ending ??= ending;
    this.#stop.abort();
  }

  /** Checks the preflight, and takes the service through all stages, or until something ends the run. */
  async send(): Promise<void> {
    const { session } = this.course;
    await this.network.lend(async (connection) => session.checkPreflight(this.#before.exchanges, connection));
    await this.course.run().catch(unlessStopped);
    this.#isFinished = true;
  }

  /** Groups what was found, and looks for the simplest request that shows each finding. */
  async find(): Promise<Results> {
    const { session } = this.course;
    const all = [...session.checked];
    const { requests } = this.network.counts;
    this.#begin('Looking for the simplest requests');
    session.budget.openForEvidence();
    this.network.allow(this.#limits.evidence);
    const narrowing = new Narrowing(session, SIMPLIFICATIONS, this.network, (...one) => this.course.sendLike(...one));
    const { causes, cutByAnother, inFlightAtTheEnd } = await explainCutShort(all, async (one) => {
      const shown = await narrowing.sendAgain(one).catch(unlessStopped);
      const isGone = this.network.isOutOfReach || session.lostBecause !== undefined;
      return shown ?? (isGone ? 'service down' : undefined);
    });
    const checked = all.map((one) =>
      cutByAnother.has(one) ? { ...one, violations: [] } : causes.has(one) ? session.checkAsValid(one) : one,
    );
    const found: Found[] = [];
    for (const group of inOrder(groupFindings(checked, inFlightAtTheEnd, this.network.outages)))
      found.push({ group, narrowed: await narrowing.narrow(group).catch(unlessStopped) });
    const isServedSlowly = await this.#isServedSlowly(checked);
    return {
      checked,
      found,
      isServedSlowly,
      requests: this.#before.requests + requests,
      evidenceRequests: this.network.counts.requests - requests,
      ended: this.#ending,
    };
  }

  /** Whether lists that were answered 503 are served when they are sent slowly: something in front may limit the rate. */
  async #isServedSlowly(checked: readonly Checked[]): Promise<boolean> {
    const limited = checked.find(({ exchange }) => isPlainCall(exchange.call) && exchange.outcome.status === 503);
    if (limited === undefined || this.#stop.signal.aborted) return false;
    for (let nth = 0; nth < SLOW_TRIES; nth += 1) {
      await pause(SLOW_MS, this.#stop.signal);
      const shown = await this.network.fresh((one) => this.course.session.send(one, list(), {})).catch(unlessStopped);
      if ((shown?.seen.status ?? 503) >= 300) return false;
    }
    return true;
  }

  /** Whether the time limit ended it. */
  get isOutOfTime(): boolean {
    return this.#ending === OUT_OF_TIME;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    clearInterval(this.#ticking);
    this.#options.signal.removeEventListener('abort', this.#interrupt);
    await this.network.close();
  }

  #react(event: RunEvent): void {
    const { session, rows } = this.course;
    if (event.kind === 'stage') this.#begin(PHASES[event.stage]);
    if (event.kind === 'lost' && !this.#isFinished) this.stop({ reason: event.reason, reasonOf: 'surroundings' });
    if (event.kind !== 'checked') return;
    if (this.#options.failFast && event.checked.violations.length > 0) this.stop(FAILED_FAST);
    if (session.checked.length === MEASURED_REQUESTS)
      this.#report(tooSlowWarning(session.checked, rows.planned, this.#options));
  }

  #begin(phase: string): void {
    this.#phase = phase;
    this.#report();
  }

  #report(news?: string): void {
    const heldBack = pauseText(this.network.heldUp);
    const { done, planned } = this.course.rows;
    const { requests: sent } = this.network.counts;
    this.#options.onEvent({ kind: 'progress', progress: { phase: this.#phase, done, planned, sent, heldBack, news } });
  }

  #end(ending: Ending): void {
    this.stop(ending);
    this.#cut.abort();
  }
}

/** Why requirements were not tested if the user ended the run. */
export const INTERRUPTED: Ending = { reason: 'the run was interrupted', reasonOf: 'user' };
const OUT_OF_TIME: Ending = { reason: 'the time limit (--max-time) was reached', reasonOf: 'surroundings' };
const FAILED_FAST: Ending = { reason: '--fail-fast ended the run at the first violation', reasonOf: 'user' };
