import { expect, test } from 'vitest';
import { type Listening, networkTo, raw, response } from '../http/rig.fixture.ts';
import { type Exchange, filled } from '../reading/exchange.ts';
import { fill } from '../reading/fill.ts';
import { read } from '../reading/reading.ts';
import { ShutOut } from './shut-out.ts';
import { PREFLIGHT_CALLS } from './signs.ts';

const TERMS = { basePath: '/v1', key: 'right', agent: 'a', categories: [], today: '2026-01-01', settleMs: 0 };
const CALLS = PREFLIGHT_CALLS.flatMap((call) => filled(call, {}, TERMS) ?? []);
const WRONG = { ...TERMS, key: 'wrong' };

/** What a service says to a request, told its number among those with the right key, and on its connection. */
type Says = (nth: number, request: string, onConnection: number) => string;

/** Sends the calls in turn, every fifth with a wrong key. */
async function run(says: Says, times: number) {
  let rights = 0;
  const service: Listening = await raw((socket, request, _nth, onConnection) => {
    const said = request.includes('Bearer right') ? says(rights++, request, onConnection) : response(401);
    if (said === RESET) socket.resetAndDestroy();
    else socket.write(said);
  });
  const network = networkTo(service.port, { connections: 2 });
  let waited = 0;
  const shutOut = new ShutOut(
    CALLS,
    async (milliseconds) => {
      waited += milliseconds;
    },
    () => {},
  );
  const reasons = await network.lend(async (connection) => {
    const all: (string | undefined)[] = [];
    for (let number = 1; number <= times; number += 1) {
      const call = PREFLIGHT_CALLS[number % CALLS.length] ?? PREFLIGHT_CALLS[0];
      const request = fill(call, {}, number % 5 === 0 ? WRONG : TERMS);
      if (request === undefined) throw new Error('a preflight call has no names');
      const sent = await connection.send(request, call.operation);
      const exchange: Exchange = { ...sent, request, reading: read(request, TERMS), number, call, names: {} };
      all.push(await shutOut.check(exchange, connection));
    }
    return all;
  });
  return { reasons, reason: shutOut.reason, service, waited };
}

const RESET = 'reset';
const OK = response(200);
const BANNED = response(403, 'You are blocked. Ray 7f3a99bc01');
const page = (status: number) => response(status, '<html>Log in</html>', ['content-type: text/html']);
const from = (first: number, said: string) => (nth: number) => (nth >= first ? said : OK);

const SINCE = 'since \\d\\d:\\d\\d:\\d\\d UTC, from request \\d+ on \\((GET|POST) "/v1/pets[^"]*"\\), ';
const ALLOW = 'allow its requests, or send fewer with --rate-limit$';
const BLOCKED = (status: number): RegExp =>
  new RegExp(
    `^every request has got the same ${status} ${SINCE}also on new connections: something in front of the service blocks this machine; ${ALLOW}`,
  );
const CLOSED = new RegExp(
  `^every connection has been closed without a response ${SINCE}new ones too; if something in front of the service blocks this machine, ${ALLOW}`,
);

test.each<[what: string, says: Says, reason: RegExp, waited: number]>([
  [
    'the key is rejected',
    from(6, response(401)),
    /^the key has been rejected since \d\d:\d\d:\d\d UTC, after 6 responses had accepted it$/,
    3_000,
  ],
  ['a firewall answers 403', from(6, BANNED), BLOCKED(403), 10_000],
  ['a firewall answers with a page of its own', from(6, page(200)), BLOCKED(200), 10_000],
  ['a gateway leads to a login', from(6, page(302)), BLOCKED(302), 10_000],
  ['a gateway knows the service no more', from(6, page(404)), BLOCKED(404), 10_000],
  ['every connection is reset', from(6, RESET), CLOSED, 10_000],
])('a client is shut out if, from some request on, %s', async (_, says, reason, waits) => {
  const { reasons, reason: found, service, waited } = await run(says, 12);
  expect(found).toMatch(reason);
  expect(reasons.slice(0, 6)).toEqual(Array(6).fill(undefined));
  expect(reasons.at(-1)).toBe(found);
  const trials = waits === 3_000 ? 6 : 3;
  expect([waited, service.heard.length]).toEqual([waits, 12 + trials * CALLS.length]);
});

test.each<[string, Says]>([
  ['rejects the key sometimes', (nth) => (nth % 3 === 2 ? response(401) : OK)],
  [
    'rejects the key of one operation',
    (nth, request) => (nth > 4 && request.includes(' /v1/pets/') ? response(401) : OK),
  ],
  ['rejects the key from the first request on', () => response(401)],
  ['answers 403 on one connection', (_nth, _request, onConnection) => (onConnection > 6 ? BANNED : OK)],
  ['answers 403 to one operation', (nth, request) => (nth > 4 && request.startsWith('POST') ? BANNED : OK)],
  [
    'answers with another page to each operation',
    (nth, request) => (nth > 4 ? response(404, request.split(' HTTP')[0]) : OK),
  ],
  ['answers 403 for a moment', (nth) => (nth > 6 && nth < 12 ? BANNED : OK)],
  ['fails from some request on', from(6, response(500))],
  ['is no service from the first request on', () => page(200)],
])('a service that %s is checked', async (_, says) => {
  const { reasons, service } = await run(says, 60);
  expect(reasons).toEqual(Array(60).fill(undefined));
  expect(service.heard.length).toBeLessThan(60 + 60);
});
