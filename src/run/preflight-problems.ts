/** What keeps a target from being tested, and what to do about it. */

import type { FailureCode } from '../http/failure-codes.ts';
import { headerOf } from '../http/message.ts';
import type { Exchange } from '../reading/exchange.ts';
import { distinct, quote } from '../text.ts';
import { statusOf } from './signs.ts';

/** What happened, in a sentence without its subject; the next step; and further advice. */
export type Problem = readonly [happened: string, next: string, ...advice: string[]];

export const ADVICE: Readonly<Partial<Record<FailureCode, string>>> = {
  dns: 'correct the host in --base-url',
  proxy: 'correct HTTP_PROXY or HTTPS_PROXY, or add the host to NO_PROXY',
  'proxy-credentials': 'add or correct them in its URL, as in http://user:password@host:port',
  'proxy-scheme':
    'use a proxy that accepts Basic, such as a local one that logs in to this one, or add the host to NO_PROXY',
  'proxy-forbids': 'ask for permission to connect to this host and port, or add the host to NO_PROXY',
  'proxy-gateway': 'check that the service is up and --base-url is right, or add the host to NO_PROXY',
  'no-descriptors': 'raise the limit, as with `ulimit -n 256`',
  'no-ports': 'try again in a minute, or close programs with many open connections',
  'tls-untrusted': 'pass its root certificate with --ca FILE, or use --insecure',
  'tls-lone':
    'configure it to send its whole certificate chain, or pass the missing certificates up to the root in one file with ' +
    '--ca FILE, or use --insecure',
  'tls-expired': 'renew the certificate or correct the clock, or use --insecure',
  'tls-wrong-host': 'correct the host in --base-url, or use --insecure',
  'tls-client-certificate': 'pass a client certificate that it accepts with --cert FILE and --key FILE',
  'tls-rejected': 'pass a client certificate with --cert FILE and --key FILE, or enable usual ciphers in it',
  'http2-only': 'enable HTTP/1.1 in it, or test it through a proxy that speaks HTTP/1.1',
};

const LONGEST_URL = 500;
const EXPECTED = 'the list must be an array of animals, and an id that no animal has must give 404';

interface Way {
  readonly baseUrl: string;
  readonly basePath: string;
  /** The proxy that forwards requests, if there is one: what comes back may be its own. */
  readonly proxy: string | undefined;
  /** What to do if nothing usable comes back. */
  readonly checkUp: string;
}

/** What may have been reached instead, if no response shows the service. */
export function otherService(exchanges: readonly Exchange[], way: Way): Problem {
  const [happened, next] = otherThing(exchanges, way);
  if (way.proxy === undefined || next === way.checkUp) return [happened, next];
  return [happened, next, `If the proxy ${way.proxy} itself responded: ${ADVICE.proxy}.`];
}

function otherThing(exchanges: readonly Exchange[], { baseUrl, basePath, proxy, checkUp }: Way): Problem {
  const seen = responsesInWords(exchanges);
  const [first] = exchanges;
  if (first?.outcome.kind !== 'answer') return [`gets no usable response: ${seen}`, checkUp];
  const { status, headers, body } = first.outcome;
  const location = headerOf(headers, 'location');
  if (location !== undefined && status >= 300 && status < 400) {
    const requested = first.request.target.slice(basePath.length);
    const to = URL.canParse(location, baseUrl) ? new URL(location, baseUrl).href : location;
    const next = to.endsWith(requested)
      ? `use --base-url ${quote(to.slice(0, -requested.length), LONGEST_URL)}`
      : 'correct --base-url';
    return [`redirects to ${quote(location, LONGEST_URL)} (${status}), and redirects are not followed`, next];
  }
  const isPage = /html/i.test(headerOf(headers, 'content-type') ?? '');
  const server = quote(headerOf(headers, 'server') ?? 'unknown');
  if (status === 403 && !isPage) return [`forbids every request: ${seen}`, 'check what the key is allowed to do'];
  if (status === 403 && proxy !== undefined)
    return [
      `is blocked: the proxy ${proxy}, or a gateway behind it, responds with a page (server ${server}): ${seen}`,
      'ask for permission to connect to this host, or add it to NO_PROXY',
    ];
  if (status === 403)
    return [
      `is behind a challenge or block page, not a wrong key (server ${server}): ${seen}`,
      'allow requests from this machine',
    ];
  if (exchanges.some(isRateLimit))
    return [`limits the rate: ${seen}`, 'send fewer requests a second with --rate-limit'];
  if (exchanges.every((one) => (statusOf(one) ?? 500) >= 500)) return [`always fails: ${seen}`, checkUp];
  const elsewhere = 'correct the port and path in --base-url';
  if (isPage) return [`is a web site or a static file server (${server}), not the service: ${seen}`, elsewhere];
  if (status >= 300 || exchanges.some((one) => statusOf(one) !== status))
    return [`does not respond like a Pet Store: ${seen}`, `${elsewhere}, or check for a gateway in front of it`];
  const text = quote(Buffer.from(body).toString('utf8'));
  return [`answers ${status} with ${text} to everything, but ${EXPECTED}`, `${elsewhere}, or replace the stub`];
}

export const isUnauthorized = (exchange: Exchange): boolean => statusOf(exchange) === 401;

function isRateLimit({ outcome }: Exchange): boolean {
  if (outcome.kind !== 'answer' || outcome.status !== 503) return false;
  const pause = Number(headerOf(outcome.headers, 'retry-after') ?? Number.NaN);
  const text = Buffer.from(outcome.body.subarray(0, 4_096)).toString('latin1');
  // For maintenance, Retry-After is longer.
  return pause <= 60 || /rate|too many|throttl|quota/i.test(text);
}

const bodyText = ({ outcome }: Exchange): string =>
  outcome.kind === 'failure'
    ? outcome.sentence
    : `${outcome.status} ${headerOf(outcome.headers, 'content-type') ?? ''}`;

/** Requests and their responses, each distinct response once. */
export function responsesInWords(exchanges: readonly Exchange[]): string {
  const lines = distinct(exchanges.map(bodyText)).map((text) => {
    const [first, ...others] = exchanges.filter((one) => bodyText(one) === text);
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `${first?.request.method} ${first?.request.target}${more} → ${text.trim()}`;
  });
  return lines.join('; ');
}
