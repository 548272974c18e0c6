import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../../package.ts';
import { EXPRESS, FASTIFY, MOCK, NGINX } from './found.fixture.ts';

const NOTES = readFileSync(new URL('.github/FIELD-NOTES.md', PACKAGE_ROOT), 'utf8');

/** The requirements that the rows of a chapter's table begin with. */
function explainedIn(title: string): readonly string[] {
  const [, chapter = ''] = NOTES.split(`\n## ${title}\n`);
  const rows = (chapter.split('\n## ')[0] ?? '').matchAll(/^\| ([A-Z]+-\d+(?:, [A-Z]+-\d+)*) \|/gm);
  return [...new Set([...rows].flatMap(([, ids = '']) => ids.split(', ')))].toSorted();
}

describe.each([EXPRESS, FASTIFY, MOCK, NGINX])('the field notes on $title', ({ title, violated }) => {
  test('explain everything that is violated, and nothing else', () => {
    expect(explainedIn(title)).toEqual(violated);
  });

  test('count it', () => {
    const anchor = title.toLowerCase().replaceAll(' ', '-');
    expect(NOTES).toMatch(new RegExp(`^\\| \\[.*\\]\\(#${anchor}\\) \\|.* \\| ${violated.length} violated \\|`, 'm'));
  });
});
