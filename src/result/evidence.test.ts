import { describe, expect, test } from 'vitest';
import { PLAIN_CALLS } from '../reading/call.ts';
import { type Exchange, filled } from '../reading/exchange.ts';
import { shownTexts } from '../reading/fill.ts';
import { bodyText } from '../report/evidence-lines.ts';
import { quoteDifference } from '../text.ts';
import { evidenceOf } from './evidence.ts';
import type { BodyEvidence } from './result.ts';

const TERMS = { basePath: '/v1', key: 'k', agent: 'a', categories: [], today: '2026-01-01', settleMs: 0 };

const animal = (id: number, status: unknown = 'sold') => ({
  id,
  name: `conformance abcde 000${id} é`,
  categoryId: 7,
  status,
});
const page = (count: number, wrong: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, at) => animal(at, at === wrong ? null : 'sold')));

/** The body of a response as evidence, with what is wrong at a pointer. */
function bodyOf(text: string, wrong: string): BodyEvidence {
  const made = filled(PLAIN_CALLS.listPets, {}, TERMS);
  if (made === undefined) throw new Error('the plain call has no names');
  const exchange: Exchange = {
    ...made,
    number: 1,
    call: PLAIN_CALLS.listPets,
    names: {},
    outcome: { kind: 'answer', status: 200, headers: [], body: Buffer.from(text) },
    sentAt: 0,
    answeredAt: 1,
    connection: 1,
    place: 0,
    times: 1,
  };
  const texts = ({ call, names }: Exchange) => shownTexts(call, names);
  const shown = { origin: 'http://localhost', basePath: '/v1', texts, secretHeaders: [], curlOptions: [] };
  const { answer } = evidenceOf(exchange, shown, wrong);
  if ('failure' in answer) throw new Error('a response was given');
  return answer.body;
}

describe('evidence shows what is wrong', () => {
  test.each([
    ['in a short page', page(3, 2), '/2/status'],
    ['at the end of a long one', page(300, 299), '/299/status'],
    ['in the middle of a long one', page(300, 150), '/150/status'],
  ])('%s, and says how much was left out', (_, text, pointer) => {
    const body = bodyOf(text, pointer);
    expect(body.text.slice(body.wrong?.from, body.wrong?.to)).toBe('null');
    const shown = bodyText(body, 120);
    expect(shown).toContain('"status":null');
    const [, before = '0'] = /^\(([\d,]+) bytes before\)/.exec(shown) ?? [];
    const [, after = '0'] = /… ([\d,]+) more bytes$/.exec(shown) ?? [];
    const left = Number(before.replace(',', '')) + Number(after.replace(',', ''));
    const kept = shown.replace(/^\(.*? before\) …|… [\d,]+ more bytes$/g, '');
    expect(left + Buffer.byteLength(kept)).toBe(Buffer.byteLength(text));
  });

  test('of a member that is missing, the object that lacks it', () => {
    const body = bodyOf('[{"id":1},{"id":2}]', '/1/name');
    expect(body.text.slice(body.wrong?.from, body.wrong?.to)).toBe('{"id":2}');
  });

  test('two long texts are quoted around the first character that differs', () => {
    const [one, other] = quoteDifference(
      `${'a'.repeat(300)}b${'c'.repeat(300)}`,
      `${'a'.repeat(300)}B${'c'.repeat(300)}`,
    );
    expect([one.length < 60, one.includes('ab'), other.includes('aB'), one.startsWith('"…')]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(quoteDifference('short', 'Short')).toEqual(['"short"', '"Short"']);
  });
});
