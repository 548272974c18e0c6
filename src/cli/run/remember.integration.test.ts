/** What a run finds of the animals that an earlier one has added to the same service. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY } from '../../petstore/rig.fixture.ts';
import type { Service, Steps } from '../../reference/steps.ts';
import type { RunResult } from '../../report/model/result.ts';
import type { RunOptions } from '../run-options.ts';
import {
  mainHere,
  newFolder,
  quickOptions,
  resultIn,
  runHere,
  serviceWith,
  violatedIn as violated,
} from './run-in-process.fixture.ts';

interface Kept {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly addedAt: string;
}

/** A service, and a file for what runs on it remember. */
async function started(variants: readonly string[] = [], change: Partial<Steps> = {}) {
  let shop: Service | undefined;
  /** Ids that getPet no longer finds. */
  const hidden = new Set<bigint>();
  const service = await serviceWith(variants, {}, (steps) => ({
    ...steps,
    ...change,
    populate: (opened) => {
      shop = opened;
      return steps.populate(opened);
    },
    findPet: (id, call) => (hidden.has(id) ? undefined : steps.findPet(id, call)),
  }));
  const remember = join(newFolder(), 'remembered.json');
  const run = async (changes: Partial<RunOptions> = {}) => {
    const ended = await runHere(quickOptions(service.baseUrl, { remember, reports: ['json'], ...changes }));
    return { ...ended, result: resultIn(ended.dir) };
  };
  return {
    ...service,
    remember,
    hidden,
    run,
    recall: (changes: Partial<RunOptions> = {}) => run({ only: RECALLING, ...changes }),
    kept: (): readonly Kept[] => JSON.parse(readFileSync(remember, 'utf8')).entries,
    get collection() {
      if (shop === undefined) throw new Error('the service has not started');
      return shop.collection;
    },
  };
}

const RECALLING = ['SERV-1.remembered', 'GET-1.remembered', 'RES-5.remembered', 'RES-9.remembered'];

const outcomes = ({ checks }: RunResult): readonly string[] => checks.map(({ outcome }) => outcome.kind);

test('a run keeps 25 animals of differing kinds, and the next fetches them before it adds any', async () => {
  const service = await started();
  expect((await service.run()).code).toBe(0);
  const kept = service.kept();
  expect(kept).toHaveLength(25);
  expect(new Set(kept.map(({ fields }) => fields['status'])).size).toBe(3);
  expect(readFileSync(service.remember, 'utf8')).not.toContain(KEY);
  const before = service.requests.length;
  const { code, result } = await service.recall();
  expect([code, outcomes(result)]).toEqual([0, ['passed', 'passed', 'passed', 'passed']]);
  const since = service.requests.slice(before);
  const untilAdded = since.slice(
    0,
    since.findIndex(({ method, authorization }) => method === 'POST' && authorization === `Bearer ${KEY}`),
  );
  const fetched = untilAdded.map(({ path }) => path);
  expect(fetched).toEqual(expect.arrayContaining(kept.map(({ id }) => `/v1/pets/${id}`)));
  // This one has added one animal; the others stay remembered.
  expect(service.kept()).toHaveLength(25);
  expect(service.kept().slice(0, 24)).toEqual(kept.slice(0, 24));
});

describe('what became of an animal is told of the requirement that owns it, with both dates', () => {
  type Started = Awaited<ReturnType<typeof started>>;
  test.each<[string, string, string, (service: Started, kept: readonly Kept[]) => void]>([
    ['lost', 'SERV-1', 'remembered-lost', ({ collection }, [first]) => collection.remove(BigInt(first?.id ?? 0))],
    [
      'all lost, while ids go on',
      'SERV-1',
      'remembered-lost',
      ({ collection }) => {
        for (const { id } of [...collection.oldestFirst(undefined)]) if (id > 5n) collection.remove(id);
      },
    ],
    [
      'listed and not fetched',
      'GET-1',
      'listed-not-found',
      ({ hidden }, kept) => hidden.add(BigInt(kept.at(-1)?.id ?? 0)),
    ],
    [
      'under an id of somebody else',
      'RES-5',
      'remembered-id-twice',
      ({ collection }, [first]) => collection.add({ id: BigInt(first?.id ?? 0), name: 'Rex', categoryId: 3n }),
    ],
    [
      'changed',
      'RES-9',
      'remembered-changed',
      ({ collection }, [first]) => {
        const pet = collection.get(BigInt(first?.id ?? 0));
        if (pet !== undefined) collection.add({ ...pet, categoryId: pet.categoryId - 1n });
      },
    ],
    [
      'cut',
      'RES-9',
      'remembered-changed',
      ({ collection }, kept) => {
        for (const { id } of kept) {
          const pet = collection.get(BigInt(id));
          if (pet !== undefined) collection.add({ ...pet, name: pet.name.slice(0, 12) });
        }
      },
    ],
  ])('%s: %s', async (_what, requirement, code, become) => {
    const service = await started();
    await service.run();
    become(service, service.kept());
    const { result, dir } = await service.recall();
    expect(violated(result)).toEqual([requirement]);
    const [violation] = result.checks.flatMap(({ outcome }) => (outcome.kind === 'failed' ? outcome.violations : []));
    expect(violation?.code).toBe(code);
    if (code.startsWith('remembered'))
      expect(violation?.message).toMatch(
        /added on \d{4}-\d\d-\d\d at \d\d:\d\d UTC as \{.* on \d{4}-\d\d-\d\d at \d\d:\d\d UTC$/s,
      );
    // The record holds what a replay needs to say so again.
    const replay = join(dir, 'failures', `${requirement}.remembered.json`);
    const replayed = await service.run({ replay, remember: undefined });
    expect(replayed.result.replay?.end).toBe('still so');
  });
});

test('a replay says when it is mended', async () => {
  const service = await started();
  await service.run();
  const pet = service.collection.get(BigInt(service.kept()[0]?.id ?? 0));
  if (pet === undefined) throw new Error('nothing was kept');
  service.collection.remove(pet.id);
  const { dir } = await service.recall();
  service.collection.add(pet);
  const replay = join(dir, 'failures', 'SERV-1.remembered.json');
  expect((await service.run({ replay, remember: undefined })).result.replay?.end).toBe('no longer so');
});

describe('no violation is', () => {
  /** Runs on a service whose file tells of animals that another one has. */
  const recallElsewhere = async (variants: readonly string[], isUsed: boolean) => {
    const [before, now] = [await started(variants), await started(variants)];
    await before.run();
    writeFileSync(now.remember, readFileSync(before.remember, 'utf8').replace(before.baseUrl, now.baseUrl));
    if (isUsed) await now.run({ remember: undefined, seed: 8 });
    return now.recall();
  };

  test.each([
    ['a collection that was reset', [], false],
    ['one that was reset, and used since', [], true],
    ['one that was reset where ids are random', ['ids-random'], false],
  ])('%s: that is observed once', async (_what, variants, isUsed) => {
    const { code, result } = await recallElsewhere(variants, isUsed);
    expect(violated(result)).toEqual([]);
    const readings = result.checks.flatMap(({ observations }) => observations.map(({ reading }) => reading));
    expect(readings).toEqual(['was reset: it has none of the animals that an earlier run added']);
    expect([code, ...outcomes(result)]).toEqual([3, ...RECALLING.map(() => 'not applicable')]);
  });

  test('that the animals of others are gone', async () => {
    const service = await started();
    await service.run();
    for (let id = 1n; id <= 5n; id += 1n) service.collection.remove(id);
    expect(violated((await service.recall()).result)).toEqual([]);
  });
});

test('--read-only reads the file, and leaves it as it is', async () => {
  const service = await started();
  await service.run();
  const before = readFileSync(service.remember, 'utf8');
  service.collection.remove(BigInt(service.kept()[0]?.id ?? 0));
  expect(violated((await service.recall({ readOnly: true })).result)).toEqual(['SERV-1']);
  expect(readFileSync(service.remember, 'utf8')).toBe(before);
});

test('a run that adds nothing leaves the file as it is', async () => {
  const service = await started();
  await service.run();
  const before = readFileSync(service.remember, 'utf8');
  await service.stop();
  expect((await service.run()).code).toBe(3);
  expect(readFileSync(service.remember, 'utf8')).toBe(before);
});

test('an animal whose fields hold the key is not kept', async () => {
  const { remember, run } = await started([], {
    validateNewPet: () => ({ name: `the key is ${KEY}`, categoryId: 1n }),
  });
  const { result } = await run();
  expect([result.summary.creations > 0, existsSync(remember)]).toEqual([true, false]);
});

test.each<[string, string, RegExp]>([
  ['no JSON', '{', /^--remember: ".*" is damaged: it is not JSON; name another file, or remove it to begin anew\n$/],
  ['another format', '{"format":"x"}', /^--remember: ".*" is damaged, or not what a run .*\n$/],
  [
    'another target',
    '{"format":"conformance-remembered/1","target":"http://a.example/v1","entries":[]}',
    /^--remember: ".*" is about "http:\/\/a\.example\/v1", not about "http:\/\/b\.example\/v1"; name a file of .*\n$/,
  ],
])('a file with %s is refused in one line', async (_what, text, message) => {
  const file = join(newFolder(), 'refused.json');
  writeFileSync(file, text);
  const { code, printed } = await mainHere('--base-url', 'http://b.example/v1', '--yes', '--remember', file);
  expect([code, printed]).toEqual([2, expect.stringMatching(message)]);
});
