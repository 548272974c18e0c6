import { gzipSync } from 'node:zlib';
import { answering, changing, every, textOf, together, variant } from '../changing.ts';
import { isList, type Json } from '../json.ts';
import type { Answer, Call, Steps, Variant } from '../steps.ts';

const withHeaders = (headers: Readonly<Record<string, string>>) =>
  answering(every, (answer) => ({ ...answer, headers: { ...answer.headers, ...headers } }));

const sending = (put: (answer: Answer, call: Call) => void) => changing('send', () => put);

/** Sends a body in several chunks. */
const sendChunks = (answer: Answer, call: Call): void => {
  const body = Buffer.from(answer.body);
  const middle = Math.floor(body.length / 2);
  call.outgoing.writeHead(answer.status, { ...answer.headers });
  call.outgoing.write(body.subarray(0, middle));
  setImmediate(() => {
    call.outgoing.end(body.subarray(middle));
  });
};

const compressed = (accepts: (codings: string | undefined) => boolean) =>
  answering(
    (_, call) => accepts(call.header('accept-encoding')),
    (answer) => ({
      ...answer,
      headers: { ...answer.headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' },
      body: gzipSync(answer.body),
    }),
  );

/** JSON over several lines, with every escape that JSON allows where it need not be. */
function writeSpaciously(value: Json, indent = '\r\n'): string {
  if (typeof value === 'string') return writeEscaped(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = `${indent}\t`;
  if (isList(value)) return `[${value.map((held) => deeper + writeSpaciously(held, deeper)).join(' ,')}${indent}]`;
  const members = Object.entries(value).map(
    ([name, held]) => `${deeper}${writeEscaped(name)} : ${writeSpaciously(held, deeper)}`,
  );
  return `{${members.join(' ,')}${indent}}`;
}

/** A JSON string in ASCII: `\u00e9` for é, `\/` for a slash. */
const writeEscaped = (text: string): string =>
  JSON.stringify(text)
    .replaceAll('/', '\\/')
    .replace(/[^\u0000-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const escapedToTheLast = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, place) => `\\u${text.charCodeAt(place).toString(16).toUpperCase().padStart(4, '0')}`).join('')}"`;

type RetryAfter = (milliseconds: number) => Readonly<Record<string, string>>;

/** At most so many requests a second, and 60 at once. */
const throttled = (perSecond: number, retryAfter: RetryAfter) => (steps: Steps) => {
  const perMillisecond = perSecond / 1000;
  let left = 60;
  let since = performance.now();
  return changing('serve', (usual) => async (call) => {
    const time = performance.now();
    left = Math.min(60, left + (time - since) * perMillisecond);
    since = time;
    if (left < 1) {
      const headers = retryAfter((1 - left) / perMillisecond);
      const { steps: own } = call.shop;
      return own.reply(429, { code: 'too_many_requests', message: 'Slow down.', status: 429 }, headers, call);
    }
    left -= 1;
    return usual(call);
  })(steps);
};

/** One request at a time, each taking so long. */
const serial = (milliseconds: number) => (steps: Steps) => {
  let before: Promise<unknown> = Promise.resolve();
  return changing('serve', (usual) => (call) => {
    const answer = before.then(() => call.shop.pause(milliseconds)).then(() => usual(call));
    before = answer;
    return answer;
  })(steps);
};

export const transportVariants: readonly Variant[] = [
  variant(
    'charset-named',
    'SERV-2',
    'The media type names its charset.',
    withHeaders({ 'Content-Type': 'application/json; charset=utf-8' }),
  ),
  variant(
    'media-type-in-capitals',
    'SERV-2',
    'The media type is written in capitals, with several parameters.',
    withHeaders({ 'Content-Type': 'APPLICATION/JSON;Charset="UTF-8" ; profile=pets' }),
  ),
  variant('chunked', 'SERV-5', 'Bodies come in chunks, without a length.', sending(sendChunks)),
  variant(
    'until-close',
    'SERV-5',
    'A body ends with the connection, as in HTTP/1.0.',
    sending((answer, call) => {
      const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      call.incoming.socket.end(
        `HTTP/1.1 ${answer.status} Done\r\n${headers.join('')}Connection: close\r\n\r\n${textOf(answer)}`,
      );
    }),
  ),
  variant(
    'gzip-unless-declined',
    'SERV-3',
    'Bodies are compressed for every client that does not decline it.',
    compressed((codings) => codings === undefined || /gzip|\*/.test(codings)),
  ),
  variant('connection-closed', 'SERV-5', 'Every answer closes its connection.', withHeaders({ Connection: 'close' })),
  variant(
    'idle-connections-closed',
    'SERV-5',
    'An idle connection is closed after 50 ms.',
    changing('configure', (usual) => (server, shop) => {
      usual(server, shop);
      server.keepAliveTimeout = 50;
    }),
  ),
  variant(
    'json-spacious',
    'SERV-3',
    'JSON is written over several lines, in ASCII.',
    together(changing('writeJson', () => (value) => `\r\n ${writeSpaciously(value)}\n\n`)),
  ),
  variant(
    'json-escaped-to-the-last',
    'SERV-3',
    'Every character of every string is written as an escape.',
    changing(
      'writeJson',
      (usual) => (value, call) =>
        usual(value, call).replace(/"(?:[^"\\]|\\.)*"/g, (string) => escapedToTheLast(JSON.parse(string))),
    ),
  ),
  variant(
    'early-hints',
    'SERV-5',
    'Answers are announced with 103 Early Hints.',
    changing('send', (usual) => async (answer, call) => {
      await new Promise<void>((resolve) => {
        call.outgoing.writeEarlyHints({ link: '</schema>; rel=preload; as=fetch' }, resolve);
      });
      await usual(answer, call);
    }),
  ),
  variant(
    'throttled-seconds',
    'LIM-3',
    'At most 150 requests a second; a 429 says in seconds when to try again.',
    throttled(150, (milliseconds) => ({ 'Retry-After': String(Math.ceil(milliseconds / 1000)) })),
  ),
  variant(
    'throttled-to-50-date',
    'LIM-3',
    'At most 50 requests a second; a 429 names the time at which to try again.',
    throttled(50, (milliseconds) => ({ 'Retry-After': new Date(Date.now() + milliseconds + 1_000).toUTCString() })),
  ),
  variant(
    'throttled-without-word',
    'LIM-3',
    'At most 150 requests a second; a 429 does not say when to try again.',
    throttled(150, () => ({})),
  ),
  variant(
    'slow',
    'SERV-5',
    'Every answer takes 80 ms.',
    changing('serve', (usual) => async (call) => {
      await call.shop.pause(80);
      return usual(call);
    }),
  ),
  variant(
    'uneven',
    'SERV-5',
    'Every answer takes another time, up to 40 ms, so that answers overtake one another.',
    changing('serve', (usual) => async (call) => {
      await call.shop.pause(call.shop.random() * 40);
      return usual(call);
    }),
  ),
  variant('serial', 'SERV-5', 'One request at a time is served, each in 5 ms.', serial(5)),
];
