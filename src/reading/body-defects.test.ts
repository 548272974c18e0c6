import { expect, test } from 'vitest';
import { PARTS } from '../../suites/index.ts';
import { defectIn } from './body-defects.ts';
import { filled } from './exchange.ts';

const TERMS = {
  basePath: '/v1',
  key: 'Key-of-the-tests',
  agent: 'a',
  categories: [],
  today: '2026-01-01',
  settleMs: 0,
};
const NAMES = { NAME: 'conformance abcde 0001', NUMBER: '912340001', ID: '7', FREE: '600000000', COOKIE: 'a=b' };

/** What is wrong with a body, as a headline says it. */
const defectOf = (body: string): string | undefined => {
  const headers = [['Content-Type', 'application/json']] as const;
  const made = filled({ operation: 'createPet', method: 'POST', target: '/pets', headers, body }, NAMES, TERMS);
  return defectIn(made?.request.body, made?.reading.body)?.says;
};

test.each([
  ['', 'an empty body'],
  ['{"name":"x","categoryId":7}}', 'text after the JSON body'],
  ['{"name":"x","categoryId":7,}', 'a trailing comma in JSON'],
  ['{"name":"x","categoryId":07}', 'a number with a leading zero'],
  ['{"name":"x","categoryId":7,"x":NaN}', '`NaN`, which is not JSON'],
  ['{"name":"x",categoryId:7}', 'a name without quotes in JSON'],
  ['{"name":"x"', 'JSON that is cut off'],
  ['[1]', 'an array in place of an object'],
  ['{"name":"x"}', 'a body without `categoryId`'],
  ['{"name":1.5,"categoryId":7}', 'a `name` that is a number'],
  ['{"name":"x","categoryId":"7"}', 'a `categoryId` that is a string'],
  ['{"name":"x","categoryId":1.5}', 'a `categoryId` that is no integer'],
  ['{"name":"x","categoryId":9223372036854775808}', 'a `categoryId` beyond int64'],
  ['{"name":"x","categoryId":7,"status":"gone"}', 'an unknown `status`'],
  ['{"name":"x","categoryId":7}', undefined],
])('%s: %s', (body, says) => {
  expect(defectOf(body)).toBe(says);
});

test('every invalid body of the tables has a phrase, and few have the vaguest one', () => {
  const calls = PARTS.flatMap(({ requirements }) =>
    requirements.flatMap(({ sends }) => sends.flatMap((one) => one.calls)),
  );
  const invalid = calls
    .flatMap((call) => filled(call, NAMES, TERMS) ?? [])
    .filter(({ reading }) => reading.body?.kind === 'invalid')
    .map(({ request, reading }) => defectIn(request.body, reading.body)?.says);
  expect(invalid).not.toContain(undefined);
  const vague = invalid.filter((says) => says === 'a body that is not JSON');
  expect(vague.length).toBeLessThan(invalid.length / 8);
});

test('a name is filled in where what followed it was shortened', () => {
  const body = '{"name":"$NAME31mred","categoryId":$NUMBER}';
  const call = { operation: 'createPet', method: 'POST', target: '/pets', headers: [], body } as const;
  expect(Buffer.from(filled(call, NAMES, TERMS)?.request.body ?? []).toString()).toBe(
    '{"name":"conformance abcde 000131mred","categoryId":912340001}',
  );
});
