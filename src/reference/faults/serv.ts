import {
  changeResponse,
  changeText,
  errorResponse,
  everyNth,
  everyResponse,
  fault,
  isError,
  isSuccess,
  jsonResponse,
  onEveryNth,
  override,
  responsesOf,
  responsesWith,
  textOf,
} from '../changes.ts';
import type { Call, Fault, Steps } from '../steps.ts';
import {
  breakOff,
  changingEveryNth,
  crash,
  crashingOnBody,
  crashingOnName,
  crashingOnPet,
  created,
  encoded,
  fetched,
  hang,
  has,
  hasUnknownMember,
  labelled,
  lengthOf,
  listed,
  ofGets,
  raw,
  reset,
  respondingToGets,
  type Send,
  sending,
  writeHead,
} from './builders.ts';

/** CESU-8, which is not UTF-8: a character beyond U+FFFF as two surrogates of three bytes each. */
function surrogatesApart(text: string): Buffer {
  const bytes = Array.from(text, (character) => {
    if (character.length === 1) return Buffer.from(character);
    const units = [character.charCodeAt(0), character.charCodeAt(1)];
    return Buffer.from(
      units.flatMap((unit) => [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]),
    );
  });
  return Buffer.concat(bytes);
}

const crashingOnCall = (step: 'listPets' | 'getPet', matches: (call: Call) => boolean) =>
  override(step, (original) => (call: Call) => (matches(call) ? crash('unexpected request') : original(call)));

/** Puts every `count`-th successful response on the wire in another way. */
const sendingEveryNth = (count: number, send: Send) => (steps: Steps) => {
  const isDue = everyNth(count);
  return sending((response, call) => isSuccess(response, call) && isDue(), send)(steps);
};

/** Closes the connection without a response. */
const hangUp: Send = (_, { incoming }) => {
  incoming.socket.end();
};

/** Closes before the last chunk. */
const breakOffChunks: Send = (response, call) => {
  writeHead(response, call).write(response.body, () => call.incoming.socket.destroy());
};

/** Announces more bytes than it sends, and waits. */
const announceMore: Send = (response, call) => {
  writeHead(response, call, lengthOf(response) + 10).write(response.body);
};

/** Announces fewer bytes than it sends; the rest would be the beginning of the next response. */
const announceLess: Send = (response, call) =>
  raw('HTTP/1.1 200 OK', response, `Content-Length: ${lengthOf(response) - 5}`, call);

/** Sends one byte a second. */
const drip: Send = async (response, call) => {
  writeHead(response, call, lengthOf(response));
  for (const byte of Buffer.from(response.body)) {
    if (call.outgoing.destroyed) return;
    call.outgoing.write(Buffer.of(byte));
    await call.service.pause(1000);
  }
  call.outgoing.end();
};

/** Sends endless white space after the JSON. */
const flood: Send = async (response, call) => {
  const blank = Buffer.alloc(16 * 1024, ' ');
  writeHead(response, call).write(response.body);
  while (!call.outgoing.destroyed) {
    call.outgoing.write(blank);
    await call.service.pause(2);
  }
};

/** General rules for every operation. */
export const serviceFaults: readonly Fault[] = [
  fault(
    'created-not-kept',
    'SERV-1',
    'An animal is answered with 201 but not stored.',
    override('store', () => () => {}),
  ),
  fault('only-newest-kept', 'SERV-1', 'Adding an animal removes the one added before it.', (steps) => {
    let before: bigint | undefined;
    return override('store', (original) => (pet, call) => {
      if (before !== undefined) call.service.collection.remove(before);
      before = pet.id;
      original(pet, call);
    })(steps);
  }),
  fault(
    'adding-renames-the-one-before',
    'SERV-1',
    'Adding an animal gives its name to the one added before it.',
    (steps) => {
      let before: bigint | undefined;
      return override('store', (original) => (pet, call) => {
        const earlier = before === undefined ? undefined : call.service.collection.get(before);
        if (earlier !== undefined) call.service.collection.add({ ...earlier, name: pet.name });
        before = pet.id;
        original(pet, call);
      })(steps);
    },
  ),

  fault('list-as-text-plain', 'SERV-2', 'A list is sent as text/plain.', labelled(listed, 'text/plain')),
  fault(
    'errors-as-problem-json',
    'SERV-2',
    'Errors are sent as application/problem+json.',
    labelled(isError, 'application/problem+json'),
  ),
  fault('401-without-media-type', 'SERV-2', 'A 401 has no Content-Type.', labelled(responsesWith(401), undefined)),
  fault(
    'one-in-40-as-text-plain',
    'SERV-2',
    'One response in 40 is sent as text/plain.',
    onEveryNth(40, (isDue) => labelled((response, call) => isSuccess(response, call) && isDue(), 'text/plain')),
  ),

  fault(
    'created-without-body',
    'SERV-3',
    'The 201 has no body.',
    changeResponse(created, (response) => ({ ...response, body: '' })),
  ),
  fault(
    'list-with-trailing-comma',
    'SERV-3',
    'A list ends with a trailing comma.',
    changeText(listed, (text) => text.replace(/\}\]$/, '},]')),
  ),
  fault(
    'quotes-in-names-unescaped',
    'SERV-3',
    'Quotes in names are not escaped.',
    changeText(isSuccess, (text) => text.replace(/(?<!\\)((?:\\\\)*)\\"/g, '$1"')),
  ),
  fault(
    'json-after-byte-order-mark',
    'SERV-3',
    'Every body begins with a byte order mark.',
    changeText(everyResponse, (text) => `\ufeff${text}`),
  ),
  fault(
    'list-cut-at-2000-bytes',
    'SERV-3',
    'A list is cut off after 2,000 bytes.',
    changeText(listed, (text) => text.slice(0, 2000)),
  ),
  fault(
    'latin1-on-the-wire',
    'SERV-3',
    'Bodies are sent in Latin-1, so é is not valid UTF-8.',
    encoded(everyResponse, (text) => Buffer.from(text, 'latin1')),
  ),
  fault(
    'surrogates-encoded-apart',
    'SERV-3',
    'Characters beyond U+FFFF are sent as two surrogates of three bytes each.',
    encoded(isSuccess, surrogatesApart),
  ),
  fault(
    'length-too-small',
    'SERV-3',
    'getPet announces five bytes fewer than it sends.',
    sending(fetched, announceLess),
  ),
  fault(
    'mislabelled-as-gzip',
    'SERV-3',
    'A list is labelled gzip but is not compressed.',
    changeResponse(listed, (response) => ({
      ...response,
      headers: { ...response.headers, 'Content-Encoding': 'gzip' },
    })),
  ),
  fault(
    'one-in-40-json-cut',
    'SERV-3',
    'One body in 40 lacks its last character.',
    changingEveryNth(40, isSuccess, (response) => ({ ...response, body: textOf(response).slice(0, -1) })),
  ),

  fault(
    'unknown-member-makes-500',
    'SERV-4',
    'An unknown member makes the service fail.',
    crashingOnPet((_, body) => hasUnknownMember(body)),
  ),
  fault(
    'omitted-status-answered-500',
    'SERV-4',
    'A body without a status makes the service fail.',
    crashingOnPet((_, body) => !has(body, 'status')),
  ),
  fault('quote-in-name-makes-500', 'SERV-4', 'A double quote in a name makes the service fail.', crashingOnName(/"/)),
  fault(
    'emoji-in-name-makes-500',
    'SERV-4',
    'A character beyond U+FFFF makes the service fail.',
    crashingOnName(/[\u{10000}-\u{10ffff}]/u),
  ),
  fault(
    'proto-member-makes-500',
    'SERV-4',
    'A member called `__proto__` makes the service fail.',
    crashingOnBody((text) => text.includes('__proto__')),
  ),
  fault(
    'deep-nesting-makes-500',
    'SERV-4',
    'A body nested 50 levels deep makes the service fail.',
    crashingOnBody((text) => /\[{50}|(?:\{"[^"]*":){50}/.test(text)),
  ),
  fault(
    'twenty-digits-make-500',
    'SERV-4',
    'A number of 19 digits or more makes the service fail.',
    crashingOnBody((text) => /\d{19}/.test(text)),
  ),
  fault(
    'not-utf8-makes-500',
    'SERV-4',
    'A body that is not UTF-8 makes the service fail.',
    override('readBody', (original) => async (call) => {
      try {
        return await original(call);
      } catch (error) {
        if (error instanceof Error && error.message.includes('UTF-8')) return crash('not UTF-8');
        throw error;
      }
    }),
  ),
  fault(
    'mislabelled-coding-makes-500',
    'SERV-4',
    'A body that is not coded as its Content-Encoding says makes the service fail.',
    override('checkMediaType', (original) => (call) => {
      if (/gzip|deflate|br/.test(call.header('content-encoding') ?? '')) crash('incorrect header check');
      original(call);
    }),
  ),
  fault(
    'limit-0-makes-500',
    'SERV-4',
    '`limit=0` makes the service fail.',
    crashingOnCall('listPets', (call) => call.query.get('limit') === '0'),
  ),
  fault(
    'id-word-makes-500',
    'SERV-4',
    'A word as the id makes the service fail.',
    crashingOnCall('getPet', (call) => /^[A-Za-z]/.test(call.petId ?? '')),
  ),
  fault(
    'two-creations-at-once-make-503',
    'SERV-4',
    'Of two animals added at the same time, one is answered with 503.',
    (steps) => {
      let busy = false;
      return override('createPet', (original) => async (call) => {
        if (busy) return jsonResponse(503, '{"code":"busy","message":"Locked.","status":503}');
        busy = true;
        try {
          await new Promise((resolve) => setTimeout(resolve, 2));
          return await original(call);
        } finally {
          busy = false;
        }
      })(steps);
    },
  ),
  fault(
    'one-in-20-creations-answers-500',
    'SERV-4',
    'One creation in 20 is answered with 500, though the animal is added.',
    changingEveryNth(20, created, () => errorResponse(500)),
  ),
  fault(
    'gets-answered-500',
    'SERV-4',
    'Every GET is answered with 500.',
    respondingToGets(() => errorResponse(500)),
  ),

  fault('gets-hang', 'SERV-5', 'No GET is ever answered.', sending(ofGets, hang)),
  fault('getpet-hangs', 'SERV-5', 'getPet never answers for an animal that exists.', sending(fetched, hang)),
  fault(
    'refused-body-hangs',
    'SERV-5',
    'A refused body is never answered.',
    sending(responsesOf('createPet', 400), hang),
  ),
  fault('gets-reset', 'SERV-5', 'The connection of every GET is reset.', sending(ofGets, reset)),
  fault('getpet-hangs-up', 'SERV-5', 'getPet closes the connection without a response.', sending(fetched, hangUp)),
  fault('list-broken-off', 'SERV-5', 'The connection is closed in the middle of a list.', sending(listed, breakOff)),
  fault('chunks-broken-off', 'SERV-5', 'The last chunk of a list is missing.', sending(listed, breakOffChunks)),
  fault('length-too-large', 'SERV-5', 'getPet announces ten more bytes than it sends.', sending(fetched, announceMore)),
  fault('list-drips', 'SERV-5', 'A list is sent one byte a second.', sending(listed, drip)),
  fault('list-without-end', 'SERV-5', 'A list is followed by endless white space.', sending(listed, flood)),
  fault(
    'status-line-garbage',
    'SERV-5',
    'A list begins with an invalid status line.',
    sending(listed, (response, call) => raw('PETS 1.0 OK', response, `Content-Length: ${lengthOf(response)}`, call)),
  ),
  fault(
    'headers-only',
    'SERV-5',
    'After the headers of a list nothing is sent.',
    sending(listed, (response, call) => {
      writeHead(response, call, lengthOf(response)).flushHeaders();
    }),
  ),
  fault(
    'chunk-size-garbage',
    'SERV-5',
    'A chunk size is not a number.',
    sending(listed, (response, call) =>
      raw('HTTP/1.1 200 OK', response, 'Transfer-Encoding: chunked', call, `size\r\n${textOf(response)}\r\n0\r\n\r\n`),
    ),
  ),
  fault('one-in-50-hangs', 'SERV-5', 'One request in 50 is never answered.', sendingEveryNth(50, hang)),
];
