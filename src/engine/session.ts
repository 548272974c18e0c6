import type { Contract } from '../contract/contract.ts';
import { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { pastDeadline } from '../http/not-sent.ts';
import type { Cause } from '../report/model/result.ts';
import { duration } from '../report/model/text.ts';
import { Access } from './access.ts';
import { CreationBudget, RequestBudget } from './budgets.ts';
import { resultCauses } from './causes/result-causes.ts';
import { type Check, isOneAtATime, type Stage } from './check.ts';
import { CheckClient, type CheckClientParts, notSent } from './check-client.ts';
import { createTools, Observations } from './check-tools.ts';
import { Coverage } from './coverage.ts';
import type { CreationLedger } from './creation-ledger.ts';
import { EveryAnswer, type RunState } from './every-answer.ts';
import { FailFast } from './fail-fast.ts';
import { Effort, Forecast } from './forecast.ts';
import { History } from './history.ts';
import { Narrowing } from './narrowing.ts';
import { outcomeOf } from './outcome.ts';
import { InconclusiveError } from './outcome-errors.ts';
import { PaceMeter } from './pace-meter.ts';
import { type JudgedCheck, type Plan, type Progress, stopReasonIn, type Telemetry } from './plan.ts';
import { ProgressReporter } from './progress-reporter.ts';
import { Proofs } from './proof.ts';
import type { Reply } from './reply.ts';
import { Samples } from './samples.ts';
import { plannedChecks } from './selection.ts';
import type { OwnPart, ServiceDefinition, ServiceRun } from './service.ts';
import { Answers, Latencies, lockoutRemark, Traffic } from './telemetry.ts';
import { settle } from './unsettled.ts';
import type { Violation } from './violation.ts';

export interface SessionOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** When aborted, with a StopReason, nothing more is sent: whatever has not ended is inconclusive. */
  readonly stop?: AbortSignal;
  /** Where every creation is noted. */
  readonly ledger?: CreationLedger;
}

/** A wait that is longer than this (ms) is announced. */
const WORTH_REPORTING_MS = 2_000;

/** How the part of a run that belongs to one check ended. */
interface Exercised {
  readonly error: unknown;
  readonly client: Pick<
    CheckClient<Reply, RunState<Reply>>,
    'requirement' | 'requests' | 'creations' | 'lockedOut' | 'expectations'
  >;
  readonly observations: Observations;
  readonly milliseconds: number;
}

/**
 * One run of the checks against one target: stage by stage the checks are exercised, and at the end concluded. Its
 * owner decides the order, and closes it.
 */
export class Session<R extends Reply, S extends RunState<R>, V> {
  readonly checks: readonly Check<R, S, V>[];
  readonly #service: ServiceDefinition<R, S, V>;
  readonly #plan: Plan;
  readonly #options: SessionOptions;
  readonly #parts: CheckClientParts<R, S>;
  readonly #history = new History<R>();
  readonly #ownClient: CheckClient<R, S>;
  readonly #run: ServiceRun<R, S, V>;
  readonly #deadline = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #latencies: Latencies;
  readonly #answers: Answers;
  readonly #coverage: Coverage;
  readonly #exercised = new Map<string, Exercised>();
  readonly #failed = new Set<string>();
  /** By requirement, those that could not be judged because of it. */
  readonly #blocked = new Map<string, string[]>();
  readonly #traffic: Traffic;
  readonly #meter: PaceMeter;
  readonly #forecast: Forecast | undefined;
  readonly #failFast: FailFast | undefined;
  readonly #progress: ProgressReporter;
  /** Resolves when the last check that was to begin has begun. */
  #begun: Promise<void> = Promise.resolve();

  /** @param library where the checks that the plan names are found */
  constructor(
    service: ServiceDefinition<R, S, V>,
    library: readonly Check<R, S, V>[],
    plan: Plan,
    contract: Contract,
    options: SessionOptions = {},
  ) {
    this.#service = service;
    this.#plan = plan;
    this.#options = options;
    this.checks = plannedChecks(plan, library);
    this.#timer = setTimeout(() => this.#deadline.abort('out-of-time'), plan.maxTimeMs);
    options.stop?.addEventListener('abort', this.#obey, { once: true });
    if (options.stop?.aborted === true) this.#obey();
    const { signal: deadline } = this.#deadline;
    const endsAt = performance.now() + plan.maxTimeMs;
    const client = new Client({
      ...plan,
      variablePrefix: service.headerVariablePrefix,
      deadline,
      endsAt,
      // 0 where none was measured.
      latencyMs: plan.timing?.latencyMs || undefined,
    });
    const state = service.createState(plan);
    const history = this.#history;
    const proofs = new Proofs<R, S>(service, contract, history, () => service.createState(plan));
    const failFast = plan.failFast ? this.#createFailFast(proofs) : undefined;
    this.#failFast = failFast;
    const everyAnswer = new EveryAnswer<R, S>(this.checks, state, {
      history,
      onViolation: failFast?.note.bind(failFast),
    });
    const budget = new CreationBudget(plan.maxCreates, plan.isMaxCreatesChosen);
    const onViolation = failFast && ((id: string, violation: Violation) => failFast.note(id, violation, id));
    const requestBudget = new RequestBudget(plan.maxRequests);
    const narrowing = new Narrowing<R>((call) => service.partsOf?.(call, plan.token) ?? []);
    const probes = [service.preflight.first(plan.token), ...service.preflight.reads(plan.token)];
    const access = new Access(client, probes, (reason) => this.#deadline.abort(reason));
    const shared = { access, client, contract, service, everyAnswer, narrowing, proofs, budget, requestBudget };
    const { concurrency, rateLimit, timing } = plan;
    const perSecond = rateLimit.kind === 'fixed' ? rateLimit.perSecond : Number.POSITIVE_INFINITY;
    this.#meter = new PaceMeter({ latencyMs: timing?.latencyMs ?? 0, perSecond, concurrency });
    this.#progress = new ProgressReporter({
      onProgress: options.onProgress,
      total: this.checks.filter(({ exercise }) => exercise !== undefined).length,
      client,
      rateLimit,
      meter: this.#meter,
      forecast: () => this.#forecast,
    });
    this.#parts = { ...shared, readOnly: plan.readOnly, onViolation, progress: this.#progress };
    this.#ownClient = new CheckClient(this.#parts, '', failFast?.over);
    this.#run = service.open({ plan, state, client: this.#ownClient, untilOld: this.#untilOld });
    this.#latencies = new Latencies(contract.operations);
    this.#answers = new Answers(contract.operations);
    this.#coverage = new Coverage();
    this.#traffic = new Traffic(client.address);
    client.onExchange = this.#note;
    if (service.sharedRequests === undefined || timing === undefined || plan.replay !== undefined) return;
    this.#forecast = new Forecast({
      effort: new Effort(plan.seed, service.sharedRequests),
      plan: { ...plan, timing },
      checks: this.checks.filter(({ exercise }) => exercise !== undefined),
      meter: this.#meter,
      sent: () => ({ all: client.requests - client.throttled, shared: this.#ownClient.requests }),
      say: (news) => this.#progress.report(news),
    });
  }

  #createFailFast(proofs: Proofs<R, S>): FailFast {
    const { expectedViolations = [] } = this.#plan;
    const find = (checkId: string) => this.checks.find(({ id }) => id === checkId);
    return new FailFast({
      deadline: this.#deadline,
      counts: (checkId, violation) => {
        const check = find(checkId);
        const isExpected = check === undefined || expectedViolations.includes(checkId);
        return !isExpected && proofs.faultOf(violation, check.everyAnswer) === undefined;
      },
      onFirst: (checkId) => {
        const what = find(checkId)?.requirement;
        this.#progress.report(`${what} is violated, so the run ends here (--fail-fast)`);
      },
    });
  }

  readonly #obey = (): void => this.#deadline.abort(this.#options.stop?.reason);

  readonly #untilOld = async (addedAt: number, ageMs: number): Promise<void> => {
    const left = addedAt + ageMs - performance.now();
    if (left <= 0) return;
    const allowed = this.#forecast?.allowedOf(left) ?? left;
    if (allowed > WORTH_REPORTING_MS) {
      const age = duration(ageMs - left + allowed);
      this.#progress.report(`Waits until what was added first is ${age} old, to look at it again (--linger)`);
    }
    const ends = [this.#deadline.signal, this.#failFast?.over ?? []].flat();
    await this.#parts.client.pause(allowed, AbortSignal.any(ends));
  };

  readonly #note = (exchange: Exchange): void => {
    this.#options.ledger?.record(exchange);
    this.#latencies.add(exchange);
    this.#answers.add(exchange);
    if (exchange.answer.kind === 'response') {
      this.#meter.note(exchange.answer.milliseconds, performance.now(), this.#parts.client.slowedDown);
      this.#forecast?.answered();
    }
    if (this.#plan.recordTraffic) this.#traffic.record(exchange);
  };

  /** How many entries the service holds before anything is added; undefined where no answer shows all of them. */
  async size(): Promise<number | undefined> {
    await this.#run.look?.();
    return this.#parts.everyAnswer.state.sizeAtStart;
  }

  /** Prepares what the checks of a stage need. */
  async prepare(stage: Stage): Promise<void> {
    if (this.#failFast?.over.aborted === true) return;
    this.#progress.enter(stage);
    if (stage === 'aged' && this.#plan.replay === undefined) await this.#settle();
    this.#forecast?.plan();
    const isUsed = this.checks.some((check) => check.stage === stage);
    if (!isUsed && stage !== 'initial' && stage !== 'first entries') return;
    const prepared = this.#run.prepare(stage);
    await (this.#failFast?.settle(prepared) ?? prepared);
  }

  /** Where something comes and goes, finds out which requests are answered wrongly each time. */
  async #settle(): Promise<void> {
    const { everyAnswer, client } = this.#parts;
    try {
      for (const { id } of this.checks) {
        const tally = everyAnswer.tally(id);
        const { unsettled } = tally;
        if (unsettled === undefined) continue;
        const isRight = async (exchange: Exchange): Promise<boolean> => {
          const before = tally.violated;
          const entry = this.#history.entry(exchange);
          if (entry !== undefined) await this.#ownClient.send(entry.reply.call);
          return tally.violated === before;
        };
        await settle(unsettled, isRight, (milliseconds) => client.pause(milliseconds, this.#deadline.signal));
      }
    } catch (error) {
      // What can no longer be sent stays unsettled.
      if (!(error instanceof InconclusiveError)) throw error;
    }
  }

  /**
   * Runs the check's own part, or another in its place. Never rejects: what ended it early is returned, and counts in
   * `conclude`.
   */
  exercise(check: Check<R, S, V>, instead?: OwnPart<R, S>): Promise<unknown> {
    const begin = (end?: AbortSignal): Promise<unknown> => this.#exercise(check, instead, end);
    return this.#failFast?.exercise(check.id, begin) ?? begin();
  }

  async #exercise(
    check: Check<R, S, V>,
    instead: OwnPart<R, S> | undefined,
    end: AbortSignal | undefined,
  ): Promise<unknown> {
    const { strict, seed, replay } = this.#plan;
    if (isOneAtATime(check.stage)) this.#forecast?.plan();
    const profile = this.#forecast?.profile ?? this.#plan.profile;
    const client = new CheckClient(this.#parts, check.id, end);
    const observations = new Observations();
    const samples = new Samples({
      checkId: check.id,
      covers: check.covers,
      seed,
      coverage: this.#coverage,
      profile,
      replay: replay?.kind === 'sample' ? replay.place : undefined,
      requests: () => client.requests,
      whileShrinking: (work) => this.#progress.during(check.id, 'shrinking', work),
    });
    const { state } = this.#parts.everyAnswer;
    const tools = createTools({ checkId: check.id, client, state, profile, strict }, samples, observations);
    await this.#waitForTurn();
    const started = performance.now();
    let error: unknown;
    const isCounted = check.exercise !== undefined || instead !== undefined;
    if (isCounted) this.#progress.begin(check.id);
    try {
      const cutShort = this.#cutShort();
      if (cutShort !== undefined) throw cutShort;
      this.#forecast?.begin(check.id);
      if (instead === undefined) await check.exercise?.(this.#run.vocabulary(tools));
      else await instead(this.#given(client));
      if (this.#failFast?.over.aborted !== true) await client.lookIntoCleared();
    } catch (thrown) {
      error = thrown;
    }
    this.#exercised.set(check.id, { error, client, observations, milliseconds: performance.now() - started });
    if (isCounted) this.#progress.end(check.id);
    return error;
  }

  /** One check begins after the other: what the first ones send is on its way while the next ones draw their samples. */
  #waitForTurn(): Promise<void> {
    this.#begun = this.#begun.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#begun;
  }

  #given(client: CheckClient<R, S>): Parameters<OwnPart<R, S>>[0] {
    const run = this.#run;
    return {
      client,
      send: (call) => run.send?.(client, call) ?? client.send(call),
      grow: async (count) => run.grow?.(this.#ownClient, count),
    };
  }

  /** Why nothing new begins, where that is so. */
  #cutShort(): InconclusiveError | undefined {
    const ended = [this.#deadline.signal, this.#failFast?.over].find((signal) => signal?.aborted);
    return ended && notSent(pastDeadline(ended));
  }

  /** Concludes a check: its own part, and what its rule found in every answer of the run so far. */
  conclude(check: Check<R, S, V>): JudgedCheck {
    const { error, client, observations, milliseconds = 0 }: Partial<Exercised> = this.#exercised.get(check.id) ?? {};
    const { everyAnswer, proofs } = this.#parts;
    const { outcome, replay } = outcomeOf({
      checkId: check.id,
      error,
      hasExercise: check.exercise !== undefined,
      hasRule: check.everyAnswer !== undefined,
      expectations: client?.expectations ?? { judged: 0, irrelevant: 0 },
      proofFault: (violation) => proofs.faultOf(violation, check.everyAnswer),
      everyAnswer,
      cutShort: this.#cutShort(),
      address: this.#parts.client.address,
      recorder: {
        history: this.#history,
        format: this.#service.replay,
        sourceOf: (call) => everyAnswer.state.sourceOf?.(call),
        sizeAtStart: everyAnswer.state.sizeAtStart,
      },
    });
    if (outcome.kind === 'failed') this.#failed.add(check.id);
    if (outcome.kind === 'inconclusive' && outcome.see !== undefined) {
      this.#blocked.set(outcome.see, [...(this.#blocked.get(outcome.see) ?? []), check.requirement]);
    }
    return {
      replay,
      creations: client?.creations ?? 0,
      result: {
        id: check.id,
        requirement: check.requirement,
        title: check.title,
        outcome,
        observations: observations?.of(check.requirement) ?? [],
        ...(check.everyAnswer === undefined ? {} : { judged: everyAnswer.tally(check.id).judged }),
        requests: client?.requests ?? 0,
        milliseconds: Math.round(milliseconds),
      },
    };
  }

  /** Why the checks failed that were concluded. */
  #causes(): readonly Cause[] {
    const { everyAnswer, client } = this.#parts;
    const failed = this.checks.filter(({ id }) => this.#failed.has(id));
    const parts = { service: this.#service, history: this.#history, address: client.address };
    return resultCauses(failed, (id) => everyAnswer.tally(id), this.#blocked, parts);
  }

  /** What the run counted so far. */
  telemetry(): Telemetry {
    const { client, budget } = this.#parts;
    const { signal } = this.#deadline;
    const ended = this.checks.find(({ id }) => id === this.#failFast?.first);
    return {
      requests: client.requests,
      creations: budget.created,
      throttled: client.throttled,
      latencies: this.#latencies.percentiles(),
      // A replay sends one sample of a space, which says nothing of how far that was covered.
      ...(this.#plan.replay === undefined ? { answers: this.#answers.counts } : {}),
      coverage: this.#plan.replay === undefined ? this.#coverage.figures() : [],
      traffic: this.#traffic.exchanges,
      stopped: signal.aborted ? (stopReasonIn(signal.reason) ?? 'out-of-time') : undefined,
      ...(ended === undefined ? {} : { firstViolation: { check: ended.id, requirement: ended.requirement } }),
      causes: this.#causes(),
      remembered: this.#run.remembers?.() ?? [],
      shared: { requests: this.#ownClient.requests, creations: this.#ownClient.creations },
      narrowedTo: this.#forecast?.narrowedTo,
      remarks: [
        this.#forecast?.remark ?? [],
        lockoutRemark([...this.#exercised.values()].map(({ client }) => client)),
        this.#traffic.remarks,
        this.#options.ledger?.fault ?? [],
      ].flat(),
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#progress.close();
    this.#options.stop?.removeEventListener('abort', this.#obey);
    await this.#parts.client.close();
  }
}
