import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunProgress } from '../model/progress.ts';
import { createProgress } from './progress.ts';
import { screenOf } from './screen.fixture.ts';

/** A terminal of 60 columns that keeps what is written to it. */
function terminal() {
  const stream = Object.assign(new PassThrough(), { columns: 60, rows: 20, isTTY: true });
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  return { stream, text: () => text };
}

const state = (done: number, change: Partial<RunProgress> = {}): RunProgress => ({
  phase: 'main',
  done,
  total: 70,
  requests: done * 10,
  running: ['LIST-2'],
  ...change,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('createProgress', () => {
  test('quiet prints nothing', async () => {
    const { stream, text } = terminal();
    const progress = await createProgress({ stream, interactive: true, color: true, quiet: true });
    progress.update(state(1, { news: 'Something.' }));
    progress.interrupt();
    progress.finish();
    expect(text()).toBe('');
  });

  test('without a terminal a plain line comes at most every ten seconds, and news at once', async () => {
    const { stream, text } = terminal();
    const progress = await createProgress({ stream, interactive: false, color: false, quiet: false });
    for (let done = 0; done <= 50; done += 1) {
      progress.update(state(done, done === 3 ? { news: 'Takes\tabout 2 min' } : {}));
      vi.advanceTimersByTime(500);
    }
    progress.interrupt();
    progress.finish();
    expect(text()).toBe(
      'Takes\\tabout 2 min\nRunning in parallel · 20 of 70 checks · 200 requests\nRunning in parallel · 40 of 70 checks · 400 requests\n',
    );
  });

  test('on a terminal it is redrawn in place, not too often, and a new phase at once', async () => {
    const { stream, text } = terminal();
    const progress = await createProgress({ stream, interactive: true, color: false, quiet: false });
    progress.update(state(35));
    const first = text();
    expect(first).toContain('35 of 70 checks · 350 requests\nRunning in parallel · LIST-2\n');
    vi.advanceTimersByTime(50);
    progress.update(state(36));
    expect(text()).toBe(first);
    progress.update(state(36, { phase: 'quiet' }));
    expect(text()).toContain('36 of 70 checks · 360 requests\nRunning one at a time · LIST-2\n');
    vi.advanceTimersByTime(100);
    progress.update(state(37));
    expect(text()).toContain('37 of 70 checks');
    progress.finish();
  });

  test('on a terminal the time left goes on where nothing is heard of the run', async () => {
    const { stream, text } = terminal();
    const progress = await createProgress({ stream, interactive: true, color: false, quiet: false });
    progress.update(state(35, { leftMs: 60_000 }));
    expect(text()).toContain('about 60 s left');
    vi.advanceTimersByTime(20_000);
    expect(text()).toContain('about 40 s left');
    progress.finish();
    const end = text();
    vi.advanceTimersByTime(20_000);
    expect(text()).toBe(end);
  });

  test('what was told stays above the bar, wrapped; the bar is erased at the end', async () => {
    const { stream, text } = terminal();
    const progress = await createProgress({ stream, interactive: true, color: false, quiet: false });
    progress.update(state(1));
    const news = 'The service limits the rate: about 2 min more (1,559 requests at 13 per second)';
    progress.update(state(2, { news }));
    progress.finish();
    stream.write('The report\n');
    expect(text()).toContain('The service limits the rate: about 2 min more (1,559\n  requests at 13 per second)\n');
    expect(screenOf(text())).toEqual([
      'The service limits the rate: about 2 min more (1,559',
      '  requests at 13 per second)',
      '',
      'The report',
    ]);
  });

  test('an interrupt makes room for a message, and the progress says that the run ends', async () => {
    const { stream, text } = terminal();
    const progress = await createProgress({ stream, interactive: true, color: false, quiet: false });
    progress.update(state(35));
    progress.interrupt();
    stream.write('Interrupted.\n');
    progress.update(state(36));
    expect(screenOf(text()).filter((line) => !line.includes('36 of'))).toEqual([
      'Interrupted.',
      'Ending the run · LIST-2',
    ]);
    progress.finish();
    stream.write('The report\n');
    expect(screenOf(text())).toEqual(['Interrupted.', '', 'The report']);
  });
});
