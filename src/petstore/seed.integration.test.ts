import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { override, variant } from '../reference/changes.ts';
import { assignInSequence } from '../reference/collection.ts';
import { startReference } from '../reference/index.ts';
import { type Recorded, startRecorder } from './recorder.fixture.ts';
import { judgeBy, KEY, testPlan } from './rig.fixture.ts';

/** These ask for ids beside those of the run's own, and which animal has been given them meanwhile is chance. */
const ASK_FOR_IDS_BESIDE = ['CREATE-9', 'AUTH-7', 'GET-3'];

/** Ids between 512 and 1,000: none of a run's own is an edge that a check asks for. */
const awayFromEdges = variant(
  'ids-away-from-edges',
  'CREATE-9',
  'ids begin at 600',
  override('assignId', () => assignInSequence(600n)),
);

const ALL = CHECKS.map(({ id }) => id);

/** Everything that a run sends to a fresh service, in an order of its own. */
async function sent(seed: number, checks: readonly string[], latencyMs: number): Promise<readonly string[]> {
  const service = await startReference({ token: KEY, latencyMs, variants: [awayFromEdges] });
  const recorder = await startRecorder(service.baseUrl);
  try {
    await judgeBy(
      CHECKS.filter(({ id }) => checks.includes(id)),
      testPlan(recorder.baseUrl, { seed }),
    );
    return byName(recorder.requests).toSorted();
  } finally {
    await recorder.stop();
    await service.stop();
  }
}

/** Which of the animals that are added side by side gets which id is chance, so the ids are told by the names. */
function byName(requests: readonly Recorded[]): readonly string[] {
  const names = new Map(
    requests
      .filter(({ method, status }) => method === 'POST' && status === 201)
      .map(({ answer }) => {
        const { id, name }: { id: unknown; name: unknown } = JSON.parse(answer);
        return [String(id), String(name)] as const;
      }),
  );
  const told = (path: string): string =>
    path.replace(/\/pets\/((?:%3\d|\d)+)$/, (whole, id: string) => {
      const name = names.get(decodeURIComponent(id));
      return name === undefined ? whole : `/pets/{${name}}${id.includes('%') ? ' encoded' : ''}`;
    });
  return requests.map(({ method, path, headers, body }) => [method, told(path), ...headers, body].join('\n'));
}

/** What stands in one list and not in the other, every copy counted. */
function difference(some: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const one of some) left.set(one, (left.get(one) ?? 0) + 1);
  for (const one of others) left.set(one, (left.get(one) ?? 0) - 1);
  return [...left].filter(([, count]) => count !== 0).map(([one, count]) => `${count} of ${one}`);
}

test('the same seed sends the same requests, however quick the service is', async () => {
  const checks = ALL.filter((id) => !ASK_FOR_IDS_BESIDE.includes(id));
  const [quick, slow] = await Promise.all([sent(7, checks, 0), sent(7, checks, 4)]);
  expect(quick.length).toBeGreaterThan(1_000);
  expect(difference(quick, slow)).toEqual([]);
});

test('but for ids beside those that were given', async () => {
  const own = (requests: readonly string[]) => requests.filter((request) => !request.startsWith('GET\n/v1/pets/{'));
  const [quick, slow] = await Promise.all([sent(7, ASK_FOR_IDS_BESIDE, 0), sent(7, ASK_FOR_IDS_BESIDE, 4)]);
  expect(own(quick).length).toBeGreaterThan(20);
  expect(difference(own(quick), own(slow))).toEqual([]);
});

test('another seed sends other bodies', async () => {
  const [one, other] = await Promise.all([sent(1, ['CREATE-4', 'RES-6'], 0), sent(2, ['CREATE-4', 'RES-6'], 0)]);
  const bodies = (requests: readonly string[]) =>
    requests
      .filter((request) => request.startsWith('POST'))
      .map((request) =>
        request
          .split('\n')
          .at(-1)
          ?.replace(/conformance \S+/, ''),
      );
  const common = bodies(one).filter((body) => bodies(other).includes(body));
  expect(new Set(bodies(one)).size - new Set(common).size).toBeGreaterThan(20);
});
