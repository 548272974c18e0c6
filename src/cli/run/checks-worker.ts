/** The program of the thread in which the checks run, as tests of vitest's runner. */
import { parentPort } from 'node:worker_threads';
import { CHECKS } from '../../../suites/index.ts';
import type { Progress } from '../../engine/plan.ts';
import { plannedChecks } from '../../engine/shard.ts';
import { petStore } from '../../petstore/definition.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { type ChecksEvent, type ChecksOrder, describeError, type WorkerPlan } from './checks-messages.ts';
import { openSession } from './open-session.ts';
import { registerChecks } from './register-checks.ts';
import { secretsOf } from './secrets.ts';
import { runTests, VITEST } from './vitest-runner.ts';

const port = parentPort;
if (port === null) throw new Error('the checks run in a thread of their own');

const tell = (event: ChecksEvent): void => port.postMessage(event);
const stop = new AbortController();

port.on('message', (order: ChecksOrder) => {
  if (order.kind === 'stop') stop.abort(order.reason);
  else void run(order.given);
});
// What no test has awaited is told as well, and ends no run.
process.on('uncaughtException', (error) => tell({ kind: 'fault', error: describeError(error) }));

async function run({ plan, petStore: options }: WorkerPlan): Promise<void> {
  const register = (): void => {
    const service = petStore(options);
    const redact = createRedactor(secretsOf(plan, service));
    registerChecks(
      {
        title: service.description.title,
        checks: plannedChecks(plan, CHECKS),
        open: () => {
          const onProgress = (progress: Progress): void => tell({ kind: 'progress', progress });
          return openSession(service, plan, { stop: stop.signal, redact, onProgress });
        },
        hasSoak: plan.soakMs !== undefined,
        redact,
        keepResults: true,
      },
      VITEST,
    );
  };
  await runTests(register, tell);
  tell({ kind: 'end' });
}
