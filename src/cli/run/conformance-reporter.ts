import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';
import type { JudgedCheck, Telemetry } from '../../engine/plan.ts';
import type {} from './worker-channel.ts';

/** What the tests of a run found. */
export interface TestedChecks {
  readonly checks: readonly JudgedCheck[];
  readonly telemetry: Telemetry | undefined;
  /** Internal errors of the suite, outside any check. */
  readonly faults: readonly string[];
}

/** Told of the tests while they run. */
export interface TestListener {
  /** A suite of tests begins: a phase of the checks, the soak, or the rules about every answer. */
  readonly onSuite?: (name: string) => void;
  /** A check is concluded. */
  readonly onJudged?: (judged: JudgedCheck) => void;
}

/** A vitest reporter that collects what the checks found, and makes the reports when the last test has ended. */
export class ConformanceReporter implements Reporter {
  readonly #order: readonly string[];
  readonly #onEnd: (tested: TestedChecks) => Promise<void>;
  readonly #checks = new Map<string, JudgedCheck>();
  readonly #faults = new Set<string>();
  readonly #isStopped: () => boolean;
  readonly #listener: TestListener;
  /** Why tests failed that brought no result, by the id of their check. */
  readonly #failures = new Map<string, string>();
  #telemetry: Telemetry | undefined;

  /**
   * @param order ids of the checks, in the order in which they are reported
   * @param isStopped whether the run was ended early; then checks may be without a result
   */
  constructor(
    order: readonly string[],
    onEnd: (tested: TestedChecks) => Promise<void>,
    isStopped: () => boolean = () => false,
    listener: TestListener = {},
  ) {
    this.#order = order;
    this.#isStopped = isStopped;
    this.#listener = listener;
    this.#onEnd = onEnd;
  }

  onTestSuiteReady(suite: TestSuite): void {
    // The outermost suite holds all others.
    if (suite.parent.type === 'suite') this.#listener.onSuite?.(suite.name);
  }

  onTestCaseResult(test: TestCase): void {
    const { judged } = test.meta();
    if (judged !== undefined) {
      this.#checks.set(judged.result.id, judged);
      this.#listener.onJudged?.(judged);
    }
    // A test of requests alone may fail without a result: the rule of its check is concluded by another test.
    const [error] = test.result().errors ?? [];
    if (judged === undefined && error !== undefined) this.#failures.set(checkOf(test), error.stack ?? error.message);
  }

  onTestSuiteResult(suite: TestSuite): void {
    this.#telemetry = suite.meta().telemetry ?? this.#telemetry;
    this.#note(suite.errors());
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): Promise<void> {
    this.#note([...errors, ...modules.flatMap((module) => module.errors())]);
    for (const fault of this.#telemetry?.faults ?? []) this.#faults.add(fault);
    this.#noteMissing();
    const checks = this.#order.flatMap((id) => this.#checks.get(id) ?? []);
    await this.#onEnd({ checks, telemetry: this.#telemetry, faults: [...this.#faults] });
  }

  /** A check without a result would not be missed in the verdict: of a run that reached its end, it is a fault. */
  #noteMissing(): void {
    if (this.#isStopped() || this.#telemetry?.stopped !== undefined) return;
    const missing = this.#order.filter((id) => !this.#checks.has(id));
    // Where nothing ran at all, the reason is known already.
    if (missing.length === this.#order.length && this.#faults.size > 0) return;
    for (const id of missing) {
      const why = this.#failures.get(id) ?? 'no test concluded it';
      this.#faults.add(`the check ${id} ended without a result: ${why}`);
    }
  }

  #note(errors: readonly SerializedError[]): void {
    for (const error of errors) this.#faults.add(described(error));
  }
}

/** An error with what caused it: what the checks' thread could not load is the cause of an error of vitest's pool. */
function described({ message, stack, cause }: Pick<SerializedError, 'message' | 'stack' | 'cause'>): string {
  return cause === undefined ? (stack ?? message) : `${stack ?? message}\ncaused by ${described(cause)}`;
}

/** The id of a check, with which the names of its tests begin. */
const checkOf = ({ name }: TestCase): string => name.split(' ', 1)[0] ?? name;
