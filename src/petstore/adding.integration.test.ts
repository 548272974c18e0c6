/** Who is blamed where the body of createPet has several things about it that are unusual. */
import { afterEach, expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import type { JudgedCheck } from '../engine/plan.ts';
import { changeResponse, fault, override } from '../reference/changes.ts';
import { ApiError, invalidBody } from '../reference/errors.ts';
import { type Fault, type RunningReference, startReference } from '../reference/index.ts';
import { isObject } from '../reference/json.ts';
import { judgeBy, KEY, testPlan } from './rig.fixture.ts';

const services: RunningReference[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});

const ADDING = ['RES-6', 'RES-7', 'STATE-1', 'CREATE-1', 'CREATE-12', 'CREATE-16', 'SERV-4'];

async function judgedBy(ids: readonly string[], ...faults: readonly Fault[]): Promise<readonly JudgedCheck[]> {
  const service = await startReference({ token: KEY, faults });
  services.push(service);
  return judgeBy(
    CHECKS.filter(({ id }) => ids.includes(id)),
    testPlan(service.baseUrl),
  );
}

const failedIn = (judged: readonly JudgedCheck[]): readonly string[] =>
  judged.filter(({ result }) => result.outcome.kind === 'failed').map(({ result }) => result.id);

const refusing = (breaks: string, refuses: (text: string, header: (name: string) => string | undefined) => boolean) =>
  fault(
    'refuses-some',
    breaks,
    'Refuses some bodies.',
    override('parseBody', (usual) => (text, call) => {
      if (refuses(text, (name) => call.header(name))) throw invalidBody('Not these.');
      return usual(text, call);
    }),
  );

const isChunked = (header: (name: string) => string | undefined): boolean => header('transfer-encoding') === 'chunked';

const WANTS_A_STATUS = fault(
  'wants-a-status',
  'STATE-1',
  'A body without a status is refused.',
  override('validateNewPet', (usual) => (body, call) => {
    if (isObject(body) && !Object.hasOwn(body, 'status')) throw invalidBody('The status is missing.');
    return usual(body, call);
  }),
);

test.each<[string, Fault]>([
  ['RES-6', refusing('RES-6', (text) => /DROP TABLE/.test(text))],
  ['RES-7', refusing('RES-7', (text) => /"categoryId"\s*:\s*-/.test(text))],
  ['STATE-1', WANTS_A_STATUS],
  ['CREATE-12', refusing('CREATE-12', (text) => text.includes('\\u006e\\u0061\\u006d\\u0065'))],
  ['CREATE-16', refusing('CREATE-16', (_, header) => isChunked(header))],
])('what is refused for one thing alone is the fault of %s and of no other', async (breaks, broken) => {
  expect(failedIn(await judgedBy(ADDING, broken))).toEqual([breaks]);
});

test('what is refused for two things together is told with both', async () => {
  const judged = await judgedBy(
    ADDING,
    refusing('CREATE-16', (text, header) => isChunked(header) && /[^\s!-~]/.test(text)),
  );
  expect(failedIn(judged)).toEqual(['CREATE-16']);
  const messages = judged.flatMap(({ result: { outcome } }) =>
    outcome.kind === 'failed' ? outcome.violations.map(({ message }) => message) : [],
  );
  expect(messages[0]).toMatch(/^answers 400 to createPet with a long name beyond ASCII, in chunks of \d+ bytes$/);
});

test('a service that wants a length is not at fault, and neither is one that fails now and then at another place', async () => {
  const wantsALength = fault(
    'wants-a-length',
    'CREATE-16',
    'Chunks are refused.',
    override('readBody', (usual) => (call) => {
      if (isChunked((name) => call.header(name))) throw new ApiError(411, 'length_required', 'Send a length.');
      return usual(call);
    }),
  );
  expect(failedIn(await judgedBy([...ADDING, 'CREATE-4', 'CREATE-7'], wantsALength))).toEqual([]);
});

test('what a service refuses for its chunks is sent again with a length', async () => {
  const [inChunks, withALength]: [string[], string[]] = [[], []];
  const wantsALength = fault(
    'wants-a-length',
    'CREATE-16',
    'Chunks are refused.',
    override('readBody', (usual) => async (call) => {
      const text = await usual(call);
      const isRefused = isChunked((name) => call.header(name));
      // Every body has a number of its own in its name, and what makes up its length is repeated as often as it takes.
      const name = `${JSON.parse(text).name}`.replace(/-?\d+/g, '0').replace(/(.)\1{9,}/gu, '$1…');
      (isRefused ? inChunks : withALength).push(name);
      if (isRefused) throw new ApiError(411, 'length_required', 'Send a length.');
      return text;
    }),
  );
  expect(failedIn(await judgedBy(['RES-6'], wantsALength))).toEqual([]);
  expect(inChunks.length).toBeGreaterThan(2);
  expect(withALength).toEqual(expect.arrayContaining(inChunks));
});

test('a 5xx is SERV-4’s, whichever body is answered with it', async () => {
  const failing = fault(
    'fails',
    'SERV-4',
    'A body with a defect is answered with 500.',
    changeResponse(
      ({ status }) => status === 400,
      (response) => ({ ...response, status: 500 }),
    ),
  );
  const judged = await judgedBy(['SERV-4', 'CREATE-2', 'CREATE-7', 'CREATE-14'], failing);
  expect(failedIn(judged)).toEqual(['SERV-4']);
  for (const { result } of judged.filter(({ result: { id } }) => id !== 'SERV-4')) {
    expect(result.outcome).toMatchObject({ kind: 'inconclusive', see: 'SERV-4' });
  }
});
