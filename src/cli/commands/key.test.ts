import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { rightKey } from '../../petstore/inputs/credential.ts';
import { everyCredential } from '../../petstore/inputs/credentials.ts';
import { main } from '../main.ts';

const KEY = 'Sesame-Open-1';

async function printed(argv: readonly string[], environment: NodeJS.ProcessEnv = { PETSTORE_API_KEY: KEY }) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await main(['key', ...argv], environment, { stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, bytes: await buffer(stdout), stderr: await text(stderr) };
}

test('prints what each credential sends in its header or the query, a byte for each character and nothing else', async () => {
  const single = [rightKey(KEY), ...everyCredential(KEY)].filter(
    ({ headers, query }) => headers.length + (query === undefined ? 0 : 1) === 1,
  );
  expect(single.length).toBeGreaterThan(300);
  for (const { name, headers, query } of single) {
    const sent = Buffer.from(query ?? headers[0]?.[1] ?? '', 'latin1');
    expect(await printed([name]), name).toEqual({ code: 0, bytes: sent, stderr: '' });
  }
});

test.each([
  [['the key in upper case'], {}, 'Bearer SESAME'],
  [['the key and an accented letter in Latin-1'], {}, 'Bearer Sesame\xe9'],
  [['the key twice', '--token-env', 'OTHER'], { OTHER: 'Hut' }, 'Bearer HutHut'],
  [['no Authorization header'], {}, ''],
])('%j with %j and the key Sesame: %s', async (argv, environment, sent) => {
  const { code, bytes } = await printed(argv, { PETSTORE_API_KEY: 'Sesame', ...environment });
  expect([code, bytes.toString('latin1')]).toEqual([0, sent]);
});

test.each([
  [
    'the key in uper case',
    /^key: this API key has no credential of that name; did you mean the key in upper case\? \(copy/,
  ],
  [
    KEY,
    /^key: this API key has no credential of that name \(copy the name from a curl line, use the key of that run\)$/,
  ],
  [
    everyCredential(KEY).find(({ name }) => name.includes('many other headers'))?.name ?? '',
    /^key: that credential has several values; copy the curl line instead$/,
  ],
])('refuses %j with 2 and one line, which repeats neither the name nor the key', async (name, says) => {
  const { code, bytes, stderr } = await printed([name]);
  expect([code, bytes.length]).toEqual([2, 0]);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr.trim()).toMatch(says);
  expect(stderr).not.toContain(name);
  expect(stderr).not.toContain(KEY);
});
