import { expect, test } from 'vitest';
import { HARMLESS_HEADERS, SIGNS_OF_TRUST } from '../../petstore/inputs/headers.ts';
import { startRecorder } from '../../petstore/recorder.fixture.ts';
import { KEY } from '../../petstore/rig.fixture.ts';
import { OTHER_HEADERS } from '../../petstore/space/request-forms.ts';
import { startReference } from '../../reference/index.ts';
import { quickOptions, runHere } from './run-in-process.fixture.ts';

const signs = Object.values(SIGNS_OF_TRUST).flat();

test('every request of a run names the suite, its version and the seed of the run, or another client for once', async () => {
  const service = await startReference({ token: KEY });
  const recorder = await startRecorder(service.baseUrl);
  const options = quickOptions(recorder.baseUrl, { seed: 1729, only: ['CREATE-1', 'AUTH-2', 'LIST-2', 'GET-1'] });
  const { code } = await runHere(options);
  await recorder.stop();
  await service.stop();
  expect(code).toBe(0);
  expect(recorder.requests.length).toBeGreaterThan(20);
  const named = recorder.requests.map(({ headers }) => headers.filter((line) => line.startsWith('user-agent:')));
  const pools = [...(OTHER_HEADERS['another client']?.examples ?? []), ...HARMLESS_HEADERS, ...signs];
  const others = pools.flat().map(([, value]) => `user-agent: ${value}`);
  const own = named.flat().filter((line) => !others.includes(line));
  const [first = []] = named;
  expect(first).toEqual([expect.stringMatching(/^user-agent: petstore-conformance\/\d+\.\d+\.\d+ .*seed 1729\b/)]);
  expect(new Set(own)).toEqual(new Set(first));
  expect(own.length).toBeGreaterThan(recorder.requests.length * 0.8);
  expect(named.every((lines) => lines.length <= 1)).toBe(true);
});
