/** The test file that our own runs give to vitest. */
import { inject } from 'vitest';
import { CHECKS } from '../../../suites/index.ts';
import { stopReasonIn } from '../../engine/plan.ts';
import { plannedChecks } from '../../engine/shard.ts';
import { petStore } from '../../petstore/definition.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { openSession } from './open-session.ts';
import { registerChecks } from './register-checks.ts';
import { secretsOf } from './secrets.ts';
import { GO, openChannel, READY } from './worker-channel.ts';

// Vitest switches them on; a stack that is read gets them again.
process.setSourceMapsEnabled(false);

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

registerChecks({
  title: service.description.title,
  checks: plannedChecks(plan, CHECKS),
  open: async () => {
    await mayBegin;
    return openSession(service, plan, {
      stop: stop.signal,
      onProgress: (progress) => channel.postMessage(progress),
    });
  },
  hasSoak: plan.soakMs !== undefined,
  redact: createRedactor(secretsOf(plan, service)),
  keepResults: true,
  onEnd: () => channel.close(),
});
