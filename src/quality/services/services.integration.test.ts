/** What the suite says of services that others made the frameworks of: as first written, and as they are right. */
import { describe, expect, test } from 'vitest';
import { plainOptions } from '../../cli/options/run-settings.ts';
import { conformance } from '../../result/conformance.ts';
import type { RunResult } from '../../result/result.ts';
import { startFirstExpress } from './express/first.fixture.ts';
import { startRightExpress } from './express/right.fixture.ts';
import { startFirstFastify } from './fastify/first.fixture.ts';
import { startRightFastify } from './fastify/right.fixture.ts';
import type { Listening, StartService } from './listen.fixture.ts';
import { startFirstMock } from './mock/first.fixture.ts';
import { startRightMock } from './mock/right.fixture.ts';
import { hasNginx, startNginx } from './nginx/nginx.fixture.ts';

const KEY = 'A-key-of-some-length-4711';

async function tested({ baseUrl, stop }: Listening, profile: 'smoke' | 'standard' = 'standard'): Promise<RunResult> {
  const options = { baseUrl, token: KEY, seed: 1729, today: '2027-01-01', profile };
  return conformance(plainOptions({ ...options, maxTimeMs: 180_000, settleMs: 1_000 })).finally(stop);
}

const failedOf = ({ requirements }: RunResult): readonly string[] =>
  requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);

interface Framework {
  readonly first: StartService;
  readonly right: StartService;
  /** What fails in the first version, at least. */
  readonly fails: readonly string[];
}

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  'Express with express-openapi-validator': {
    first: startFirstExpress,
    right: startRightExpress,
    fails: ['CREATE-6', 'GET-5', 'RES-7'],
  },
  'Fastify with SQLite': {
    first: startFirstFastify,
    right: startRightFastify,
    fails: ['CREATE-5', 'CREATE-6', 'CREATE-7', 'ERR-1'],
  },
  'a mock server made of the contract': {
    first: startFirstMock,
    right: startRightMock,
    fails: ['GET-3', 'LIST-6', 'RES-6', 'SERV-2'],
  },
};

describe.each(Object.entries(FRAMEWORKS))('%s', (_, { first, right, fails }) => {
  test('as first written', async () => {
    const result = await tested(await first(KEY));
    expect(result.exitCode).toBe(1);
    expect(failedOf(result)).toEqual(expect.arrayContaining([...fails]));
  });

  test('as it is right', async () => {
    const result = await tested(await right(KEY));
    expect(result.findings.map(({ says, example }) => [says, example.request, example.answer])).toEqual([]);
    expect(result.exitCode).toBe(0);
  });
});

/** The right Fastify behind nginx. */
async function behindNginx(site: string): Promise<Listening> {
  const service = await startRightFastify(KEY);
  const nginx = await startNginx(site, service);
  return {
    baseUrl: nginx.baseUrl,
    stop: async () => {
      await nginx.stop();
      await service.stop();
    },
  };
}

describe.runIf(hasNginx())('nginx before a service', () => {
  test('as first written: it answers 503 where it limits a rate', async () => {
    expect(failedOf(await tested(await behindNginx('first.conf')))).toContain('SERV-4');
  });

  test('as it is right: it answers 429', async () => {
    const result = await tested(await behindNginx('right.conf'), 'smoke');
    expect(result.findings.map(({ says }) => says)).toEqual([]);
    expect(result.summary.throttled).toBeGreaterThan(0);
  });
});
