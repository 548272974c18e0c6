import { expect, test } from 'vitest';
import { greenResult, HOSTILE, redResult, viewed } from '../sample.fixture.ts';
import { badgeReport } from './badge.ts';

const badge = (...args: Parameters<typeof greenResult>) => JSON.parse(badgeReport(viewed(greenResult(...args))));

test('the badge is what shields.io reads', () => {
  expect(badge()).toEqual({
    schemaVersion: 1,
    label: 'Pet Store conformance',
    message: 'conforms (2 of 2 judged)',
    color: 'brightgreen',
    isError: false,
  });
  expect(JSON.parse(badgeReport(viewed(redResult())))).toMatchObject({
    message: '2 requirements violated',
    color: 'red',
  });
});

test.each([
  [1, 'violations', 'failing', false],
  [2, 'suite fault', 'internal error', true],
  [3, 'not judged', 'not judged', true],
] as const)('exit code %d is never green', (exitCode, verdict, message, isError) => {
  const shown = badge({ exitCode, verdict });
  expect(shown).toMatchObject({ message, isError });
  expect(shown.color).not.toContain('green');
});

test('it holds nothing that the service or the user wrote', () => {
  const telling = {
    conclusion: HOSTILE,
    notes: [HOSTILE],
    target: { baseUrl: 'https://k:s3cret@x.example/v1', embedded: false },
  };
  expect(badge(telling)).toEqual(badge());
});
