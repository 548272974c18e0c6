import type { Outcome } from '../http/message.ts';
import type { Connection } from '../http/network.ts';
import type { Exchange, Filled } from '../reading/exchange.ts';
import { count, quote, timeOf } from '../text.ts';

/** Pauses (ms) before each trial of a rejected key, and of everything else that shuts a client out. */
const PAUSES_OF_KEY_MS = [0, 100, 200, 400, 800, 1_500];
const PAUSES_MS = [0, 5_000, 5_000];
/** After this many trials that were served, a trial needs that many such responses in a row. */
const MAX_SERVED_TRIALS = 20;
const MANY_IN_A_ROW = 10;

/** By what a client may be shut out: the same for all responses of one kind. */
type Sign = { readonly kind: 'key' | 'reset' | 'block'; readonly text: string };

/**
 * Knows whether this client is still served. If it was, and from some request on every plain call gets the same rejection
 * of the key, page of a firewall, or reset, on new connections too, the surroundings have changed: no fault of the service.
 */
export class ShutOut {
  /** Why the run ends; undefined while the client is served. */
  reason: string | undefined;
  readonly #calls: readonly Filled[];
  readonly #wait: (milliseconds: number) => Promise<void>;
  readonly #onShutOut: (reason: string) => void;
  #served = 0;
  /** When the last request was sent that was served (ms). */
  #lastServedAt = Number.NEGATIVE_INFINITY;
  /** The first of the responses that may show it, and how many there were since the last that was served. */
  #first: Exchange | undefined;
  #inARow = 0;
  #servedTrials = 0;
  #trial: Promise<void> | undefined;

  /** @param calls plain calls that add nothing, one of each operation */
  constructor(
    calls: readonly Filled[],
    wait: (milliseconds: number) => Promise<void>,
    onShutOut: (reason: string) => void,
  ) {
    this.#calls = calls;
    this.#wait = wait;
    this.#onShutOut = onShutOut;
  }

  /**
   * @param connection that of the exchange, to try again
   * @returns why an exchange says nothing about the service; undefined if it is to be checked
   */
  async check(exchange: Exchange, connection: Connection): Promise<string | undefined> {
    if (this.reason !== undefined) return this.reason;
    const { reading, outcome, sentAt, place } = exchange;
    const isRight = reading.key.kind === 'right';
    const sign = signOf(outcome);
    if (sign === undefined) {
      if (outcome.kind === 'answer' && isRight) this.#isServed(sentAt);
      return undefined;
    }
    // A connection that is closed after a response, and a wrong key that is rejected, show nothing.
    if ((sign.kind === 'reset' && place > 0) || (sign.kind === 'key' && !isRight)) return undefined;
    this.#first ??= exchange;
    this.#inARow += 1;
    const isUsual = this.#servedTrials >= MAX_SERVED_TRIALS && this.#inARow < MANY_IN_A_ROW;
    if (this.#served === 0 || isUsual) return undefined;
    this.#trial ??= this.#tryAgain(connection, sign, this.#first).finally(() => {
      this.#trial = undefined;
    });
    await this.#trial;
    return this.reason;
  }

  #isServed(sentAt: number): void {
    this.#served += 1;
    this.#lastServedAt = Math.max(this.#lastServedAt, sentAt);
    if (this.#first !== undefined && sentAt < this.#first.sentAt) return;
    this.#first = undefined;
    this.#inARow = 0;
  }

  async #tryAgain(connection: Connection, sign: Sign, first: Exchange): Promise<void> {
    for (const pause of sign.kind === 'key' ? PAUSES_OF_KEY_MS : PAUSES_MS) {
      await this.#wait(pause);
      for (const { request, reading } of this.#calls) {
        await connection.close();
        const { outcome } = await connection.send(request, reading.operation);
        if (signOf(outcome)?.text === sign.text && this.#lastServedAt <= first.answeredAt) continue;
        this.#servedTrials += 1;
        return;
      }
    }
    this.reason = sentence(sign, first, this.#served);
    this.#onShutOut(this.reason);
  }
}

/** What differs between two pages of one firewall: dates and ids. */
const VARIES = /[0-9a-f]{6,}|\d+/gi;
const READ_BYTES = 4_096;

/** @returns undefined for what only the service itself would respond, or where nothing came */
function signOf(outcome: Outcome): Sign | undefined {
  if (outcome.kind === 'failure') return outcome.code === 'reset' ? { kind: 'reset', text: 'reset' } : undefined;
  const { status } = outcome;
  if (status === 401) return { kind: 'key', text: '401' };
  const body = Buffer.from(outcome.body.subarray(0, READ_BYTES)).toString('latin1');
  const isNoJson = (status < 300 || status === 404) && !/^\s*[[{]/.test(body);
  const isRedirect = status >= 300 && status < 400;
  return status === 403 || isRedirect || isNoJson
    ? { kind: 'block', text: `${status} ${body.replace(VARIES, '')}` }
    : undefined;
}

const MOST_SHOWN = 60;

function sentence({ kind, text }: Sign, { number, request, answeredAt }: Exchange, served: number): string {
  const from = `since ${timeOf(answeredAt)} UTC`;
  if (kind === 'key') return `the key has been rejected ${from}, after ${count(served, 'response')} had accepted it`;
  const first = `from request ${number} on (${request.method} ${quote(request.target, MOST_SHOWN)})`;
  const allow = 'allow its requests, or send fewer with --rate-limit';
  return kind === 'reset'
    ? `every connection has been closed without a response ${from}, ${first}, new ones too; if something in front of the service blocks this machine, ${allow}`
    : `every request has got the same ${text.slice(0, 3)} ${from}, ${first}, also on new connections: something in front of the service blocks this machine; ${allow}`;
}
