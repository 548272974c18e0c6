import { CHECKS } from '../../../suites/index.ts';
import type { Progress } from '../../engine/plan.ts';
import { plannedChecks } from '../../engine/selection.ts';
import { petStore } from '../../petstore/definition.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { type ChecksEvent, describeError, type WorkerPlan } from './checks-messages.ts';
import { openSession } from './open-session.ts';
import { registerChecks } from './register-checks.ts';
import { secretsOf } from './secrets.ts';
import { runTests, VITEST } from './vitest-runner.ts';

/**
 * Runs the checks of a plan in this thread, as tests of vitest's runner.
 *
 * @param stop aborted with a StopReason where nothing more is to be sent
 * @param tell told of all that happens; the last is `end`
 */
export async function runPlanned(
  { plan, petStore: options }: WorkerPlan,
  stop: AbortSignal,
  tell: (event: ChecksEvent) => void,
): Promise<void> {
  const onProgress = (progress: Progress): void => tell({ kind: 'progress', progress });
  const register = (): void => {
    const service = petStore(options);
    const redact = createRedactor(secretsOf(plan, service));
    registerChecks(
      {
        title: service.description.title,
        checks: plannedChecks(plan, CHECKS),
        open: () => openSession(service, plan, { stop, redact, onProgress }),
        redact,
        keepResults: true,
      },
      VITEST,
    );
  };
  try {
    await runTests(register, tell);
  } catch (error) {
    tell({ kind: 'fault', error: describeError(error instanceof Error ? error : new Error(String(error))) });
  }
  tell({ kind: 'end' });
}
