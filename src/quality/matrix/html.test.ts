import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { classify } from './classify.ts';
import { matrixPage } from './html.ts';
import { aRequirement, aTrial, FACTS, failing } from './matrix.fixture.ts';
import { summaryText } from './summary.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'&</style></script>\u001b[31m\u202e';

const hostile = classify(
  [
    aTrial('fault', HOSTILE, {
      exitCode: 1,
      failed: [failing('LIST-2', HOSTILE), failing('GET-1', HOSTILE)],
      unjudged: [{ check: 'GET-2', requirement: 'GET-2', reason: HOSTILE, see: HOSTILE }],
      suiteFaults: [HOSTILE],
    }),
    aTrial('fault', 'refused', { exitCode: 3, refused: HOSTILE }),
    aTrial('variant', HOSTILE, { exitCode: 1, failed: [failing('LIST-2', HOSTILE)] }),
  ],
  [aRequirement('LIST-2', { says: HOSTILE })],
  {
    faults: [HOSTILE, 'refused'].map((name) => ({ name, breaks: 'LIST-2', says: HOSTILE })),
    variants: [{ name: HOSTILE, chooses: 'LIST-12', says: HOSTILE }],
  },
  FACTS,
);

test('names and messages are escaped', () => {
  const page = matrixPage(hostile);
  expect(page).not.toContain('<img');
  expect(page).not.toMatch(/[\u001b\u202e]/);
  expect(page.match(/<\/style>/g)).toHaveLength(1);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
});

test('the page may not load or run anything, and its policy allows its own style sheet', () => {
  const page = matrixPage(hostile);
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  const digest = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(`default-src 'none'; style-src 'sha256-${digest}'`);
  expect(page).not.toMatch(/<[^>]*\s(?:src|style|on\w+)=/);
});

test('links lead to elements of the page', () => {
  const page = matrixPage(hostile);
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
  expect(targets).toContain('of-LIST-2');
  for (const target of targets) expect(page).toContain(`id="${target}"`);
});

test('the summary lists the shortcomings, and prints no control characters', () => {
  const text = summaryText(hostile, { color: false });
  expect(text).toContain('is correct, but LIST-2 failed: ');
  expect(text).toContain('The suite has 2 shortcomings.');
  expect(text).not.toMatch(/[\u001b\u202e]/);
});

test('the summary of a suite without shortcomings is short', () => {
  const result = classify(
    [aTrial('fault', 'f', { exitCode: 1, failed: [failing('LIST-2')] }), aTrial('variant', 'v')],
    [aRequirement('LIST-2')],
    {
      faults: [{ name: 'f', breaks: 'LIST-2', says: 's' }],
      variants: [{ name: 'v', chooses: 'LIST-12', says: 's' }],
    },
    FACTS,
  );
  expect(summaryText(result, { color: false }).split('\n').length).toBeLessThan(13);
  expect(summaryText(result, { color: false })).toContain('Every fault is found');
});

test('the page says each thing once, and of an incomplete matrix nothing about requirements', () => {
  const page = matrixPage(hostile);
  expect(page.split('Other failing checks per fault')).toHaveLength(2);
  expect(page).toMatch(/\d of 1 stated or derived requirement have a fault killed by their own check/);
  expect(matrixPage({ ...hostile, complete: false })).toContain('nothing is said of requirements');
});

test('outcomes are told by class of requirements too, in the terminal and on the page', () => {
  const fault = (name: string, breaks: string) => ({ name, breaks, says: 's' });
  const result = classify(
    [
      aTrial('fault', 'a', { failed: [failing('LIST-2')] }),
      aTrial('fault', 'b', { failed: [failing('LIST-2')] }),
      aTrial('fault', 'c', { failed: [failing('LIST-3')] }),
      aTrial('fault', 'd'),
      aTrial('fault', 'e', { refused: 'no' }),
      aTrial('variant', 'v', { exitCode: 1, failed: [failing('LIST-2')] }),
      aTrial('variant', 'w', { exitCode: 3 }),
    ],
    ['RES-1', 'LIST-2', 'LIST-3', 'GET-1', 'ERR-1'].map((id) => aRequirement(id)),
    {
      faults: [
        fault('a', 'LIST-2'),
        fault('b', 'LIST-3'),
        fault('c', 'LIST-3'),
        fault('d', 'GET-1'),
        fault('e', 'GET-1'),
      ],
      variants: [
        { name: 'v', chooses: 'GET-1', says: 's' },
        { name: 'w', chooses: 'RES-1', says: 's' },
      ],
    },
    FACTS,
  );
  expect(result.classes.map(({ name, faults, variants }) => [name, faults, variants])).toEqual([
    ['RES', 0, 1],
    ['LIST', 3, 0],
    ['GET', 2, 1],
    ['ERR', 0, 0],
  ]);
  expect(summaryText(result, { color: false })).toContain(
    `
Class  faults  own check  others only  refused  survived  variants  false alarms  no verdict
RES                                                              1                         1
LIST        3          2            1
GET         2                                1         1         1             1
`,
  );
  expect(matrixPage(result)).toContain(
    '<tr><th scope="row">LIST</th><td class="number">3</td><td class="number">2</td>',
  );
});
