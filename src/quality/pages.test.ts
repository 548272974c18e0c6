import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from '../contract/catalogue.prebuilt.ts';
import { PACKAGE_ROOT } from '../package.ts';
import { PROFILES } from '../run/budget.ts';
import { grouped } from '../text.ts';

const textOf = (page: string): string => readFileSync(new URL(page, PACKAGE_ROOT), 'utf8');
const DOCS = readdirSync(new URL('.github/docs', PACKAGE_ROOT)).map((file) => `.github/docs/${file}`);

test('pages count as many requirements as can be tested', () => {
  const counts = ['README.md', ...DOCS].flatMap((page) =>
    [...textOf(page).matchAll(/^(\d+) requirements:|of (\d+) requirements/gm)].map(([, all, of]) => Number(all ?? of)),
  );
  const testable = REQUIREMENTS.filter(({ untestable }) => untestable === undefined);
  expect(new Set(counts)).toEqual(new Set([testable.length]));
});

test.each(Object.entries(PROFILES))('pages have the bounds of %s', (profile, { requests, evidence, creations }) => {
  const cells = (...figures: readonly number[]): string => `| \`${profile}\` | ${figures.map(grouped).join(' | ')} |`;
  const page = textOf('.github/docs/requests.md');
  expect(page).toContain(cells(requests, evidence, creations));
  // Animals after a month and after a year of a run each night.
  expect(page).toContain(cells(creations * 30, creations * 365));
  const readme = textOf('README.md');
  expect(readme).toMatch(new RegExp(`\\b${creations} (animals )?with \`(--profile )?${profile}\``));
  const row = readme.split('\n').find((line) => line.startsWith(`| \`${profile}\` |`));
  expect(row?.split('|').slice(3, 5)).toEqual([grouped(requests), grouped(creations)].map((figure) => ` ${figure} `));
});
