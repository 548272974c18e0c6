import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foundFaults } from './comparison.ts';
import { TOOLS } from './tools.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-bench-tools-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const failuresIn = (name: string, output: string): readonly string[] | undefined => {
  writeFileSync(join(folder, 'output'), output);
  return TOOLS.find((tool) => tool.name.startsWith(name))?.failures(folder);
};

test('of Dredd, the failed tests are read', () => {
  const report = `<testsuite name="Dredd Tests" tests="3" failures="1" errors="1">
    <testcase name="GET (200) /pets" time="0.1"/>
    <testcase name="POST (201) /pets" time="0.1"><failure><![CDATA[statusCode: 200 instead of 201]]></failure></testcase>
    <testcase name="GET (404) /pets/1" time="0.1"><error>ECONNRESET</error></testcase></testsuite>`;
  expect(failuresIn('Dredd', report)).toEqual(['POST (201) /pets', 'GET (404) /pets/1']);
});

test('of Portman, the failed expectations are read, and requests that got no answer', () => {
  const failures = [
    {
      source: { name: 'Add an animal' },
      error: { test: 'Schema is valid', message: 'expected data to satisfy schema' },
    },
    { source: { name: 'Get one animal' }, error: { message: 'socket hang up' } },
  ];
  const report = JSON.stringify({ run: { failures } });
  expect(failuresIn('Portman', report)).toEqual(['Add an animal: Schema is valid', 'Get one animal: socket hang up']);
});

test('what also fails on the sound service finds nothing', () => {
  const failed = new Map([
    ['missed', []],
    ['only-the-false-alarm', ['a']],
    ['found', ['a', 'b']],
  ]);
  expect(foundFaults(failed, ['a'])).toEqual(['found']);
});
