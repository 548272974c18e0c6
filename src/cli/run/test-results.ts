import type { JudgedCheck, Telemetry } from '../../engine/plan.ts';
import type { ChecksEvent } from './checks-messages.ts';

/** What the tests of a run found. */
export interface TestedChecks {
  readonly checks: readonly JudgedCheck[];
  readonly telemetry: Telemetry | undefined;
  /** Internal errors of the suite, outside any check. */
  readonly faults: readonly string[];
}

/** Told of the tests while they run. */
export interface TestListener {
  /** A suite of tests begins: a phase of the checks, or the rules about every answer. */
  readonly onSuite?: (name: string) => void;
  /** A check is concluded. */
  readonly onJudged?: (judged: JudgedCheck) => void;
}

/** Collects what the tests of a run found, and tells a listener of it. */
export class TestResults {
  readonly #order: readonly string[];
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
  constructor(order: readonly string[], isStopped: () => boolean, listener: TestListener) {
    this.#order = order;
    this.#isStopped = isStopped;
    this.#listener = listener;
  }

  note(event: Exclude<ChecksEvent, { readonly kind: 'progress' | 'end' }>): void {
    switch (event.kind) {
      case 'suite':
        this.#listener.onSuite?.(event.name);
        break;
      case 'test':
        this.#noteTest(event);
        break;
      case 'telemetry':
        this.#telemetry = event.telemetry;
        break;
      case 'fault':
        this.#faults.add(event.error);
    }
  }

  #noteTest({ name, judged, error }: Extract<ChecksEvent, { readonly kind: 'test' }>): void {
    if (judged !== undefined) {
      this.#checks.set(judged.result.id, judged);
      this.#listener.onJudged?.(judged);
    }
    // A test of requests alone may fail without a result: the rule of its check is concluded by another test.
    else if (error !== undefined) this.#failures.set(checkOf(name), error);
  }

  /** What was found, when the last test has ended. */
  all(): TestedChecks {
    this.#noteMissing();
    const checks = this.#order.flatMap((id) => this.#checks.get(id) ?? []);
    return { checks, telemetry: this.#telemetry, faults: [...this.#faults] };
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
}

/** The id of a check, with which the names of its tests begin. */
const checkOf = (name: string): string => name.split(' ', 1)[0] ?? name;
