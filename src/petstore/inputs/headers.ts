import fc from 'fast-check';
import { matching } from './matching.ts';

/** Headers that the specification does not name, so that they make no difference. None has a meaning in HTTP for these requests. */

export type Headers = readonly (readonly [name: string, value: string])[];

/** What clients, browsers, proxies and meshes send along, one header each. */
const USUAL_COMPANY: Headers = [
  ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'],
  ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-53995c3f42cd8ad8-00'],
  ['tracestate', 'vendor=00f067aa0ba902b7,other=t61rcWkgMzE'],
  ['baggage', 'userId=alice,isProduction=false'],
  ['b3', '80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1'],
  ['X-B3-TraceId', '80f198ee56343ba864fe8b2a57d3eff7'],
  ['uber-trace-id', '3ad4cd1a:7e0e1c5b:0:1'],
  ['X-Amzn-Trace-Id', 'Root=1-67891233-abcdef012345678912345678'],
  ['X-Cloud-Trace-Context', '105445aa7843bc8bf206b12000100000/1;o=1'],
  ['X-Datadog-Trace-Id', '5208512171318403364'],
  ['sentry-trace', '771a43a4192642f0b136d5159a501700-7cbdcd0ff0b44a28-1'],
  ['Request-Id', '|7e6f5d4c3b2a1908.1.'],
  ['X-Request-Id', '1'],
  ['X-Correlation-Id', 'a7b3e1f0-9c1d-4e57-8b1d-0f1e2d3c4b5a'],
  ['X-Request-Start', 't=1700000000000'],
  ['X-Forwarded-For', '203.0.113.7, 198.51.100.3'],
  ['X-Forwarded-For', '2001:db8::7'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Port', '443'],
  ['X-Real-IP', '203.0.113.7'],
  ['Forwarded', 'for="[2001:db8::7]";proto=https'],
  ['Via', '1.1 proxy.example'],
  ['User-Agent', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'],
  ['User-Agent', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  ['User-Agent', 'PostmanRuntime/7.43.0'],
  ['User-Agent', 'okhttp/4.12.0'],
  ['User-Agent', 'Go-http-client/1.1'],
  ['User-Agent', 'Java/21.0.2'],
  ['User-Agent', 'axios/1.7.9'],
  ['User-Agent', 'Wget/1.24.5'],
  ['User-Agent', 'ELB-HealthChecker/2.0'],
  ['User-Agent', 'x'],
  ['Referer', 'https://shop.example/pets?page=2'],
  ['Origin', 'https://app.shop.example:8443'],
  ['Origin', 'capacitor://localhost'],
  ['DNT', '1'],
  ['Sec-GPC', '1'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Dest', 'empty'],
  ['Sec-CH-UA', '"Chromium";v="130", "Not?A_Brand";v="99"'],
  ['Sec-CH-UA-Mobile', '?1'],
  ['Sec-CH-UA-Platform', '"Android"'],
  ['Cache-Control', 'no-cache'],
  ['Cache-Control', 'max-age=0'],
  ['Pragma', 'no-cache'],
  ['Accept-Language', 'de-DE,de;q=0.9,en;q=0.5'],
  ['Accept-Language', '*'],
  ['Accept-Charset', 'utf-8'],
  ['Cookie', 'theme=dark; _ga=GA1.2.1234567890.1700000000'],
  ['Cookie', 'session=expired'],
  ['Priority', 'u=1, i'],
  ['Save-Data', 'on'],
  ['X-Requested-With', 'XMLHttpRequest'],
  ['X-CSRF-Token', 'none'],
  ['X-Client-Version', '2.4.1'],
  ['X-Debug', 'false'],
  ['From', 'somebody@example.org'],
  ['X-API-Key', 'key-of-another-service'],
]; // biome-ignore format: one table

/** What clients accept by default; each of these accepts application/json. */
export const ACCEPTED_BY_CLIENTS = {
  anything: ['*/*', 'application/*', '*/*;q=0.8', 'application/*, */*;q=0.1', 'application/*;q=0.9'],
  /** Of browsers, and of Java before its version 19 and since. */
  pages: [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    'text/html, image/gif, image/jpeg, */*; q=0.2',
    'text/html, */*; q=0.01',
    'text/plain, */*',
    'image/avif,image/webp,image/apng,image/*,*/*;q=0.8',
    'text/css,*/*;q=0.1',
  ],
  /** Of axios, Angular, jQuery, Spring, Retrofit and others. */
  json: [
    'application/json, text/plain, */*',
    'text/plain;q=0.5, application/json;q=0.9',
    'application/json;charset=utf-8',
    'application/json; charset=utf-8',
    'application/json; charset=UTF-8',
    'APPLICATION/JSON',
    'Application/Json',
    'application/json, */*',
    'application/json, */*;q=0.5',
    'application/json,*/*;q=0.8',
    'application/json, application/*+json',
    'application/json, application/problem+json',
    'application/problem+json, application/json;q=0.9',
    'application/json, text/javascript, */*; q=0.01',
    'text/plain, application/json, application/*+json, */*',
    'application/json;q=0.9',
    'application/json;q=1.0',
    'application/json; q=0.5, text/html; q=0.1',
    'application/xml;q=0.1, application/json',
    'application/json,application/json;charset=utf-8',
  ],
} satisfies Readonly<Record<string, readonly string[]>>; // biome-ignore format: one table

/** Codings that the client of the suite can decode, as clients list them. */
export const ACCEPTED_CODINGS = {
  several: [
    'gzip, deflate, br', 'gzip, deflate', 'gzip,deflate', 'gzip', 'br, gzip', 'deflate, gzip;q=0.8', 'br;q=1.0, gzip;q=0.8, identity;q=0.1',
    'gzip;q=1.0, identity;q=0.5, *;q=0', 'gzip;q=0.5', 'identity, gzip;q=0.5', 'GZIP', 'gzip, identity',
  ],
  one: ['identity', 'deflate', 'br', 'identity;q=1.0', 'deflate;q=0.5', 'br;q=0.9', 'identity, *;q=0', 'identity;q=1, gzip;q=0.0', '*;q=0, identity'],
} satisfies Readonly<Record<string, readonly string[]>>; // biome-ignore format: one table

const hex = (length: number): fc.Arbitrary<string> => matching(new RegExp(`^[1-9a-f][0-9a-f]{${length - 1}}$`));

/** An id of a request or a trace, in any format that clients and proxies write. */
export function tracingIds(): fc.Arbitrary<Headers[number]> {
  const names = ['X-Request-Id', 'X-Correlation-Id', 'X-Trace-Id', 'Request-Id', 'Correlation-Id', 'X-Amzn-RequestId', 'X-Transaction-Id'];
  const ids = fc.oneof(
    fc.uuid(),
    fc.uuid().map((id) => id.toUpperCase()),
    fc.uuid().map((id) => id.replaceAll('-', '')),
    hex(16),
    hex(64),
    fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String),
    fc.integer({ min: 1, max: 9_999 }).map(String),
    fc.ulid(),
    matching(/^[a-z]{3,8}-[a-z]{3,8}-[0-9]{1,4}$/),
    matching(/^[A-Za-z0-9_]{21}$/),
  );
  const headers = fc.tuple(fc.constantFrom(...names), ids);
  const parents = fc.tuple(hex(32), hex(16), fc.constantFrom('00', '01')).map(([trace, span, flags]) => `00-${trace}-${span}-${flags}`);
  return fc.oneof({ weight: 3, arbitrary: headers }, { weight: 1, arbitrary: parents.map((id) => ['traceparent', id] as const) });
} // biome-ignore format: one line each

/** {@link USUAL_COMPANY}, each alone. */
export const HARMLESS_HEADERS: readonly Headers[] = USUAL_COMPANY.map((header) => [header]);

/** What some clients send with every request; a GET has no body that it could be about. */
export const HEADERS_OF_A_GET: readonly Headers[] = [
  [['Content-Type', 'application/json']],
  [['Content-Type', 'application/json; charset=utf-8']],
  [['Content-Type', 'application/x-www-form-urlencoded']],
];

const under = (value: string, ...names: readonly string[]): Headers => names.map((name) => [name, value]);

const fromAddress = (address: string): Headers => [
  ...under(
    address, 'X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'X-Cluster-Client-IP', 'True-Client-IP', 'X-Originating-IP', 'X-Remote-IP',
    'X-Remote-Addr', 'X-Source-IP',
  ),
  ['Forwarded', `for=${address.includes(':') ? `"[${address}]"` : address}`],
]; // biome-ignore format: one table

const agent = (name: string): Headers => [['User-Agent', name]];

/** What a careless service takes for a sign that it need not ask for a key, by kind; each example sends many at once. */
export const SIGNS_OF_TRUST = {
  'a near address': ['10.0.0.1', '127.0.0.1', '192.168.1.10', '172.16.0.5', '::1', '169.254.1.1', '100.64.0.1', 'fd00::1'].map(fromAddress),
  'a user': [
    [
      ...under('admin', 'X-Forwarded-User', 'X-Remote-User', 'Remote-User', 'X-User', 'X-Auth-Request-User', 'X-WebAuth-User', 'X-Username'),
      ...under('admin', 'X-Authenticated-User', 'X-Consumer-Username', 'X-Role', 'X-Roles', 'X-Forwarded-Groups', 'X-Auth-User', 'X-Principal'),
    ],
    [
      ...under('1', 'X-User-Id', 'X-Authenticated-UserId', 'X-Consumer-Id', 'X-Account-Id', 'X-Client-Id', 'X-Admin'),
      ...under('true', 'X-Is-Admin', 'X-Authenticated', 'X-Authorized', 'X-Auth-Verified'),
      ['X-Forwarded-Email', 'admin@example.org'], ['X-Forwarded-Client-Cert', 'By=spiffe://mesh/pets;Subject="CN=admin"'], ['X-SSL-Client-Verify', 'SUCCESS'], ['X-Client-Verify', 'SUCCESS'],
    ],
  ],
  'an internal request': [
    [
      ...under('true', 'X-Internal', 'X-Internal-Request', 'X-Debug', 'X-Test', 'X-Bypass-Auth', 'X-Skip-Auth', 'X-No-Auth', 'X-Trusted'),
      ...under('true', 'X-Gateway', 'X-From-Gateway', 'X-Health-Check', 'X-Envoy-Internal', 'X-Appengine-Cron', 'X-Cloudscheduler'),
      ['X-Environment', 'development'],
    ],
    [
      ...under('1', 'X-Internal', 'X-Internal-Request', 'X-Debug', 'X-Test', 'X-Bypass-Auth', 'X-Skip-Auth', 'X-No-Auth', 'X-Trusted'),
      ...under('gateway', 'X-Service', 'X-Service-Name', 'X-Caller', 'X-Source', 'X-Forwarded-By'),
    ],
  ],
  'a machine, a page or a path of its own': [
    under('/health', 'X-Original-URL', 'X-Rewrite-URL', 'X-Original-URI', 'X-Forwarded-Uri', 'X-Forwarded-Path'),
    under('/', 'X-Original-URL', 'X-Rewrite-URL', 'X-Original-URI', 'X-Forwarded-Uri', 'X-Forwarded-Path'),
    agent('kube-probe/1.31'),
    [['Origin', 'http://localhost'], ['Referer', 'http://localhost/'], ['Access-Control-Request-Method', 'GET'], ['Access-Control-Request-Headers', 'authorization']],
    agent('ELB-HealthChecker/2.0'),
    [['Cookie', 'session=1; admin=true; auth=true; logged_in=1; role=admin']],
    agent('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'),
    [['Origin', 'null'], ['Referer', 'https://admin.example/docs']],
    agent('GoogleHC/1.0'),
    agent('Prometheus/2.54.1'),
    agent('internal'),
  ],
} satisfies Readonly<Record<string, readonly Headers[]>>; // biome-ignore format: one table
