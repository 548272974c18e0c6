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

const failuresIn = (name: string, output: string): readonly string[] | undefined =>
  TOOLS.find((tool) => tool.name.startsWith(name))?.failures(folder, output);

test('of Dredd, the failed tests are read', () => {
  const report = `<testsuite name="Dredd Tests" tests="3" failures="1" errors="1">
    <testcase name="GET (200) /pets" time="0.1"/>
    <testcase name="POST (201) /pets" time="0.1"><failure><![CDATA[statusCode: 200 instead of 201]]></failure></testcase>
    <testcase name="GET (404) /pets/1" time="0.1"><error>ECONNRESET</error></testcase></testsuite>`;
  writeFileSync(join(folder, 'output'), report);
  expect(failuresIn('Dredd', '')).toEqual(['POST (201) /pets', 'GET (404) /pets/1']);
});

test('of Portman, the failed expectations are read', () => {
  const output = `❏ pets
↳ List the animals
  GET http://127.0.0.1:1/v1/pets [200 OK, 445B, 4ms]
  ✓  [GET]::/pets - Status code is 2xx

↳ Add an animal
  POST http://127.0.0.1:1/v1/pets [201 Created, 182B, 12ms]
  ✓  [POST]::/pets - Status code is 2xx
  1. [POST]::/pets - Response has JSON Body
  2. [POST]::/pets - Schema is valid
  3⠄ AssertionFailure in test-script

  #  failure           detail
 1.  AssertionError    [POST]::/pets - Response has JSON Body
`;
  expect(failuresIn('Portman', output)).toEqual([
    'Add an animal: [POST]::/pets - Response has JSON Body',
    'Add an animal: [POST]::/pets - Schema is valid',
  ]);
});

test('what also fails on the sound service finds nothing', () => {
  const failed = new Map([
    ['missed', []],
    ['only-the-false-alarm', ['a']],
    ['found', ['a', 'b']],
  ]);
  expect(foundFaults(failed, ['a'])).toEqual(['found']);
});
