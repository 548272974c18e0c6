import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { describe, expect, test } from 'vitest';
import { createProgress, type ProgressState } from './progress.ts';

/** A terminal stream that keeps what is written to it. */
function recorder(): { readonly stream: NodeJS.WriteStream; readonly text: () => string } {
  let text = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const stream = Object.assign(Object.create(WriteStream.prototype), sink, {
    write: (chunk: string) => {
      text += chunk;
      return true;
    },
    columns: 60,
    rows: 20,
    isTTY: true,
  });
  return { stream, text: () => text };
}

function state(done: number): ProgressState {
  return { done, total: 70, requests: done * 10, running: ['LIST-2', 'AUTH-2.\u001b[2Jx'] };
}

describe('createProgress', () => {
  test('quiet prints nothing', () => {
    const { stream, text } = recorder();
    const progress = createProgress({ stream, interactive: true, color: true, quiet: true });
    progress.update(state(1));
    progress.finish();
    expect(text()).toBe('');
  });

  test('without a terminal a plain line comes at most every ten seconds', () => {
    const { stream, text } = recorder();
    let time = 0;
    const progress = createProgress({ stream, interactive: false, color: false, quiet: false, now: () => time });
    for (; time <= 25_000; time += 500) progress.update(state(time / 500));
    progress.finish();
    expect(text()).toBe('20 of 70 checks · 200 requests\n40 of 70 checks · 400 requests\n');
  });

  test('on a terminal two lines are redrawn, within its width, and cleared at the end', () => {
    const { stream, text } = recorder();
    let time = 0;
    const progress = createProgress({ stream, interactive: true, color: false, quiet: false, now: () => time });
    progress.update(state(35));
    const first = text();
    expect(first).toContain('35 of 70 checks · 350 requests');
    expect(first).toContain('\\u001b[2Jx');
    time = 50;
    progress.update(state(36));
    expect(text()).toBe(first);
    time = 200;
    progress.update(state(37));
    expect(text()).toContain('37 of 70 checks');
    progress.finish();
    const end = text();
    progress.finish();
    expect(text()).toBe(end);
  });
});
