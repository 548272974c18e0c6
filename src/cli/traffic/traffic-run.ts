import { CHECKS } from '../../../suites/index.ts';
import type { Plan } from '../../engine/plan.ts';
import { TrafficJudge } from '../../engine/traffic-judge.ts';
import type { Violation } from '../../engine/violation.ts';
import type { RecordedExchange } from '../../http/recorded.ts';
import { petStore } from '../../petstore/definition.ts';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import { type Asked, callOf } from '../../petstore/recorded-call.ts';
import type { RecordedKeys } from '../../petstore/recorded-keys.ts';
import { terminalReport } from '../../report/formats/terminal.ts';
import { isExpired } from '../../report/model/baseline.ts';
import { baselineOf, conclude, historyOf } from '../run/conclusion.ts';
import { planOf } from '../run/plan.ts';
import type { RunOptions } from '../run-options.ts';
import { terminalColumns } from '../terminal.ts';
import { withoutNames } from './names.ts';
import { redactorFor } from './secrets.ts';

/** What the user asks of a judgement of traffic. */
export interface TrafficOptions {
  /** Those that a run has too. */
  readonly run: RunOptions;
  readonly redactNames: boolean;
}

/** The judgement of what others send to one address. */
export interface TrafficRun {
  judge(recorded: RecordedExchange, asked: Asked): void;
  /**
   * Prints the report, and writes the others.
   * @returns the exit code
   * @throws UsageError where a file cannot be written
   */
  end(notes: readonly string[], stdout: NodeJS.WritableStream): Promise<0 | 1 | 2 | 3>;
}

/**
 * Begins to judge what others send.
 *
 * @param onFound gets the first violation of each kind, and whether the baseline lists it
 * @throws UsageError where the baseline or the history cannot be read
 */
export async function beginTraffic(
  { run: options, redactNames }: TrafficOptions,
  baseUrl: string,
  keys: RecordedKeys,
  onFound: (check: string, violation: Violation, isExpected: boolean) => void = () => {},
): Promise<TrafficRun> {
  const service = petStore(options);
  const [baseline, history] = [await baselineOf(options, service.loadCatalogue()), await historyOf(options)];
  const startedAt = new Date();
  const started = performance.now();
  const counting = baseline?.entries.filter((entry) => !isExpired(entry, startedAt.toISOString().slice(0, 10))) ?? [];
  const expectedViolations = counting.flatMap(({ checks }) => checks);
  const target = { baseUrl, ledgerFile: undefined, expectedViolations };
  const plan: Plan = planOf({ options, checks: CHECKS, replay: undefined }, PET_STORE_OUTLINE, target);
  const judge = new TrafficJudge(service, CHECKS, plan, await service.loadContract(), (check, violation) =>
    onFound(check, violation, expectedViolations.includes(check)),
  );
  return {
    judge: (recorded, asked) => {
      const credential = keys.credentialOf(recorded, asked);
      judge.judge(callOf(asked, recorded, credential, options.categoryIds), recorded.answer, recorded.sentAt);
    },
    end: async (notes, stdout) => {
      const found = { ...judge.conclude(), faults: [] };
      const unjudgeable = judge.judged === 0 ? { unjudgeable: `No verdict: nothing was sent to ${baseUrl}.` } : {};
      const tested = withoutNames({ ...found, ...unjudgeable }, redactNames ? 'all' : 'others');
      const redact = redactorFor(keys.secrets, JSON.stringify(tested));
      const { result, unwritten } = await conclude(tested, {
        plan,
        options,
        run: { startedAt, milliseconds: performance.now() - started, minJudged: options.minJudged },
        isEmbedded: false,
        notes: [...notes, ...(history?.damaged ?? [])],
        baseline,
        history,
        redact,
      });
      const { color, output, reportDir, reports } = options;
      const written = unwritten.length === 0 && reports.length > 0;
      const columns = terminalColumns(stdout);
      const look = { service: service.description, color, output, columns, reportDir, written, redact };
      stdout.write(terminalReport(result, look));
      if (unwritten.length > 0) throw unwritten[0];
      return result.exitCode;
    },
  };
}
