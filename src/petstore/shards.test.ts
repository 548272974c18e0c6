/** How the checks of the Pet Store are dealt out to shards. */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import type { Effort } from '../engine/effort.ts';
import { dealOut, loadOfCheck } from '../engine/shard.ts';
import type { Profile } from '../report/model/result.ts';
import stored from './effort.json' with { type: 'json' };

const EFFORT: Effort = stored;
const PROFILES: readonly Profile[] = ['smoke', 'standard', 'thorough'];
const cases = PROFILES.flatMap((profile) => [1, 2, 3, 4, 5, 6, 7, 8].map((of) => ({ profile, of })));

const dealt = CHECKS.filter(({ looksBack }) => looksBack !== true);

describe.each(cases)('$profile, $of shards', ({ profile, of }) => {
  const hands = dealOut(CHECKS, of, profile, EFFORT);
  const loads = hands.map((ids) => {
    const own = dealt.filter(({ id }) => ids.includes(id));
    const shared = Math.max(...own.map(({ id }) => EFFORT.sharedBy[id] ?? 0));
    return own.reduce((sum, check) => sum + loadOfCheck(check, profile, EFFORT), shared);
  });

  test('every check is in one of them, and what looks back is in all', () => {
    const ids = hands.flat();
    const times = (id: string): number => ids.filter((other) => other === id).length;
    expect(dealt.filter(({ id }) => times(id) !== 1)).toEqual([]);
    expect(CHECKS.filter(({ looksBack, id }) => looksBack === true && times(id) !== of)).toEqual([]);
    expect(new Set(ids).size).toBe(CHECKS.length);
  });

  test('none takes longer than the mean and the longest check, nor much longer than the mean', () => {
    const mean = loads.reduce((sum, load) => sum + load, 0) / of;
    const longest = Math.max(...dealt.map((check) => loadOfCheck(check, profile, EFFORT)));
    const mostShared = Math.max(...Object.values(EFFORT.sharedBy));
    expect(Math.max(...loads)).toBeLessThanOrEqual(mean + longest);
    // A check is in one shard, however long it takes.
    expect(Math.max(...loads)).toBeLessThanOrEqual(Math.max(mean * 1.1, longest + mostShared));
  });

  test('are the same each time', () => {
    expect(dealOut([...CHECKS], of, profile, EFFORT)).toEqual(hands);
  });
});
