/** The curl lines of this service's requests: they send what the suite sends, and reveal no key. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../engine/request-space.ts';
import type { Credential } from '../http/credential.ts';
import { expectSameRequests } from '../http/evidence/curl.fixture.ts';
import { evidenceOf } from '../http/evidence/evidence.ts';
import type { Exchange, WireRequest } from '../http/exchange.ts';
import { PACKAGE_ROOT } from '../package.ts';
import { htmlReport } from '../report/formats/html/report.ts';
import { junitReport } from '../report/formats/junit.ts';
import { markdownReport } from '../report/formats/markdown.ts';
import { terminalReport } from '../report/formats/terminal.ts';
import type { ExchangeEvidence } from '../report/model/evidence.ts';
import { check, requirement, resultOf, SERVICE, viewed, violation } from '../report/sample.fixture.ts';
import { jsonReport } from '../report/write.ts';
import { getPet, listPets } from './calls.ts';
import { rightKey, underHeader } from './inputs/credential.ts';
import { credentialsByKind, everyCredential, oneOfEveryKind } from './inputs/credentials.ts';
import { PET_IDS } from './inputs/ids.ts';
import { DEFECTIVE_KINDS, MALFORMED_KINDS, withDefect } from './inputs/invalid-bodies.ts';
import { everyOpenBody } from './inputs/open-bodies.fixture.ts';
import { writtenId } from './inputs/written-id.ts';
import { KEY_REQUESTS } from './space/keys.ts';

const KEY = 'Key-Of-The-Curl-Tests-7';
const ODD_KEY = 'it\'s-$HOME`x"\\y!&*+/=';

/** A folder with the program, as users have it on their PATH. */
let programs = '';
beforeAll(() => {
  programs = mkdtempSync(join(tmpdir(), 'petstore-curl-'));
  const program = fileURLToPath(new URL('src/cli/petstore-conformance.mjs', PACKAGE_ROOT));
  symlinkSync(program, join(programs, 'petstore-conformance'));
});
afterAll(() => rmSync(programs, { recursive: true }));

const listing = (credential: WireRequest['credential'], path = '/pets'): WireRequest => ({
  operation: 'listPets',
  method: 'GET',
  path,
  credential,
});

function creating(body: Uint8Array | undefined, contentType: string | undefined): WireRequest {
  return {
    operation: 'createPet',
    method: 'POST',
    path: '/pets',
    credential: rightKey(KEY),
    ...(contentType === undefined ? {} : { contentType }),
    ...(body === undefined ? {} : { body }),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", amp: '&' };
const withoutEntities = (text: string): string =>
  text.replace(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);

/** The curl line of a finding, as a reader copies it from each report. */
function curlLinesOfReports(evidence: ExchangeEvidence): readonly string[] {
  const finding = check('CREATE-9', { kind: 'failed', violations: [violation({ exchanges: [evidence] })] });
  const result = resultOf([requirement('CREATE-9', { status: 'violated' })], [finding], { exitCode: 1 });
  const line = (text: string): string => /^ *curl +(curl -i .*)$/m.exec(text)?.[1] ?? '';
  const parsed: { checks: [{ outcome: { violations: [{ exchanges: [{ curl: string }] }] } }] } = JSON.parse(
    jsonReport(viewed(result)),
  );
  return [
    line(terminalReport(result, { service: SERVICE, color: false, output: 'normal', columns: 80 })),
    line(terminalReport(result, { service: SERVICE, color: false, output: 'verbose' })),
    line(markdownReport(viewed(result))),
    line(withoutEntities(junitReport(viewed(result)))),
    withoutEntities(/<pre>(curl -i [^<]*)<\/pre>/.exec(htmlReport(viewed(result)))?.[1] ?? ''),
    parsed.checks[0].outcome.violations[0].exchanges[0].curl,
  ];
}

describe('the curl line sends the same request as the client', () => {
  /** Credentials that a curl line has by their names: each costs a start of the program. */
  const isByName = ({ shell, shellQuery = '' }: Credential): boolean =>
    [...shell.map(([, value]) => value), shellQuery].some((text) => text.startsWith('$('));
  const isInQuery = ({ query }: Credential): boolean => query !== undefined;

  const oneByNameOfEveryKind = (key: string) =>
    Object.values(credentialsByKind(key)).flatMap((all) => all.filter(isByName).slice(-1));
  const withVariable = (key: string) => everyCredential(key).filter((one) => !isByName(one));

  test.each([
    [KEY, [...withVariable(KEY), ...oneByNameOfEveryKind(KEY)]],
    [ODD_KEY, oneOfEveryKind(ODD_KEY).filter((one) => !isByName(one) || isInQuery(one))],
  ])('with the credentials made of the key %s', async (key, made) => {
    const credentials = [rightKey(key), ...made];
    expect(credentials.filter(isByName).length).toBeGreaterThan(0);
    const inQuery = credentials.filter(isInQuery).slice(0, 1);
    expect(inQuery).toHaveLength(1);
    await expectSameRequests(
      [...credentials.map((one) => listing(one)), ...inQuery.map((one) => listing(one, '/pets?limit=1'))],
      { PETSTORE_API_KEY: key, PATH: [programs, dirname(process.execPath), process.env['PATH']].join(delimiter) },
    );
  });

  test('with every form of its headers', async () => {
    const requests = rowsOf(KEY_REQUESTS, 'smoke', 7).flatMap((row) =>
      fc
        .sample(KEY_REQUESTS.sample(row), { seed: 7, numRuns: 1 })
        .map(({ form }) => listPets({}, underHeader('AUTHORIZATION', rightKey(KEY)), form).request),
    );
    await expectSameRequests(requests, { PETSTORE_API_KEY: KEY });
  });

  test('with every petId', async () => {
    const known = { own: -42n, octal: 10n, newest: 7n, others: [1n], made: () => 3n };
    const texts = Object.values(PET_IDS).flatMap(({ examples }) => examples.map((id) => writtenId(id, known, 'plain')));
    const requests = [...new Set(texts)].map((text) => getPet(text, rightKey(KEY)).request);
    await expectSameRequests(requests, { PETSTORE_API_KEY: KEY });
  });

  test('with every invalid body, as the reports show it', async () => {
    const base = { name: "D'Artagnan\u200d \u{10ffff}", categoryId: 7n };
    const defects = Object.values({ ...MALFORMED_KINDS, ...DEFECTIVE_KINDS }).flatMap(({ examples }) => examples);
    const laidOut = ['\n{\r\n\t"name": "x"\n}\n', '{"name":"it\'s \\\\ a \\"quote\\"\\n",\t"categoryId":1}'];
    const requests = [
      ...laidOut.map((text) => creating(Buffer.from(text), 'application/json')),
      ...[...defects.map((defect) => withDefect(base, defect)), ...everyOpenBody(base)].map(({ bytes, contentType }) =>
        creating(bytes, contentType),
      ),
    ];
    expect(requests.length).toBeGreaterThan(200);
    await expectSameRequests(requests, { PETSTORE_API_KEY: KEY }, [], (exchanges, address) =>
      exchanges.map((exchange, at) => {
        const evidence = evidenceOf(exchange, 'judged', address);
        const { curl } = evidence;
        // Six reports of each body would take long.
        if (at >= laidOut.length && at % 20 > 0) return curl;
        // A long one is shown nowhere in part.
        const isShown = curl.length < 800;
        for (const line of curlLinesOfReports(evidence)) expect(isShown ? [curl] : [curl, '']).toContain(line);
        return curl;
      }),
    );
  });
});

test('the evidence of an exchange reveals no key, whatever was sent in its place', () => {
  const key = 'aB+7/x==Zz';
  const half = key.slice(0, key.length / 2);
  const address = { origin: '', basePath: '', baseUrl: 'https://shop.example/v1', curlOptions: [] };
  const secrets = [key, half, key.toUpperCase(), [...key].reverse().join(''), Buffer.from(key).toString('base64')];
  for (const credential of [rightKey(key), ...everyCredential(key)]) {
    const answer = { kind: 'no response', code: 'reset', sentence: 'it was reset', milliseconds: 1 } as const;
    const request = listing(credential);
    const exchange: Exchange = { number: 1, request, answer, sentAt: 0, answeredAt: 1, resent: false };
    const text = JSON.stringify(evidenceOf(exchange, 'judged', address));
    for (const secret of [...secrets, encodeURIComponent(key)]) expect(text, credential.name).not.toContain(secret);
  }
});
