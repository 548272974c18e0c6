import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../../package.ts';
import { parseCatalogue } from '../read-catalogue.ts';
import { BaselineError, parseBaseline } from './read-baseline.ts';

const catalogue = parseCatalogue(
  [
    { part: '1', title: 'Lists', prefix: 'LIST' },
    { part: '2', title: 'Errors', prefix: 'ERR' },
  ],
  JSON.stringify([
    ...['LIST-2', 'ERR-1'].map((id) => ({ id, source: ['1'], kind: 'stated', says: 'So.' })),
    { id: 'ERR-2', source: ['2'], kind: 'stated', says: 'So.', untestable: 'Nobody sees it.' },
  ]),
);
const checks = [
  { id: 'LIST-2', requirement: 'LIST-2' },
  { id: 'ERR-1.list', requirement: 'ERR-1' },
  { id: 'ERR-1.get', requirement: 'ERR-1' },
];

const read = (content: string) => parseBaseline(content, 'known.yaml', { catalogue, checks });

test.each([
  ['a list in YAML', '- LIST-2\n- ERR-1 # ticket 12\n'],
  ['a list in JSON', '["LIST-2", "ERR-1"]'],
  ['one id a line', 'LIST-2\nERR-1\n'],
  ['one id a line as Windows writes it', 'LIST-2\r\nERR-1\r\n'],
  ['a file that begins with a byte order mark', '\ufeff- LIST-2\n- ERR-1\n'],
])('%s', (_what, content) => {
  expect(read(content)).toMatchObject([
    { requirement: 'LIST-2', checks: ['LIST-2'] },
    { requirement: 'ERR-1', checks: ['ERR-1.list', 'ERR-1.get'] },
  ]);
});

test('an entry has a requirement or a check, a reason, and a last day', () => {
  const text = `# what we know
- requirement: LIST-2
  reason: Ticket 12.
  expires: 2026-12-31

- { check: ERR-1.get, reason: "a, b: c" }
- ERR-1.list
`;
  expect(read(text)).toEqual([
    {
      requirement: 'LIST-2',
      reason: 'Ticket 12.',
      expires: '2026-12-31',
      checks: ['LIST-2'],
      line: 2,
      lastLine: 4,
      text: '- requirement: LIST-2',
    },
    {
      check: 'ERR-1.get',
      reason: 'a, b: c',
      checks: ['ERR-1.get'],
      line: 6,
      lastLine: 6,
      text: '- { check: ERR-1.get, reason: "a, b: c" }',
    },
    { check: 'ERR-1.list', checks: ['ERR-1.list'], line: 7, lastLine: 7, text: '- ERR-1.list' },
  ]);
});

test.each([
  [
    'in JSON',
    '[\n  {"requirement": "LIST-2", "reason": "a"},\n  "ERR-1"\n]',
    [
      [2, 2],
      [3, 3],
    ],
  ],
  [
    'one id a line',
    'LIST-2\n\nERR-1',
    [
      [1, 1],
      [3, 3],
    ],
  ],
  [
    'over several lines',
    '-\n  requirement: LIST-2\n  reason: >\n    a\n    b\n- ERR-1',
    [
      [2, 5],
      [6, 6],
    ],
  ],
  [
    'with an alias',
    '- &a LIST-2\n- ERR-1',
    [
      [1, 1],
      [2, 2],
    ],
  ],
])('knows on which lines the entries stand, %s', (_what, content, lines) => {
  expect(read(content).map(({ line, lastLine }) => [line, lastLine])).toEqual(lines);
});

test.each([
  ['an empty file', ''],
  ['a file of remarks', '# nothing is expected to fail\n'],
  ['an empty list', '[]'],
])('%s expects nothing', (_what, content) => {
  expect(read(content)).toEqual([]);
});

const WRONG: readonly (readonly [what: string, content: string, code: BaselineError['code'], says: string])[] = [
  [
    'an id that is none',
    '- LIST-2\n- LIST-99\n',
    'baseline-unknown-id',
    'known.yaml:2 lists "LIST-99", which is not a requirement',
  ],
  [
    'a check that is none',
    '- { check: LIST-2.one, reason: a }',
    'baseline-unknown-id',
    'known.yaml:1 lists "LIST-2.one", which is not a check',
  ],
  ['what no check tests', '- ERR-2', 'baseline-unknown-id', 'which no check tests; remove the line'],
  [
    'an entry twice',
    '- LIST-2\n- { requirement: LIST-2, reason: a }',
    'baseline-repeated',
    'known.yaml:2 lists LIST-2, as line 1 does',
  ],
  ['a mapping', 'LIST-2: known\n', 'baseline-invalid', 'known.yaml is not a list of entries'],
  ['a list of numbers', '- LIST-2\n- 2', 'baseline-invalid', 'known.yaml:2 is no entry'],
  ['an entry without a reason', '- LIST-2\n- requirement: ERR-1\n', 'baseline-invalid', 'known.yaml:2 has no reason'],
  [
    'an entry with an empty reason',
    '- { requirement: ERR-1, reason: "" }',
    'baseline-invalid',
    'has a reason that is no text',
  ],
  ['an entry of nothing', '- { reason: a }', 'baseline-invalid', 'must name either a requirement or a check'],
  ['an entry of both', '- { requirement: ERR-1, check: ERR-1.get, reason: a }', 'baseline-invalid', 'must name either'],
  ['an entry of a number', '- { requirement: 1, reason: a }', 'baseline-invalid', 'has a requirement that is no text'],
  [
    'an unknown member',
    '- { requirement: ERR-1, reason: a, until: b }',
    'baseline-invalid',
    'has an unknown member "until"',
  ],
  [
    'a day that is none',
    '- { requirement: ERR-1, reason: a, expires: 2026-02-30 }',
    'baseline-invalid',
    'has a date that is none',
  ],
  ['what is no YAML', '- LIST-2\n- {', 'baseline-not-yaml', 'is not YAML'],
];

test.each(WRONG)('%s is refused in one line that names the place', (_what, content, code, says) => {
  expect(() => read(content)).toThrow(BaselineError);
  expect(() => read(content)).toThrow(says);
  expect(() => read(content)).toThrow(new RegExp(`^known.yaml(:\\d+)? [^\\n]* \\(${code}\\)$`));
});

describe('the schema of the file', () => {
  const schema = JSON.parse(readFileSync(new URL('spec/baseline.schema.json', PACKAGE_ROOT), 'utf8'));
  const validate = addFormats.default(new Ajv2020()).compile(schema);

  test.each(WRONG.filter(([, , code]) => code === 'baseline-invalid'))('refuses %s', (_what, content) => {
    expect(validate(load(content))).toBe(false);
  });

  test('takes what is read', () => {
    expect(validate(['LIST-2', { check: 'ERR-1.get', reason: 'a', expires: '2026-12-31' }])).toBe(true);
  });
});
