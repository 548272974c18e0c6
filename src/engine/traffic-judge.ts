import type { Contract } from '../contract/contract.ts';
import { type Address, addressOf } from '../http/connect/route.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import type { Outcome } from '../report/model/result.ts';
import { count } from '../report/model/text.ts';
import { resultCauses } from './causes/result-causes.ts';
import type { Check } from './check.ts';
import { EveryAnswer, type RunState } from './every-answer.ts';
import { History } from './history.ts';
import { outcomeOf } from './outcome.ts';
import type { JudgedCheck, Plan, Telemetry } from './plan.ts';
import { Proofs } from './proof.ts';
import type { Reply } from './reply.ts';
import type { ServiceDefinition } from './service.ts';
import { Latencies } from './telemetry.ts';
import type { Violation } from './violation.ts';

/** What is wrong only if nobody else has changed anything in between, and how often it was seen. */
interface Suspected {
  readonly violation: Violation;
  times: number;
}

/** Gets the first violation of each kind. */
type OnFound = (checkId: string, violation: Violation) => void;

const NOT_SHOWN = 'nothing in the traffic shows it';

/**
 * Judges traffic that others have sent, without a request of its own. What one exchange shows by itself is a violation.
 * What contradicts an earlier answer is a suspicion: somebody whom the traffic does not show may have changed or removed
 * what it is about. With `strict` it is a violation too.
 */
export class TrafficJudge<R extends Reply, S extends RunState<R>, V> {
  readonly #service: ServiceDefinition<R, S, V>;
  readonly #plan: Plan;
  readonly #contract: Contract;
  readonly #checks: readonly Check<R, S, V>[];
  readonly #address: Address;
  readonly #history = new History<R>();
  readonly #proofs: Proofs<R, S>;
  readonly #everyAnswer: EveryAnswer<R, S>;
  readonly #latencies: Latencies;
  readonly #onFound: OnFound;
  readonly #found = new Set<string>();
  readonly #suspected = new Map<string, Suspected>();
  /** How many exchanges were judged so far. */
  judged = 0;
  #creations = 0;

  /** @param checks those whose rules judge */
  constructor(
    service: ServiceDefinition<R, S, V>,
    checks: readonly Check<R, S, V>[],
    plan: Plan,
    contract: Contract,
    onFound: OnFound = () => {},
  ) {
    this.#service = service;
    this.#plan = plan;
    this.#contract = contract;
    this.#checks = checks;
    this.#address = addressOf(plan.baseUrl);
    this.#proofs = new Proofs<R, S>(service, contract, this.#history, () => service.createState(plan));
    this.#everyAnswer = new EveryAnswer<R, S>(checks, service.createState(plan), { history: this.#history });
    this.#latencies = new Latencies(contract.operations);
    this.#onFound = onFound;
  }

  /** @param sentAt when the call was sent (milliseconds, monotonic) */
  judge(call: R['call'], answer: Answer, sentAt: number): void {
    this.judged += 1;
    const answeredAt = sentAt + answer.milliseconds;
    const exchange: Exchange = {
      number: this.judged,
      request: call.request,
      answer,
      sentAt,
      answeredAt,
      resent: false,
    };
    const { state } = this.#everyAnswer;
    state.begin?.(call);
    const reply = this.#service.readReply(call, exchange, this.#contract);
    const sent = { calls: [call], together: undefined, at: 0, created: this.#creations };
    const { violations } = this.#everyAnswer.receive({ ...sent, reply });
    this.#latencies.add(exchange);
    if (reply.isCreation) this.#creations += 1;
    for (const [id, violation] of violations) {
      if (this.#plan.strict || this.#isShownAlone(id, violation)) this.#accuse(reply, id, violation);
      else this.#suspect(id, violation);
    }
  }

  /** Whether the exchange that was judged shows what is wrong with it, whatever came before it. */
  #isShownAlone(id: string, violation: Violation): boolean {
    const rule = this.#checks.find((check) => check.id === id)?.everyAnswer;
    const alone = { ...violation, proof: violation.proof.slice(-1) };
    return this.#proofs.faultOf(alone, rule, this.#everyAnswer.state.control) === undefined;
  }

  #accuse(reply: R, id: string, violation: Violation): void {
    this.#everyAnswer.accuse(reply, id, violation, id);
    const kind = `${id} ${violation.code}`;
    if (this.#found.has(kind)) return;
    this.#found.add(kind);
    this.#onFound(id, violation);
  }

  #suspect(id: string, violation: Violation): void {
    const suspected = this.#suspected.get(id) ?? { violation, times: 0 };
    suspected.times += 1;
    this.#suspected.set(id, suspected);
  }

  /** What the traffic so far says of each check. */
  conclude(): { readonly checks: readonly JudgedCheck[]; readonly telemetry: Telemetry } {
    const checks = this.#checks.map((check) => this.#conclude(check));
    const failed = checks.map(({ result }) => result).filter(({ outcome }) => outcome.kind === 'failed');
    const parts = {
      service: this.#service,
      history: this.#history,
      address: this.#address,
    };
    return {
      checks,
      telemetry: {
        requests: this.judged,
        creations: 0,
        throttled: 0,
        latencies: this.#latencies.percentiles(),
        coverage: [],
        traffic: [],
        stopped: undefined,
        causes: resultCauses(failed, (id) => this.#everyAnswer.tally(id), new Map(), parts),
        shared: { requests: 0, creations: 0 },
        remarks: [],
      },
    };
  }

  #conclude({ id, requirement, title, everyAnswer: rule }: Check<R, S, V>): JudgedCheck {
    const suspected = this.#suspected.get(id);
    const { judged } = this.#everyAnswer.tally(id);
    const outcome = this.#outcomeOf(id, rule);
    const isFailed = outcome.kind === 'failed' || outcome.kind === 'harness error';
    return {
      replay: undefined,
      creations: 0,
      result: {
        id,
        requirement,
        title,
        outcome: isFailed || suspected === undefined ? outcome : suspicion(suspected),
        observations: [],
        ...(rule === undefined ? {} : { judged }),
        requests: 0,
        milliseconds: 0,
      },
    };
  }

  #outcomeOf(checkId: string, rule: Check<R, S, V>['everyAnswer']): Outcome {
    const everyAnswer = this.#everyAnswer;
    if (everyAnswer.tally(checkId).judged === 0) {
      return { kind: 'inconclusive', code: 'nothing-to-judge', reason: NOT_SHOWN, byOption: false };
    }
    const { outcome } = outcomeOf({
      checkId,
      error: undefined,
      hasExercise: false,
      hasRule: true,
      expectations: { judged: 0, irrelevant: 0 },
      proofFault: (violation) => this.#proofs.faultOf(violation, rule),
      everyAnswer,
      cutShort: undefined,
      address: this.#address,
      recorder: { history: this.#history, format: this.#service.replay, sourceOf: () => undefined },
    });
    return outcome;
  }
}

/** Somebody else may explain it: no verdict. */
function suspicion({ violation: { message, expected, actual }, times }: Suspected): Outcome {
  const seen = times === 1 ? '' : `, ${count(times, 'time')}`;
  const what = `another client may explain what was seen: ${message} (expected ${expected}, got ${actual}${seen})`;
  const reason = `${what}; --strict counts it as a violation`;
  return { kind: 'inconclusive', code: 'suspicion', reason, byOption: false };
}
