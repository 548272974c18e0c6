/** What vitest runs: every selected check is a test, and the tests run side by side in one worker. */
import { BroadcastChannel } from 'node:worker_threads';
import { inject, test } from 'vitest';
import { loadContract } from '../../contract/contract.ts';
import { judge } from '../../engine/judge.ts';
import { channelOf, GO, payloadOf, READY, stopReasonIn } from './worker-channel.ts';

const plan = inject('plan');
const channel = new BroadcastChannel(channelOf(plan));
const stop = new AbortController();
const answered = new Promise<void>((resolve) => {
  channel.onmessage = (event: unknown) => {
    const payload = payloadOf(event);
    const reason = stopReasonIn(payload);
    if (reason !== undefined) stop.abort(reason);
    if (reason !== undefined || payload === GO) resolve();
  };
});
channel.postMessage(READY);

const judged = answered
  .then(() => loadContract())
  .then((contract) => judge(plan, contract, (progress) => channel.postMessage(progress), stop.signal));

for (const [at, id] of plan.checks.entries()) {
  test.concurrent(id, async ({ task }) => {
    const { checks } = await judged;
    const check = checks[at];
    if (check === undefined) throw new Error(`${id} was planned and gave no result`);
    task.meta.judged = check;
  });
}

test.concurrent('telemetry', async ({ task }) => {
  try {
    task.meta.telemetry = (await judged).telemetry;
  } finally {
    channel.close();
  }
});
