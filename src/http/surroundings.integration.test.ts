/** What lies between a run and the service: it is waited for, or named, and nothing else is blamed. */
import { expect, test } from 'vitest';
import { conformance } from '../result/conformance.ts';
import { type Change, type FixtureResponse, optionsFor, serve } from '../run/service.fixture.ts';
import { waitUntilUp } from '../run/wait-until-up.ts';

const page = (status: number, body = '<html>'): FixtureResponse => ({
  status,
  body,
  headers: { 'Content-Type': 'text/html' },
});

const afterwards: readonly [what: string, says: RegExp, ended: Change][] = [
  [
    'a firewall blocks the client',
    /^No verdict: every request has got the same 403 since .* from request 1\d\d on .*blocks this machine/,
    ({ nth }) => page(403, `<html>Blocked. Ray ${(nth * 0xfedcba98).toString(16)}`),
  ],
  [
    'a quota is used up',
    /^No verdict: only \d+ % of the planned requests were sent: the service answered 429 and asks for a pause of 40000 s/,
    () => ({ status: 429, body: '', headers: { 'Retry-After': '40000' } }),
  ],
];
test.each(afterwards)('in the middle of a run, %s: no verdict, and few more requests', async (_, says, ended) => {
  const { baseUrl, requests } = await serve((request, right) => (request.nth < 150 ? right() : ended(request, right)));
  const result = await conformance(optionsFor(baseUrl));
  expect(result.findings).toEqual([]);
  const untested = result.requirements.filter(({ outcome }) => outcome === 'not tested');
  expect(untested.filter(({ reasonOf }) => reasonOf === undefined)).toEqual([]);
  expect([result.exitCode, result.conclusion]).toEqual([3, expect.stringMatching(says)]);
  expect(requests.length).toBeLessThan(150 + 50);
});

test('a database that is lost in the middle of a run is one finding', async () => {
  const fails = { status: 500, body: '{"code":"db","message":"gone","status":500}' };
  const { baseUrl } = await serve(({ nth }, right) => (nth < 150 ? right() : fails));
  const result = await conformance(optionsFor(baseUrl));
  expect(result.findings.map(({ says }) => says)).toEqual([
    expect.stringMatching(/^since \d\d:\d\d:\d\d UTC, the service has answered every valid request with a 5xx$/),
  ]);
  expect(result.exitCode).toBe(1);
});

test.each([
  ['accepts the key', undefined],
  ['rejects the key', 'a-wrong-key'],
])('--wait-for goes on while a gateway responds for the service, until that %s', async (_, wrong) => {
  const { baseUrl, requests } = await serve(({ nth }, right) =>
    nth < 9 ? page([404, 403, 500, 502, 401][nth % 5] ?? 404) : right(),
  );
  await waitUntilUp(optionsFor(baseUrl, { waitForMs: 20_000, ...(wrong !== undefined && { token: wrong }) }));
  expect(requests.length).toBeGreaterThan(9);
  expect(requests.length).toBeLessThan(25);
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test('a 401 that is no Error, until --wait-for is over: no verdict, and both reasons', async () => {
  const { baseUrl } = await serve(() => page(401));
  const options = optionsFor(baseUrl, { waitForMs: 300 });
  const started = performance.now();
  const result = await conformance(options);
  expect(performance.now() - started).toBeGreaterThanOrEqual(300);
  expect([result.exitCode, result.conclusion]).toEqual([
    3,
    expect.stringMatching(
      /^http.* still answers 401 without an Error .*: GET .* → 401 text\/html; a gateway .* or the key is wrong: pass .* is right\.$/,
    ),
  ]);
});
