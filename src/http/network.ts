import { LargeBodies } from './body.ts';
import { Doubts } from './doubts.ts';
import { lacksRoom, mayPass } from './failure-codes.ts';
import { Line, type LineOptions } from './line.ts';
import { Lines } from './lines.ts';
import type { Crowd, Headers, Outage, Sent, WireRequest } from './message.ts';
import { routeTo, type TlsOptions } from './route.ts';
import { End } from './stop.ts';
import { Throttle } from './throttle.ts';
import { notSent, Unreached } from './unreached.ts';

export { Stopped } from './stop.ts';

const PATIENCE_MS = 10_000;
/** Time for a service to notice that other connections were closed (ms). */
const NOTICING_MS = 50;
/** If this share of the open connections was served at once, a late response has another reason. */
const NEARLY_ALL = 0.9;
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export interface NetworkOptions extends TlsOptions {
  /** Only its origin is used; a target is a whole path. */
  readonly baseUrl: string;
  /** The most open connections, and requests in flight: 1 to 64. */
  readonly connections: number;
  /** From when a request is sent until its response is complete. */
  readonly requestTimeoutMs: number;
  /** A rate that is never exceeded. */
  readonly perSecond?: number | undefined;
  /** Added after the headers of every request. */
  readonly headers?: Headers | undefined;
  /** The end of the run. */
  readonly signal: AbortSignal;
  /** When its time is over (ms, monotonic): a 429 that asks for a longer pause ends it at once. Never by default. */
  readonly endsAt?: number | undefined;
  readonly maxBodyBytes?: number | undefined;
  /** How long (ms) a request that does not reach the service is sent again; 10 s by default. */
  readonly patienceMs?: number | undefined;
  /** The most requests to write, including those sent again; unlimited by default. */
  readonly mostRequests?: number | undefined;
  /** The environment that names proxies; that of the process by default. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A borrowed connection: it sends one request at a time, and is opened when needed. */
export interface Connection {
  /**
   * Sends a request; again if it did not reach the service, could not be written to its end, or got a 429.
   *
   * @param lane what a service may throttle separately, such as "getPet without the right key"
   * @param isAlone while nothing else is in flight and all other connections are closed
   * @throws Stopped if the run ended, or the service kept responding with 429
   */
  send(request: WireRequest, lane: string, isAlone?: boolean): Promise<Sent>;
  /** Closes it; the next request opens another. */
  close(): Promise<void>;
  /** The same, and the next one stays open until it is closed, however long it is idle. */
  renew(): Promise<void>;
}

/** The connections to one service. */
export class Network {
  readonly #end: End;
  readonly #throttle: Throttle;
  readonly #lineOptions: LineOptions;
  readonly #lines: Lines;
  readonly #patienceMs: number;
  readonly #counts = { requests: 0, connectionsUsed: 0 };
  #mostRequests: number;
  #lent = 0;
  #reduced: { readonly to: number; readonly because: string } | undefined;
  readonly #doubts = new Doubts();
  /** Since when no request has reached the service (ms, monotonic). */
  #outOfReachSince: number | undefined;
  readonly #outages: Outage[] = [];
  /** The last plain request that got a response, and when. */
  #answered: { readonly request: WireRequest; readonly lane: string; readonly at: number } | undefined;

  /** @throws an error of TLS if a certificate or key is unreadable */
  constructor(options: NetworkOptions) {
    this.#end = new End(options.signal);
    this.#throttle = new Throttle(this.#end, options.perSecond, options.endsAt ?? Number.POSITIVE_INFINITY);
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.#mostRequests = options.mostRequests ?? Number.POSITIVE_INFINITY;
    const { requestTimeoutMs, headers = [], maxBodyBytes = MAX_BODY_BYTES, env = process.env } = options;
    this.#lineOptions = {
      route: routeTo(new URL(options.baseUrl).origin, options, requestTimeoutMs, env),
      headers,
      requestTimeoutMs,
      maxBodyBytes,
      end: this.#end,
      largeBodies: new LargeBodies(),
      opened: () => ++this.#counts.connectionsUsed,
      closedIdle: (milliseconds) => this.#doubts.closedIdle(milliseconds),
    };
    const newLine = (): Line => new Line(this.#lineOptions);
    this.#lines = new Lines([newLine(), ...Array.from({ length: options.connections - 1 }, newLine)]);
    this.#end.listen(() => void this.#lines.close());
  }

  /** Requests written to the service (including those sent again), 429 responses, and connections opened. */
  get counts(): { readonly requests: number; readonly throttled: number; readonly connectionsUsed: number } {
    return { ...this.#counts, throttled: this.#throttle.throttled };
  }

  /** The lanes that wait because of a 429, and until when the first of them does (ms, monotonic). */
  get heldUp(): { readonly lanes: readonly string[]; readonly until: number } | undefined {
    return this.#throttle.heldUp;
  }

  /** The host and port of the proxy that forwards requests, if there is one. */
  get forwarder(): string | undefined {
    return this.#lineOptions.route.forwarder;
  }

  /** To how many connections the network was reduced, and why. */
  get reduced(): { readonly to: number; readonly because: string } | undefined {
    return this.#reduced;
  }

  /** When no request reached the service for a while. */
  get outages(): readonly Outage[] {
    return this.#outages;
  }

  /** Whether the last request did not reach the service. */
  get isOutOfReach(): boolean {
    return this.#outOfReachSince !== undefined;
  }

  /** Permits this many more requests. */
  allow(requests: number): void {
    this.#mostRequests = this.#counts.requests + requests;
  }

  /**
   * Lends a connection for some work, which alone uses it meanwhile.
   *
   * @param nth which of them, counted anew after the last, or the next that is free; by default, each in turn
   * @param isFirst before others that wait
   */
  lend<T>(work: (connection: Connection) => Promise<T>, nth = this.#lent++, isFirst = false): Promise<T> {
    return this.#lines.lend(nth, (line) => work(this.#connectionOf(line)), isFirst);
  }

  /** Lends a connection on which nothing was sent. */
  fresh<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.lend(async (connection) => {
      await connection.renew();
      return work(connection).finally(() => connection.close());
    });
  }

  /** Waits until nothing is lent, and lends all connections for some work. */
  hold<T>(work: (connections: readonly Connection[]) => Promise<T>): Promise<T> {
    return this.#lines.hold((lines) => work(lines.map((line) => this.#connectionOf(line))));
  }

  /** Aborts what is in flight, and closes all connections. */
  async close(): Promise<void> {
    this.#end.come();
    await this.#lines.close();
  }

  #connectionOf(line: Line): Connection {
    const close = async (isKept: boolean): Promise<void> => {
      line.isKept = isKept;
      await line.close();
    };
    return {
      send: (request, lane, isAlone = false) => this.#send(line, request, lane, isAlone),
      close: () => close(false),
      renew: () => close(true),
    };
  }

  async #send(line: Line, request: WireRequest, lane: string, isAlone: boolean): Promise<Sent> {
    let throttledAttempts = 0;
    const unreached = new Unreached();
    let cut = 0;
    let times = 0;
    for (;;) {
      if (this.isSpent) return notSent();
      await this.#throttle.lane(lane, throttledAttempts);
      const once = await this.#once(line, request, lane, cut > 0, isAlone);
      if (once === undefined) continue;
      if (once.attempt.written) times += 1;
      const { attempt, served, open, limit, pauseFor, wasAlone } = once;
      const { outcome, sentAt, answeredAt, connection, place } = attempt;
      const hadWaited = this.#doubts.hadWaited(attempt);
      const sent: Sent = { outcome, sentAt, answeredAt, connection, place, times, hadWaited };
      if (outcome.kind === 'answer' || outcome.reached) this.#inReachAgain(answeredAt);
      if (outcome.kind === 'answer') {
        const crowd = this.#doubts.crowdOf(attempt, open);
        this.#doubts.responded(served);
        if (request.method === 'GET' && outcome.status < 300) this.#answered = { request, lane, at: answeredAt };
        unreached.reached();
        if (pauseFor === undefined) return { ...sent, crowd: wasAlone ? undefined : crowd };
        await this.#end.wait(pauseFor);
        throttledAttempts += 1;
      } else if (!outcome.reached && mayPass(outcome.code)) {
        if (lacksRoom(outcome.code)) this.#reduce(Math.floor(limit / 2), outcome.sentence);
        const isLone = outcome.answer !== undefined && (await this.#othersGetThrough(line, sentAt, isAlone));
        if (isLone && unreached.overtaken()) {
          this.#counts.requests += 1;
          return { ...sent, outcome: outcome.answer };
        }
        if (!isLone) this.#outOfReachSince ??= sentAt;
        const pauseMs = unreached.pause(this.#outOfReachSince ?? sentAt, this.#patienceMs);
        if (pauseMs === undefined) return sent;
        await this.#end.wait(pauseMs);
      } else if (this.#doubts.wasCutShort(attempt, request, cut)) {
        cut += 1;
      } else {
        const crowd = wasAlone || hadWaited ? undefined : this.#doubts.crowdOf(attempt, open);
        return { ...sent, crowd };
      }
    }
  }

  /** Whether another request got through since then; if none did, the last one that did is sent again. */
  async #othersGetThrough(line: Line, since: number, isAlone: boolean): Promise<boolean> {
    if (this.#answered === undefined || this.#answered.at > since) return this.#answered !== undefined;
    const { request, lane } = this.#answered;
    const once = await this.#once(line, request, lane, false, isAlone);
    return once?.attempt.outcome.kind === 'answer';
  }

  /** Whether the request budget is used up. */
  get isSpent(): boolean {
    return this.#counts.requests >= this.#mostRequests;
  }

  /** Sends a request once, when it is its turn. @returns undefined if its lane is paused, or the budget spent */
  async #once(line: Line, request: WireRequest, lane: string, wantsNew: boolean, isAlone: boolean) {
    const wasAlone = await this.#lines.enter(line, isAlone);
    try {
      if (this.#throttle.isPaused(lane)) return undefined;
      await this.#throttle.rate();
      if (wasAlone) await this.#end.wait(NOTICING_MS);
      const isRisky = this.#doubts.mayBeClosing(line);
      if (wantsNew || isRisky) await line.close();
      // Counted before anything else is waited for.
      if (this.isSpent) return undefined;
      const { limit, open } = this.#lines;
      this.#counts.requests += 1;
      const attempt = await line.attempt(request);
      const { outcome, sentAt } = attempt;
      // It was not written, or a proxy did not pass it on.
      if (outcome.kind === 'failure' && !outcome.reached) this.#counts.requests -= 1;
      // Before the next request takes its turn.
      const pauseFor = outcome.kind === 'answer' ? this.#throttle.learn(lane, outcome, sentAt) : undefined;
      return { attempt, limit, pauseFor, open, wasAlone, served: this.#lines.served };
    } finally {
      await this.#lines.leave(line);
    }
  }

  /** Whether the service closes connections that are idle. */
  get closesIdle(): boolean {
    return this.#doubts.closesIdle;
  }

  /** Whether a missing response may still be due to too many connections. */
  get mayBeCrowded(): boolean {
    return this.#doubts.mayBeCrowded;
  }

  /** A request that may have met too many connections was sent again alone. */
  sentAlone({ how, open }: Crowd, wasAnswered: boolean): void {
    if (!wasAnswered) {
      this.#doubts.failedAlone();
      return;
    }
    // By now, those that were open with it got their responses: if nearly all were served, it was late for another reason.
    const most = Math.max(1, this.#doubts.mostServed);
    if (how === 'late response' && most >= NEARLY_ALL * open) return;
    const served = Math.min(most, open - 1);
    const connections = served === 1 ? 'one connection' : `${served} connections`;
    if (how === 'closed') this.#reduce(served, `the service closes a new connection while it has ${connections}`);
    else this.#reduce(served, `the service serves ${connections} at a time`);
  }

  #inReachAgain(now: number): void {
    if (this.#outOfReachSince !== undefined) this.#outages.push({ from: this.#outOfReachSince, to: now });
    this.#outOfReachSince = undefined;
  }

  #reduce(to: number, because: string): void {
    if (this.#lines.limit === 1 || to >= this.#lines.limit) return;
    this.#lines.reduce(to);
    this.#reduced = { to: this.#lines.limit, because };
  }
}
