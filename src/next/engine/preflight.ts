import type { Call, Exchange } from '../http/exchange.ts';
import { headerOf, type WireRequest } from '../http/message.ts';
import { Network, type NetworkOptions, Stopped } from '../http/network.ts';
import { distinct, excerpt, printable } from '../report/text.ts';

/** What is asked of a target, and how its answers can be told from those of others. */
export interface Target {
  readonly title: string;
  readonly keyOptions: string;
  /** Two things that must be answered differently. */
  readonly right: string;
  readonly basePath: string;
  /** Base paths that may have been meant. */
  readonly otherBases: readonly string[];
  /** Requests that read, the plainest first, and further ones of which nothing can come. */
  readonly reads: readonly Call[];
  readonly writes: readonly Call[];
  /** The bytes of a request, with another key where one is given. */
  request(call: Call, key?: string): WireRequest | undefined;
  showsService(exchanges: readonly Exchange[]): boolean;
  /** Whether an answer under another base is likely to be of the service. */
  isThere(exchange: Exchange): boolean;
}

export interface PreflightOptions {
  readonly network: NetworkOptions;
  readonly isReadOnly: boolean;
  /** The service was waited for, so that is no advice. */
  readonly hasWaited?: boolean | undefined;
}

/** The conclusion is one sentence: what happened, where, and what to do next. */
export type Preflight = { readonly exchanges: readonly Exchange[] } & (
  | { readonly kind: 'ready'; readonly notes: readonly string[] }
  | { readonly kind: 'not testable'; readonly conclusion: string; readonly advice: readonly string[] }
);

type Because = readonly [happened: string, next: string, ...advice: string[]];

const [MOST_REQUESTS, MOST_SILENT, WATCH_MS] = [12, 2, 20];
/** The longest pause (s) that a rate limit asks for; maintenance takes longer. */
const LONGEST_LIMIT_S = 60;
const NOBODYS_KEY = 'a-key-that-nobody-has';
const ELSEWHERE = 'correct the port and path in --base-url';
const UP = 'check whether the service, and what it depends on, is up';

const NEXT: Readonly<Record<string, string>> = {
  'connection-refused': 'start the service or correct --base-url',
  dns: 'correct the host in --base-url',
  unreachable: 'correct --base-url, or check the network',
  proxy: 'correct HTTP_PROXY or HTTPS_PROXY, or add the host to NO_PROXY',
  'tls-untrusted': 'pass its certificate authority with --ca FILE, or use --insecure',
  'tls-expired': 'renew the certificate or correct the clock, or use --insecure',
  'tls-wrong-host': 'correct the host in --base-url, or use --insecure',
  'tls-client-certificate': 'pass a client certificate that it accepts with --cert FILE and --key FILE',
  'http2-only': 'enable HTTP/1.1 in it, or test it through a proxy that speaks HTTP/1.1',
};

/** Decides whether the target is the service that is meant, and the key right. Rejects with Stopped where the run ends. */
export async function preflight(target: Target, options: PreflightOptions): Promise<Preflight> {
  const { network, isReadOnly, hasWaited } = options;
  const exchanges: Exchange[] = [];
  const ending = new AbortController();
  const signal = AbortSignal.any([network.signal, ending.signal]);
  const few = { ...network, connections: 1, patienceMs: 0, signal };
  const kept = new Network(few);
  const connection = kept.connection();
  const end = setTimeout(() => ending.abort(), MOST_SILENT * network.requestTimeoutMs + 1_000);
  const watch = setInterval(() => {
    if (kept.counts.throttled + exchanges.length >= MOST_REQUESTS) ending.abort();
  }, WATCH_MS);

  const send = async (call: Call, key?: string, base = target.basePath): Promise<Exchange | undefined> => {
    const made = target.request(call, key);
    if (made === undefined) return undefined;
    const request = { ...made, target: base + made.target.slice(target.basePath.length) };
    const sent = await connection.send(request, call.operation);
    return { ...sent, number: exchanges.length + 1, call, names: {}, request, quiet: true };
  };
  const ask = async (calls: readonly Call[]): Promise<void> => {
    for (const call of calls) {
      const silent = exchanges.filter(({ outcome }) => outcome.kind === 'failure' && outcome.code === 'timeout');
      const one = silent.length < MOST_SILENT ? await send(call) : undefined;
      if (one !== undefined) exchanges.push(one);
    }
  };
  /** Whether the port speaks the other of http and https: asked without the key, as no certificate is checked. */
  const speaks = async (baseUrl: string): Promise<boolean> => {
    const other = new Network({ ...few, baseUrl, insecure: true, headers: [] });
    const { outcome } = await other.connection().send({ method: 'GET', target: target.basePath, headers: [] }, '');
    await other.close();
    return outcome.kind === 'answer';
  };

  const conclude = async (): Promise<Because | undefined> => {
    await ask(target.reads.slice(0, 1));
    if (target.showsService(exchanges)) return undefined;
    const [first] = exchanges;
    if (first?.outcome.kind === 'failure') {
      const { code, sentence, reached } = first.outcome;
      const isHttps = network.baseUrl.startsWith('https:');
      const other = network.baseUrl.replace(/^https?/, isHttps ? 'http' : 'https');
      const next = NEXT[code] ?? 'check the scheme and the port in --base-url';
      if (/"SSH-/.test(sentence)) return [`is an SSH server: ${sentence}`, 'correct the port in --base-url'];
      if (code.endsWith('-port') || (/^(reset|not-http|tls-handshake)$/.test(code) && (await speaks(other))))
        return [`speaks ${isHttps ? 'plain HTTP, not HTTPS' : 'HTTPS, not plain HTTP'}`, `use --base-url ${other}`];
      if (!reached || code in NEXT)
        return [`cannot be reached: ${sentence}`, code.startsWith('conn') ? orWait(next) : next];
    }
    await ask(target.reads.slice(1));
    const isDoubtful = exchanges.some(isUnauthorized);
    if (!isDoubtful && target.showsService(exchanges)) return undefined;
    if (!isReadOnly) await ask(target.writes);
    if (!isDoubtful) return target.showsService(exchanges) ? undefined : await notTheService();
    // What a key that nobody has gets as well says nothing about this one.
    const telling: Exchange[] = [];
    for (const one of exchanges) {
      const same = isUnauthorized(one) ? undefined : await send(one.call, NOBODYS_KEY);
      if (same === undefined || statusOf(one) !== statusOf(same)) telling.push(one);
    }
    if (target.showsService(telling)) return undefined;
    const rejects = `rejects the key: ${answers(exchanges.filter(isUnauthorized))}`;
    return [
      rejects,
      `pass the right key with ${target.keyOptions}`,
      'The key must be complete, without quotes or blanks.',
    ];
  };

  /** It was reached, and no answer shows the service. */
  const notTheService = async (): Promise<Because> => {
    const seen = answers(exchanges);
    const [first] = exchanges;
    const status = first === undefined ? undefined : statusOf(first);
    if (first?.outcome.kind !== 'answer' || status === undefined)
      return [
        `gets no usable response: ${seen}`,
        orWait('check the scheme and the port in --base-url, and whether the service is up'),
      ];
    const { headers, body } = first.outcome;
    const location = headerOf(headers, 'location');
    if (location !== undefined && status >= 300 && status < 400) {
      const asked = first.request.target.slice(target.basePath.length);
      const to = new URL(location, network.baseUrl).href;
      const next = to.endsWith(asked) ? `use --base-url ${to.slice(0, -asked.length)}` : 'correct --base-url';
      return [`redirects to ${location} (${status}), and redirects are not followed`, next];
    }
    const isPage = /html/i.test(headerOf(headers, 'content-type') ?? '');
    const server = headerOf(headers, 'server');
    const whose = server === undefined ? '' : ` (${server})`;
    if (status === 403 && isPage)
      return [
        `is guarded by a challenge or block page${whose}, whatever the key: ${seen}`,
        'let this machine through, or test behind the guard',
      ];
    if (status === 403) return [`forbids every request: ${seen}`, 'check what the key is allowed to do'];
    if (exchanges.some(isRateLimit))
      return [`limits the rate: ${seen}`, 'send fewer requests a second with --rate-limit'];
    if (exchanges.every((one) => (statusOf(one) ?? 500) >= 500))
      return [`fails whatever is asked: ${seen}`, orWait(UP)];
    for (const base of target.otherBases) {
      const there = await send(first.call, undefined, base);
      if (there === undefined || !target.isThere(there)) continue;
      return [
        `is not the base of the ${target.title}: ${seen}`,
        `use --base-url ${new URL(base, network.baseUrl).href}`,
      ];
    }
    if (isPage) return [`is a web site or a server of static files${whose}, not the service: ${seen}`, ELSEWHERE];
    if (status >= 300)
      return [
        `does not answer as a ${target.title} does: ${seen}`,
        `${ELSEWHERE}, and check whether a gateway in front of the service answers`,
      ];
    const text = excerpt(Buffer.from(body).toString('utf8'), 60);
    return [
      `answers ${status} with ${text} whatever is asked, but ${target.right}`,
      'replace the stub or catch-all route, or correct --base-url',
    ];
  };

  const orWait = (next: string): string => (hasWaited ? next : `${next}; --wait-for S waits for it`);
  const not = ([happened, next, ...advice]: Because): NotTestable => {
    const conclusion = printable(`${network.baseUrl} ${happened}; ${next}.`);
    return { kind: 'not testable', conclusion, exchanges, advice };
  };
  try {
    const because = await conclude();
    if (because !== undefined) return not(because);
    const odd = exchanges.filter((one) => one.outcome.kind === 'failure' || isUnauthorized(one));
    return { kind: 'ready', notes: odd.length === 0 ? [] : [`Seen before the run: ${answers(odd)}.`], exchanges };
  } catch (error) {
    if (!(error instanceof Stopped) || network.signal.aborted) throw error;
    if (kept.counts.throttled > 0)
      return not(['answers 429 to every request', 'try again later, or slow down with --rate-limit']);
    return not([`gets no response in time: ${answers(exchanges)}`, orWait(UP)]);
  } finally {
    clearTimeout(end);
    clearInterval(watch);
    await kept.close();
  }
}

const statusOf = ({ outcome }: Exchange) => (outcome.kind === 'answer' ? outcome.status : undefined);
const isUnauthorized = (exchange: Exchange): boolean => statusOf(exchange) === 401;

function isRateLimit({ outcome }: Exchange): boolean {
  if (outcome.kind !== 'answer' || outcome.status !== 503) return false;
  const pause = Number(headerOf(outcome.headers, 'retry-after') ?? Number.NaN);
  const text = Buffer.from(outcome.body.subarray(0, 4_096)).toString('latin1');
  return pause <= LONGEST_LIMIT_S || /rate|too many|throttl|quota/i.test(text);
}

/** What was asked, and what came: each response once. */
function answers(exchanges: readonly Exchange[]): string {
  const texts = exchanges.map(({ outcome }) =>
    outcome.kind === 'failure'
      ? outcome.sentence
      : `${outcome.status} ${headerOf(outcome.headers, 'content-type') ?? 'without a Content-Type'}`,
  );
  const lines = distinct(texts).map((text) => {
    const [first, ...others] = exchanges.filter((_, at) => texts[at] === text);
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `${first?.request.method} ${first?.request.target}${more} → ${text}`;
  });
  return lines.join('; ');
}
