import { setImmediate, setTimeout } from 'node:timers/promises';
import { headerOf } from '../http/message.ts';
import type { Connection, Network } from '../http/network.ts';
import { list } from '../reading/call.ts';
import type { Exchange, Order } from '../reading/exchange.ts';

/** What explains, apart from the service, that no response came or a late one; and the experiment that finds out. */
interface Suspicion {
  isRaisedBy(exchange: Exchange): boolean;
  /** @returns what counts in place of the exchange: itself if nothing else explains it; nothing if this cannot be found out */
  experiment(exchange: Exchange, connection: Connection): Promise<readonly Exchange[]>;
}

/** How often a close is explained in a run: as that of an idle connection, and as the fault of the service. */
const MOST_EXPLAINED = 12;
/** How often in a row a request must be closed behind a control. */
const CLOSED_IN_A_ROW = 3;
/** How long a connection rests behind a control: once, twice and three times as long (ms), before others may close it. */
const REST_MS = 20;
/** How often a request is sent alone, if the new connection waits until it is closed, as this machine is busy. */
const MOST_SENT_ALONE = 4;
/** A response waited for another connection to be closed if the plain call, sent alone, takes less than this share of its time. */
const MUCH_FASTER = 0.25;

const PLAIN = { call: list(), names: {} };

type Request = Pick<Exchange, 'call' | 'names'>;

interface Lab {
  readonly network: Pick<Network, 'sentAlone' | 'mayBeCrowded' | 'closesIdle'>;
  /** Sends a request once, with all other connections closed if it is alone; undefined if it could not be sent. */
  readonly send: (on: Connection, request: Request, order: Order, isAlone: boolean) => Promise<Exchange | undefined>;
  /** The exchange before this one on its connection; undefined for the first. */
  readonly previous: (exchange: Exchange) => Exchange | undefined;
  /** Whether the service is not reached any more, so that what was in flight when this began stays unanswered. */
  readonly isGone: () => boolean;
}

/** Finds out whose fault it is that a connection was closed or not served. */
export class Suspicions {
  readonly #lab: Lab;
  #last: Promise<unknown> = Promise.resolve();
  #idleCloses = 0;
  #faultyCloses = 0;

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  /** The first that applies counts. */
  readonly #suspicions: readonly Suspicion[] = [
    // A server may close the connection in place of a response to what is no valid HTTP.
    {
      isRaisedBy: (exchange) => exchange.request.mayBeClosed === true && isClosed(exchange),
      experiment: async (exchange) => [exchange],
    },
    // The service closed an idle connection just before the request came.
    {
      isRaisedBy: (exchange) =>
        (exchange.place > 0 || exchange.hadWaited === true) && (isClosed(exchange) || isNoticeOfClosing(exchange)),
      experiment: (exchange, connection) => this.#againOnNew(exchange, connection),
    },
    // The service serves fewer connections than were open, and not this one.
    {
      isRaisedBy: ({ crowd, outcome }) => crowd !== undefined && outcome.kind === 'failure',
      experiment: (exchange, connection) => this.#againAlone(exchange, connection),
    },
    // The service serves fewer connections than were open, and this one once another was closed.
    {
      isRaisedBy: ({ crowd }) => crowd !== undefined,
      experiment: (exchange, connection) => this.#besidePlain(exchange, connection),
    },
  ];

  /** What counts in place of an exchange, in the order in which it came: itself if nothing but the service explains it. */
  explained(exchange: Exchange, connection: Connection): Promise<readonly Exchange[]> {
    const suspicion = this.#suspicions.find((one) => one.isRaisedBy(exchange));
    if (suspicion === undefined) return Promise.resolve([exchange]);
    // One after the other: each shows whether the next is worthwhile.
    const found = this.#last.then(() => suspicion.experiment(exchange, connection));
    this.#last = found.catch(() => undefined);
    return found;
  }

  /** Alone on a new connection; and if it is answered there, behind a control. */
  async #againOnNew(closed: Exchange, connection: Connection): Promise<readonly Exchange[]> {
    if (this.#faultyCloses >= MOST_EXPLAINED) return [closed];
    const alone = await this.#alone(closed, connection);
    if (alone === undefined) return this.#unknown(closed);
    // The first one may have cut others short.
    if (isClosed(alone)) return [closed, alone];
    if (isNoticeOfClosing(closed)) return [alone];
    const last = await this.#behindControl(closed, connection);
    if (isClosedBehindControl(last)) {
      this.#faultyCloses += 1;
      return last;
    }
    this.#idleCloses += 1;
    return [alone];
  }

  /** Behind the request before, as long as it is closed there. @returns the last pair */
  async #behindControl(closed: Exchange, connection: Connection): Promise<readonly Exchange[]> {
    const most = this.#idleCloses < MOST_EXPLAINED ? CLOSED_IN_A_ROW : 0;
    const control = this.#lab.previous(closed) ?? PLAIN;
    const rests = Array.from({ length: most }, (_, nth) => (nth + 1) * REST_MS);
    let last: readonly Exchange[] = [];
    for (const restMs of [...rests, ...rests.map(() => 0)]) {
      // If it closes idle connections, this machine may have been busy for as long: only then without a rest, too.
      if (restMs === 0 && !this.#lab.network.closesIdle) break;
      last = await this.#inARow(connection, [control, closed], { restMs });
      if (!isClosedBehindControl(last)) break;
    }
    return last;
  }

  async #againAlone(exchange: Exchange, connection: Connection): Promise<readonly Exchange[]> {
    const { network } = this.#lab;
    if (!network.mayBeCrowded) return [exchange];
    const alone = await this.#alone(exchange, connection);
    if (alone === undefined) return this.#unknown(exchange);
    if (exchange.crowd !== undefined) network.sentAlone(exchange.crowd, alone.outcome.kind === 'answer');
    return [alone];
  }

  async #besidePlain(exchange: Exchange, connection: Connection): Promise<readonly Exchange[]> {
    const { crowd } = exchange;
    const [plain] = await this.#inARow(connection, [PLAIN], { isAlone: true });
    const took = ({ sentAt, answeredAt }: Exchange): number => answeredAt - sentAt;
    if (crowd !== undefined && plain !== undefined && took(plain) < MUCH_FASTER * took(exchange))
      this.#lab.network.sentAlone(crowd, true);
    return [exchange];
  }

  /** It went away for good; or the run may send no more, and says so. */
  #unknown(exchange: Exchange): readonly Exchange[] {
    return this.#lab.isGone() ? [exchange] : [];
  }

  /** On a new connection that did not wait, if this can be had. */
  async #alone(exchange: Exchange, connection: Connection): Promise<Exchange | undefined> {
    const { sequence, isQuiet, again } = exchange;
    const options = { isAlone: true, order: { sequence, isQuiet, again } };
    for (let nth = 1; ; nth += 1) {
      const [alone] = await this.#inARow(connection, [exchange], options);
      const hasWaited = alone !== undefined && isClosed(alone) && alone.hadWaited === true;
      if (!hasWaited || nth === MOST_SENT_ALONE) return alone;
    }
  }

  /** Sends requests in a row, beginning on a new connection, with a rest (ms) between them, until one is not answered. */
  async #inARow(
    connection: Connection,
    requests: readonly Request[],
    { isAlone = false, restMs = 0, order = {} }: { isAlone?: boolean; restMs?: number; order?: Order },
  ): Promise<readonly Exchange[]> {
    const sequence: Exchange[] = [];
    await connection.renew();
    try {
      for (const request of requests) {
        if (sequence.length > 0) await rest(restMs);
        const exchange = await this.#lab.send(connection, request, order, isAlone);
        if (exchange === undefined) return [];
        sequence.push(exchange);
        if (isClosed(exchange)) break;
      }
      return sequence;
    } finally {
      await connection.close();
    }
  }
}

/** The request closed it, as it was open until then: one that was closed before would have been opened again. */
const isClosedBehindControl = ([, last]: readonly Exchange[]): boolean =>
  last !== undefined && last.place > 0 && isClosed(last);

/** Waits, and then until what came meanwhile, such as the end of a connection, was read. */
async function rest(milliseconds: number): Promise<void> {
  await setTimeout(milliseconds);
  await setImmediate();
}

const isClosed = ({ outcome }: Exchange): boolean => outcome.kind === 'failure' && outcome.code === 'reset';

/** A whole 408 with which a service closes a connection that was idle (RFC 9110, 15.5.9), perhaps just as a request came. */
const isNoticeOfClosing = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'answer' &&
  outcome.status === 408 &&
  /\bclose\b/i.test(headerOf(outcome.headers, 'connection') ?? '');
