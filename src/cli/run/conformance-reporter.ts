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

/** A vitest reporter that collects what the checks found, and makes the reports when the last test has ended. */
export class ConformanceReporter implements Reporter {
  readonly #order: readonly string[];
  readonly #onEnd: (tested: TestedChecks) => Promise<void>;
  readonly #checks = new Map<string, JudgedCheck>();
  readonly #faults = new Set<string>();
  #telemetry: Telemetry | undefined;

  /** @param order ids of the checks, in the order in which they are reported */
  constructor(order: readonly string[], onEnd: (tested: TestedChecks) => Promise<void>) {
    this.#order = order;
    this.#onEnd = onEnd;
  }

  onTestCaseResult(test: TestCase): void {
    const { judged } = test.meta();
    if (judged !== undefined) this.#checks.set(judged.result.id, judged);
  }

  onTestSuiteResult(suite: TestSuite): void {
    this.#telemetry = suite.meta().telemetry ?? this.#telemetry;
    this.#note(suite.errors());
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): Promise<void> {
    this.#note([...errors, ...modules.flatMap((module) => module.errors())]);
    for (const fault of this.#telemetry?.faults ?? []) this.#faults.add(fault);
    const checks = this.#order.flatMap((id) => this.#checks.get(id) ?? []);
    await this.#onEnd({ checks, telemetry: this.#telemetry, faults: [...this.#faults] });
  }

  #note(errors: readonly SerializedError[]): void {
    for (const { message, stack } of errors) this.#faults.add(stack ?? message);
  }
}
