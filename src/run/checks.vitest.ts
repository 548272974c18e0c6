/** What vitest runs: every selected check is a test, and the tests run side by side in one worker. */
import { BroadcastChannel } from 'node:worker_threads';
import { inject, test } from 'vitest';
import { loadContract } from '../contract/contract.ts';
import { judge } from './judge.ts';
import { channelOf, STOP } from './worker-channel.ts';

const plan = inject('plan');
const channel = new BroadcastChannel(channelOf(plan));
const stop = new AbortController();
channel.onmessage = (message: unknown) => {
  if (typeof message === 'object' && message !== null && Reflect.get(message, 'data') === STOP) stop.abort();
};
channel.unref();

const judged = loadContract().then((contract) =>
  judge(plan, contract, (progress) => channel.postMessage(progress), stop.signal),
);

for (const [at, id] of plan.checks.entries()) {
  test.concurrent(id, async ({ task }) => {
    const { checks } = await judged;
    const check = checks[at];
    if (check === undefined) throw new Error(`${id} was planned and gave no result`);
    task.meta.judged = check;
  });
}

test.concurrent('telemetry', async ({ task }) => {
  task.meta.telemetry = (await judged).telemetry;
  channel.close();
});
