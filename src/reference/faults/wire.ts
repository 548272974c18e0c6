import {
  answering,
  answersOf,
  answersWith,
  every,
  fault,
  isError,
  isSuccess,
  rewriting,
  textOf,
  type Which,
} from '../changing.ts';
import type { Fault } from '../steps.ts';

/** Sends answers under another media type, or under none. */
const labelled = (which: Which, mediaType: string | undefined) =>
  answering(which, (answer) => {
    const { 'Content-Type': _, ...headers } = answer.headers;
    return { ...answer, headers: mediaType === undefined ? headers : { ...headers, 'Content-Type': mediaType } };
  });

/** Sends answers in other bytes. */
const encoded = (which: Which, encode: (text: string) => Buffer) =>
  answering(which, (answer) => ({ ...answer, body: encode(textOf(answer)) }));

const listed = answersOf('listPets', 200);
const notEmpty: Which = (answer, call) => listed(answer, call) && answer.body.length > 2;

export const wireFaults: readonly Fault[] = [
  fault('list-as-text-plain', 'SERV-2', 'A list is sent as text/plain.', labelled(listed, 'text/plain')),
  fault(
    'errors-as-problem-json',
    'SERV-2',
    'Errors are sent as application/problem+json.',
    labelled(isError, 'application/problem+json'),
  ),
  fault('401-without-media-type', 'SERV-2', 'A 401 has no Content-Type.', labelled(answersWith(401), undefined)),

  fault(
    'list-with-trailing-comma',
    'SERV-3',
    'A list ends with a comma.',
    rewriting(notEmpty, (text) => text.replace(/\}\]$/, '},]')),
  ),
  fault(
    'quotes-in-names-unescaped',
    'SERV-3',
    'Quotes in names are not escaped.',
    rewriting(isSuccess, (text) => text.replace(/(?<!\\)((?:\\\\)*)\\"/g, '$1"')),
  ),
  fault(
    'json-after-byte-order-mark',
    'SERV-3',
    'Every body begins with a byte order mark.',
    rewriting(every, (text) => `\ufeff${text}`),
  ),
  fault(
    'list-cut-at-2000-bytes',
    'SERV-3',
    'A list ends after 2,000 bytes.',
    rewriting(listed, (text) => text.slice(0, 2000)),
  ),
  fault(
    'latin1-on-the-wire',
    'SERV-3',
    'Bodies are sent in Latin-1, so é is no UTF-8.',
    encoded(every, (text) => Buffer.from(text, 'latin1')),
  ),
  fault(
    'surrogates-encoded-apart',
    'SERV-3',
    'Characters beyond U+FFFF are sent as two surrogates of three bytes each.',
    encoded(isSuccess, surrogatesApart),
  ),
];

/** CESU-8: not UTF-8. */
function surrogatesApart(text: string): Buffer {
  return Buffer.concat(
    Array.from(text, (letter) =>
      letter.length === 1
        ? Buffer.from(letter)
        : Buffer.from(
            [letter.charCodeAt(0), letter.charCodeAt(1)].flatMap((unit) => [
              0xe0 | (unit >> 12),
              0x80 | ((unit >> 6) & 0x3f),
              0x80 | (unit & 0x3f),
            ]),
          ),
    ),
  );
}
