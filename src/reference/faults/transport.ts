import { answersOf, changing, every, fault, textOf, type Which } from '../changing.ts';
import type { Answer, Call, Fault } from '../steps.ts';

/** Puts some answers on the wire in another way. */
const sending = (which: Which, put: (answer: Answer, call: Call) => Promise<void> | void) =>
  changing('send', (usual) => (answer, call) => (which(answer, call) ? put(answer, call) : usual(answer, call)));

const listed = answersOf('listPets', 200);
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
  fault('everything-reset', 'SERV-5', 'Every connection is reset.', sending(every, reset)),
  fault('getpet-hangs-up', 'SERV-5', 'getPet closes the connection without an answer.', sending(fetched, hangUp)),
  fault('list-broken-off', 'SERV-5', 'A list is broken off in the middle.', sending(listed, breakOff)),
  fault('chunks-broken-off', 'SERV-5', 'The last chunk of a list is missing.', sending(listed, breakOffChunks)),
  fault('length-too-large', 'SERV-5', 'getPet announces ten bytes more than it sends.', sending(fetched, announceMore)),
  fault(
    'length-too-small',
    'SERV-3',
    'getPet announces five bytes less than it sends.',
    sending(fetched, announceLess),
  ),
  fault('list-drips', 'SERV-5', 'A list comes a byte a second.', sending(listed, drip)),
  fault('list-without-end', 'SERV-5', 'A list is followed by white space without end.', sending(listed, flood)),
  fault(
    'status-line-garbage',
    'SERV-5',
    'A list begins with a line that is no status line.',
    sending(listed, withStatusLine('PETS 1.0 OK')),
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
    'mislabelled-as-gzip',
    'SERV-3',
    'A list is labelled as gzip but is plain.',
    sending(listed, withHeaders({ 'Content-Encoding': 'gzip' })),
  ),
];
