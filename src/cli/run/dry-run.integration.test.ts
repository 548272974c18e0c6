import { expect, test } from 'vitest';
import { CHECKS } from '../../../suites/index.ts';
import { runChecks } from '../../engine/run-checks.ts';
import { dryRun } from './dry-run.ts';
import { listenForInterrupts } from './interruption.ts';
import {
  Captured,
  FakeSignals,
  ledgerIn,
  quickOptions,
  resultIn,
  runHere,
  serviceWith,
} from './run-in-process.fixture.ts';

test('says by check what would be sent, and sends and writes nothing', async () => {
  const target = await serviceWith();
  const options = quickOptions(target.baseUrl, { rateLimit: { kind: 'fixed', perSecond: 10 } });
  const dry = await runHere({ ...options, dryRun: true });
  expect(target.requests).toEqual([]);
  expect(ledgerIn(options.reportDir)).toEqual([]);
  expect(() => resultIn(options.reportDir)).toThrow('ENOENT');
  expect([dry.code, dry.stderr]).toEqual([0, '']);
  const rows = dry.stdout.split('\n');
  for (const { id } of CHECKS.filter(({ recalls }) => !recalls))
    expect(rows.filter((row) => row.startsWith(`${id} `))).toHaveLength(1);
  const [, requests, creations] = /About ([\d,]+) requests and ([\d,]+) creations/.exec(dry.stdout) ?? [];
  expect(dry.stdout).toContain('At --rate-limit 10/s that takes at least');
  expect(dry.stdout).toContain('embedded reference service');

  // The same run for true, at a target as new as the one that was assumed.
  const real = await runHere({ ...options, rateLimit: { kind: 'none' } });
  const { summary } = resultIn(real.dir);
  const told = Number(requests?.replaceAll(',', ''));
  expect(Math.abs(told - target.requests.length)).toBeLessThan(told * 0.1);
  expect(Number(creations?.replaceAll(',', ''))).toBe(summary.creations);
});

test('says what --fail-fast and --max-time change, and foresees no creation with --read-only', async () => {
  const options = { dryRun: true, only: ['GET-2'], reportDir: 'never-made' } as const;
  const plain = await runHere(quickOptions(undefined, { ...options, maxTimeMs: undefined }));
  expect(plain.stdout).not.toMatch(/--max-time|--fail-fast/);
  expect(plain.stdout).not.toContain(' 0 creations');
  const changed = await runHere(quickOptions(undefined, { ...options, failFast: true, readOnly: true }));
  expect(changed.code).toBe(0);
  expect(changed.stdout).toContain('With --fail-fast a run sends less where the target violates a requirement');
  expect(changed.stdout).toContain('Not narrowed by --max-time, which depends on the latency of the target');
  expect(changed.stdout).toMatch(/About [\d,]+ requests and 0 creations/);
});

test('an internal error is told, with 2', async () => {
  const stdout = new Captured();
  const interruption = listenForInterrupts(stdout, new FakeSignals());
  const code = await dryRun(quickOptions(undefined, { only: ['GET-2'] }), 1, stdout, interruption, async (session) => {
    const ran = await runChecks(session);
    const outcome = { kind: 'harness error', message: 'it broke' } as const;
    return { ...ran, checks: ran.checks.map((one) => ({ ...one, result: { ...one.result, outcome } })) };
  });
  expect([code, stdout.text]).toEqual([2, expect.stringContaining('Internal error of the suite: GET-2: it broke\n')]);
});
