/** What a run writes and prints, down to the last byte, gives no secret away, whatever the service sends back. */
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { petStore } from '../../petstore/definition.ts';
import { missesByKind } from '../../petstore/inputs/near-misses.ts';
import { recordingServer } from '../../petstore/rig.fixture.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { temporaryFolder } from '../../temporary-folder.fixture.ts';
import { endOf, startProgram } from './program.fixture.ts';
import { secretsOf } from './secrets.ts';

const folder = temporaryFolder();

const swappedCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
const everyByte = (text: string, written: (byte: number) => string): string =>
  [...Buffer.from(text, 'latin1')].map(written).join('');
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
const firstPart = (text: string): string => text.slice(0, Math.ceil(text.length * 0.6));

/** A secret in every form that an answer could carry it in; `long` forms hold more than the secret itself. */
function formsOf(secret: string): readonly string[] {
  return [
    secret,
    swappedCase(secret),
    secret.toUpperCase(),
    secret.toLowerCase(),
    firstPart(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(firstPart(secret)).toString('base64').replace(/.=+$/, ''),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
    encodeURIComponent(secret),
    everyByte(secret, (byte) => `%${hex(byte)}`),
    everyByte(secret, (byte) => `%${hex(byte).toUpperCase()}`),
    everyByte(secret, (byte) => `\\u00${hex(byte)}`),
    everyByte(secret, (byte) => `&#${byte};`),
    everyByte(secret, (byte) => `&#x${hex(byte)};`),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  ];
}

/** The keys that are nearly right, and would tell the right one. */
function nearMissesOf(secret: string): readonly string[] {
  const all = Object.values(missesByKind(secret)).flat();
  const revealing = all.filter(({ name }) => name !== 'other letters in the same length');
  const tokens = revealing.map(({ headers }) => headers[0]?.[1].replace('Bearer ', '') ?? '');
  return tokens.filter(({ length }) => length > secret.length * 0.6);
}

/**
 * What must be found nowhere: the forms, what base64 makes of the secret behind one or two other letters, and what is
 * nearly the secret.
 */
function tracesOf(secret: string): readonly string[] {
  const inner = ['x', 'xx'].map((before) => Buffer.from(`${before}${secret}`).toString('base64').slice(4, -4));
  const near = nearMissesOf(secret);
  return [
    ...new Set([
      ...formsOf(secret),
      ...inner,
      ...near,
      Buffer.from(`Bearer ${secret}`).toString('base64').slice(12, -4),
    ]),
  ];
}

/** Answers rightly to begin with, and then with everything it was told, in ever another form and place. */
class Gossip {
  #number = 0;
  readonly #told: readonly string[];

  constructor(secrets: readonly string[]) {
    this.#told = secrets.flatMap((secret) => [...formsOf(secret), Buffer.from(`user:${secret}`).toString('base64')]);
  }

  answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#number += 1;
    const number = this.#number;
    const gossip = this.#told[number % this.#told.length] ?? '';
    const all = `${gossip} ${JSON.stringify(incoming.headers)}`;
    const json = (status: number, value: unknown): void => {
      outgoing.writeHead(status, { 'Content-Type': 'application/json', 'X-Seen': printable(gossip) });
      outgoing.end(JSON.stringify(value));
    };
    const animal = { id: number, name: gossip, categoryId: 1, status: 'available', note: all };
    switch (number <= 5 ? 0 : number % 9) {
      case 0:
        json(
          incoming.method === 'POST' ? 201 : 200,
          incoming.url?.includes('/pets/') || incoming.method === 'POST' ? animal : [animal],
        );
        break;
      case 1:
        json(500, { code: gossip, message: all, status: 500 });
        break;
      case 2:
        json(401, { code: all, message: `Your key ${gossip} is unknown`, status: 400 });
        break;
      case 3:
        outgoing.writeHead(302, {
          Location: `https://elsewhere.example/${encodeURIComponent(gossip)}?key=${printable(gossip).replaceAll(' ', '+')}`,
        });
        outgoing.end(all);
        break;
      case 4:
        // The text of an Error that says it is JSON and is not.
        outgoing.writeHead(400, {
          'Content-Type': 'application/json',
          'WWW-Authenticate': `Bearer realm="${printable(gossip)}"`,
        });
        outgoing.end(`{"message": "${gossip}`);
        break;
      case 5:
        outgoing.writeHead(200, { 'Content-Type': `application/json; was="${printable(gossip)}"` });
        outgoing.end(Buffer.from(`[${JSON.stringify(all)}]`, 'utf16le'));
        break;
      case 6:
        // Neither UTF-8 nor whole; the secret begins at any place in the base64 that a report would show.
        outgoing.writeHead(200, { 'Content-Type': 'application/json' });
        outgoing.end(Buffer.concat([Buffer.alloc(number % 3, 0xff), Buffer.from(all, 'latin1')]));
        break;
      case 7:
        outgoing.socket?.end(`HTTP/1.1 2oo ${printable(gossip)}\r\n${printable(gossip)}\r\n\r\n`);
        break;
      default:
        json(404, [gossip, { [gossip]: incoming.headers.authorization }]);
        break;
    }
  }
}

const REPORTS = ['conformance.json', 'junit.xml', 'report.html', 'summary.md', 'traffic.har', 'created.jsonl'];

/** As a header can carry it. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

async function runAgainstGossip(key: string, team: string) {
  const gossip = new Gossip([key, team]);
  const server = await recordingServer((incoming, outgoing) => {
    incoming.resume().on('end', () => gossip.answer(incoming, outgoing));
  });
  const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'step-summary.md') };
  const child = startProgram(
    [
      ...['-u', server.baseUrl, '-H', `X-Team-Token: ${team}`, '--verbose', '--profile', 'smoke'],
      ...['--report-dir', folder, '--report', 'junit,json,html,md,har,badge'],
      ...['--only', 'LIST-*', 'GET-*', 'CREATE-*', 'AUTH-*', 'ERR-*'],
      ...['--settle', '0.1', '--request-timeout', '1', '--max-time', '40', '--seed', '1729'],
    ],
    { PATH: process.env['PATH'], PETSTORE_API_KEY: key, DEBUG: '1', ...job },
  );
  const { code, printed } = await endOf(child);
  await server.stop();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const written = files.map((file) => {
    const path = join(file.parentPath, file.name);
    return { where: path.slice(folder.length + 1), text: readFileSync(path, 'latin1') };
  });
  return { code, texts: [...written, { where: 'the terminal', text: Buffer.from(printed).toString('latin1') }] };
}

test.each(['Tr0ub4dor-3xPlain', 'k7Fq-Zt93x', 'petstore-demo-key'])('near misses of %s are redacted', (key) => {
  const redact = createRedactor(secretsOf({ token: key, headers: [], proxies: undefined }, petStore()));
  for (const token of nearMissesOf(key)) {
    const encoded = Buffer.from(`Bearer ${token}`).toString('base64');
    const shown = redact(`${token}, ${encoded}`);
    for (const told of [token.slice(1, -1), encoded.slice(12, -4)]) expect(shown).not.toContain(told);
  }
});

test('a failing run on a service that tells all it was told writes and prints no secret', async () => {
  // One of signs that every encoding writes in its own way, and a plain one.
  const [key, team] = [`aZ+9/"k'&y<=%7\\~Qw:é!`, 'Blue-Team-Secret-42'];
  const { code, texts } = await runAgainstGossip(key, team);
  expect(code).toBe(1);
  const places = texts.map(({ where }) => where);
  for (const file of [...REPORTS, 'badge.json', 'step-summary.md']) expect(places).toContain(file);
  expect(texts.at(-1)?.text).toContain('\n::error title=');
  expect(places.filter((place) => place.startsWith('failures/')).length).toBeGreaterThan(3);
  const found = [key, team].flatMap((secret) =>
    tracesOf(secret).flatMap((trace) =>
      texts
        .filter(({ text }) => text.includes(trace) || text.includes(Buffer.from(trace, 'utf8').toString('latin1')))
        .map(
          ({ where, text }) =>
            `${trace} in ${where}: …${text.slice(Math.max(0, text.indexOf(trace) - 60), text.indexOf(trace) + 60)}…`,
        ),
    ),
  );
  expect(found).toEqual([]);
  // Some failures tell nothing of what was answered, and the badge has nothing to redact.
  const without = texts.filter(({ text }) => !text.includes('[redacted]')).map(({ where }) => where);
  expect(without.filter((where) => !where.startsWith('failures/'))).toEqual(['badge.json']);
});
