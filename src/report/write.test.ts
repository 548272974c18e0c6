import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import { FileError, reportError } from './files.ts';
import { readResult } from './read-result.ts';
import { createRedactor } from './redact/redact.ts';
import { answering, exchange, HOSTILE, redResult, resultWithCauses, SERVICE, violation } from './sample.fixture.ts';
import { writeMatrix, writeReports } from './write.ts';

const ALL = ['junit', 'json', 'html', 'md', 'har'] as const;
const asIs = (text: string) => text;
let root = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'reports-'));
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('writeReports', () => {
  test('writes every format into a folder that it makes, and leaves nothing else', async () => {
    const dir = join(root, 'new', 'folder');
    const paths = await writeReports(redResult(), {
      formats: [...ALL, 'badge'],
      dir,
      redact: asIs,
      service: SERVICE,
    });
    expect((await readdir(dir)).toSorted()).toEqual([
      'badge.json',
      'conformance.json',
      'junit.xml',
      'report.html',
      'summary.md',
      'traffic.har',
    ]);
    for (const path of paths) expect((await readFile(path)).length).toBeGreaterThan(100);
    expect(await readResult(join(dir, 'conformance.json'))).toEqual(redResult());
  });

  test('no part of a secret is written in any form', async () => {
    const secret = 'Zebra-7f3c9d/Secret+"Key"<&>é';
    const forms = [
      secret,
      secret.toUpperCase(),
      Buffer.from(secret).toString('base64'),
      Buffer.from(`user:${secret}`).toString('base64'),
      Buffer.from(`Bearer ${secret}`).toString('base64url'),
      encodeURIComponent(secret),
      encodeURIComponent(secret).toLowerCase(),
      JSON.stringify(secret),
      JSON.stringify(JSON.stringify({ key: secret })),
      secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
      secret.slice(0, 20),
    ];
    const body = forms.join(' | ');
    const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from(secret)]);
    const binary = { encoding: 'base64', base64: bytes.toString('base64'), size: bytes.length, cut: false } as const;
    const leaking = exchange({
      request: {
        method: 'GET',
        url: `https://x.example/v1?key=${encodeURIComponent(secret)}`,
        headers: [['Authorization', `Bearer ${secret}`]],
        body: binary,
      },
      curl: `curl ${secret}`,
    });
    const { causes, checks } = resultWithCauses(body);
    const red = redResult(violation({ message: body, actual: body, exchanges: [answering(body), leaking] }));
    const result = redResult(violation({ message: body, actual: body, exchanges: [answering(body), leaking] }), {
      notes: [body],
      checks: [...red.checks, ...checks.filter(({ id }) => id === 'CREATE-5')],
      causes,
      conclusion: body,
      target: { baseUrl: `https://user:${encodeURIComponent(secret)}@x.example/v1`, embedded: false },
    });
    const dir = join(root, 'secret');
    const traffic = [leaking, answering(body)];
    const paths = await writeReports(result, {
      formats: ALL,
      dir,
      redact: createRedactor([secret]),
      service: SERVICE,
      traffic,
    });
    for (const path of paths) {
      const text = await readFile(path, 'utf8');
      expect(text).toContain('[redacted]');
      for (const form of [
        ...forms,
        secret.toLowerCase(),
        'Zebra-7',
        '7f3c9d',
        Buffer.from('ra-7f3c9d').toString('base64').slice(0, 10),
      ]) {
        expect(text.includes(form), `${path} holds ${form}`).toBe(false);
      }
      for (const encoded of text.match(/[A-Za-z0-9+/_-]{12,}/g) ?? []) {
        expect(Buffer.from(encoded, 'base64').toString('latin1')).not.toMatch(/7f3c9d/i);
      }
    }
    expect((await readResult(join(dir, 'conformance.json'))).verdict).toBe('violations');
  });

  test.each(['testcase', 'text', 'html', 'holds', 'true', '2026', 'name'])(
    'a key that is a word of the formats (%s) breaks none',
    async (secret) => {
      const dir = join(root, `word-${secret}`);
      await writeReports(redResult(), { formats: ALL, dir, redact: createRedactor([secret]), service: SERVICE });
      expect((await readResult(join(dir, 'conformance.json'))).format).toBe('petstore-conformance/1');
      expect(JSON.parse(await readFile(join(dir, 'traffic.har'), 'utf8')).log.version).toBe('1.2');
      expect(create(await readFile(join(dir, 'junit.xml'), 'utf8')).root().node.nodeName).toBe('testsuites');
      expect(await readFile(join(dir, 'report.html'), 'utf8')).toMatch(/^<!doctype html>\n<html lang="en">/);
    },
  );

  test('hostile bodies and a megabyte', async () => {
    const exchanges = [answering(HOSTILE), answering('y'.repeat(1_048_576))];
    const dir = join(root, 'hostile');
    await writeReports(redResult(violation({ exchanges })), {
      formats: ALL,
      dir,
      redact: createRedactor(['some-secret-key']),
      service: SERVICE,
    });
    const page = await readFile(join(dir, 'report.html'), 'utf8');
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain('<img');
    create(await readFile(join(dir, 'junit.xml'), 'utf8'));
  });

  test('the page of several targets gives no secret away', async () => {
    const secret = 'zebra-secret-key';
    const result = redResult(violation(), { conclusion: `It sent ${secret}.` });
    const observed = [{ requirement: 'LIST-10', reading: `answers ${secret}` }];
    const other = { ...result, checks: result.checks.map((check) => ({ ...check, observations: observed })) };
    const redact = createRedactor([secret]);
    const targets = [
      { result, folder: 'a b' },
      { result: other, folder: secret },
    ];
    const page = await readFile(await writeMatrix(targets, { dir: root, redact, service: SERVICE }), 'utf8');
    expect(page).toContain('<a href="a%20b/report.html#LIST-2">');
    expect(page).toContain('answers [redacted]');
    expect(page).not.toContain('zebra');
  });

  test('replaces an earlier report as a whole', async () => {
    const dir = join(root, 'again');
    await writeReports(redResult(), { formats: ['md'], dir, redact: asIs, service: SERVICE });
    await Promise.all(
      ['One.', 'Two.'].map((conclusion) =>
        writeReports(redResult(violation(), { conclusion }), { formats: ['md'], dir, redact: asIs, service: SERVICE }),
      ),
    );
    expect(await readFile(join(dir, 'summary.md'), 'utf8')).toMatch(/\n(One|Two)\.\n/);
    expect(await readdir(dir)).toEqual(['summary.md']);
  });

  test('a path that is a file, and a report that is a folder, are errors with a code', async () => {
    const file = join(root, 'file');
    await writeFile(file, 'x');
    for (const dir of [file, join(file, 'below')]) {
      const attempt = writeReports(redResult(), { formats: ['md'], dir, redact: asIs, service: SERVICE });
      await expect(attempt).rejects.toMatchObject({ code: 'not-written' });
      await expect(attempt).rejects.toBeInstanceOf(FileError);
    }
    const dir = join(root, 'taken');
    await mkdir(join(dir, 'summary.md'), { recursive: true });
    await expect(
      writeReports(redResult(), { formats: ['md'], dir, redact: asIs, service: SERVICE }),
    ).rejects.toBeInstanceOf(FileError);
    expect(await readdir(dir)).toEqual(['summary.md']);
  });

  test.each([
    ['EACCES', 'writing is not permitted there (EACCES). Choose'],
    ['EROFS', 'writing is not permitted there (EROFS). Choose'],
    ['ENOSPC', 'no space is left (ENOSPC). Free some space or choose'],
    ['EIO', 'writing failed (EIO). Choose'],
  ])('%s is told in one line', (code, why) => {
    const { message } = reportError(Object.assign(new Error('x'), { code }), 'out');
    expect(message).toBe(`Reports cannot be written to out: ${why} another --report-dir.`);
  });
});
