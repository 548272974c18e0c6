import { setMaxListeners } from 'node:events';
import { CHECKS } from '../../suites/index.ts';
import type { Check } from '../check/check.ts';
import { CheckContext } from '../check/context.ts';
import { Fixtures } from '../check/fixtures.ts';
import { type Finding, Judging, type Tally } from '../check/judging.ts';
import { Knowledge } from '../check/knowledge.ts';
import { mix, Properties } from '../check/property.ts';
import { Service } from '../check/service.ts';
import { Broken, HarnessFault, Inconclusive, NotApplicable } from '../check/signals.ts';
import type { Contract } from '../contract/contract.ts';
import { type Mark, plainPet } from '../generate/new-pets.ts';
import type { Outcome, Violation } from '../report/model.ts';
import { Client } from '../target/client.ts';
import { evidenceOf } from '../target/evidence.ts';
import type { Exchange } from '../target/exchange.ts';
import { Ledger } from '../target/ledger.ts';
import { Latencies } from './latency.ts';
import type { JudgedCheck, Plan, ReplayTarget, Telemetry } from './plan.ts';
import { callOf, recordOf } from './recorded-request.ts';
import { removalDateHasCome } from './removal-date.ts';

/** Stands in the name of every animal that a run adds, so that a person can tell them. */
const NAME_TAG = 'conformance';

/** Stands for the run itself, where a request belongs to no check. */
const NO_CHECK: Check = { id: '', requirement: '', title: '', phase: 'fresh', always: undefined, provoke: undefined };

/** Most exchanges that are kept for an HTTP archive. */
const TRAFFIC_KEPT = 5_000;

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
 * side by side, last those that need quiet. What a rule found in passing is counted in at the end.
 */
export async function judge(
  plan: Plan,
  contract: Contract,
  report: (progress: Progress) => void,
  stop?: AbortSignal,
): Promise<{ readonly checks: readonly JudgedCheck[]; readonly telemetry: Telemetry }> {
  const deadline = AbortSignal.any([AbortSignal.timeout(plan.maxTimeMs), ...(stop === undefined ? [] : [stop])]);
  // Every request that waits for its turn listens to it.
  setMaxListeners(0, deadline);
  const client = new Client({ ...plan, deadline });
  try {
    return await new Judge(plan, contract, client, report).run(deadline);
  } finally {
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
  readonly #traffic: Exchange[] = [];
  readonly #running = new Set<string>();
  readonly #getPetMayBeGone: boolean;
  #done = 0;
  #tag: string;

  constructor(plan: Plan, contract: Contract, client: Client, report: (progress: Progress) => void) {
    this.#plan = plan;
    this.#client = client;
    this.#report = report;
    this.#checks = plan.checks.flatMap((id) => CHECKS.find((check) => check.id === id) ?? []);
    this.#getPetMayBeGone = removalDateHasCome(plan.today);
    const knowledge = new Knowledge(new Ledger(plan.maxCreates), plan.settleMs, this.#getPetMayBeGone, NAME_TAG);
    this.#judging = new Judging(this.#checks, contract, knowledge);
    const ownService = this.#serviceFor(NO_CHECK);
    this.#fixtures = new Fixtures(ownService, () => this.#markFor('shared'), knowledge, plan.readOnly);
    this.#tag = plan.seed.toString(36);
    client.onExchange = (exchange) => {
      this.#latencies.add(exchange);
      if (plan.recordTraffic && this.#traffic.length < TRAFFIC_KEPT) this.#traffic.push(exchange);
    };
  }

  async run(deadline: AbortSignal): Promise<{ checks: readonly JudgedCheck[]; telemetry: Telemetry }> {
    if (!this.#plan.readOnly && this.#plan.replay === undefined) await this.#makeTagUnique();
    const ended: Ended[] = [];
    for (const phase of ['fresh', 'main'] as const) {
      const due = this.#checks.filter((check) => check.phase === phase);
      ended.push(...(await Promise.all(due.map((check) => this.#provoke(check)))));
    }
    for (const check of this.#checks.filter(({ phase }) => phase === 'quiet')) ended.push(await this.#provoke(check));
    const { ledger } = this.#judging.knowledge;
    const address = this.#client.address;
    return {
      checks: this.#checks.flatMap((check) =>
        ended.filter((end) => end.check === check).map((end) => this.#conclude(end)),
      ),
      telemetry: {
        requests: this.#client.requests,
        creations: ledger.count,
        throttled: this.#client.pace.throttled,
        latencies: this.#latencies.percentiles(),
        created: ledger.all().map(({ id, name, categoryId, status }) => ({
          id: `${id}`,
          name,
          categoryId: `${categoryId}`,
          ...(status === undefined ? {} : { status }),
        })),
        traffic: this.#traffic.map((exchange) => evidenceOf(exchange, 'context', address)),
        outOfTime: deadline.aborted,
      },
    };
  }

  /**
   * The first animal's id goes into the names of all that follow: two runs with one seed against one service then
   * tell their animals apart, and against a service in the same state they still send the same requests.
   */
  async #makeTagUnique(): Promise<void> {
    const service = this.#serviceFor(NO_CHECK);
    try {
      const { id } = await service.create(plainPet(this.#markFor('first'), ''));
      this.#tag = `${this.#tag}-${mix(`${id}`).toString(36).slice(-4)}`;
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

  #tell(): void {
    this.#report({
      done: this.#done,
      total: this.#checks.length,
      requests: this.#client.requests,
      running: [...this.#running],
    });
  }

  #conclude({ check, context, service, error, milliseconds }: Ended): JudgedCheck {
    const tally = this.#judging.tally(check.id);
    const { outcome, replay } = this.#outcome(error, tally, check);
    return {
      replay,
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
    if (error instanceof Inconclusive) {
      const { code, message: reason, see, byOption } = error;
      return plain({ kind: 'inconclusive', code, reason, byOption, ...(see === undefined ? {} : { see }) });
    }
    if (error instanceof NotApplicable) return plain({ kind: 'not applicable', reason: error.message });
    if (error !== undefined) {
      const message = error instanceof Error ? error.message : String(error);
      const stack = error instanceof Error ? error.stack : undefined;
      return plain({ kind: 'harness error', message, ...(stack === undefined ? {} : { stack }) });
    }
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
    const overall = tally.violated > 0 ? { violated: tally.violated, judged: tally.judged } : undefined;
    const own =
      broken === undefined ? [] : [this.#violation(broken, broken.details.frequency ?? overall, broken.details.shrunk)];
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

/** A rule that looks at one reply alone is replayed by one request; one that compares needs its check again. */
function replayOf(finding: Finding | undefined): ReplayTarget {
  const call = finding?.call;
  const comparesWithAnother = finding === undefined || finding.breach.against !== undefined || finding.proof.length > 1;
  if (call === undefined || comparesWithAnother || call.operation === 'getPet') return { kind: 'check' };
  return { kind: 'request', request: recordOf(call) };
}
