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
const created = answersOf('createPet', 201);
const fetched = answersOf('getPet', 200);
const notEmpty: Which = (answer, call) => listed(answer, call) && answer.body.length > 2;

export const wireFaults: readonly Fault[] = [
  fault('list-as-text-plain', 'SERV-2', 'A list is sent as text/plain.', labelled(listed, 'text/plain')),
  fault(
    'created-as-text-html',
    'SERV-2',
    'The 201 is sent as text/html.',
    labelled(created, 'text/html; charset=utf-8'),
  ),
  fault(
    'getpet-as-octet-stream',
    'SERV-2',
    'getPet sends application/octet-stream.',
    labelled(fetched, 'application/octet-stream'),
  ),
  fault(
    'errors-as-problem-json',
    'SERV-2',
    'Errors are sent as application/problem+json.',
    labelled(isError, 'application/problem+json'),
  ),
  fault(
    'errors-as-text-plain',
    'SERV-2',
    'Errors are sent as text/plain.',
    labelled(isError, 'text/plain; charset=utf-8'),
  ),
  fault('404-as-text-html', 'SERV-2', 'A 404 is sent as text/html.', labelled(answersWith(404), 'text/html')),
  fault('401-without-media-type', 'SERV-2', 'A 401 has no Content-Type.', labelled(answersWith(401), undefined)),
  fault('400-as-text-plain', 'SERV-2', 'A 400 is sent as text/plain.', labelled(answersWith(400), 'text/plain')),
  fault('list-without-media-type', 'SERV-2', 'A list has no Content-Type.', labelled(listed, undefined)),
  fault('getpet-without-media-type', 'SERV-2', 'getPet sends no Content-Type.', labelled(fetched, undefined)),
  fault(
    'everything-as-vendor-json',
    'SERV-2',
    'Everything is sent as application/vnd.api+json.',
    labelled(every, 'application/vnd.api+json'),
  ),
  fault('everything-as-text-json', 'SERV-2', 'Everything is sent as text/json.', labelled(every, 'text/json')),
  fault('list-as-json-lines', 'SERV-2', 'Lists are sent as application/jsonl.', labelled(listed, 'application/jsonl')),
  fault(
    'created-as-javascript',
    'SERV-2',
    'The 201 is sent as application/javascript.',
    labelled(created, 'application/javascript'),
  ),
  fault(
    'filtered-list-as-text-plain',
    'SERV-2',
    'Only a list with `status` is sent as text/plain.',
    labelled((answer, call) => listed(answer, call) && call.query.has('status'), 'text/plain'),
  ),

  fault(
    'list-with-trailing-comma',
    'SERV-3',
    'A list ends with a comma.',
    rewriting(notEmpty, (text) => text.replace(/\}\]$/, '},]')),
  ),
  fault(
    'list-as-lines',
    'SERV-3',
    'A list is one animal a line, without the array.',
    rewriting(notEmpty, (text) => text.slice(1, -1).replaceAll('},{', '}\n{')),
  ),
  fault(
    'json-in-single-quotes',
    'SERV-3',
    'getPet writes strings in single quotes.',
    rewriting(fetched, (text) => text.replaceAll('"', "'")),
  ),
  fault(
    'json-written-by-python',
    'SERV-3',
    'The 201 is written as Python writes a dictionary, with None and True.',
    rewriting(created, (text) => text.replace(/\}$/, ',"owner":None}')),
  ),
  fault(
    'json-with-nan',
    'SERV-3',
    'A list holds NaN.',
    rewriting(notEmpty, (text) => text.replace(/\}\]$/, ',"weight":NaN}]')),
  ),
  fault(
    'json-with-comment',
    'SERV-3',
    'The 201 holds a comment.',
    rewriting(created, (text) => `/* created */${text}`),
  ),
  fault(
    'quotes-in-names-unescaped',
    'SERV-3',
    'Quotes in names are not escaped.',
    rewriting(isSuccess, (text) => text.replace(/(?<!\\)((?:\\\\)*)\\"/g, '$1"')),
  ),
  fault(
    'line-breaks-in-names-unescaped',
    'SERV-3',
    'Line breaks in names are not escaped.',
    rewriting(isSuccess, (text) => text.replace(/(?<!\\)((?:\\\\)*)\\n/g, '$1\n')),
  ),
  fault(
    'backslashes-in-names-unescaped',
    'SERV-3',
    'Backslashes in names are not escaped.',
    rewriting(isSuccess, (text) => text.replaceAll('\\\\', '\\')),
  ),
  fault(
    'apostrophes-escaped',
    'SERV-3',
    'Apostrophes are escaped, which JSON does not know.',
    rewriting(isSuccess, (text) => text.replaceAll("'", "\\'")),
  ),
  fault(
    'json-after-byte-order-mark',
    'SERV-3',
    'Every body begins with a byte order mark.',
    rewriting(every, (text) => `\ufeff${text}`),
  ),
  fault(
    'json-after-prefix',
    'SERV-3',
    'A list begins with the prefix that guards against inclusion.',
    rewriting(listed, (text) => `)]}',\n${text}`),
  ),
  fault(
    'json-in-callback',
    'SERV-3',
    'A list is wrapped in a function call.',
    rewriting(listed, (text) => `callback(${text});`),
  ),
  fault(
    'json-after-warning',
    'SERV-3',
    'A warning of the runtime stands before the JSON of getPet.',
    rewriting(fetched, (text) => `Warning: undefined index in pets.php on line 12\n${text}`),
  ),
  fault(
    'json-twice',
    'SERV-3',
    'The 201 holds its JSON twice.',
    rewriting(created, (text) => text + text),
  ),
  fault(
    'json-cut-short',
    'SERV-3',
    'getPet leaves out the last brace.',
    rewriting(fetched, (text) => text.slice(0, -1)),
  ),
  fault(
    'list-cut-at-2000-bytes',
    'SERV-3',
    'A list ends after 2,000 bytes.',
    rewriting(listed, (text) => text.slice(0, 2000)),
  ),
  fault(
    'success-without-body',
    'SERV-3',
    'getPet answers 200 with an empty body.',
    rewriting(fetched, () => ''),
  ),
  fault(
    'error-401-plain-text',
    'SERV-3',
    'A 401 labelled as JSON is the bare word Unauthorized.',
    rewriting(answersWith(401), () => 'Unauthorized'),
  ),
  fault(
    'error-404-plain-text',
    'SERV-3',
    'A 404 labelled as JSON is a bare sentence.',
    rewriting(answersWith(404), () => 'Pet not found'),
  ),
  fault(
    'latin1-on-the-wire',
    'SERV-3',
    'Bodies are sent in Latin-1, so é is no UTF-8.',
    encoded(every, (text) => Buffer.from(text, 'latin1')),
  ),
  fault(
    'utf16-on-the-wire',
    'SERV-3',
    'A list is sent in UTF-16.',
    encoded(listed, (text) => Buffer.from(text, 'utf16le')),
  ),
  fault(
    'surrogates-encoded-apart',
    'SERV-3',
    'Characters beyond U+FFFF are sent as two surrogates of three bytes each.',
    encoded(isSuccess, surrogatesApart),
  ),
  fault(
    'characters-cut-in-two',
    'SERV-3',
    'The last byte of characters beyond U+07FF is lost.',
    encoded(isSuccess, (text) =>
      Buffer.concat(
        [...text].map((letter) => (letter > '\u07ff' ? Buffer.from(letter).subarray(0, -1) : Buffer.from(letter))),
      ),
    ),
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
