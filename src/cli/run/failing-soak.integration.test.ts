import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createVitest } from 'vitest/node';
import { PACKAGE_ROOT } from '../../package.ts';
import { recordingReference, testPlan } from '../../petstore/rig.fixture.ts';

test('a soak in which the suite itself fails is a test that fails, and its message tells no secret', async () => {
  const service = await recordingReference();
  const plan = testPlan(service.baseUrl, { checks: ['GET-2'], soakMs: 1_000 });
  const testFile = fileURLToPath(new URL('failing-soak.fixture.ts', import.meta.url));
  const exitCode = process.exitCode;
  const vitest = await createVitest('test', {
    config: false,
    watch: false,
    root: fileURLToPath(PACKAGE_ROOT),
    dir: dirname(testFile),
    include: [testFile],
    cache: false,
    provide: { plan },
    pool: 'threads',
    reporters: [{}],
  });
  try {
    await vitest.start();
    const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
    const ends = tests.map(
      (one) => [one.name.split(' ', 1)[0], one.result().state, one.result().errors ?? []] as const,
    );
    expect(ends).toEqual([
      ['GET-2', 'passed', []],
      [
        'the',
        'failed',
        [expect.objectContaining({ message: expect.stringContaining('no load can be made with [red') })],
      ],
      ['GET-2', 'passed', []],
    ]);
  } finally {
    await vitest.close();
    await service.stop();
    process.exitCode = exitCode;
  }
});
