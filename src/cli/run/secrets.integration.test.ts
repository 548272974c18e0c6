/** What runs write and print contains no secret, in any form that a service may have given it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../../package.ts';
import { FORMAT_NAMES } from '../../report/formats.ts';
import { temporaryFolder } from '../../report/temporary-folder.fixture.ts';
import {
  type Change,
  type FixtureResponse,
  type ReceivedRequest,
  KEY as RIGHT,
  serve,
} from '../../run/service.fixture.ts';

const PROGRAM = fileURLToPath(new URL('src/cli/petstore-conformance.cjs', PACKAGE_ROOT));
const root = temporaryFolder();

/** The value of a secret header. Like the key, it has characters that every encoding writes differently. */
const TEAM = 'Blue Team/Secret+42"<%';
const ODD_KEY = `aZ+9/"k'&y<=%7\\~Qw:Lm3Tr0ub4dor`;
const JWT = ['{"alg":"RS256","typ":"JWT"}', `{"sub":"${'of a long claim '.repeat(60)}"}`, 'a signature '.repeat(21)]
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
const eachByte = (text: string, written: (byte: number) => string) => [...Buffer.from(text)].map(written).join('');

/** How a service may write what it was sent. */
const FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(`{"seen":"${text}"}`).toString('base64url'),
  (text) => Buffer.from(`me:${text}`).toString('base64'),
  encodeURIComponent,
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => eachByte(text, (byte) => `%${hex(byte)}`),
  (text) => new URLSearchParams({ text }).toString(),
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(JSON.stringify(text)),
  (text) => eachByte(text, (byte) => `\\u00${hex(byte)}`),
  (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  (text) => eachByte(text, (byte) => `&#${byte};`),
  (text) => text.replace(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase())),
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
];

const sign = (code: string, radix: number): string => String.fromCharCode(Number.parseInt(code, radix));
/** Undoes percent-encoding, HTML references and JSON escapes once. */
const decoded = (text: string): string =>
  text
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => sign(code, 16))
    .replace(/&#(\d{1,3});/g, (_, code: string) => sign(code, 10))
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>' })[name] ?? '"')
    .replace(/\\u00([0-9a-f]{2})|\\(["\\/])/gi, (_, code?: string, own?: string) => own ?? sign(code ?? '', 16));
const fromBase64 = (text: string): string =>
  (text.match(/[\w+/-]{12,}/g) ?? [])
    .flatMap((run) => [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), 'base64').toString('latin1')))
    .join(' ');

/** All that a patient reader finds in a text, in lower case. */
function readings(text: string): readonly string[] {
  const steps = [text];
  for (let step = 0; step < 4; step += 1) steps.push(decoded(steps[step] ?? ''));
  const forms = steps.map((one) => one.replaceAll('+', ' '));
  return [...new Set([...steps, ...forms, ...steps.map(fromBase64)])].map((one) => one.toLowerCase());
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');
const tokenOf = ({ headers }: ReceivedRequest): string => (headers.authorization ?? '').replace(/^bearer /i, '');

/** Whether a token contains half of the key, forwards or backwards. */
function isNearly(token: string, key: string): boolean {
  const texts = [key, [...key].reverse().join('')].flatMap((text) => [
    text.slice(0, key.length / 2),
    text.slice(-key.length / 2),
  ]);
  return texts.some((half) => token.toLowerCase().includes(half.toLowerCase()));
}

/** Accepts near misses of the key. After the first requests, it echoes what it was sent, in changing forms and places. */
const echoing =
  (key: string): Change =>
  (asked, right) => {
    const token = tokenOf(asked);
    const answer = right({ headers: { authorization: `Bearer ${isNearly(token, key) ? RIGHT : 'wrong'}` } });
    const write = FORMS[asked.nth % FORMS.length] ?? String;
    const echo = [token, asked.headers['x-team'], JSON.stringify(asked.headers)]
      .map((one) => write(`${one}`))
      .join(' ');
    const inText = JSON.stringify(echo).slice(1, -1);
    const inHeader = printable(echo);
    const body = answer.body.replace(/"(name|message)":"/g, (start) => start + inText);
    const places: readonly FixtureResponse[] = [
      { ...answer, headers: { 'X-Seen': inHeader } },
      { ...answer, body },
      { status: 302, body: echo, headers: { Location: `https://elsewhere.example/${inHeader}` } },
      { status: 500, body: `{"code":"${inText}","message":"Your ${inText}","status":500,"${inText}":1}` },
      { ...answer, headers: { 'Content-Type': `application/json; was="${inHeader}"` } },
      { status: 400, body: `{"message": "${echo}`, headers: { 'WWW-Authenticate': `Bearer realm="${inHeader}"` } },
      // Not UTF-8, so it begins at any offset in the base64 that a report would show.
      { status: 200, body: `${'\xff'.repeat(1 + (asked.nth % 3))}${echo}`, encoding: 'latin1' },
      { status: 200, body: `["${inText}"]`, encoding: 'utf16le' },
    ];
    // An animal that is created with a near miss always has it in its name, as created.jsonl records the name.
    const place = token !== key && answer.status === 201 ? 1 : Math.floor(asked.nth / 3) % places.length;
    const isRight = asked.nth < 40 || (token === key && asked.nth % 3 > 0);
    return (isRight ? undefined : places[place]) ?? answer;
  };

async function run(key: string, cwd: string, argv: readonly string[]) {
  const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'page.md'), DEBUG: '1' };
  const env = { PATH: process.env['PATH'], PETSTORE_API_KEY: key, ...job };
  const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (text += piece.toString()));
  const [code]: unknown[] = await once(child, 'close');
  return { code, name: `the output of ${argv.join(' ')}`, text };
}

test.each([
  ['of odd signs', ODD_KEY, 'standard'],
  ['as long as a JWT', JWT, 'smoke'],
])(
  'neither a key %s, nor what is nearly it, nor the value of a header is written or printed',
  async (_, key, profile) => {
    const folder = mkdtempSync(join(root, 'run-'));
    const { baseUrl, requests: asked } = await serve(echoing(key));
    const rejecting = await serve(({ headers }) => ({ status: 401, body: JSON.stringify(headers) }));
    const options = ['-H', `X-Team: ${TEAM}`, '-v', '--report', FORMAT_NAMES.join(), '--settle', '0.1', '--seed', '7'];
    const replayed = options.slice(0, options.indexOf('--settle'));
    const kept = ['--profile', profile, '--history', 'history.jsonl'];
    const runs = [
      await run(key, folder, ['-u', baseUrl, ...options, ...kept]),
      await run(key, folder, [...replayed, '--replay', 'reports']),
      await run(key, folder, ['-u', rejecting.baseUrl, ...options, '--report-dir', 'rejected']),
      await run(key, folder, ['compare', 'rejected', 'reports']),
    ];
    expect(runs.map(({ code }) => code)).toEqual([1, expect.any(Number), 3, 0]);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const written = files.map(({ parentPath, name }) => ({
      name: join(parentPath, name).slice(folder.length + 1),
      text: readFileSync(join(parentPath, name), 'utf8'),
    }));
    const reports = ['junit.xml', 'conformance.json', 'report.html', 'summary.md'];
    const kinds = ['history.jsonl', 'page.md', 'reports/created.jsonl'];
    const places = ['reports', 'reports/replay', 'rejected'].flatMap((dir) => reports.map((one) => `${dir}/${one}`));
    expect(written.map(({ name }) => name)).toEqual(expect.arrayContaining([...kinds, ...places]));
    for (const { name, text } of [...written, ...runs].filter(({ name }) =>
      /^re[a-z]+\/[a-z]+\.(xml|html)$|--history/.test(name),
    ))
      expect(text, name).toContain('[redacted]');

    const tokens = [...new Set(asked.map((one) => tokenOf(one).toLowerCase()))];
    const near = tokens.filter((one) => one.length >= 12 && isNearly(one, key) && !one.includes(key.toLowerCase()));
    expect(near.length).toBeGreaterThan(4);
    // Where a long body is cut, the beginning alone would reveal enough.
    const secrets = [key.slice(0, 12), TEAM.slice(0, 12), ...near].map((one) => one.toLowerCase());
    const found = [...written, ...runs].flatMap(({ name, text }) => {
      const all = readings(text);
      return secrets
        .filter((secret) => all.some((one) => one.includes(secret)))
        .map((secret) => `${secret} in ${name}`);
    });
    expect(found).toEqual([]);
  },
);
