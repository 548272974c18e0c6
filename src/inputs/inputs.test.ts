import { expect, test } from 'vitest';
import { PARTS } from '../../suites/index.ts';
import type { Call } from '../reading/call.ts';
import { fill } from '../reading/fill.ts';
import { NAMES, TERMS } from '../reading/readings.fixture.ts';

const CALLS = PARTS.flatMap(({ requirements }) =>
  requirements.flatMap(({ sends }) => sends.flatMap(({ calls }) => calls)),
);

const valuesOf = (name: string): readonly (readonly [call: Call, value: string])[] =>
  CALLS.flatMap((call) => call.headers.flatMap(([one, value]) => (one.toLowerCase() === name ? [[call, value]] : [])));

test('every row can be sent: none has a head that servers close the connection on', () => {
  expect(CALLS.filter((call) => fill(call, NAMES, TERMS) === undefined)).toEqual([]);
});

test('no header has a weight of 0, which many servers do not read', () => {
  expect(CALLS.flatMap(({ headers }) => headers.filter(([, value]) => /;\s*q=0(\.0*)?\s*(,|$)/.test(value)))).toEqual(
    [],
  );
});

test('a range is one of bytes, and of a GET', () => {
  expect(valuesOf('range').filter(([{ method }, value]) => method !== 'GET' || !value.startsWith('bytes='))).toEqual(
    [],
  );
});
