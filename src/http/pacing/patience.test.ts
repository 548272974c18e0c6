import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectNow } from '../garbage.ts';
import { patience } from './patience.ts';

test('a time limit is kept though memory is collected meanwhile', async () => {
  let fired = 0;
  const deadline = new AbortController().signal;
  for (let request = 0; request < 20; request += 1) {
    patience(60, deadline).signal.addEventListener('abort', () => {
      fired += 1;
    });
  }
  await pause(10);
  collectNow();
  await pause(120);
  expect(fired).toBe(20);
});

test('the end of the run ends the waiting, with its reason', () => {
  const run = new AbortController();
  const { signal } = patience(60_000, run.signal);
  run.abort('out-of-time');
  expect(signal.reason).toBe('out-of-time');
});

test('what has ended is left alone', async () => {
  const run = new AbortController();
  const waiting = patience(10, run.signal);
  waiting.end();
  run.abort('out-of-time');
  await pause(30);
  expect(waiting.signal.aborted).toBe(false);
});
