/** What a whole run sends, of each profile; the tests share the runs. */
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { Effort } from '../engine/forecast.ts';
import type { RunChecks } from '../engine/run-checks.ts';
import { override, variant } from '../reference/changes.ts';
import { startReference } from '../reference/index.ts';
import type { Profile } from '../report/model/result.ts';
import { PET_STATUSES } from './contract-facts.ts';
import { petStore } from './definition.ts';
import { type Head, headOf } from './heads.fixture.ts';
import { MOST_HEAD_BYTES, MOST_HEADERS } from './inputs/sizes.ts';
import { judge, KEY, testPlan } from './rig.fixture.ts';

const SEED = 1729;

/** A thorough run has the bound of its profile; the others show without one that they stay below theirs. */
const MOST_CREATED: Readonly<Record<Profile, number>> = { smoke: 1_000, standard: 1_000, thorough: 2_100 };

/** An estimate that is off by no more than this share tells a user what to expect. */
const TOLERANCE = 0.25;

interface Judged extends Pick<RunChecks, 'telemetry'> {
  readonly heads: readonly Head[];
  /** How many animals a page of each status has in the end. */
  readonly lengths: readonly number[];
}

async function judged(profile: Profile, seedAnimals: number): Promise<Judged> {
  const heads: Head[] = [];
  const noting = override('configure', (usual) => (server, shop) => {
    usual(server, shop);
    server.prependListener('request', (incoming: IncomingMessage) => heads.push(headOf(incoming)));
  });
  const service = await startReference({
    token: KEY,
    seedAnimals,
    variants: [variant('noting', 'SERV-5', 'Heads are noted.', noting)],
  });
  try {
    const { telemetry } = await judge(
      CHECKS,
      testPlan(service.baseUrl, { profile, seed: SEED, maxTimeMs: 600_000, maxCreates: MOST_CREATED[profile] }),
    );
    const sent = [...heads];
    const headers = { Authorization: `Bearer ${KEY}` };
    const lengths = PET_STATUSES.map(async (status) => {
      const response = await fetch(`${service.baseUrl}/pets?limit=100&status=${status}`, { headers });
      const page: unknown = await response.json();
      return Array.isArray(page) ? page.length : 0;
    });
    return { telemetry, heads: sent, lengths: await Promise.all(lengths) };
  } finally {
    await service.stop();
  }
}

function estimated(profile: Profile): number {
  return new Effort(SEED, petStore().sharedRequests ?? 0).of(CHECKS, profile);
}

const FEW = 5;
const MORE_THAN_A_PAGE = 150;

const runs = new Map<string, Promise<Judged>>();

/** A run that the tests share. */
function runOf(profile: Profile, animals: number): Promise<Judged> {
  const name = `${profile} ${animals}`;
  const run = runs.get(name) ?? judged(profile, animals);
  runs.set(name, run);
  return run;
}

test.each([
  ['standard', FEW, { requests: 1_600, creations: 230 }],
  ['standard', MORE_THAN_A_PAGE, { requests: 1_600, creations: 150 }],
  ['smoke', FEW, { requests: 960, creations: 130 }],
  ['smoke', MORE_THAN_A_PAGE, { requests: 870, creations: 40 }],
] as const)('a %s run is thrifty with a service that holds %i animals', async (profile, animals, most) => {
  const { telemetry } = await runOf(profile, animals);
  expect(telemetry.requests).toBeLessThanOrEqual(most.requests);
  expect(telemetry.creations).toBeLessThanOrEqual(most.creations);
});

test.each(['smoke', 'standard'] as const)('what a %s run sends is known about beforehand', async (profile) => {
  const { telemetry } = await runOf(profile, FEW);
  expect(Math.abs(estimated(profile) / telemetry.requests - 1)).toBeLessThan(TOLERANCE);
});

test.each(['smoke', 'standard'] as const)(
  'a %s run sends no long heads, unless their length is the point',
  async (profile) => {
    const { heads, telemetry } = await runOf(profile, FEW);
    // A head that is longer than any server reads is no request to it.
    expect(telemetry.requests - heads.length).toBeGreaterThanOrEqual(0);
    expect(telemetry.requests - heads.length).toBeLessThanOrEqual(2);
    expect(Math.max(...heads.map(({ fields }) => fields))).toBe(MOST_HEADERS);
    const long = heads.filter(({ bytes }) => bytes > MOST_HEAD_BYTES);
    expect(long.filter(({ key }) => key.length < 8_192)).toEqual([]);
    expect(long.length).toBeGreaterThan(0);
  },
);

test('in the end, one of the status filters fills a page, and some animals match each', async () => {
  const { lengths } = await runOf('standard', FEW);
  expect(Math.max(...lengths)).toBe(100);
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(40);
});

test.each([
  ['standard', 299, 100],
  ['thorough', 2_995, 1_000],
] as const)(
  'a %s run has at least %i answers of each operation: 1 wrong one in %i shows',
  async (profile, enough, oneIn) => {
    // By chance, all of them are right with a probability of less than 5 %.
    expect((1 - 1 / oneIn) ** enough).toBeLessThan(0.05);
    const { heads } = await runOf(profile, FEW);
    for (const operation of [/^POST /, /^GET [^ ]*\/pets[? ]/, /^GET [^ ]*\/pets\/[^ ]/]) {
      expect(heads.filter(({ line }) => operation.test(line)).length, `${operation}`).toBeGreaterThanOrEqual(enough);
    }
  },
);

test('a thorough run has so many successes of each operation that 1 wrong one in 100 shows', async () => {
  const { telemetry } = await runOf('thorough', FEW);
  const successes = telemetry.answers?.filter(({ status }) => status < 300) ?? [];
  expect(successes.map(({ operation }) => operation)).toEqual(['listPets', 'createPet', 'getPet']);
  for (const { count } of successes) expect(0.99 ** count).toBeLessThan(0.05);
});
