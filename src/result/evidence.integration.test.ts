import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { PARTS } from '../../suites/index.ts';
import type { Call } from '../reading/call.ts';
import { filled } from '../reading/exchange.ts';
import { shownTexts } from '../reading/fill.ts';
import { evidenceOf } from './evidence.ts';

const TERMS = { basePath: '/v1', key: 'K', agent: 'a', categories: [], today: '2026-01-01', settleMs: 0 };
const NAMES = { NAME: 'conformance abcde 0001', NUMBER: '912340001', ID: '7', FREE: '600000000' };

/** Each argument of curl in Base64 on a line of its own, or what is in a file that it names; a line for each command. */
const SCRIPT = `
  npx() { printf %s "key-$3"; }
  curl() {
    for word in "$@"; do
      case "$word" in @/dev/fd/*) base64 -w0 < "\${word#@}" ;; *) printf %s "$word" | base64 -w0 ;; esac
      printf ' '
    done
    echo
  }
`;

/** The curl line of a call; undefined if it cannot be sent, or its line would be very long. */
function curlOf(call: Call): string | undefined {
  const made = filled(call, NAMES, TERMS);
  if (made === undefined) return undefined;
  const outcome = { kind: 'answer', status: 200, headers: [], body: Buffer.from('[]') } as const;
  const times = { sentAt: 0, answeredAt: 1, connection: 1, place: 0, times: 1 };
  const texts = (exchange: { readonly call: Call }) => shownTexts(exchange.call, NAMES);
  const shown = { origin: 'http://localhost', basePath: '/v1', texts, secretHeaders: [], curlOptions: [] };
  return evidenceOf({ ...made, ...times, number: 1, call, names: NAMES, outcome }, shown).curl;
}

/** Whatever bash may read in another way. */
const ODD = /[^\w ${}":,/?=&.-]|\$(TIMES|BYTES|KEY:)/;
const isOdd = ({ target, headers, body = '' }: Call): boolean =>
  [target, body, ...headers.flat()].some((text) => ODD.test(text.replace('application/json', '')));

test('bash reads a curl line as it is meant, the body byte for byte', () => {
  const all = PARTS.flatMap(({ requirements }) =>
    requirements.flatMap(({ sends }) => sends.flatMap(({ calls }) => calls.filter(isOdd).slice(0, 4))),
  );
  const sent = all.flatMap((call) => {
    const curl = curlOf(call);
    return curl === undefined ? [] : { call, curl };
  });
  expect(sent.length).toBeGreaterThan(60);
  const env = { ...process.env, PETSTORE_API_KEY: 'the-key' };
  const lines = sent.map(({ curl }) => curl).join('\n');
  const { stdout } = spawnSync('bash', ['-c', `${SCRIPT}${lines}`], { env, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const read = stdout.split('\n').map((line) => line.split(' ').map((word) => Buffer.from(word, 'base64')));
  for (const [at, { call, curl }] of sent.entries()) {
    const words = read[at] ?? [];
    const { target, headers, body } = shownTexts(call, NAMES);
    const meant = (text: string): string =>
      text.replace(/\$KEY(?::([a-z0-9-]+))?/g, (_, form) => (form ? `key-${form}` : 'the-key'));
    const given = words.map((word) => word.toString('utf8'));
    for (const [name, value] of headers)
      expect(given, curl).toContain(meant(value === '' ? `${name};` : `${name}: ${value}`));
    expect(given, curl).toContain(meant(`http://localhost/v1${target}`));
    const after = given.indexOf('--data-binary');
    const isText = body !== undefined && Buffer.from(body).toString('utf8').includes('$KEY');
    if (body !== undefined)
      expect(isText ? given[after + 1] : words[after + 1]?.toString('hex'), curl).toBe(
        isText ? meant(Buffer.from(body).toString('utf8')) : Buffer.from(body).toString('hex'),
      );
  }
});
