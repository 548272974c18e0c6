import type { Call, Exchange } from '../http/exchange.ts';
import { headerOf, type WireRequest } from '../http/message.ts';
import { Network, type NetworkOptions, Stopped } from '../http/network.ts';
import { distinct, printable, quote } from '../text.ts';

/** What is sent to a target, and how its responses are recognized. */
export interface Target {
  readonly title: string;
  readonly keyOptions: string;
  readonly expected: string;
  readonly basePath: string;
  readonly otherBases: readonly string[];
  /** Requests that read, the plainest first. */
  readonly reads: readonly Call[];
  /** Requests that must be rejected, so that they add nothing. */
  readonly writes: readonly Call[];
  /** The bytes of a request, with another key if one is given. */
  request(call: Call, key?: string): WireRequest | undefined;
  showsService(exchanges: readonly Exchange[]): boolean;
  /** Whether a response under one of the other bases is likely to come from the service. */
  isLikelyService(exchange: Exchange): boolean;
}

export interface PreflightOptions {
  readonly network: NetworkOptions;
  readonly isReadOnly: boolean;
  /** It was waited for, so do not advise to. */
  readonly hasWaited?: boolean | undefined;
}

/** The conclusion is one sentence: what happened, where, and the next step. */
export type Preflight = {
  readonly exchanges: readonly Exchange[];
  /** How many requests were sent. */
  readonly requests: number;
} & (
  | { readonly kind: 'ready'; readonly notes: readonly string[] }
  | { readonly kind: 'not testable'; readonly conclusion: string; readonly advice: readonly string[] }
);

type Problem = readonly [happened: string, next: string, ...advice: string[]];

const [MAX_REQUESTS, MAX_SILENT, WATCH_MS] = [12, 2, 20];
const UNUSED_KEY = 'a-key-that-nobody-has';

const ADVICE: Readonly<Record<string, string>> = {
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

/** Checks that the target is the expected service and accepts the key. Rejects with Stopped if the run ends. */
export async function preflight(target: Target, options: PreflightOptions): Promise<Preflight> {
  const { network, isReadOnly, hasWaited = false } = options;
  const exchanges: Exchange[] = [];
  const ending = new AbortController();
  const signal = AbortSignal.any([network.signal, ending.signal]);
  const longestMs = MAX_SILENT * network.requestTimeoutMs + 1_000;
  const endsAt = performance.now() + longestMs;
  const limited = { ...network, connections: 1, patienceMs: 0, endsAt, signal };
  const own = new Network(limited);
  const checkUp =
    `check that the service is up and --base-url is right${own.forwarder === undefined ? '' : `, or ${ADVICE['proxy']}`}` +
    `${hasWaited ? '' : '; --wait-for S waits for it'}`;
  const connection = own.connection();
  const end = setTimeout(() => ending.abort(), longestMs);
  const watch = setInterval(() => own.counts.requests >= MAX_REQUESTS && ending.abort(), WATCH_MS);

  const send = async (call: Call, key?: string, base = target.basePath): Promise<Exchange> => {
    const made = target.request(call, key);
    if (made === undefined) throw new RangeError('a preflight request must not contain names');
    const request = { ...made, target: base + made.target.slice(target.basePath.length) };
    const sent = await connection.send(request, call.operation);
    return { ...sent, number: exchanges.length + 1, call, names: {}, request };
  };
  const sendAll = async (calls: readonly Call[]): Promise<boolean> => {
    for (const call of calls) {
      const silent = exchanges.filter(({ outcome }) => outcome.kind === 'failure' && outcome.code === 'timeout');
      if (call.method === 'POST' || silent.length < MAX_SILENT) exchanges.push(await send(call));
    }
    return target.showsService(exchanges);
  };
  /** Whether the port speaks the other of http and https. Sent without the key, as no certificate is checked. */
  const speaks = async (baseUrl: string): Promise<boolean> => {
    const other = new Network({ ...limited, baseUrl, insecure: true, headers: [] });
    const { outcome } = await other.connection().send({ method: 'GET', target: target.basePath, headers: [] }, '');
    await other.close();
    return outcome.kind === 'answer';
  };

  const conclude = async (): Promise<Problem | undefined> => {
    if (await sendAll(target.reads.slice(0, 1))) return undefined;
    const [first] = exchanges;
    if (first === undefined) return undefined;
    if (first.outcome.kind === 'failure') {
      const { code, sentence, reached } = first.outcome;
      const isHttps = network.baseUrl.startsWith('https:');
      const other = network.baseUrl.replace(/^https?/, isHttps ? 'http' : 'https');
      if (code === 'ssh') return ['is an SSH server', 'correct the port in --base-url'];
      if (code.endsWith('-port') || (/^(reset|not-http|tls-handshake)$/.test(code) && (await speaks(other))))
        return [`speaks ${isHttps ? 'plain HTTP, not HTTPS' : 'HTTPS, not plain HTTP'}`, `use --base-url ${other}`];
      if (!reached || code in ADVICE) return [`cannot be tested: ${sentence}`, ADVICE[code] ?? checkUp];
    }
    const isShown = await sendAll(target.reads.slice(1));
    if (isShown && !exchanges.some(isUnauthorized)) return undefined;
    const isShownNow = isReadOnly ? isShown : await sendAll(target.writes);
    if (!exchanges.some(isUnauthorized)) {
      if (isShownNow) return undefined;
      for (const base of [200, 400, 404, 405].includes(statusOf(first) ?? 0) ? target.otherBases : [])
        if (target.isLikelyService(await send(first.call, undefined, base)))
          return [`is not the base of the ${target.title}`, `use --base-url ${new URL(base, network.baseUrl).href}`];
      return otherService(exchanges, target, { baseUrl: network.baseUrl, proxy: own.forwarder, checkUp });
    }
    // A response that an unused key gets as well says nothing about this one.
    const distinguishing: Exchange[] = [];
    for (const one of exchanges)
      if (isUnauthorized(one) || statusOf(one) !== statusOf(await send(one.call, UNUSED_KEY))) distinguishing.push(one);
    if (target.showsService(distinguishing)) return undefined;
    const rejected = responsesInWords(exchanges.filter(isUnauthorized));
    return [`rejects the key: ${rejected}`, `pass the right key with ${target.keyOptions}`, WHOLE_KEY];
  };
  const notTestable = ([happened, next, ...advice]: Problem): Preflight => {
    const conclusion = printable(`${network.baseUrl} ${happened}; ${next}.`);
    return { kind: 'not testable', conclusion, exchanges, requests: own.counts.requests, advice };
  };

  try {
    const problem = await conclude();
    if (problem !== undefined) return notTestable(problem);
    const odd = exchanges.filter((one) => one.outcome.kind === 'failure' || isUnauthorized(one));
    const notes = odd.length === 0 ? [] : [`Failures before the run: ${responsesInWords(odd)}.`];
    return { kind: 'ready', notes, exchanges, requests: own.counts.requests };
  } catch (error) {
    if (!(error instanceof Stopped) || network.signal.aborted) throw error;
    if (own.counts.throttled === 0)
      return notTestable([`gets no response in time: ${responsesInWords(exchanges)}`, checkUp]);
    return notTestable(['answers 429 to every request', 'try again later, or slow down with --rate-limit']);
  } finally {
    clearTimeout(end);
    clearInterval(watch);
    await own.close();
  }
}

const LONGEST_URL = 500;
const WHOLE_KEY = 'The key must be complete, without quotes or blanks around it.';

interface Way {
  readonly baseUrl: string;
  /** The proxy that forwards requests, if there is one: what comes back may be its own. */
  readonly proxy: string | undefined;
  /** What to do if nothing usable comes back. */
  readonly checkUp: string;
}

/** What may have been reached instead, if no response shows the service. */
function otherService(exchanges: readonly Exchange[], target: Target, way: Way): Problem {
  const [happened, next] = otherThing(exchanges, target, way);
  if (way.proxy === undefined || next === way.checkUp) return [happened, next];
  return [happened, next, `If the proxy ${way.proxy} itself responded: ${ADVICE['proxy']}.`];
}

function otherThing(exchanges: readonly Exchange[], target: Target, { baseUrl, proxy, checkUp }: Way): Problem {
  const seen = responsesInWords(exchanges);
  const [first] = exchanges;
  if (first?.outcome.kind !== 'answer') return [`gets no usable response: ${seen}`, checkUp];
  const { status, headers, body } = first.outcome;
  const location = headerOf(headers, 'location');
  if (location !== undefined && status >= 300 && status < 400) {
    const requested = first.request.target.slice(target.basePath.length);
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
    return [`does not respond like a ${target.title}: ${seen}`, `${elsewhere}, or check for a gateway in front of it`];
  const text = quote(Buffer.from(body).toString('utf8'));
  return [`answers ${status} with ${text} to everything, but ${target.expected}`, `${elsewhere}, or replace the stub`];
}

const statusOf = (one: Exchange | undefined) => (one?.outcome.kind === 'answer' ? one.outcome.status : undefined);
const isUnauthorized = (exchange: Exchange): boolean => statusOf(exchange) === 401;

function isRateLimit({ outcome }: Exchange): boolean {
  if (outcome.kind !== 'answer' || outcome.status !== 503) return false;
  const pause = Number(headerOf(outcome.headers, 'retry-after') ?? Number.NaN);
  const text = Buffer.from(outcome.body.subarray(0, 4_096)).toString('latin1');
  // For maintenance, Retry-After is longer.
  return pause <= 60 || /rate|too many|throttl|quota/i.test(text);
}

const textOf = ({ outcome }: Exchange): string =>
  outcome.kind === 'failure'
    ? outcome.sentence
    : `${outcome.status} ${headerOf(outcome.headers, 'content-type') ?? ''}`;

/** Requests and their responses, each distinct response once. */
function responsesInWords(exchanges: readonly Exchange[]): string {
  const lines = distinct(exchanges.map(textOf)).map((text) => {
    const [first, ...others] = exchanges.filter((one) => textOf(one) === text);
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `${first?.request.method} ${first?.request.target}${more} → ${text.trim()}`;
  });
  return lines.join('; ');
}
