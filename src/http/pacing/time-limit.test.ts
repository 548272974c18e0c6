import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { timeLimit } from './time-limit.ts';

test('a time limit survives garbage collection', async () => {
  const deadline = new AbortController().signal;
  const fired = Array.from({ length: 20 }, () => once(timeLimit(60, deadline).signal, 'abort'));
  // Counting objects collects garbage first.
  queryObjects(class {});
  await Promise.all(fired);
});

test('the end of the run ends the waiting, with its reason', () => {
  const run = new AbortController();
  const { signal } = timeLimit(60_000, run.signal);
  run.abort('out-of-time');
  expect(signal.reason).toBe('out-of-time');
});

test('what has ended is left alone', async () => {
  const run = new AbortController();
  const waiting = timeLimit(10, run.signal);
  waiting.end();
  run.abort('out-of-time');
  await pause(30);
  expect(waiting.signal.aborted).toBe(false);
});

test('its clock stands still while the suite itself holds a request up', async () => {
  const limit = timeLimit(40, new AbortController().signal);
  // Longer than the limit: if the clock went on, the timer would fire first.
  await limit.while(new Promise((resolve) => setTimeout(resolve, 80)));
  expect(limit.signal.aborted).toBe(false);
  await once(limit.signal, 'abort');
  limit.end();
});
