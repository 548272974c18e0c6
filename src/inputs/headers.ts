/**
 * Headers that the specification does not mention, so they must make no difference. Each replaces the plain ones of its
 * name, in any letter case. Most revealing first.
 */

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const PAGE = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

export const HEADERS = {
  /** Several headers at once. */
  // biome-ignore format: one table
  sets: [
    [['Accept-Encoding', 'gzip'], ['Prefer', 'return=minimal'], ['Accept-Language', 'de-DE'], ['X-Requested-With', 'XMLHttpRequest'],
      ['X-Request-Id', '1']],
    [['Accept', PAGE], ['Accept-Language', 'tr-TR, tr;q=0.9, de;q=0.7'], ['Cookie', 'session=none'],
      ['b3', '80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1']],
    [['User-Agent', BROWSER], ['Accept-Language', 'fr-FR,fr;q=0.9'], ['Accept-Encoding', 'gzip, deflate, br'], ['Sec-Fetch-Dest', 'document'],
      ['Sec-Fetch-Mode', 'navigate'], ['Sec-GPC', '1'], ['DNT', '1']],
    [['Accept', 'application/json, text/plain, */*'], ['Accept-Encoding', 'gzip, deflate'], ['X-Forwarded-For', '203.0.113.7'],
      ['User-Agent', 'axios/1.7.9'], ['Cache-Control', 'no-cache']],
    [['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'], ['tracestate', 'vendor=00f067aa0ba902b7'],
      ['baggage', 'userId=alice,isProduction=false'], ['Accept-Encoding', 'gzip;q=1.0, identity;q=0.5']],
    [['If-None-Match', '"none"'], ['If-Modified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'], ['Pragma', 'no-cache'],
      ['Accept-Encoding', 'br;q=0.5, *;q=0.1']],
    [['Accept-Encoding', 'deflate'], ['User-Agent', 'curl/8.5.0'], ['X-Correlation-Id', 'a7b3e1f0-9c1d-4e57']],
    [['Prefer', 'return=representation'], ['Accept-Language', 'de-DE']],
    [['X-Request-Id', 'c0ffee00-0000-4000-8000-000000000000'], ['X-Correlation-Id', '1'], ['X-Trace-Id', '42'], ['X-Transaction-Id', 'x'],
      ['Accept', 'application/json;q=0.9']],
  ],

  /** For a page with names of all scripts, and as long as any. */
  ofAFullPage: [
    [
      ['Connection', 'close'],
      ['Accept-Charset', 'iso-8859-1'],
    ],
  ],

  /** Overrides of the method, to GET alone: they make no difference to a creation. */
  // biome-ignore format: one table
  overrides: [
    [['X-HTTP-Method-Override', 'GET'], ['X-HTTP-Method', 'GET'], ['X-Method-Override', 'GET']],
  ],

  /** Values beyond ASCII, which a gateway may reject. */
  raw: [[['X-Name', 'caf$BYTES:c3a9']], [['X-Name', 'caf$BYTES:e9']]],

  /** 40 headers besides the plain ones, more than some servers read. */
  many: Array.from({ length: 40 }, (_, at) => [`X-Header-${at + 1}`, 'x'] as const),

  /** What only a GET is sent with: a range of bytes, and a Content-Type, as some clients send it with every request. */
  // biome-ignore format: one table
  ofAGet: [
    [['Content-Type', 'application/json'], ['X-Request-Id', '2']],
    [['Content-Type', 'application/x-www-form-urlencoded'], ['Accept-Encoding', 'gzip']],
    [['Range', 'bytes=0-9'], ['X-Request-Id', '3']],
    [['Content-Type', 'application/json; charset=utf-8'], ['Accept', '*/*']],
  ],

  /** Names of plain headers that a request may omit. */
  leftOut: [['Accept'], ['User-Agent'], ['Accept', 'User-Agent']],

  /** Values of Accept that accept JSON, as it is. */
  // biome-ignore format: one table
  accepts: [
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/xml, application/json;q=0.8',
    'text/html, */*;q=0.1', 'application/vnd.api+json, application/json;q=0.9', '*/*', 'APPLICATION/JSON',
    'application/json, text/plain, */*',
  ],

  /** Values of Accept that do not, or with parameters: 406 is permitted. */
  // biome-ignore format: one table
  acceptsOther: [
    'text/html', 'application/*', 'application/json; charset=utf-8', 'text/plain',
  ],

  /** Values of Origin, as pages, files and applications send it: 403 is permitted. */
  // biome-ignore format: one table
  origins: [
    'https://shop.example', 'null', 'http://localhost:3000', 'https://app.shop.example:8443', 'capacitor://localhost',
  ],
} as const;
