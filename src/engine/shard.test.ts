import { describe, expect, test } from 'vitest';
import type { Effort } from './effort.ts';
import { type DealtCheck, dealOut, effortOfShard, plannedChecks, shardOf } from './shard.ts';

const made = (id: string, changes: Partial<DealtCheck> = {}): DealtCheck => ({
  id,
  requirement: id,
  phase: 'main',
  ...changes,
});

function effortOf(requests: Readonly<Record<string, number>>, sharedBy: Readonly<Record<string, number>> = {}): Effort {
  const profile = { chain: 10, shared: 10, alone: 10, checks: requests };
  return { profiles: { smoke: profile, standard: profile, thorough: profile }, sharedBy };
}

describe('checks that are dealt out', () => {
  const checks = ['A', 'B', 'C', 'D', 'E', 'F'].map((id) => made(id));

  test('each go to one shard, in the order in which they were', () => {
    const effort = effortOf({ A: 9, B: 1, C: 7, D: 3, E: 5, F: 5 });
    const hands = dealOut(checks, 3, 'standard', effort);
    expect(hands).toEqual([
      ['A', 'B'],
      ['C', 'D'],
      ['E', 'F'],
    ]);
  });

  test('go by their number where nothing is known of them', () => {
    expect(dealOut(checks, 3, 'standard', undefined).map(({ length }) => length)).toEqual([2, 2, 2]);
  });

  test('that look back are in every shard', () => {
    const all = [made('Z', { looksBack: true }), ...checks];
    for (const own of dealOut(all, 3, 'standard', undefined)) expect(own[0]).toBe('Z');
  });

  test('that need the same stay together as long as that is fair', () => {
    const effort = effortOf({ A: 2, B: 2, C: 200, D: 100, E: 100, F: 50 }, { A: 100, B: 100 });
    const hands = dealOut(checks, 3, 'standard', effort);
    expect(hands.find((own) => own.includes('A'))).toContain('B');
  });

  test('that are alone weigh more', () => {
    const effort = effortOf({ A: 40, B: 40, C: 40, D: 40, E: 40, F: 120 });
    const alone = checks.map((check) => (check.id === 'A' ? { ...check, phase: 'quiet' as const } : check));
    expect(dealOut(alone, 3, 'standard', effort)).toContainEqual(['A']);
  });

  test('leave a shard empty only where there are too few', () => {
    const effort = effortOf({}, { A: 100, B: 100 });
    const numbers = (of: number) => dealOut(checks, of, 'standard', effort).map(({ length }) => length);
    expect(numbers(6)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(numbers(7).filter((length) => length === 0)).toHaveLength(1);
  });

  test('are named by each shard, its own and those of others', () => {
    expect(shardOf(checks, { number: 2, of: 6 }, 'smoke', effortOf({ F: 5, A: 1 }))).toEqual({
      number: 2,
      of: 6,
      own: ['A'],
      others: ['B', 'C', 'D', 'E', 'F'],
    });
  });
});

test('of a check whose own part is in another shard, only the rule is left', () => {
  const library = [
    { id: 'A', exercise: 'sends', everyAnswer: 'judges' },
    { id: 'B', exercise: 'sends', everyAnswer: 'judges' },
  ];
  const shard = { number: 1, of: 2, own: ['A'], others: ['B'] };
  expect(plannedChecks({ checks: ['B', 'A'], shard }, library)).toEqual([
    { id: 'B', exercise: undefined, everyAnswer: 'judges' },
    library[0],
  ]);
  expect(plannedChecks({ checks: ['B'] }, library)).toEqual([library[1]]);
});

test('what only repeats is shared out among the shards', () => {
  const effort = effortOfShard(effortOf({ A: 10, R: 10 }), [made('A'), made('R', { repeats: true })], 4);
  expect(effort.profiles.thorough.checks).toEqual({ A: 10, R: 3 });
});
