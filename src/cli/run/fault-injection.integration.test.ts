/**
 * Whatever befalls the connections to a service, a run ends by itself, in time, with a verdict on the service and whole
 * reports. `FAULT_INJECTION_RUNS` sets how many runs there are, `FAULT_INJECTION_TIME_MS` how long each may take.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import { CHECKS } from '../../../suites/index.ts';
import { startFaultyProxy } from './faulty-proxy.fixture.ts';
import { type EndedHere, ledgerIn, quickOptions, resultIn, runHere, serviceWith } from './run-in-process.fixture.ts';

const RUNS = Math.min(200, Number(process.env['FAULT_INJECTION_RUNS'] ?? 12));
const MAX_TIME_MS = Number(process.env['FAULT_INJECTION_TIME_MS'] ?? 400);
/** What it may take beyond its time to conclude and to write the reports, on a busy machine. */
const CONCLUDING_MS = 15_000;
/** How many of a hundred pieces of data meet a fault: from hardly any to most. */
const RATES = [1, 3, 10, 30, 70] as const;
/** A run has every so many of the checks, each run others: what is short can meet its faults at any moment too. */
const SHARE = 12;

async function runThroughFaults(seed: number, rate: number): Promise<EndedHere & { readonly faults: number }> {
  const service = await serviceWith();
  const proxy = await startFaultyProxy(service.baseUrl, seed, rate);
  try {
    const options = quickOptions(proxy.baseUrl, {
      seed,
      only: CHECKS.filter((_, at) => at % SHARE === seed % SHARE).map(({ requirement }) => requirement),
      maxTimeMs: MAX_TIME_MS,
      requestTimeoutMs: 100,
      settleMs: 20,
      waitForMs: 200,
      reports: ['junit', 'json', 'html', 'md', 'har'],
    });
    const ended = await runHere(options);
    return { ...ended, faults: [...proxy.faults.values()].reduce((sum, number) => sum + number, 0) };
  } finally {
    await proxy.stop();
    await service.stop();
  }
}

describe.concurrent('random transport faults at random moments', () => {
  test.each(Array.from({ length: RUNS }, (_, at) => at + 1))('run %i', async (seed) => {
    const rate = RATES[seed % RATES.length] ?? 1;
    const { code, dir, milliseconds, stderr, faults } = await runThroughFaults(seed, rate);
    // Nothing is spared where most of the data is hit.
    if (rate === 70) expect(faults).toBeGreaterThan(0);
    const result = resultIn(dir);
    const suiteFaults = result.checks.filter(({ outcome }) => outcome.kind === 'harness error');
    expect(suiteFaults).toEqual([]);
    expect([0, 1, 3]).toContain(code);
    expect(result.exitCode).toBe(code);
    expect(stderr).toBe('');
    expect(milliseconds).toBeLessThan(MAX_TIME_MS + CONCLUDING_MS);
    const report = (name: string): string => readFileSync(join(dir, name), 'utf8');
    expect(create(report('junit.xml')).root().node.nodeName).toBe('testsuites');
    expect(report('report.html').trimEnd().endsWith('</html>')).toBe(true);
    expect(report('summary.md').length).toBeGreaterThan(100);
    expect(JSON.parse(report('traffic.har'))).toMatchObject({ log: { version: '1.2' } });
    expect(ledgerIn(dir)).toHaveLength(result.summary.creations);
  });
});
