import { gzipSync } from 'node:zlib';
import { answersOf, answersWith, changing, every, fault, isError, textOf, type Which } from '../changing.ts';
import type { Answer, Call, Fault } from '../steps.ts';

/** Puts some answers on the wire in another way. */
const sending = (which: Which, put: (answer: Answer, call: Call) => Promise<void> | void) =>
  changing('send', (usual) => (answer, call) => (which(answer, call) ? put(answer, call) : usual(answer, call)));

const listed = answersOf('listPets', 200);
const created = answersOf('createPet', 201);
const fetched = answersOf('getPet', 200);

/** Never answers. */
const hang = (): void => {};

/** Breaks the connection off without an answer. */
const reset = (_: Answer, call: Call): void => {
  call.incoming.socket.resetAndDestroy();
};

/** Closes the connection in an orderly way, without an answer. */
const hangUp = (_: Answer, call: Call): void => {
  call.incoming.socket.end();
};

/** Announces the whole body and closes in the middle of it. */
const breakOff = (answer: Answer, call: Call): void => {
  const body = Buffer.from(answer.body);
  call.outgoing.writeHead(answer.status, { ...answer.headers, 'Content-Length': body.length });
  call.outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => call.incoming.socket.destroy());
};

/** Sends chunks and closes before the last. */
const breakOffChunks = (answer: Answer, call: Call): void => {
  call.outgoing.writeHead(answer.status, { ...answer.headers });
  call.outgoing.write(answer.body, () => call.incoming.socket.destroy());
};

/** Announces more bytes than it sends, and waits. */
const announceMore = (answer: Answer, call: Call): void => {
  call.outgoing.writeHead(answer.status, { ...answer.headers, 'Content-Length': Buffer.byteLength(answer.body) + 10 });
  call.outgoing.write(answer.body);
};

/** Announces fewer bytes than it sends; the rest would be the beginning of the next answer. */
const announceLess = (answer: Answer, call: Call): void =>
  raw(
    `HTTP/1.1 ${answer.status} OK\r\n${headerLines(answer)}Content-Length: ${Buffer.byteLength(answer.body) - 5}\r\n\r\n${textOf(answer)}`,
    call,
  );

/** One byte at a time, for minutes. */
const drip = async (answer: Answer, call: Call): Promise<void> => {
  const body = Buffer.from(answer.body);
  call.outgoing.writeHead(answer.status, { ...answer.headers, 'Content-Length': body.length });
  for (const byte of body) {
    if (call.outgoing.destroyed) return;
    call.outgoing.write(Buffer.of(byte));
    await call.shop.pause(1000);
  }
  call.outgoing.end();
};

/** White space without end after the JSON. */
const flood = async (answer: Answer, call: Call): Promise<void> => {
  const blank = Buffer.alloc(16 * 1024, ' ');
  call.outgoing.writeHead(answer.status, { ...answer.headers });
  call.outgoing.write(answer.body);
  while (!call.outgoing.destroyed) {
    call.outgoing.write(blank);
    await call.shop.pause(2);
  }
};

/** Writes the bytes of an answer by hand and closes. */
function raw(bytes: string, call: Call): void {
  call.incoming.socket.end(bytes);
}
const headerLines = ({ headers }: Answer): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
const lengthLine = (answer: Answer): string => `Content-Length: ${Buffer.byteLength(answer.body)}\r\n`;

/** Sends an answer with other headers than it deserves. */
const withHeaders =
  (headers: Readonly<Record<string, string>>) =>
  (answer: Answer, call: Call): void => {
    call.outgoing.writeHead(answer.status, {
      ...answer.headers,
      'Content-Length': Buffer.byteLength(answer.body),
      ...headers,
    });
    call.outgoing.end(answer.body);
  };

const withStatusLine =
  (line: string) =>
  (answer: Answer, call: Call): void =>
    raw(`${line}\r\n${headerLines(answer)}${lengthLine(answer)}\r\n${textOf(answer)}`, call);

export const transportFaults: readonly Fault[] = [
  fault('everything-hangs', 'SERV-5', 'No request is ever answered.', sending(every, hang)),
  fault('getpet-hangs', 'SERV-5', 'getPet never answers for an animal that exists.', sending(fetched, hang)),
  fault(
    'refused-body-hangs',
    'SERV-5',
    'A refused body is never answered.',
    sending(answersOf('createPet', 400), hang),
  ),
  fault(
    'sold-filter-hangs',
    'SERV-5',
    'A list with `status=sold` is never answered.',
    sending((_, call) => call.query.get('status') === 'sold', hang),
  ),
  fault('unknown-id-hangs', 'SERV-5', 'An unknown id is never answered.', sending(answersOf('getPet', 404), hang)),
  fault('everything-reset', 'SERV-5', 'Every connection is reset.', sending(every, reset)),
  fault('createpet-reset', 'SERV-5', 'A created animal is answered with a reset.', sending(created, reset)),
  fault('refused-key-reset', 'SERV-5', 'A refused key is answered with a reset.', sending(answersWith(401), reset)),
  fault(
    'limit-100-reset',
    'SERV-5',
    'A list with `limit=100` is answered with a reset.',
    sending((_, call) => call.query.get('limit') === '100', reset),
  ),
  fault('getpet-hangs-up', 'SERV-5', 'getPet closes the connection without an answer.', sending(fetched, hangUp)),
  fault(
    'malformed-json-hangs-up',
    'SERV-5',
    'The connection is closed when a body is refused.',
    sending(answersOf('createPet', 400), hangUp),
  ),
  fault('list-broken-off', 'SERV-5', 'A list is broken off in the middle.', sending(listed, breakOff)),
  fault('created-broken-off', 'SERV-5', 'The 201 is broken off in the middle.', sending(created, breakOff)),
  fault('errors-broken-off', 'SERV-5', 'Errors are broken off in the middle.', sending(isError, breakOff)),
  fault('chunks-broken-off', 'SERV-5', 'The last chunk of a list is missing.', sending(listed, breakOffChunks)),
  fault('length-too-large', 'SERV-5', 'getPet announces ten bytes more than it sends.', sending(fetched, announceMore)),
  fault(
    'length-too-small',
    'SERV-5',
    'getPet announces five bytes less than it sends.',
    sending(fetched, announceLess),
  ),
  fault('list-drips', 'SERV-5', 'A list comes a byte a second.', sending(listed, drip)),
  fault('errors-drip', 'SERV-5', 'Errors come a byte a second.', sending(isError, drip)),
  fault('list-without-end', 'SERV-5', 'A list is followed by white space without end.', sending(listed, flood)),
  fault('getpet-without-end', 'SERV-5', 'getPet is followed by white space without end.', sending(fetched, flood)),
  fault(
    'status-line-garbage',
    'SERV-5',
    'A list begins with a line that is no status line.',
    sending(listed, withStatusLine('PETS 1.0 OK')),
  ),
  fault(
    'status-line-099',
    'SERV-5',
    'getPet answers with the status 099.',
    sending(fetched, withStatusLine('HTTP/1.1 099 Odd')),
  ),
  fault(
    'status-line-without-number',
    'SERV-5',
    'The 201 has no number in its status line.',
    sending(created, withStatusLine('HTTP/1.1 Created')),
  ),
  fault(
    'headers-only',
    'SERV-5',
    'After the headers of a list nothing comes.',
    sending(listed, (answer, call) => {
      call.outgoing.writeHead(answer.status, { ...answer.headers, 'Content-Length': Buffer.byteLength(answer.body) });
      call.outgoing.flushHeaders();
    }),
  ),
  fault(
    'two-lengths',
    'SERV-5',
    'getPet announces two different lengths.',
    sending(fetched, (answer, call) =>
      raw(
        `HTTP/1.1 200 OK\r\n${headerLines(answer)}${lengthLine(answer)}Content-Length: 1\r\n\r\n${textOf(answer)}`,
        call,
      ),
    ),
  ),
  fault(
    'chunk-size-garbage',
    'SERV-5',
    'The size of a chunk is no number.',
    sending(listed, (answer, call) =>
      raw(
        `HTTP/1.1 200 OK\r\n${headerLines(answer)}Transfer-Encoding: chunked\r\n\r\nsize\r\n${textOf(answer)}\r\n0\r\n\r\n`,
        call,
      ),
    ),
  ),
  fault(
    'list-only-announced',
    'SERV-5',
    'A list is only ever announced, with 102 Processing.',
    sending(listed, (_, call) => call.outgoing.writeProcessing()),
  ),
  fault(
    'mislabelled-as-gzip',
    'SERV-3',
    'A list is labelled as gzip but is plain.',
    sending(listed, withHeaders({ 'Content-Encoding': 'gzip' })),
  ),
  fault(
    'mislabelled-as-brotli',
    'SERV-3',
    'getPet is labelled as Brotli but is plain.',
    sending(fetched, withHeaders({ 'Content-Encoding': 'br' })),
  ),
  fault(
    'gzip-unlabelled',
    'SERV-3',
    'A list is compressed without saying so.',
    sending(listed, (answer, call) => {
      const body = gzipSync(answer.body);
      call.outgoing.writeHead(answer.status, { ...answer.headers, 'Content-Length': body.length });
      call.outgoing.end(body);
    }),
  ),
];
