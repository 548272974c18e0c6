/** What the program says of services that others made the frameworks of: as first written, and as they are right. */
import { beforeAll, describe, expect, test } from 'vitest';
import { KEY } from '../../petstore/rig.fixture.ts';
import type { Profile } from '../../report/model/result.ts';
import { startFirstExpress } from './express/first.fixture.ts';
import { startRightExpress } from './express/right.fixture.ts';
import { startFirstFastify } from './fastify/first.fixture.ts';
import { startRightFastify } from './fastify/right.fixture.ts';
import { EXPRESS, FASTIFY, type Found, MOCK, NGINX } from './found.fixture.ts';
import { type Judged, judgedBy } from './judged.fixture.ts';
import type { Listening, StartService } from './listen.fixture.ts';
import { startFirstMock } from './mock/first.fixture.ts';
import { startRightMock } from './mock/right.fixture.ts';
import { hasNginx, startNginx } from './nginx/nginx.fixture.ts';

function expectFound({ exitCode, printed, violated }: Judged, found: Found): void {
  expect(violated).toEqual(found.violated);
  const [firstCause = ''] = /^ {2}1\. .*\n.*|^✗ .*/m.exec(printed) ?? [];
  expect(firstCause).toMatch(found.firstCause);
  expect(exitCode).toBe(1);
}

function expectConforming({ printed, ...judged }: Judged): void {
  expect(judged, printed).toEqual({ exitCode: 0, violated: [], notJudged: [] });
}

/** Judges a service while it runs. */
async function judgedWhile(start: StartService, judge: (service: Listening) => Promise<Judged>): Promise<Judged> {
  const service = await start(KEY);
  try {
    return await judge(service);
  } finally {
    await service.stop();
  }
}

const judgedAsIs = (start: StartService, { profile, options = [] }: Found): Promise<Judged> =>
  judgedWhile(start, ({ baseUrl }) => judgedBy(profile, '--base-url', baseUrl, ...options));

const judgedBehindNginx = (site: string, profile: Profile): Promise<Judged> =>
  judgedWhile(startRightFastify, async (service) => {
    const nginx = await startNginx(site, service);
    try {
      const target = ['--base-url', 'http://localhost/v1', '--unix-socket', nginx.socket];
      // It limits the rate: on a busy machine, the usual time would leave checks out.
      return await judgedBy(profile, ...target, '--max-time', '180');
    } finally {
      await nginx.stop();
    }
  });

/** It waits for its rate most of the time, and so runs beside the others; a longer run would take long. */
let rightBehindNginx: Promise<Judged> | undefined;
beforeAll(() => {
  if (hasNginx()) rightBehindNginx = judgedBehindNginx('right.conf', 'smoke');
});

describe.each([
  [EXPRESS, startFirstExpress, startRightExpress],
  [FASTIFY, startFirstFastify, startRightFastify],
  [MOCK, startFirstMock, startRightMock],
])('$title', (found, first, right) => {
  test('as first written', async () => expectFound(await judgedAsIs(first, found), found));
  test('as it is right', async () => expectConforming(await judgedAsIs(right, found)));
});

describe.runIf(hasNginx())(NGINX.title, () => {
  test('as first written', async () => expectFound(await judgedBehindNginx('first.conf', NGINX.profile), NGINX));

  test('as it is right', async () => {
    const judged = await rightBehindNginx;
    if (judged === undefined) throw new Error('it was not started');
    expectConforming(judged);
    expect(judged.printed).toMatch(/ \d+ throttled/);
  });
});
