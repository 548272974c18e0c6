import { expect, test } from 'vitest';
import { answering, check, resultWithCauses, violation } from '../../report/sample.fixture.ts';
import { firstCauseOf } from './first-cause.ts';

test('a first cause is clear where it names the owner of the fault, and shows an answer that violates it', () => {
  const result = resultWithCauses('refused');
  const shown = check('CREATE-2', { kind: 'failed', violations: [violation({ exchanges: [answering('refused')] })] });
  const others = result.checks.filter(({ id }) => id !== 'CREATE-2');
  const causeFor = (owner: string) => firstCauseOf(owner, { ...result, checks: [shown, ...others] });
  expect(causeFor('CREATE-2')).toEqual({ says: 'refused: CREATE-2, CREATE-5', isNamed: true, isShown: true });
  expect(causeFor('LIST-2')).toMatchObject({ isNamed: false });
  expect(causeFor('GET-1')).toBeUndefined();
});
