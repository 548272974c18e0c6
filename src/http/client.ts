import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { type Address, addressOf } from './connect/route.ts';
import { curlOptionsFor } from './evidence/curl.ts';
import { type Answer, type Exchange, headerOf, type Response, type WireRequest } from './exchange.ts';
import { isUnconnected } from './failures.ts';
import { NotSent, pastDeadline } from './not-sent.ts';
import { Admission, type AdmissionOptions } from './pacing/admission.ts';
import type { Ending } from './pacing/circuit-breaker.ts';
import type { Turn } from './pacing/limiter.ts';
import { retryAfterMs } from './pacing/retry-after.ts';
import { SameMoment } from './pacing/same-moment.ts';
import { Passage } from './passage.ts';
import { Wire, type WireOptions } from './wire.ts';

const MAX_THROTTLE_RETRIES = 200;
/** Once this many requests were sent again alone and still not answered, timeouts count as the service's. */
const MOST_ALONE_IN_VAIN = 2;
/** How many connections are open to a service that serves few at a time: those that wait must not be refused. */
const FEW_CONNECTIONS = 4;
/** How long (ms) the first of several requests for one moment waits for the others. */
const GATHERING_MS = 150;

export interface ClientOptions extends WireOptions, AdmissionOptions {
  readonly baseUrl: string;
  /** The values of `headers` are secrets: curl lines take them from variables whose names begin with this. */
  readonly variablePrefix: string;
}

/** How a request is sent: on which connection, together with which others, when it is its turn, and until when. */
interface Sending {
  readonly connection?: Dispatcher | undefined;
  /** The request is the last on its connection, and says so. */
  readonly closes?: boolean | undefined;
  readonly moment?: SameMoment | undefined;
  readonly turn?: Turn | undefined;
  readonly end?: AbortSignal | undefined;
}

/** Which of the requests on a connection, counted from 0, waits for a moment. */
export interface Meeting {
  readonly at: number;
  readonly moment: SameMoment;
}

/**
 * The client for one service. A 429 is never returned but retried; a reset that may be a keep-alive race, and a timeout
 * of a service that is slow in general, are retried once.
 */
export class Client {
  readonly address: Address;
  /** Called with every exchange, before it is returned. */
  onExchange: (exchange: Exchange) => void = () => {};
  readonly #deadline: AbortSignal;
  readonly #admission: Admission;
  readonly #wire: Wire;
  readonly #passage = new Passage();
  /** Some request was answered. */
  #isUp = false;
  #aloneInVain = 0;
  /** From this moment on (ms, monotonic), no connection is kept for another request. */
  #keepsNoneSince = Number.POSITIVE_INFINITY;
  #answered = 0;
  #sent = 0;

  constructor(options: ClientOptions) {
    this.address = addressOf(options.baseUrl, curlOptionsFor(options, options.headers, options.variablePrefix));
    this.#deadline = options.deadline;
    this.#admission = new Admission(options);
    this.#wire = new Wire(this.address, options);
    // Every request listens to it, from its turn to its end.
    setMaxListeners(0, options.deadline);
  }

  /** Requests sent so far, retries included. */
  get requests(): number {
    return this.#sent;
  }

  /** Answers with 429 so far. */
  get throttled(): number {
    return this.#admission.refusals.all;
  }

  /** Those of them that slow the run down: not where only wrong keys are refused, nor where it happens at any rate. */
  get slowedDown(): number {
    return this.#admission.refusals.slowing;
  }

  /** How much longer nothing is sent (ms), and what waits for it; undefined while something is in flight. */
  get heldUp(): { readonly milliseconds: number; readonly of: readonly string[] } | undefined {
    const held = this.#admission.heldUp;
    if (held === undefined) return undefined;
    const milliseconds = Math.max(0, held.until - performance.now());
    return { milliseconds, of: [...held.lanes].map(({ name }) => name) };
  }

  /** Whether requests get new connections, to find out whether resets are keep-alive races. */
  get doubtsResets(): boolean {
    return this.#wire.usesFreshConnections;
  }

  /** Where a reset was taken for such a race: the next requests get new connections once more. */
  lookIntoResets(): void {
    this.#wire.useFreshConnectionsAgain();
  }

  /**
   * @param turn for whom it waits, where several do
   * @param end when aborted, nothing more is sent on its behalf, and the rest is answered; the run's own by default
   * @throws NotSent where the run ended, the service throttles the request to its end, or its operation was given up
   */
  send(request: WireRequest, { turn, end }: Pick<Sending, 'turn' | 'end'> = {}): Promise<Exchange> {
    return this.#inPassage(false, () => this.#send(request, { turn, end }));
  }

  /** Does some work alone, each request on a connection of its own, once what is in flight has ended. */
  alone<T>(work: (send: (request: WireRequest) => Promise<Exchange>) => Promise<T>): Promise<T> {
    return this.#inPassage(true, () =>
      work(async (request) => {
        const connection = this.#wire.openConnection();
        try {
          return await this.#send(request, { connection, closes: true });
        } finally {
          await connection.destroy();
        }
      }),
    );
  }

  async #inPassage<T>(alone: boolean, send: () => Promise<T>): Promise<T> {
    this.#passage.most = this.#wire.keepsNone ? FEW_CONNECTIONS : Number.POSITIVE_INFINITY;
    await this.#passage.enter(alone);
    try {
      return await send();
    } finally {
      this.#passage.leave();
    }
  }

  /**
   * Sends requests one after the other on one connection that nothing else uses; each ends as it ends. The last of them
   * asks for the connection to be closed, unless it has a body.
   *
   * @param meeting a moment that one of them waits for
   * @param check on whose behalf
   */
  sendOnOneConnection(
    requests: readonly WireRequest[],
    end?: AbortSignal,
    meeting?: Meeting,
    check?: string,
  ): Promise<readonly PromiseSettledResult<Exchange>[]> {
    return this.#inPassage(this.#wire.keepsNone, () => this.#sendInSequence(requests, end, meeting, check));
  }

  async #sendInSequence(
    requests: readonly WireRequest[],
    end: AbortSignal | undefined,
    meeting: Meeting | undefined,
    check = '',
  ): Promise<readonly PromiseSettledResult<Exchange>[]> {
    const connection = this.#wire.openConnection();
    const turn = { queue: connection, check };
    try {
      const results: PromiseSettledResult<Exchange>[] = [];
      for (const [at, request] of requests.entries()) {
        // A service that refuses a request unread resets a connection which it closes: then the body could not be read.
        const closes = at === requests.length - 1 && request.body === undefined;
        const moment = at === meeting?.at ? meeting.moment : undefined;
        const sent = this.#send(request, { connection, closes, moment, turn, end });
        results.push(...(await Promise.allSettled([sent])));
      }
      return results;
    } finally {
      await connection.destroy();
    }
  }

  /**
   * Whether the service serves a few connections at a time, each until it is closed.
   *
   * @param request what is sent on many connections at once to find out, not counted
   * @param patienceMs so long after the last answer (ms), nothing more is expected
   */
  servesFewConnections(request: WireRequest, patienceMs: number): Promise<boolean> {
    return this.#wire.servesFewConnections(request, patienceMs);
  }

  /** What requests on several connections wait for, one on each, to be sent at the same moment. */
  momentFor(connections: number): SameMoment {
    return new SameMoment(connections, GATHERING_MS);
  }

  /** Sends requests at the same moment, as far as concurrency and rate allow. */
  sendTogether(
    requests: readonly WireRequest[],
    end?: AbortSignal,
    check = '',
  ): Promise<readonly PromiseSettledResult<Exchange>[]> {
    const moment = this.momentFor(requests.length);
    const turn = { queue: moment, isWhole: true, check };
    return Promise.allSettled(
      requests.map((request) => this.#inPassage(false, () => this.#send(request, { moment, turn, end }))),
    );
  }

  /** Resolves after that many milliseconds, or when the run ends. */
  async pause(milliseconds: number, end = this.#deadline): Promise<void> {
    await setTimeout(Math.max(0, milliseconds), undefined, { signal: end }).catch(() => undefined);
  }

  close(): Promise<void> {
    this.#admission.close();
    return this.#wire.close();
  }

  async #send(
    request: WireRequest,
    { connection, closes, moment, turn, end = this.#deadline }: Sending,
  ): Promise<Exchange> {
    const { operation, credential } = request;
    const lane = this.#admission.laneOf(operation, credential.valid);
    let resent = false;
    let isAlone = false;
    let refusals = 0;
    await this.#admission.admit(lane, end, turn);
    await moment?.arrive();
    for (;;) {
      this.#sent += 1;
      const attempt = this.#wire.attempt(request, connection, closes, resent);
      const { answer, doubt, sentAt, answeredAt } = await attempt.catch((error: unknown) => {
        this.#admission.abandoned();
        throw error;
      });
      let notBefore: number | undefined;
      if (answer.kind === 'response' && answer.status === 429) {
        notBefore = this.#admission.throttled(lane, pauseAskedFor(answer), sentAt);
        refusals += 1;
        if (refusals > MAX_THROTTLE_RETRIES) {
          throw new NotSent('throttled', `the service answered 429 to ${refusals} attempts in a row`);
        }
      } else {
        if (answer.kind === 'response') this.#isUp = true;
        const kind = answer.kind === 'response' ? `${operation} ${answer.status}` : undefined;
        this.#admission.ended(lane, answer.milliseconds, kind);
        if (this.#deadline.aborted && answer.kind === 'no response') throw pastDeadline(this.#deadline);
        if (isAlone) this.#learnFromOneAlone(answer);
        const sendsAlone = doubt === 'starved' && this.#mayHaveWaited(sentAt);
        if (resent || !(doubt === 'raced' || sendsAlone || this.#maybeQueued(answer))) {
          this.#admission.concluded(operation, endingOf(answer));
          this.#answered += 1;
          const exchange = { number: this.#answered, request, answer, sentAt, answeredAt, resent };
          this.onExchange(exchange);
          return exchange;
        }
        resent = true;
        if (sendsAlone) {
          isAlone = true;
          this.#passage.leave();
          await this.#passage.enter(true);
          this.#wire.closeIdleConnections();
        }
        if (doubt === 'raced') this.#wire.useFreshConnections();
      }
      await this.#admission.readmit(lane, end, turn, notBefore);
    }
  }

  #learnFromOneAlone({ kind }: Answer): void {
    if (kind === 'no response') this.#aloneInVain += 1;
    else if (!this.#wire.keepsNone) {
      this.#wire.keepsNone = true;
      this.#keepsNoneSince = performance.now();
    }
  }

  /** Whether a request may have waited for a connection to be closed: where none is open, or kept, it has not. */
  #mayHaveWaited(sentAt: number): boolean {
    return this.#isUp && sentAt < this.#keepsNoneSince && this.#aloneInVain < MOST_ALONE_IN_VAIN;
  }

  /** Where answers take long in general, a timeout may come from a queue of our own; the limiter has slowed down by now. */
  #maybeQueued(answer: Answer): boolean {
    return answer.kind === 'no response' && answer.code === 'timeout' && this.#admission.isSlow;
  }
}

/** How long a 429 asks to wait (ms); a date counts from that of the service, whose clock may be another. */
function pauseAskedFor(answer: Response): number | undefined {
  const date = Date.parse(headerOf(answer, 'date') ?? '');
  return retryAfterMs(headerOf(answer, 'retry-after'), Number.isNaN(date) ? Date.now() : date);
}

function endingOf(answer: Answer): Ending {
  if (answer.kind === 'response') return 'answered';
  return isUnconnected(answer.code) ? 'unconnected' : 'unanswered';
}
