import { once } from 'node:events';
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

test('its clock stands still while the suite itself holds a request up', async () => {
  const limit = timeLimit(40, new AbortController().signal);
  // Longer than the limit: if the clock went on, the timer would fire first.
  await limit.while(new Promise((resolve) => setTimeout(resolve, 80)));
  expect(limit.signal.aborted).toBe(false);
  await once(limit.signal, 'abort');
  limit.end();
});
