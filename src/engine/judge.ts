import { setMaxListeners } from 'node:events';
import { CHECKS } from '../../suites/index.ts';
import { CreationLedger } from '../cli/run/creation-ledger.ts';
import { secretsOf } from '../cli/run/secrets.ts';
import { stopReasonIn } from '../cli/run/worker-channel.ts';
import type { Contract } from '../contract/contract.ts';
import { Client } from '../http/client.ts';
import { evidenceOf } from '../http/evidence/evidence.ts';
import { kept } from '../http/evidence/kept.ts';
import type { Exchange } from '../http/exchange.ts';
import { pastDeadline } from '../http/not-sent.ts';
import { Fixtures } from '../petstore/fixtures.ts';
import { type Mark, plainPet } from '../petstore/inputs/new-pets.ts';
import { Knowledge } from '../petstore/knowledge.ts';
import { Ledger } from '../petstore/ledger.ts';
import { callOf, recordOf } from '../petstore/recorded-request.ts';
import { removalDateHasCome } from '../petstore/removal-date.ts';
import { Service } from '../petstore/service.ts';
import { count } from '../report/formats/excerpt.ts';
import type { ExchangeEvidence, Outcome, Soak, Violation } from '../report/model/result.ts';
import { createRedactor } from '../report/redact/redact.ts';
import type { Check } from './check.ts';
import { CheckContext } from './context.ts';
import { type Finding, Judging, type Tally } from './judging.ts';
import { Latencies } from './latency.ts';
import type { JudgedCheck, Plan, ReplayTarget, Telemetry } from './plan.ts';
import { mix, Properties } from './property.ts';
import { Broken, HarnessFault, Inconclusive, NotApplicable } from './signals.ts';
import { underLoad } from './soak.ts';

/** Stands in the name of every animal that a run adds, so that a person can tell them. */
const NAME_TAG = 'conformance';

/** Stands for the run itself, where a request belongs to no check. */
const NO_CHECK: Check = { id: '', requirement: '', title: '', phase: 'fresh', always: undefined, provoke: undefined };

/** Most characters of exchanges, as JSON, that are kept for an HTTP archive: writing it takes many times as much. */
const TRAFFIC_KEPT = 6_000_000;

/** How far a run is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly requests: number;
  readonly running: readonly string[];
}

/** How a check ended, before the rules of the whole run are counted in. */
interface Ended {
  readonly check: Check;
  readonly context: CheckContext;
  readonly service: Service;
  readonly error: unknown;
  readonly milliseconds: number;
}

/**
 * Judges one service by the checks of a plan: first those that need the collection as it was found, then all others
 * side by side, then those that need quiet, last the load, where it is asked for. What a rule found in passing is
 * counted in at the end.
 *
 * @param library where the checks that the plan names are found
 * @param stop aborted, with a StopReason, where nothing more is to be sent: all that has not ended is inconclusive
 */
export async function judge(
  plan: Plan,
  contract: Contract,
  report: (progress: Progress) => void,
  stop?: AbortSignal,
  library: readonly Check[] = CHECKS,
): Promise<{ readonly checks: readonly JudgedCheck[]; readonly telemetry: Telemetry }> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort('out-of-time'), plan.maxTimeMs);
  const obey = (): void => ending.abort(stop?.reason);
  stop?.addEventListener('abort', obey, { once: true });
  if (stop?.aborted === true) obey();
  const deadline = ending.signal;
  // Every request that waits for its turn listens to it.
  setMaxListeners(0, deadline);
  const client = new Client({ ...plan, deadline });
  try {
    return await new Judge(plan, contract, client, deadline, report, library).run();
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', obey);
    await client.close();
  }
}

class Judge {
  readonly #plan: Plan;
  readonly #client: Client;
  readonly #checks: readonly Check[];
  readonly #judging: Judging;
  readonly #fixtures: Fixtures;
  readonly #report: (progress: Progress) => void;
  readonly #latencies = new Latencies();
  readonly #traffic: ExchangeEvidence[] = [];
  readonly #deadline: AbortSignal;
  readonly #ownService: Service;
  readonly #creations: CreationLedger | undefined;
  readonly #remarks: string[] = [];
  readonly #faults: string[] = [];
  readonly #running = new Set<string>();
  readonly #getPetMayBeGone: boolean;
  #trafficSize = 0;
  #done = 0;
  #tag: string;

  constructor(
    plan: Plan,
    contract: Contract,
    client: Client,
    deadline: AbortSignal,
    report: (progress: Progress) => void,
    library: readonly Check[],
  ) {
    this.#plan = plan;
    this.#client = client;
    this.#deadline = deadline;
    this.#report = report;
    this.#checks = plan.checks.flatMap((id) => library.find((check) => check.id === id) ?? []);
    this.#getPetMayBeGone = removalDateHasCome(plan.today);
    const knowledge = new Knowledge(new Ledger(plan.maxCreates), plan.settleMs, this.#getPetMayBeGone, NAME_TAG);
    this.#judging = new Judging(this.#checks, contract, knowledge);
    this.#ownService = this.#serviceFor(NO_CHECK);
    this.#fixtures = new Fixtures(this.#ownService, () => this.#markFor('shared'), knowledge, {
      readOnly: plan.readOnly,
      replaying: plan.replay !== undefined,
    });
    this.#tag = tagOf(plan.seed, plan.replay === undefined ? '' : plan.runId);
    this.#creations = creationLedgerOf(plan);
    client.onExchange = (exchange) => {
      this.#creations?.record(exchange);
      this.#latencies.add(exchange);
      if (plan.recordTraffic) this.#keep(exchange);
    };
  }

  #keep(exchange: Exchange): void {
    if (this.#trafficSize >= TRAFFIC_KEPT) return;
    const evidence = evidenceOf(kept(exchange), 'context', this.#client.address);
    this.#trafficSize += JSON.stringify(evidence).length;
    this.#traffic.push(evidence);
    if (this.#trafficSize < TRAFFIC_KEPT) return;
    this.#remarks.push(
      `traffic.har holds the first ${count(this.#traffic.length, 'exchange')} and every proof; it was full.`,
    );
  }

  async run(): Promise<{ checks: readonly JudgedCheck[]; telemetry: Telemetry }> {
    if (!this.#plan.readOnly && this.#plan.replay === undefined) await this.#makeTagUnique();
    const ended: Ended[] = [];
    for (const phase of ['fresh', 'main'] as const) {
      const due = this.#checks.filter((check) => check.phase === phase);
      if (phase === 'main' && due.length > 0 && this.#plan.replay === undefined) await this.#fixtures.survey();
      ended.push(...(await Promise.all(due.map((check) => this.#provoke(check)))));
    }
    for (const check of this.#checks.filter(({ phase }) => phase === 'quiet')) ended.push(await this.#provoke(check));
    const soak = await this.#soak();
    const { ledger } = this.#judging.knowledge;
    const ledgerFault = this.#creations?.fault;
    const { requests, creations } = this.#ownService;
    return {
      checks: this.#checks.flatMap((check) =>
        ended.filter((end) => end.check === check).map((end) => this.#conclude(end)),
      ),
      telemetry: {
        requests: this.#client.requests,
        creations: ledger.count,
        throttled: this.#client.pace.throttled,
        latencies: this.#latencies.percentiles(),
        traffic: this.#traffic,
        stopped: this.#deadline.aborted ? (stopReasonIn(this.#deadline.reason) ?? 'out-of-time') : undefined,
        ...(soak === undefined ? {} : { soak }),
        shared: { requests, creations },
        remarks: [...this.#remarks, ...(ledgerFault === undefined ? [] : [ledgerFault])],
        faults: this.#faults,
      },
    };
  }

  async #soak(): Promise<Soak | undefined> {
    const { soakMs, replay, seed, concurrency } = this.#plan;
    if (soakMs === undefined || replay !== undefined || this.#deadline.aborted) return undefined;
    const check: Check = { ...NO_CHECK, id: 'soak' };
    const latencies = new Latencies();
    const usual = this.#client.onExchange;
    const load = underLoad({
      service: this.#serviceFor(check),
      ledger: this.#judging.knowledge.ledger,
      mark: this.#markFor(check.id),
      getPetMayBeGone: this.#getPetMayBeGone,
      readOnly: this.#plan.readOnly,
      milliseconds: soakMs,
      concurrency,
      seed: mix(seed, check.id),
      deadline: this.#deadline,
      latencies,
      measure: (on) => {
        this.#client.onExchange = on
          ? (exchange) => {
              usual(exchange);
              latencies.add(exchange);
            }
          : usual;
      },
      report: (running) => this.#tell([running]),
      remark: (text) => this.#remarks.push(text),
    });
    // The checks are judged by now, whatever becomes of the load.
    return load.catch((error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#faults.push(`the soak failed: ${text}`);
      return undefined;
    });
  }

  /**
   * The first animal's id goes into the names of all that follow: two runs with one seed against one service then
   * tell their animals apart, and against a service in the same state they still send the same requests. It is also
   * the animal that checks share: given while nothing else is under way, its id is the same in both runs.
   */
  async #makeTagUnique(): Promise<void> {
    try {
      const { id } = await this.#ownService.create(plainPet(this.#markFor('first'), ''));
      this.#tag = tagOf(this.#plan.seed, `${id}`);
      // The first animal of another run with this seed has the same name; all that follow do not.
      this.#judging.knowledge.renameRun(`${NAME_TAG} ${this.#tag} `);
      this.#fixtures.adopt(id);
    } catch (error) {
      // What went wrong belongs to a requirement, and its checks will say so.
      if (!(error instanceof Broken || error instanceof Inconclusive)) throw error;
    }
  }

  #serviceFor(check: Check): Service {
    const { token, readOnly } = this.#plan;
    const getPetMayBeGone = this.#getPetMayBeGone;
    return new Service(this.#client, this.#judging, check, { key: token, readOnly, getPetMayBeGone });
  }

  #markFor(what: string): Mark {
    return { tag: `${NAME_TAG} ${this.#tag} ${what}`, categories: this.#plan.categoryIds };
  }

  #prepare(check: Check): { context: CheckContext; service: Service } {
    const { profile, strict, seed, replay } = this.#plan;
    const service = this.#serviceFor(check);
    const properties = new Properties({
      seed: mix(seed, check.id),
      profile,
      replay: replay?.kind === 'sample' ? replay.place : undefined,
      requests: () => service.requests,
    });
    const context = new CheckContext({
      check,
      service,
      judging: this.#judging,
      fixtures: this.#fixtures,
      properties,
      mark: this.#markFor(check.id),
      profile,
      strict,
      getPetMayBeGone: this.#getPetMayBeGone,
    });
    return { context, service };
  }

  async #provoke(check: Check): Promise<Ended> {
    const { context, service } = this.#prepare(check);
    const { replay, token } = this.#plan;
    const started = performance.now();
    this.#running.add(check.id);
    this.#tell();
    let error: unknown;
    try {
      if (this.#deadline.aborted) throw this.#cutShort();
      if (replay?.kind === 'request') await service.send(callOf(replay.request, token, check.requirement));
      else await check.provoke?.(context);
    } catch (thrown) {
      error = thrown;
    }
    this.#running.delete(check.id);
    this.#done += 1;
    this.#tell();
    return { check, context, service, error, milliseconds: Math.round(performance.now() - started) };
  }

  #cutShort(): Inconclusive {
    const { code, message } = pastDeadline(this.#deadline);
    return new Inconclusive(code, message);
  }

  #tell(running: readonly string[] = [...this.#running]): void {
    this.#report({ done: this.#done, total: this.#checks.length, requests: this.#client.requests, running });
  }

  #conclude({ check, context, service, error, milliseconds }: Ended): JudgedCheck {
    const tally = this.#judging.tally(check.id);
    const { outcome, replay } = this.#outcome(error, tally, check);
    return {
      replay,
      creations: service.creations,
      result: {
        id: check.id,
        requirement: check.requirement,
        title: check.title,
        outcome,
        observations: context.observations,
        requests: service.requests,
        milliseconds,
      },
    };
  }

  #outcome(error: unknown, tally: Tally, check: Check): { outcome: Outcome; replay: ReplayTarget | undefined } {
    const seen = [tally.plainest, ...tally.others.values()].flatMap((finding) => finding ?? []);
    const findings = seen.filter(
      (finding, at) => seen.findIndex(({ breach }) => breach.code === finding.breach.code) === at,
    );
    if (error instanceof Broken || findings.length > 0) {
      const isHarness = error instanceof HarnessFault;
      if (!isHarness) return this.#failed(error instanceof Broken ? error : undefined, findings, tally);
    }
    const plain = (outcome: Outcome) => ({ outcome, replay: undefined });
    if (error instanceof Inconclusive) return plain(inconclusive(error));
    if (error instanceof NotApplicable) return plain({ kind: 'not applicable', reason: error.message });
    if (error !== undefined) {
      const message = error instanceof Error ? error.message : String(error);
      const stack = error instanceof Error ? error.stack : undefined;
      return plain({ kind: 'harness error', message, ...(stack === undefined ? {} : { stack }) });
    }
    // A rule that is about every reply has not been judged to the end where the run was not.
    if (check.provoke === undefined && this.#deadline.aborted) return plain(inconclusive(this.#cutShort()));
    if (check.provoke === undefined && tally.judged === 0) {
      const reason = 'no reply of this run was one that the rule is about';
      return plain({ kind: 'inconclusive', code: 'nothing-to-judge', reason, byOption: false });
    }
    return plain({ kind: 'passed' });
  }

  #failed(
    broken: Broken | undefined,
    findings: readonly Finding[],
    tally: Tally,
  ): { outcome: Outcome; replay: ReplayTarget } {
    const { violated, judged, intermittent } = tally;
    const overall = violated > 0 ? { violated, judged, ...(intermittent ? { intermittent } : {}) } : undefined;
    // The samples of a property say nothing of a fault that comes and goes; all answers of the run do.
    const frequency = intermittent ? overall : (broken?.details.frequency ?? overall);
    const own = broken === undefined ? [] : [this.#violation(broken, frequency, broken.details.shrunk)];
    const others = findings
      .filter(({ breach }) => breach.code !== broken?.breach.code)
      .map((finding) => this.#violation(finding, overall, undefined));
    const [first] = findings;
    return {
      outcome: { kind: 'failed', violations: [...own, ...others] },
      replay:
        broken === undefined
          ? replayOf(first)
          : broken.details.place === undefined
            ? replayOf({
                breach: broken.breach,
                proof: broken.proof,
                ...(broken.details.call === undefined ? {} : { call: broken.details.call }),
              })
            : { kind: 'sample', place: broken.details.place },
    };
  }

  #violation({ breach, proof }: Finding, frequency: Violation['frequency'], shrunk: Violation['shrunk']): Violation {
    const last = proof.length - 1;
    const address = this.#client.address;
    return {
      code: breach.code,
      message: breach.message,
      expected: breach.expected,
      actual: breach.actual,
      exchanges: proof.map((exchange, at) => evidenceOf(exchange, at === last ? 'judged' : 'control', address)),
      ...(shrunk === undefined ? {} : { shrunk }),
      ...(frequency === undefined ? {} : { frequency }),
    };
  }
}

function inconclusive({ code, message: reason, see, byOption }: Inconclusive): Outcome {
  return { kind: 'inconclusive', code, reason, byOption, ...(see === undefined ? {} : { see }) };
}

function creationLedgerOf(plan: Plan): CreationLedger | undefined {
  const { ledgerFile, runId, baseUrl } = plan;
  if (ledgerFile === undefined) return undefined;
  return new CreationLedger({ file: ledgerFile, runId, baseUrl, redact: createRedactor(secretsOf(plan)) });
}

/**
 * The part of a name by which the animals of a run are told: its seed, and four letters that depend on `salt`. Always
 * of one length for one seed, so that samples which are built on a name are the same when they are replayed.
 */
function tagOf(seed: number, salt: string): string {
  return `${seed.toString(36)}-${mix(salt).toString(36).padStart(4, '0').slice(-4)}`;
}

/** A rule that looks at one reply alone is replayed by one request; one that compares needs its check again. */
function replayOf(finding: Finding | undefined): ReplayTarget {
  const call = finding?.call;
  const comparesWithAnother = finding === undefined || finding.breach.against !== undefined || finding.proof.length > 1;
  if (call === undefined || comparesWithAnother || call.operation === 'getPet') return { kind: 'check' };
  return { kind: 'request', request: recordOf(call) };
}
