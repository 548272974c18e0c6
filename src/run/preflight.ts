import type { FailureCode } from '../http/failure-codes.ts';
import { type Connection, Network, type NetworkOptions, Stopped } from '../http/network.ts';
import { type Call, operationOf } from '../reading/call.ts';
import { type Exchange, filled } from '../reading/exchange.ts';
import type { Terms } from '../reading/fill.ts';
import { printable } from '../text.ts';
import { ADVICE, isUnauthorized, otherService, type Problem, responsesInWords } from './preflight-problems.ts';
import { isError, isLikelyService, isShownBy, otherBases, PREFLIGHT_CALLS, statusOf } from './signs.ts';

interface PreflightOptions {
  readonly network: NetworkOptions;
  readonly isReadOnly: boolean;
  /** It was waited for, so do not advise to. */
  readonly hasWaited?: boolean | undefined;
}

/** What was sent before a run. */
export interface SentBefore {
  readonly exchanges: readonly Exchange[];
  /** How many requests were sent. */
  readonly requests: number;
}

/** The conclusion is one sentence: what happened, where, and the next step. */
export interface NotTestable extends SentBefore {
  readonly kind: 'not testable';
  readonly conclusion: string;
  readonly advice: readonly string[];
}

type Preflight = (SentBefore & { readonly kind: 'ready'; readonly notes: readonly string[] }) | NotTestable;

const [MAX_REQUESTS, MAX_SILENT, WATCH_MS] = [12, 2, 20];
/** How a request may fail if the port speaks the other of http and https. */
const OTHER_SCHEME: ReadonlySet<FailureCode> = new Set(['reset', 'not-http', 'tls-handshake']);
const UNUSED_KEY = 'a-key-that-nobody-has';
const WHOLE_KEY = 'The key must be complete, without quotes or blanks around it.';
const KEY_OPTIONS = '--token, --token-file or PETSTORE_API_KEY';

const [FIRST, UNKNOWN, INCOMPLETE] = PREFLIGHT_CALLS;
// A service that expects header names in one letter case is to be tested, and fail.
const LOWER_CASE: Call = { ...FIRST, headers: FIRST.headers.map(([name, value]) => [name.toLowerCase(), value]) };

/**
 * Checks with a few requests that add nothing that a target is a Pet Store that accepts the key. Rejects with Stopped if
 * the run ends.
 */
export async function preflight(terms: Terms, options: PreflightOptions): Promise<Preflight> {
  const { network } = options;
  const ending = new AbortController();
  const signal = AbortSignal.any([network.signal, ending.signal]);
  const longestMs = MAX_SILENT * network.requestTimeoutMs + 1_000;
  const endsAt = performance.now() + longestMs;
  const limited = { ...network, connections: 1, patienceMs: 0, endsAt, signal };
  const own = new Network(limited);
  const end = setTimeout(() => ending.abort(), longestMs);
  const watch = setInterval(() => own.counts.requests >= MAX_REQUESTS && ending.abort(), WATCH_MS);
  try {
    return await own.lend(async (connection) => {
      const trial = new Trial(terms, { ...options, network: limited }, own, connection);
      const problem = await trial.conclude().catch((error: unknown) => {
        if (!(error instanceof Stopped) || network.signal.aborted) throw error;
        return trial.whyStopped;
      });
      return problem === undefined ? trial.ready : trial.notTestable(problem);
    });
  } finally {
    clearTimeout(end);
    clearInterval(watch);
    await own.close();
  }
}

/** The requests of a preflight, and what follows from their responses. */
class Trial {
  readonly #exchanges: Exchange[] = [];
  readonly #terms: Terms;
  readonly #options: PreflightOptions;
  readonly #own: Network;
  readonly #connection: Connection;

  constructor(terms: Terms, options: PreflightOptions, own: Network, connection: Connection) {
    this.#terms = terms;
    this.#options = options;
    this.#own = own;
    this.#connection = connection;
  }

  /** What keeps the target from being tested; undefined if nothing does. */
  async conclude(): Promise<Problem | undefined> {
    if (await this.#sendAll([FIRST])) return undefined;
    const [first] = this.#exchanges;
    if (first === undefined) return undefined;
    const unreached = await this.#unreached(first);
    if (unreached !== undefined) return unreached;
    const isShown = await this.#sendAll([UNKNOWN, LOWER_CASE]);
    if (isShown && !this.#exchanges.some(isUnauthorized)) return undefined;
    const isShownNow = this.#options.isReadOnly ? isShown : await this.#sendAll([INCOMPLETE]);
    if (this.#exchanges.some(isUnauthorized)) return this.#keyProblem();
    return isShownNow ? undefined : this.#elsewhere(first);
  }

  get ready(): Preflight {
    const odd = this.#exchanges.filter((one) => one.outcome.kind === 'failure' || isUnauthorized(one));
    const notes = odd.length === 0 ? [] : [`Failures before the run: ${responsesInWords(odd)}.`];
    return { kind: 'ready', notes, exchanges: this.#exchanges, requests: this.#own.counts.requests };
  }

  notTestable([happened, next, ...advice]: Problem): Preflight {
    const conclusion = printable(`${this.#baseUrl} ${happened}; ${next}.`);
    // One that reached no service counts, too, as it is shown.
    const requests = Math.max(this.#own.counts.requests, this.#exchanges.length);
    return { kind: 'not testable', conclusion, exchanges: this.#exchanges, requests, advice };
  }

  get whyStopped(): Problem {
    return this.#own.counts.throttled === 0
      ? [`gets no response in time: ${responsesInWords(this.#exchanges)}`, this.#checkUp]
      : ['answers 429 to every request', 'try again later, or slow down with --rate-limit'];
  }

  get #baseUrl(): string {
    return this.#options.network.baseUrl;
  }

  get #checkUp(): string {
    const proxy = this.#own.forwarder === undefined ? '' : `, or ${ADVICE.proxy}`;
    const wait = this.#options.hasWaited === true ? '' : '; --wait-for S waits for it';
    return `check that the service is up and --base-url is right${proxy}${wait}`;
  }

  async #send(call: Call, key = this.#terms.key, base = this.#terms.basePath): Promise<Exchange> {
    const made = filled(call, {}, { ...this.#terms, key, basePath: base });
    if (made === undefined) throw new RangeError('a preflight request must not contain names');
    const sent = await this.#connection.send(made.request, call.operation);
    return { ...sent, ...made, number: this.#exchanges.length + 1, call, names: {} };
  }

  /** Sends calls, and says whether the responses so far show the service. */
  async #sendAll(calls: readonly Call[]): Promise<boolean> {
    for (const call of calls) {
      const silent = this.#exchanges.filter(({ outcome }) => outcome.kind === 'failure' && outcome.code === 'timeout');
      if (operationOf(call).adds || silent.length < MAX_SILENT) this.#exchanges.push(await this.#send(call));
    }
    return isShownBy(this.#exchanges);
  }

  /** Why the service was not reached, if that is the reason. */
  async #unreached({ outcome }: Exchange): Promise<Problem | undefined> {
    if (outcome.kind !== 'failure') return undefined;
    const { code, sentence, reached } = outcome;
    const isHttps = this.#baseUrl.startsWith('https:');
    const other = this.#baseUrl.replace(/^https?/, isHttps ? 'http' : 'https');
    if (code === 'ssh') return ['is an SSH server', 'correct the port in --base-url'];
    if (code === 'http-port' || code === 'https-port' || (OTHER_SCHEME.has(code) && (await this.#speaks(other))))
      return [`speaks ${isHttps ? 'plain HTTP, not HTTPS' : 'HTTPS, not plain HTTP'}`, `use --base-url ${other}`];
    return reached && !(code in ADVICE) ? undefined : [`cannot be tested: ${sentence}`, ADVICE[code] ?? this.#checkUp];
  }

  /** Whether the port speaks the other of http and https. Sent without the key, as no certificate is checked. */
  async #speaks(baseUrl: string): Promise<boolean> {
    const other = new Network({ ...this.#options.network, baseUrl, insecure: true, headers: [] });
    const request = { method: 'GET', target: this.#terms.basePath, headers: [] } as const;
    const { outcome } = await other.lend((connection) => connection.send(request, ''));
    await other.close();
    return outcome.kind === 'answer';
  }

  /** A response that an unused key gets as well says nothing about this one. */
  async #keyProblem(): Promise<Problem | undefined> {
    const distinguishing: Exchange[] = [];
    for (const one of this.#exchanges)
      if (isUnauthorized(one) || statusOf(one) !== statusOf(await this.#send(one.call, UNUSED_KEY)))
        distinguishing.push(one);
    if (isShownBy(distinguishing)) return undefined;
    const rejected = this.#exchanges.filter(isUnauthorized);
    const [seen, next] = [responsesInWords(rejected), `pass the right key with ${KEY_OPTIONS}`];
    if (rejected.some(isError)) return [`rejects the key: ${seen}`, next, WHOLE_KEY];
    const still = this.#options.hasWaited === true ? 'still ' : '';
    return [
      `${still}answers 401 without an Error (code, message, status) in the body: ${seen}`,
      `a gateway in front of the service responded, or the key is wrong: ${next}, or ${this.#checkUp}`,
      WHOLE_KEY,
    ];
  }

  /** The service may be under another base address; or something else was reached. */
  async #elsewhere(first: Exchange): Promise<Problem> {
    const { basePath, key } = this.#terms;
    for (const base of [200, 400, 404, 405].includes(statusOf(first) ?? 0) ? otherBases(basePath) : [])
      if (isLikelyService(await this.#send(first.call, key, base)))
        return ['is not the base of the Pet Store', `use --base-url ${new URL(base, this.#baseUrl).href}`];
    const way = { baseUrl: this.#baseUrl, basePath, proxy: this.#own.forwarder, checkUp: this.#checkUp };
    return otherService(this.#exchanges, way);
  }
}
