import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matching } from './matching.ts';

test.each([/^[a-z]{1,8}$/, /^-?[0-9]{1,5}\.[0-9]{0,3}[1-9]$/])(
  'draws and shrinks as fast-check does: %s',
  (pattern) => {
    const [ours, theirs] = [matching(pattern), fc.stringMatching(pattern)].map((text) => ({
      drawn: fc.sample(text, { seed: 1, numRuns: 50 }),
      shrunk: fc.check(
        fc.property(text, (value) => value.length < 3),
        { seed: 1 },
      ).counterexample,
    }));
    expect(ours).toEqual(theirs);
  },
);
