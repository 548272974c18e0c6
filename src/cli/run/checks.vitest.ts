/**
 * The program of the thread in which the checks run. For vitest it is everything at once: the worker, the runner that
 * it looks for there, and the test file. So all that the checks need is loaded before vitest itself is.
 */
import { parentPort } from 'node:worker_threads';
import { inject, TestRunner } from 'vitest';
import { init, runBaseTests, setupEnvironment } from 'vitest/worker';
import { CHECKS } from '../../../suites/index.ts';
import { stopReasonIn } from '../../engine/plan.ts';
import { plannedChecks } from '../../engine/shard.ts';
import { petStore } from '../../petstore/definition.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { openSession } from './open-session.ts';
import { registerChecks } from './register-checks.ts';
import { secretsOf } from './secrets.ts';
import { GO, openChannel, READY } from './worker-channel.ts';

const port = parentPort;
if (port === null) throw new Error('the checks run in a thread of their own');

init({
  post: (response) => port.postMessage(response),
  on: (callback) => port.on('message', callback),
  off: (callback) => port.off('message', callback),
  teardown: () => port.removeAllListeners('message'),
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  // Without Vite, vitest would have Node.js tell it of every module that is loaded, by hooks in one more thread.
  setup: ({ config, ...context }) =>
    setupEnvironment({
      ...context,
      config: { ...config, experimental: { ...config.experimental, viteModuleRunner: true } },
    }),
});

/** Registers the checks where vitest would load a test file. */
export default class ChecksRunner extends TestRunner {
  override importFile(): void {
    registerPlannedChecks();
  }
}

function registerPlannedChecks(): void {
  const { plan, petStore: options } = inject('conformance');
  const stop = new AbortController();
  let begin = (): void => {};
  const mayBegin = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const channel = openChannel(plan, (message) => {
    const reason = stopReasonIn(message);
    if (reason !== undefined) stop.abort(reason);
    if (reason !== undefined || message === GO) begin();
  });
  channel.postMessage(READY);
  const service = petStore(options);
  const redact = createRedactor(secretsOf(plan, service));
  registerChecks({
    title: service.description.title,
    checks: plannedChecks(plan, CHECKS),
    open: async () => {
      await mayBegin;
      return openSession(service, plan, {
        stop: stop.signal,
        redact,
        onProgress: (progress) => channel.postMessage(progress),
      });
    },
    hasSoak: plan.soakMs !== undefined,
    redact,
    keepResults: true,
    onEnd: () => channel.close(),
  });
}
