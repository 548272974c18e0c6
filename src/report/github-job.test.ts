import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markdownReport } from './formats/markdown.ts';
import { annotations, GitHubJob } from './github-job.ts';
import { createRedactor } from './redact/redact.ts';
import {
  answering,
  check,
  exchange,
  greenResult,
  HOSTILE,
  redResult,
  requirement,
  resultOf,
  SERVICE,
  viewed,
  violation,
} from './sample.fixture.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'github-job-'));
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

const writing = { dir: 'reports', service: SERVICE, redact: (text: string) => text };

/** What GitHub's runner reads of a command: the reverse of its escapes, properties first. */
function read(line: string) {
  const [, level = '', title = '', message = ''] = /^::(\w+) title=([^:,]*)::(.*)$/.exec(line) ?? [];
  const data = (text: string): string =>
    text.replace(/%(0D|0A|3A|2C|25)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { level, title: data(title), message: data(message) };
}

const commandsIn = (text: string) => text.trimEnd().split('\n').filter(Boolean).map(read);

function manyViolations(howMany: number) {
  const ids = Array.from({ length: howMany }, (_, index) => `LIST-${index + 1}`);
  const rows = ids.map((id) => requirement(id, { status: 'violated' }));
  const failing = ids.map((id) =>
    check(id, { kind: 'failed', violations: [violation({ message: `${id} is wrong` })] }),
  );
  return resultOf(rows, failing, { verdict: 'violations', exitCode: 1 });
}

describe('annotations', () => {
  test('a violation has its requirement, one sentence and the curl line', () => {
    const found = commandsIn(annotations(viewed(redResult()))).find(({ title }) => title.startsWith('LIST-2'));
    expect(found).toEqual({
      level: 'error',
      title: 'LIST-2 the title of LIST-2',
      message: `The page holds more animals than \`limit\`.\n${exchange().curl}`,
    });
  });

  test('an internal error and a stale baseline are told too', () => {
    const titles = commandsIn(annotations(viewed(redResult()))).map(({ title }) => title);
    expect(titles).toEqual([
      'Internal error of the suite: CREATE-9',
      'Pet Store conformance: stale or expired baseline',
      'LIST-2 the title of LIST-2',
    ]);
  });

  test('internal errors that GitHub would not show are counted and named', () => {
    const red = redResult();
    const broken = red.checks.filter(({ id }) => id === 'CREATE-9');
    const checks = Array.from({ length: 12 }, (_, at) =>
      broken.map((one) => ({ ...one, id: `CREATE-9.${at}` })),
    ).flat();
    const commands = commandsIn(annotations(viewed({ ...red, checks: [...red.checks, ...checks] })));
    expect(commands.filter(({ level }) => level === 'error')).toHaveLength(10);
    expect(commands.at(-1)).toMatchObject({
      level: 'notice',
      title: '4 more errors and 1 more violation of https://staging.example/v1',
      message: expect.stringMatching(
        /^Internal error of the suite: CREATE-9\.9, .*stale or expired baseline, LIST-2: see/,
      ),
    });
  });

  test('an internal error is called so, and not as the format has it', () => {
    const result = greenResult({ exitCode: 2, verdict: 'suite fault', conclusion: 'The suite failed.' });
    expect(commandsIn(annotations(viewed(result))).map(({ title }) => title)).toEqual([
      'Pet Store conformance: internal error',
    ]);
    expect(markdownReport(viewed(result))).toContain('conformance: internal error\n');
    expect(markdownReport(viewed(result))).not.toContain('suite fault');
  });

  test('a green run has none, nor has an expected failure', () => {
    expect(annotations(viewed(greenResult()))).toBe('');
    expect(annotations(viewed(redResult()))).not.toContain('CREATE-2');
  });

  test('a run without a verdict says why', () => {
    const result = greenResult({ exitCode: 3, verdict: 'not judged', conclusion: 'The target is 100% away.' });
    expect(annotations(viewed(result))).toBe(
      '::error title=Pet Store conformance%3A not judged::The target is 100%25 away.\n',
    );
  });

  test('no more than GitHub shows; the others are named', () => {
    const commands = commandsIn(annotations(viewed(manyViolations(13))));
    expect(commands.filter(({ level }) => level === 'error')).toHaveLength(10);
    expect(commands.at(-1)).toEqual({
      level: 'notice',
      title: '3 more violations of https://staging.example/v1',
      message: 'LIST-11, LIST-12, LIST-13: see the summary of this job, or report.html',
    });
    expect(commands).toHaveLength(11);
  });

  test('whatever a service sends, a command is one line and stays what it is', () => {
    const message = `a,b: 100%0A ::error title=x::y\n::set-output name=a::b ${HOSTILE}`;
    const text = annotations(viewed(redResult(violation({ message, exchanges: [answering(HOSTILE)] }))));
    const lines = text.trimEnd().split('\n');
    expect(lines.every((line) => /^::(error|notice) title=[^:,]+::/.test(line))).toBe(true);
    expect(commandsIn(text).find(({ title }) => title.startsWith('LIST-2'))?.message).toContain(
      'a,b: 100%0A ::error title=x::y\\n::set-output name=a::b \\u001b[31mred',
    );
  });
});

describe('the job', () => {
  test('nothing in the log is a command until the end, which makes the annotations', async () => {
    const job = new GitHubJob(undefined);
    const token = /^::stop-commands::(\S+)\n$/.exec(job.begin())?.[1] ?? '';
    expect(token.length).toBeGreaterThan(20);
    await job.add(redResult(), writing);
    const end = job.end();
    expect(end.startsWith(`::${token}::\n::error title=`)).toBe(true);
  });

  test('several results share what GitHub shows', async () => {
    const job = new GitHubJob(undefined);
    for (const result of [manyViolations(7), manyViolations(7)]) await job.add(result, writing);
    const commands = commandsIn(job.end());
    expect(commands.filter(({ level }) => level === 'error')).toHaveLength(10);
    expect(commands.find(({ level }) => level === 'notice')?.title).toContain('4 more violations');
  });

  test('the summary is added to what is there', async () => {
    const file = join(root, 'summary');
    await writeFile(file, 'before\n');
    const job = new GitHubJob(file);
    await job.add(greenResult(), writing);
    await job.add(redResult(), writing);
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(
      /^before\n## ✅ Pet Store conformance: conforms\n[\s\S]*\n## ❌ Pet Store conformance: violations\n/,
    );
  });

  test('the page never holds more than GitHub shows', async () => {
    const large = violation({ exchanges: [answering('x'.repeat(100_000))] });
    const failing = Array.from({ length: 60 }, (_, index) =>
      check(`LIST-2.${index}`, { kind: 'failed', violations: [large, large, large, large] }),
    );
    const result = resultOf([requirement('LIST-2', { status: 'violated' })], failing, { exitCode: 1 });
    const file = join(root, 'full');
    await writeFile(file, 'x'.repeat(1024 * 1024 - 6_000));
    const job = new GitHubJob(file);
    for (let time = 0; time < 6; time += 1) await job.add(result, writing);
    const { size } = await stat(file);
    expect(size).toBeGreaterThan(1024 * 1024 - 2_000);
    expect(size).toBeLessThanOrEqual(1024 * 1024);
    expect(await readFile(file, 'utf8')).toMatch(/ more causes: see report\.html/);
    expect(job.end()).toContain('::warning title=The summary is not on this page::');
  });

  test('a summary that cannot be written is a warning', async () => {
    const job = new GitHubJob(root);
    await job.add(greenResult(), writing);
    expect(job.end()).toContain('::warning title=The summary is not on this page::$GITHUB_STEP_SUMMARY cannot be');
  });

  test('neither has a secret', async () => {
    const secret = 'Zebra-7f3c9d%Secret,Key:9';
    const file = join(root, 'secret');
    const shown = violation({ message: `it said ${secret}`, exchanges: [exchange({ curl: `curl ${secret}` })] });
    const job = new GitHubJob(file);
    await job.add(redResult(shown, { conclusion: secret }), { ...writing, redact: createRedactor([secret]) });
    for (const text of [await readFile(file, 'utf8'), job.end()]) {
      expect(text).toContain('[redacted]');
      expect(text).not.toContain('7f3c9d');
    }
  });
});
