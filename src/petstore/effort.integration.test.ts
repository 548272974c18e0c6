import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { isOneAtATime } from '../engine/check.ts';
import type { Effort } from '../engine/effort.ts';
import type { RunChecks } from '../engine/run-checks.ts';
import { startReference } from '../reference/index.ts';
import type { Profile } from '../report/model/result.ts';
import stored from './effort.json' with { type: 'json' };
import type { PetCheck } from './index.ts';
import { judge, KEY, testPlan } from './rig.fixture.ts';

type Measured = Effort['profiles'][Profile];
const STORED: Effort = stored;

/** A table that is off by more than this share is measured anew. */
const TOLERANCE = 0.15;
/** Of a single check, so many requests more or fewer are no matter. */
const FEW = 10;

/** Everything is measured for `npm run effort`; the tests look at what takes little time. */
const isWhole = process.env['MEASURE'] === 'all';

async function run(profile: Profile, checks = CHECKS): Promise<RunChecks> {
  const service = await startReference({ token: KEY });
  try {
    const plan = testPlan(service.baseUrl, { profile, seed: 1, maxCreates: 10_000, maxTimeMs: 600_000 });
    return await judge(checks, { ...plan, today: '2027-01-01' });
  } finally {
    await service.stop();
  }
}

async function measured(profile: Profile): Promise<Measured> {
  const { checks, telemetry } = await run(profile);
  const sent = Object.fromEntries(checks.map(({ result }) => [result.id, result.requests]));
  const isAlone = ({ phase, repeats }: PetCheck): boolean => isOneAtATime(phase) && repeats !== true;
  const alone = CHECKS.filter(isAlone).reduce((sum, { id }) => sum + (sent[id] ?? 0), 0);
  // Times are measured by hand: on a service that takes its time, a run takes that (chain + requests / concurrency) times.
  const { chain } = STORED.profiles[profile];
  return { shared: telemetry.shared.requests, chain, alone, checks: sent };
}

const total = ({ shared, checks }: Measured): number =>
  Object.values(checks).reduce((sum, requests) => sum + requests, shared);

const isNear = (one: number, other: number): boolean =>
  Math.abs(one - other) <= Math.max(FEW, Math.max(one, other) * TOLERANCE);

function isTrue(table: Measured, now: Measured): boolean {
  const isKnown = CHECKS.every(({ id }) => isNear(table.checks[id] ?? -99, now.checks[id] ?? 0));
  return isKnown && isNear(total(table), total(now));
}

/** What each check takes of what is shared, alone. */
async function sharedBy(): Promise<Effort['sharedBy']> {
  const entries = new Map<string, number>();
  for (const check of CHECKS) entries.set(check.id, (await run('smoke', [check])).telemetry.shared.requests);
  return Object.fromEntries(entries);
}

test('what checks are known to send is what they send', { timeout: 900_000 }, async () => {
  const profiles: Record<Profile, Measured> = { ...STORED.profiles };
  const looked: readonly Profile[] = isWhole ? ['smoke', 'standard', 'thorough'] : ['smoke', 'standard'];
  for (const profile of looked) {
    const now = await measured(profile);
    if (isWhole || !isTrue(profiles[profile], now)) profiles[profile] = now;
  }
  const current = { profiles, sharedBy: isWhole ? await sharedBy() : STORED.sharedBy };
  // `npm run effort` stores it.
  await expect(`${JSON.stringify(current, null, 2)}\n`).toMatchFileSnapshot('./effort.json');
});
