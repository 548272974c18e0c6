/** `judge`: the suite's own runs, recorded and judged again, and traffic of others as an archive has it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEY } from '../../petstore/rig.fixture.ts';
import { findFault, startReference } from '../../reference/index.ts';
import { CHROMIUM } from '../../report/formats/html/browser.fixture.ts';
import type { RunResult } from '../../report/model/result.ts';
import { mainHere, quickOptions, resultIn, runHere } from '../run/run-in-process.fixture.ts';
import { archiveOf, REX, RIGHT, type WrittenEntry } from './har.fixture.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-judge-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function judged(entries: readonly WrittenEntry[], ...options: readonly string[]) {
  const file = join(folder, 'traffic.har');
  writeFileSync(file, archiveOf(entries));
  const dir = join(folder, 'reports');
  rmSync(dir, { recursive: true, force: true });
  const { code, printed } = await mainHere('judge', file, '--report-dir', dir, ...options);
  const files = readdirSync(folder).includes('reports') ? readdirSync(dir) : [];
  const written = files.map((name) => readFileSync(join(dir, name), 'utf8')).join('\n');
  return { code, printed, written, result: () => resultIn(dir) };
}

const failuresIn = ({ checks }: RunResult): readonly string[] =>
  checks.flatMap(({ id, outcome }) =>
    outcome.kind === 'failed' ? outcome.violations.map(({ code }) => `${id} ${code}`) : [],
  );

const statusOf = ({ requirements }: RunResult, id: string): string | undefined =>
  requirements.find((row) => row.id === id)?.status;

/** Runs the checks of a requirement against a service, and judges what was recorded of that. */
async function recordedRun(fault: string | undefined, only: readonly string[]) {
  const found = fault === undefined ? undefined : findFault(fault);
  const service = await startReference({ token: KEY, ...(found === undefined ? {} : { faults: [found] }) });
  const changes = { only, profile: 'standard', reports: ['har', 'json'] } as const;
  const { dir } = await runHere(quickOptions(service.baseUrl, changes)).finally(() => service.stop());
  const again = join(dir, 'judged');
  const { code } = await mainHere('judge', join(dir, 'traffic.har'), '--report-dir', again, '--report', 'json');
  return { run: resultIn(dir), judgement: resultIn(again), code };
}

/** What the rules say of a single answer: a check's own comparison of several is not among it. */
const shownAlone = ({ checks }: RunResult): readonly string[] =>
  checks.flatMap(({ id, outcome }) =>
    outcome.kind === 'failed'
      ? outcome.violations.flatMap(({ code, exchanges }) => (exchanges.length === 1 ? `${id} ${code}` : []))
      : [],
  );

describe("the suite's own run, judged again", () => {
  test.each([
    ['limit-7-gives-8', 'LIST-2'],
    ['status-upper-cased-in-list', 'RES-1'],
    ['filter-in-any-letter-case', 'LIST-11'],
    ['limit-empty-answered-422', 'LIST-10'],
    ['created-answered-200', 'CREATE-1'],
    ['name-null-accepted', 'CREATE-5'],
    ['required-members-answered-422', 'CREATE-2'],
    ['name-trimmed', 'RES-6'],
    ['unknown-id-beyond-2-53-answered-400', 'GET-2'],
    ['id-in-hex-read', 'GET-5'],
    ['limit-greatest-uint32-makes-500', 'SERV-4', 'LIST-10'],
    ['404-in-utf-16', 'SERV-3'],
    ['getpet-404-lacks-code', 'ERR-1'],
    ['id-not-int64-error-says-400', 'ERR-2', 'GET-5'],
    ['no-key-needed-by-listpets', 'AUTH-2'],
  ])('shows %s', async (fault, ...only) => {
    const { run, judgement, code } = await recordedRun(fault, only);
    const alone = shownAlone(run);
    expect(alone).not.toEqual([]);
    expect(failuresIn(judgement)).toEqual(expect.arrayContaining([...alone]));
    expect(code).toBe(1);
  });

  test('shows nothing wrong with a right service', async () => {
    const { judgement, code } = await recordedRun(undefined, ['LIST-*', 'CREATE-*', 'AUTH-*']);
    expect(failuresIn(judgement)).toEqual([]);
    expect(code).toBe(0);
    expect(judgement.summary.holding).toBeGreaterThan(25);
  });
});

describe('whose fault it is', () => {
  const added = { method: 'POST', sent: REX, status: 201, answer: { id: 5, ...REX } };
  const fetched = { path: '/pets/5', answer: { id: 5, ...REX, name: 'Max' } };

  test('what others may have changed is a suspicion, unless --strict', async () => {
    const { code, printed, result } = await judged([added, fetched]);
    expect(code).toBe(0);
    expect(statusOf(result(), 'RES-9')).toBe('not judged');
    expect(printed.replace(/\s+/g, ' ')).toContain(
      'another client may explain what was seen: getPet shows another name',
    );
    const strict = await judged([added, fetched], '--strict');
    expect(strict.code).toBe(1);
    expect(failuresIn(strict.result())).toEqual(['RES-9 disagreement']);
  });

  test('what one answer shows alone is a violation, with its own exchange as the evidence', async () => {
    const { code, result } = await judged([
      added,
      {
        path: '/pets?limit=1',
        answer: [
          { id: 5, ...REX },
          { id: 6, ...REX },
        ],
      },
    ]);
    expect(code).toBe(1);
    expect(failuresIn(result())).toEqual(['LIST-2 page-too-long']);
    expect(statusOf(result(), 'CREATE-1')).toBe('holds');
    expect(statusOf(result(), 'LIST-11')).toBe('not judged');
  });

  test('a body that was not recorded, and parameters that nobody knows, say nothing', async () => {
    const cut = { ...added, answer: [] };
    const file = archiveOf([
      cut,
      { path: '/pets?page=9&limit=5', status: 400, answer: { code: 'x', message: 'y', status: 400 } },
    ]);
    const path = join(folder, 'cut.har');
    writeFileSync(path, file.replace('"content":{"size":2,"text":"[]"}', '"content":{"size":90}'));
    const { code } = await mainHere('judge', path, '--report-dir', join(folder, 'cut'), '--report', 'json');
    expect(failuresIn(resultIn(join(folder, 'cut')))).toEqual([]);
    expect(code).toBe(0);
  });
});

describe('keys are known by difference', () => {
  const refused = { status: 401, answer: { code: 'unauthorized', message: 'no', status: 401 } };
  const other = 'Bearer Other-Key-5678';

  test.each([
    ['a key that was never accepted is refused', [{}, { key: other, ...refused }], []],
    ['a key is refused before it is in force, and after it has expired', [refused, {}, refused], []],
    ['a key is refused in between', [{}, refused, {}], ['AUTH-1 key-refused']],
    ['a key is refused for another operation alone', [{}, { path: '/pets/5', ...refused }, {}], []],
    ['a request without a key is let in', [{}, { key: undefined }], ['AUTH-2.listPets key-accepted']],
    ['a key in another scheme is let in', [{}, { key: 'Basic c2VjcmV0' }], ['AUTH-5.listPets key-accepted']],
    ['the recorder has left all keys out', [{ key: undefined }, { key: undefined, ...refused }], []],
    ['the recorder has hidden the keys', [{ key: 'Bearer [redacted]' }, { key: 'Bearer [redacted]', ...refused }], []],
  ] as const)('%s', async (_what, entries, expected) => {
    const { result } = await judged(entries);
    expect(failuresIn(result())).toEqual(expected);
  });
});

describe('secrets', () => {
  test('no key and no cookie leaves the process, and no name that is not the fault', async () => {
    const cookie = { cookie: 'theme=dark; sid=Session-987654321' };
    const answer = { id: 5, ...REX, status: 'Right-Key-1234 Session-987654321' };
    const { code, printed, written } = await judged([
      { headers: cookie },
      { path: '/pets/5', headers: cookie, answer },
    ]);
    expect(code).toBe(1);
    for (const secret of ['Right-Key-1234', 'Session-987654321', 'Rex'])
      expect(printed + written).not.toContain(secret);
    expect(printed).toContain('[redacted]');
  });

  test('a name that is the fault is shown, but not with --redact-names', async () => {
    const entries = [{ method: 'POST', sent: REX, status: 201, answer: { id: 5, ...REX, name: 'Rexy-Max' } }];
    const shown = await judged(entries);
    expect(failuresIn(shown.result())).toEqual(['RES-6 name-changed']);
    expect(shown.printed).toContain('"name":"Rexy-Max"');
    const hidden = await judged(entries, '--redact-names');
    expect(hidden.code).toBe(1);
    expect(hidden.printed + hidden.written).not.toMatch(/Rex/);
  });

  test('a name in a suspicion is shown, but not with --redact-names', async () => {
    const added = { method: 'POST', sent: REX, status: 201, answer: { id: 5, ...REX } };
    const fetched = { path: '/pets/5', answer: { id: 5, ...REX, name: 'Rexy-Max' } };
    expect((await judged([added, fetched])).written).toMatch(/another client may explain .*Rexy-Max/);
    const hidden = await judged([added, fetched], '--redact-names');
    expect(hidden.written).toMatch(/another client may explain .*…/);
    expect(hidden.printed + hidden.written).not.toMatch(/Rex/);
  });
});

describe('which address is meant', () => {
  const elsewhere: WrittenEntry = { base: 'https://other.example/v1', answer: {} };

  test('is said by --base-url where there are several', async () => {
    const several = await judged([{}, elsewhere]);
    expect(several).toMatchObject({ code: 2 });
    expect(several.printed).toContain(
      'name one of https://shop.example/v1 (1 request), https://other.example/v1 (1 request)',
    );
    expect(await judged([{}, elsewhere], '--base-url', 'https://shop.example/v1/')).toMatchObject({ code: 0 });
    expect(await judged([{}, elsewhere], '-u', 'https://other.example/v1')).toMatchObject({ code: 1 });
  });

  test('nothing is judged where nothing was sent to it', async () => {
    expect(await judged([{}], '--base-url', 'https://gone.example/v1')).toMatchObject({ code: 3 });
    expect(await judged([{ path: '/store/orders' }])).toMatchObject({ code: 2 });
  });

  test('a share of judged requirements is asked for by --min-judged alone', async () => {
    expect(await judged([{}], '--min-judged', '50')).toMatchObject({ code: 3 });
    expect(await judged([{}])).toMatchObject({ code: 0 });
  });
});

test.skipIf(CHROMIUM === undefined)('an archive that Playwright has written of a page is judged', async () => {
  const service = await startReference({ token: KEY, faults: [findFault('limit-plus-one') ?? []].flat() });
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  const file = join(folder, 'page.har.gz');
  try {
    const context = await browser.newContext({ recordHar: { path: join(folder, 'page.har') } });
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/pets`);
    await page.evaluate(
      async ({ authorization, pet }) => {
        const headers = { authorization, 'content-type': 'application/json' };
        await (await fetch('pets', { method: 'POST', headers, body: JSON.stringify(pet) })).text();
        await (await fetch('pets?limit=1', { headers })).text();
        await (await fetch('pets/1', { headers })).text();
      },
      { authorization: `Bearer ${KEY}`, pet: REX },
    );
    await context.close();
  } finally {
    await browser.close();
    await service.stop();
  }
  writeFileSync(file, gzipSync(readFileSync(join(folder, 'page.har'))));
  const { code } = await mainHere('judge', file, '--report-dir', join(folder, 'page'), '--report', 'json');
  const result = resultIn(join(folder, 'page'));
  expect(code).toBe(1);
  expect(failuresIn(result)).toEqual(['LIST-2 page-too-long']);
  expect(['CREATE-1', 'RES-6', 'GET-1', 'AUTH-1'].map((id) => statusOf(result, id))).toEqual(Array(4).fill('holds'));
});

test('files are judged together, and a baseline and a history as of a run', async () => {
  const files = [RIGHT, 'Bearer Second-Key-99'].map((key, at) => {
    const file = join(folder, `${at}.har`);
    writeFileSync(file, archiveOf([{ key, answer: at === 0 ? [] : {} }]));
    return file;
  });
  const known = join(folder, 'known.yaml');
  writeFileSync(known, '- { requirement: LIST-1, reason: known }\n');
  const history = join(folder, 'history.jsonl');
  const options = ['--baseline', known, '--history', history, '--report-dir', join(folder, 'both')];
  expect(await mainHere('judge', ...files, ...options)).toMatchObject({ code: 0 });
  expect(resultIn(join(folder, 'both')).summary).toMatchObject({ requests: 2, creations: 0 });
  expect(readFileSync(history, 'utf8').split('\n')).toHaveLength(2);
});
