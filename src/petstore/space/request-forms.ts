import fc from 'fast-check';
import type { LevelTable, SpaceRow } from '../../engine/request-space.ts';
import type { RequestForm } from '../calls.ts';

type Headers = NonNullable<RequestForm['headers']>;

/** One header in a form that the specification does not name, so that it makes no difference. */
const one = (name: string, ...values: readonly string[]): readonly Headers[] => values.map((value) => [[name, value]]);

export const ACCEPT: LevelTable<Headers> = {
  'application/json': { examples: one('Accept', 'application/json') },
  absent: { examples: [[]] },
  anything: { examples: one('Accept', '*/*', 'application/*') },
  'a browser': {
    examples: one(
      'Accept',
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    ),
  },
  'JSON among others': {
    examples: one(
      'Accept',
      'application/json, text/plain, */*',
      'text/plain;q=0.5, application/json;q=0.9',
      'application/json;charset=utf-8',
      'APPLICATION/JSON',
    ),
  },
};

export const ACCEPT_ENCODING: LevelTable<Headers> = {
  absent: { examples: [[]] },
  usual: { examples: one('Accept-Encoding', 'gzip, deflate, br', 'gzip', 'gzip;q=1.0, identity;q=0.5, *;q=0') },
  identity: { examples: one('Accept-Encoding', 'identity', 'deflate', 'br') },
};

export const OTHER_HEADERS: LevelTable<Headers> = {
  none: { examples: [[]] },
  'a web page': {
    examples: [
      [['Origin', 'https://shop.example'], ['Sec-Fetch-Mode', 'cors']],
      [['Origin', 'null']],
      [['Origin', 'http://localhost:3000'], ['Referer', 'http://localhost:3000/pets']],
    ],
  },
  tracing: {
    examples: [
      [['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01']],
      [['X-Request-Id', 'c0ffee00-0000-4000-8000-000000000000'], ['X-Forwarded-For', '203.0.113.7']],
    ],
  },
  'another client': {
    examples: [
      [['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0']],
      [['User-Agent', 'curl/8.5.0']],
      [['User-Agent', 'python-requests/2.32.3']],
    ],
  },
  'a language and a cache': {
    examples: [
      [['Accept-Language', 'tr-TR, de;q=0.7'], ['Cache-Control', 'no-cache']],
      [['Accept-Charset', 'iso-8859-1'], ['Pragma', 'no-cache']],
      [['If-None-Match', '"none"'], ['Cookie', 'session=none']],
    ],
  },
}; // biome-ignore format: one table

/** The factors of a request that have nothing to do with what it asks for. */
export const FORM_FACTORS = {
  accept: Object.keys(ACCEPT),
  'accept-encoding': Object.keys(ACCEPT_ENCODING),
  'other headers': Object.keys(OTHER_HEADERS),
};

/** A form with the headers of a row. */
export function formOf(row: SpaceRow): fc.Arbitrary<RequestForm> {
  return fc
    .tuple(
      row.draw('accept', ACCEPT),
      row.draw('accept-encoding', ACCEPT_ENCODING),
      row.draw('other headers', OTHER_HEADERS),
    )
    .map((parts) => withHeaders(parts.flat()));
}

/** The form of a request with these headers and no others. */
export function withHeaders(headers: Headers): RequestForm {
  const isUsual = headers.length === 1 && headers[0]?.[1] === 'application/json';
  const words = headers.filter(([, value]) => value !== 'application/json').map(([name, value]) => `${name}: ${value}`);
  if (isUsual) return { name: '', headers };
  return { name: words.length === 0 ? 'without Accept' : `with ${words.join(' and ')}`, headers };
}
