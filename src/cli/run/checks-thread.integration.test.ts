/** What the tests of a run end as, and what a thread that cannot go on is told as. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEY, recordingReference, testPlan } from '../../petstore/rig.fixture.ts';
import { findFault } from '../../reference/index.ts';
import { isFolderGone } from '../errors.ts';
import { prepareThread } from './checks-thread.ts';
import type { TestedChecks } from './test-results.ts';

interface Ran {
  readonly tested: TestedChecks;
  /** The suites, in the order in which they began. */
  readonly suites: readonly string[];
  /** The checks, in the order in which they were concluded. */
  readonly judged: readonly string[];
}

/** Runs some checks in a thread against a service with one fault. */
async function run(checks: readonly string[], stop = new AbortController(), program?: string): Promise<Ran> {
  const faults = [findFault('limit-7-gives-8')].filter((fault) => fault !== undefined);
  const service = await recordingReference({ faults });
  const suites: string[] = [];
  const judged: string[] = [];
  const prepared = prepareThread(program);
  try {
    const plan = testPlan(service.baseUrl, { checks, requestTimeoutMs: 60_000, maxTimeMs: 110_000 });
    const tested = await prepared.run(
      { plan, petStore: { categoryIds: [] } },
      {
        onProgress: () => {},
        onSuite: (name) => suites.push(name),
        onJudged: ({ result }) => judged.push(result.id),
        stop: stop.signal,
      },
    );
    return { tested, suites, judged };
  } finally {
    await prepared.close();
    await service.stop();
  }
}

test('each check is told as it is concluded, whether it holds, fails or does not apply', async () => {
  const { tested, suites, judged } = await run(['LIST-2', 'GET-2', 'VERS-4']);
  expect(tested.checks.map(({ result: { id, outcome } }) => [id, outcome.kind])).toEqual([
    ['LIST-2', 'failed'],
    ['GET-2', 'passed'],
    ['VERS-4', 'not applicable'],
  ]);
  expect(tested.faults).toEqual([]);
  expect(tested.telemetry?.requests).toBeGreaterThan(3);
  expect(JSON.stringify(tested.checks.map(({ result }) => result))).not.toContain(KEY);
  expect(suites.at(-1)).toBe('every answer');
  expect(suites).toContain('main');
  expect(judged.toSorted()).toEqual(['GET-2', 'LIST-2', 'VERS-4']);
});

test('in a run that was ended early, a check may be without a result', async () => {
  const stop = new AbortController();
  stop.abort('out-of-time');
  const { tested } = await run(['LIST-2', 'GET-2', 'GONE-1'], stop);
  expect(tested.telemetry).toMatchObject({ stopped: 'out-of-time', requests: 0 });
  expect(tested.faults).toEqual([]);
});

test('a check of which no test brings a result is a fault of the suite, never a check that was not there', async () => {
  const { tested } = await run(['GET-2', 'GONE-1']);
  expect(tested.checks.map(({ result }) => result.id)).toEqual(['GET-2']);
  expect(tested.faults).toEqual(['the check GONE-1 ended without a result: no test concluded it']);
});

describe('a thread that cannot go on', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'petstore-thread-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What a thread with this program is told as. */
  async function faultsOf(name: string, source: string): Promise<readonly string[]> {
    const program = join(folder, `${name}.mjs`);
    writeFileSync(program, source);
    const { tested } = await run(['GET-2'], new AbortController(), program);
    expect(tested.checks).toEqual([]);
    return tested.faults;
  }

  test('is told with the error for which it could not be loaded', async () => {
    const source = `throw new Error('it is missing', { cause: new Error('a disk') });`;
    expect(await faultsOf('broken', source)).toEqual([
      expect.stringMatching(/^Error: it is missing\n.*caused by Error: a disk/s),
    ]);
  });

  test('is told with its exit code, where it ends by itself', async () => {
    const source = `import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => process.exit(7));`;
    expect(await faultsOf('gone', source)).toEqual(['the thread of the checks ended with exit code 7']);
  });

  test('as the working folder was removed, is no fault of the suite', async () => {
    const [before, gone] = [process.cwd(), mkdtempSync(join(folder, 'gone-'))];
    process.chdir(gone);
    rmSync(gone, { recursive: true });
    try {
      await expect(run(['GET-2'])).rejects.toSatisfy(isFolderGone);
    } finally {
      process.chdir(before);
    }
  });

  test('is told while nothing has been asked of it yet, and ends no process', async () => {
    const program = join(folder, 'early.mjs');
    writeFileSync(program, `throw new Error('too early');`);
    const prepared = prepareThread(program);
    await prepared.close();
  });
});

test('a listener that throws ends the run with its error', async () => {
  const service = await recordingReference();
  const prepared = prepareThread();
  const onSuite = (): void => {
    throw new Error('nobody listens');
  };
  try {
    const plan = testPlan(service.baseUrl, { checks: ['GET-2'] });
    const { signal: stop } = new AbortController();
    const running = prepared.run({ plan, petStore: { categoryIds: [] } }, { onProgress: () => {}, onSuite, stop });
    await expect(running).rejects.toThrow('nobody listens');
  } finally {
    await prepared.close();
    await service.stop();
  }
});
