import { expect, test } from 'vitest';
import { HOSTILE } from '../sample.fixture.ts';
import { grouped, printable } from './text.ts';

test('controls, direction overrides and lone surrogates are escaped', () => {
  expect(printable('\u001b[2J\u0000\u009b\u202e\u200b\ud800\ufffe\r\n\t')).toBe(
    '\\u001b[2J\\u0000\\u009b\\u202e\\u200b\\ud800\\ufffe\\r\\n\\t',
  );
  expect(printable('\u{e0041}')).toBe('\\udb40\\udc41');
});

test('ordinary text of any script is kept', () => {
  expect(printable('Žofie 猫 🐈 é עברית')).toBe('Žofie 猫 🐈 é עברית');
});

test('lines are kept where asked', () => {
  expect(printable('a\n\tb\r', { lines: 'keep' })).toBe('a\n\tb\\r');
});

test('the result is always well-formed', () => {
  expect(Buffer.from(printable(HOSTILE), 'utf8').toString('utf8')).toBe(printable(HOSTILE));
});

test.each([0, 7, 999, 1_000, 12_345, 1_234_567, 0.5, 1_234.5678, -1_000, 99.9996])('%d is grouped', (number) => {
  expect(grouped(number)).toBe(number.toLocaleString('en-GB'));
});
