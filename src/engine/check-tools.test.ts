import { expect, test } from 'vitest';
import { Observations } from './check-tools.ts';

const recorded = (...seen: readonly (readonly [string, string?])[]): readonly string[] => {
  const observations = new Observations();
  for (const [observation, input] of seen) observations.add(observation, input);
  return observations.of('THING-1').map(({ reading }) => reading);
};

test('an observation is told once, however often it was made', () => {
  expect(recorded(['sends no Location'], ['sends no Location'])).toEqual(['sends no Location']);
});

test('one that was made on several inputs names them', () => {
  expect(recorded(['accepts', 'a tab'], ['refuses', 'a NUL'], ['accepts', 'a space'], ['accepts', 'a tab'])).toEqual([
    'accepts a space, a tab',
    'refuses a NUL',
  ]);
});

test('of many inputs the first three are named and the others counted', () => {
  const on = (count: number): readonly string[] =>
    recorded(...Array.from({ length: count }, (_, at) => ['accepts', `${at}`] as const));
  expect(on(4)).toEqual(['accepts 0, 1, 2, 3']);
  expect(on(5)).toEqual(['accepts 0, 1, 2 and 2 more such inputs']);
});

test('they belong to the requirement', () => {
  const observations = new Observations();
  observations.add('accepts', 'a tab');
  expect(observations.of('THING-1')).toEqual([
    { requirement: 'THING-1', reading: 'accepts a tab', does: 'accepts', inputs: ['a tab'] },
  ]);
});
