/** A run that ends before its checks do: at the end of its time, or by its user's hand. */
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../suites/index.ts';
import { PREFLIGHT_REQUESTS } from '../../engine/preflight.ts';
import { listen } from '../../http/rig.fixture.ts';
import { INTERRUPT_EXIT_CODES, listenForInterrupts } from './interruption.ts';
import { endOf, startProgram } from './program.fixture.ts';
import {
  FakeSignals,
  ledgerIn,
  newFolder,
  quickOptions,
  reached,
  resultIn,
  runHere,
  serviceWith,
} from './run-in-process.fixture.ts';

/** What a run may take beyond its time to conclude and to write the reports, on a busy machine. */
const CONCLUDING_MS = 60_000;

/** Takes connections and never says a word. */
async function blackHole(): Promise<{ readonly baseUrl: string; readonly stop: () => Promise<void> }> {
  const { port, stop } = await listen(() => {});
  return { baseUrl: `http://127.0.0.1:${port}/v1`, stop };
}

describe.concurrent('--max-time', () => {
  test('ends a run on a slow service with a full report of what was judged, and no verdict', async () => {
    const { baseUrl } = await serviceWith([], { latencyMs: 150 });
    const ended = await runHere(quickOptions(baseUrl, { maxTimeMs: 3_000 }));
    const result = resultIn(ended.dir);
    expect(ended.milliseconds).toBeLessThan(3_000 + CONCLUDING_MS);
    expect([ended.code, result.verdict]).toEqual([3, 'not judged']);
    // Too little time is no excuse: a deploy gate must not pass because of it.
    expect(result.conclusion).toMatch(
      /^No verdict: (no requirement|only \d+ of \d+ requirements) could be judged.* --max-time 3 was too short/,
    );
    expect(result.notes[0]).toContain('Narrowed to fit --max-time 3');
    expect(result.checks).toHaveLength(CHECKS.filter(({ recalls }) => !recalls).length);
    const reasons = result.checks.flatMap(({ outcome }) => (outcome.kind === 'inconclusive' ? [outcome.code] : []));
    // What the plan could not foresee is cut off.
    expect(reasons.some((code) => code === 'left-out' || code === 'out-of-time')).toBe(true);
    expect(result.checks.filter(({ outcome }) => outcome.kind === 'failed')).toEqual([]);
    expect(ledgerIn(ended.dir)).toHaveLength(result.summary.creations);
  });

  test('counts the look at the target', async () => {
    const silent = await blackHole();
    const changes = { maxTimeMs: 400, requestTimeoutMs: 110_000 };
    const ended = await runHere(quickOptions(silent.baseUrl, changes));
    await silent.stop();
    expect(ended.milliseconds).toBeLessThan(400 + CONCLUDING_MS);
    expect(ended.code).toBe(3);
    expect(resultIn(ended.dir).conclusion).toContain('the time budget of the run was used up');
  });

  test('counts the wait for the target', async () => {
    const gone = await blackHole();
    await gone.stop();
    const changes = { maxTimeMs: 400, waitForMs: 110_000 };
    const ended = await runHere(quickOptions(gone.baseUrl, changes));
    expect(ended.milliseconds).toBeLessThan(400 + CONCLUDING_MS);
    expect([ended.code, resultIn(ended.dir).verdict]).toEqual([3, 'not judged']);
  });

  test('counts a service that falls silent amid the checks, however long an answer may take', async () => {
    let creations = 0;
    const { baseUrl } = await serviceWith([], {}, (steps) => ({
      ...steps,
      assignId: (shop) => {
        creations += 1;
        return creations > 10 ? new Promise<never>(() => {}) : steps.assignId(shop);
      },
    }));
    const changes = { maxTimeMs: 4_000, requestTimeoutMs: 110_000 };
    const ended = await runHere(quickOptions(baseUrl, changes));
    const result = resultIn(ended.dir);
    expect(creations).toBeGreaterThan(10);
    expect(ended.milliseconds).toBeLessThan(4_000 + CONCLUDING_MS);
    expect(result.notes[0]).toContain('The time limit of 4 s (--max-time)');
    const reasons = result.checks.flatMap(({ outcome }) => (outcome.kind === 'inconclusive' ? [outcome.code] : []));
    expect(reasons.filter((code) => code === 'out-of-time').length).toBeGreaterThan(20);
  });
});

describe('Ctrl-C', () => {
  test('sends nothing more, and reports what was judged and what was not', async () => {
    const service = await serviceWith([], { latencyMs: 20 });
    const signals = new FakeSignals();
    const concurrency = 4;
    const running = runHere(quickOptions(service.baseUrl, { profile: 'standard', concurrency }), signals);
    await reached(service.requests, 100, running);
    signals.send('SIGINT');
    const sent = service.requests.length;
    const ended = await running;
    // Those that had left, and not arrived.
    expect(service.requests.length - sent).toBeLessThanOrEqual(concurrency);
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain('Interrupted');
    const result = resultIn(ended.dir);
    expect(result.run.interrupted).toBe('SIGINT');
    expect(result.conclusion).toMatch(/^Interrupted\. /);
    expect([0, 3]).toContain(result.exitCode);
    const codes = result.checks.map(({ outcome }) => (outcome.kind === 'inconclusive' ? outcome.code : outcome.kind));
    expect(codes.filter((code) => code === 'interrupted').length).toBeGreaterThan(20);
    expect(codes).not.toContain('failed');
    expect(codes).not.toContain('harness error');
    expect(ledgerIn(ended.dir)).toHaveLength(result.summary.creations);
    expect(signals.listening).toBe(0);
  });

  test('a second time, ends the process at once; the echo that npm makes of the first does not count', async () => {
    const signals = new FakeSignals();
    const interruption = listenForInterrupts(new PassThrough(), signals);
    signals.send('SIGTERM');
    signals.send('SIGTERM');
    expect([interruption.by, interruption.signal.aborted, signals.exits]).toEqual(['SIGTERM', true, []]);
    await expect
      .poll(() => {
        signals.send('SIGINT');
        return signals.exits;
      })
      .toEqual([130]);
    interruption.end();
    expect(signals.listening).toBe(0);
  });

  test('the end of npm, which hands no SIGTERM on, ends the run; that of another parent does not', async () => {
    const [ofNpm, ofAShell] = [new FakeSignals({ npm_lifecycle_event: 'test' }), new FakeSignals()];
    const [ending, going] = [ofNpm, ofAShell].map((signals) => listenForInterrupts(new PassThrough(), signals));
    for (const signals of [ofNpm, ofAShell]) signals.ppid = 1;
    await expect.poll(() => ending?.by, { timeout: 10_000 }).toBe('SIGTERM');
    expect(going?.by).toBeUndefined();
    ending?.end();
    going?.end();
  });

  test.concurrent.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s to the program: its exit code, with all reports',
    async (signal) => {
      const service = await serviceWith([], { latencyMs: 20 });
      const dir = newFolder();
      const reports = ['--report-dir', dir, '--report', 'json,junit,html,md,har'];
      const child = startProgram(['-u', service.baseUrl, ...reports]);
      const output = endOf(child);
      await reached(service.requests, 60 + PREFLIGHT_REQUESTS, output);
      const sent = service.requests.length;
      child.kill(signal);
      // As npm does, which hands the signal on that the terminal has sent to all.
      child.kill(signal);
      const { code, printed } = await output;
      expect([code, printed]).toEqual([INTERRUPT_EXIT_CODES[signal], expect.stringContaining('Interrupted')]);
      // What was on its way as the word to stop went to the worker; a run to the end takes well over a thousand.
      expect(service.requests.length - sent).toBeLessThan(300);
      const result = resultIn(dir);
      const codes = result.checks.map(({ outcome }) => (outcome.kind === 'inconclusive' ? outcome.code : outcome.kind));
      expect(codes.filter((code) => code === 'interrupted').length).toBeGreaterThan(20);
      expect(result.run.interrupted).toBe(signal);
      expect(result.summary.requests).toBeGreaterThan(50);
      expect(ledgerIn(dir)).toHaveLength(result.summary.creations);
    },
  );
});
