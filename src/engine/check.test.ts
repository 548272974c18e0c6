import { expect, test } from 'vitest';
import { allOf, defineCheck, overall, type Rule } from './check.ts';
import type { Reply } from './reply.ts';
import { repliedWith } from './toy-service.fixture.ts';
import { type Judgement, violates } from './violation.ts';

const reply = repliedWith(1, 200);
const violation = (code: string) => violates(reply, code, 'wrong', 'right', 'wrong');

test.each<readonly [readonly Judgement[], unknown]>([
  [[], 'irrelevant'],
  [['irrelevant', 'irrelevant'], 'irrelevant'],
  [['irrelevant', 'holds', 'irrelevant'], 'holds'],
  [['holds', violation('one'), violation('two')], { code: 'one' }],
])('all of %o together', (judgements, expected) => {
  const judgement = overall(judgements, (one) => one);
  if (typeof expected === 'string') expect(judgement).toBe(expected);
  else expect(judgement).toMatchObject({ code: 'one' });
});

test('the rules of a check are one rule', () => {
  const rules: readonly Rule<Reply, undefined>[] = [() => 'holds', () => violation('second')];
  const { everyAnswer } = defineCheck<Reply, undefined, never>('THING-1.sub', 'a check', { everyAnswer: rules });
  expect(everyAnswer?.(reply, undefined)).toMatchObject({ code: 'second' });
  expect(allOf<Reply, undefined>()(reply, undefined)).toBe('irrelevant');
});

test('a check belongs to the requirement of its id, and to the growing stage unless it says otherwise', () => {
  expect(defineCheck('THING-1.sub', 'a check', {})).toMatchObject({ requirement: 'THING-1', stage: 'growing' });
  expect(defineCheck('THING-1', 'a check', { stage: 'alone' })).toMatchObject({
    requirement: 'THING-1',
    stage: 'alone',
    everyAnswer: undefined,
  });
});
