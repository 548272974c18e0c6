/**
 * Headers that the specification does not mention, so they must make no difference. Each replaces the plain ones of its
 * name, in any letter case. Most revealing first.
 */

type Header = readonly [name: string, value: string];

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1';
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** Several headers at once. */
// biome-ignore format: one table
export const HEADER_SETS: readonly (readonly Header[])[] = [
  [['Accept-Encoding', 'gzip'], ['Prefer', 'return=minimal'], ['X-Request-Id', '1'], ['DNT', '1']],
  [['Accept-Encoding', 'gzip;q=0, identity'], ['b3', '80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1'],
    ['Accept-Language', 'tr-TR, de;q=0.7'], ['Cookie', 'session=none']],
  [['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
    ['User-Agent', BROWSER], ['Accept-Encoding', 'gzip, deflate, br'], ['Sec-Fetch-Dest', 'document'], ['Sec-Fetch-Mode', 'navigate']],
  [['Accept', 'application/json, text/plain, */*'], ['Accept-Encoding', 'gzip, deflate'], ['X-Forwarded-For', '203.0.113.7'],
    ['User-Agent', 'axios/1.7.9'], ['Cache-Control', 'no-cache']],
  [['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'], ['tracestate', 'vendor=00f067aa0ba902b7'],
    ['baggage', 'userId=alice,isProduction=false'], ['Accept-Encoding', 'gzip;q=1.0, identity;q=0.5, *;q=0']],
  [['If-None-Match', '"none"'], ['If-Modified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'], ['Pragma', 'no-cache'],
    ['Accept-Encoding', 'gzip;q=0, deflate;q=0, br;q=0']],
  [['Range', 'pets=0-4'], ['Accept-Encoding', 'deflate'], ['User-Agent', 'curl/8.5.0'], ['X-Correlation-Id', 'a7b3e1f0-9c1d-4e57']],
  [['Accept', 'application/json;charset=utf-8'], ['Accept-Encoding', 'br'], ['Accept-Language', '*'], ['Referer', 'https://shop.example/']],
  [['ACCEPT', 'APPLICATION/JSON'], ['user-agent', 'okhttp/4.12.0'], ['X-B3-TraceId', '80f198ee56343ba864fe8b2a57d3eff7'],
    ['X-B3-Sampled', '1'], ['accept-encoding', 'GZIP']],
  [['X-Empty', ''], ['X-Tag', 'a'], ['X-Tag', 'b'], ['Accept-Encoding', 'identity, gzip;q=0.5']],
  [['X-Long', '$TIMES:1500<x>'], ['Via', '1.1 proxy.example'], ['X-Forwarded-Proto', 'https'], ['X-Forwarded-Port', '443']],
  [['Cookie', 'theme=dark; _ga=GA1.2.1234567890.1700000000'], ['X-Requested-With', 'XMLHttpRequest'], ['X-CSRF-Token', 'none'],
    ['Accept', 'application/json, text/javascript, */*; q=0.01']],
  [['uber-trace-id', '3ad4cd1a:7e0e1c5b:0:1'], ['X-Amzn-Trace-Id', 'Root=1-67891233-abcdef012345678912345678'],
    ['X-Datadog-Trace-Id', '5208512171318403364'], ['Accept-Encoding', '*;q=0, identity']],
  [['X-Cloud-Trace-Context', '105445aa7843bc8bf206b12000100000/1;o=1'], ['Request-Id', '|7e6f5d4c3b2a1908.1.'],
    ['sentry-trace', '771a43a4192642f0b136d5159a501700-7cbdcd0ff0b44a28-1'], ['Accept-Encoding', 'identity']],
  [['Sec-CH-UA', '"Chromium";v="130", "Not?A_Brand";v="99"'], ['Sec-CH-UA-Mobile', '?1'], ['Sec-CH-UA-Platform', '"Android"'],
    ['Sec-Fetch-Site', 'cross-site'], ['User-Agent', PHONE]],
  [['Accept', 'text/plain;q=0.5, application/json;q=0.9'], ['X-Real-IP', '203.0.113.7'], ['Forwarded', 'for="[2001:db8::7]";proto=https'],
    ['User-Agent', 'python-requests/2.32.3'], ['Accept-Encoding', 'br;q=1.0, gzip;q=0.8, identity;q=0.1']],
  [['Prefer', 'wait=10'], ['Accept-Charset', 'utf-8'], ['Priority', 'u=1, i'], ['Save-Data', 'on']],
  [['Accept', '*/*'], ['User-Agent', 'Wget/1.24.5'], ['Accept-Encoding', 'identity;q=1, gzip;q=0.0'], ['X-Debug', 'false']],
  [['Accept', 'application/*, */*;q=0.1'], ['User-Agent', ROBOT], ['From', 'somebody@example.org'], ['Accept-Encoding', 'gzip;q=0.5']],
  [['User-Agent', 'kube-probe/1.31'], ['X-Request-Start', 't=1700000000000'], ['X-Forwarded-For', '2001:db8::7, 127.0.0.1'],
    ['Accept', 'application/json, application/problem+json']],
  [['X-API-Key', 'key-of-another-service'], ['X-Client-Version', '2.4.1'], ['User-Agent', 'PostmanRuntime/7.43.0'],
    ['Cache-Control', 'max-age=0'], ['Accept-Encoding', 'deflate, gzip;q=0.8']],
  [['Prefer', 'return=representation'], ['Accept-Language', 'fr-FR,fr;q=0.9'], ['Accept-Charset', 'iso-8859-1'], ['Sec-GPC', '1']],
  [['X-Request-Id', 'c0ffee00-0000-4000-8000-000000000000'], ['X-Correlation-Id', '1'], ['X-Trace-Id', '42'], ['X-Transaction-Id', 'x'],
    ['Accept', 'application/json;q=0.9']],
  [['User-Agent', 'x'], ['Accept-Language', 'de-CH-1996, *;q=0.001'], ['Cookie', 'a='], ['Referer', '/']],
  [['X-Forwarded-For', '127.0.0.1'], ['X-Real-IP', '127.0.0.1'], ['Forwarded', 'for=127.0.0.1;proto=https'], ['User-Agent', 'Java/21.0.2']],
  [['If-Range', '"none"'], ['If-None-Match', 'W/"none", "other"'], ['Cache-Control', 'no-store'], ['User-Agent', 'Go-http-client/1.1']],
  [['Accept-Encoding', ''], ['Accept', 'application/json,application/json;charset=utf-8'], ['X-Quote', '"\\"'], ['X-Comma', ',,,']],
];

/** Values beyond ASCII, which a gateway may reject. */
export const RAW_SETS: readonly (readonly Header[])[] = [[['X-Name', 'caf$BYTES:c3a9']], [['X-Name', 'caf$BYTES:e9']]];

/** 40 headers besides the plain ones, more than some servers read. */
export const MANY_HEADERS: readonly Header[] = Array.from(
  { length: 40 },
  (_, at) => [`X-Header-${at + 1}`, 'x'] as const,
);

/** Content-Type on a GET, as some clients send it with every request. */
// biome-ignore format: one table
export const HEADERS_OF_A_GET: readonly (readonly Header[])[] = [
  [['Content-Type', 'application/json'], ['X-Request-Id', '2']],
  [['Content-Type', 'application/x-www-form-urlencoded'], ['Accept-Encoding', 'gzip']],
  [['Content-Type', 'application/json; charset=utf-8'], ['Accept', '*/*']],
];

/** Names of plain headers that a request may omit. */
export const LEFT_OUT: readonly (readonly string[])[] = [['Accept'], ['User-Agent'], ['Accept', 'User-Agent']];

/** Values of Accept that accept JSON. */
// biome-ignore format: one table
export const ACCEPTS: readonly string[] = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json, text/plain, */*', '*/*',
  'APPLICATION/JSON', 'application/json; charset=utf-8', 'text/plain;q=0.5, application/json;q=0.9',
  'application/json;q=0.9', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', '*/*;q=0.8', 'text/plain, */*',
  'application/json;charset=UTF-8', 'Application/Json', 'application/json, */*;q=0.5', 'application/xml;q=0.1, application/json',
  'application/problem+json, application/json;q=0.9', 'application/json, application/*+json',
  'application/json; q=0.5, text/html; q=0.1', 'text/html, */*; q=0.01', 'image/avif,image/webp,image/*,*/*;q=0.8',
  'application/json,application/json', 'text/plain, application/json, application/*+json, */*',
];

/** Values of Accept that do not accept it: 406 is permitted. */
// biome-ignore format: one table
export const ACCEPTS_OTHER: readonly string[] = [
  'text/html', 'application/*', 'text/plain', 'application/xml', 'application/problem+json', 'image/*', 'application/vnd.petstore+json', 'text/*;q=0.5', 'json',
];

/** Values of Origin, as pages, files and applications send it: 403 is permitted. */
// biome-ignore format: one table
export const ORIGINS: readonly string[] = [
  'https://shop.example', 'null', 'http://localhost:3000', 'https://app.shop.example:8443', 'capacitor://localhost',
];
