import type { Exchange } from '../http/exchange.ts';
import type { WireRequest } from '../http/message.ts';
import type { Network } from '../http/network.ts';
import { count } from '../report/text.ts';

/** Pauses (ms) before each trial of a rejected key, as a faulty service may reject it for a while. */
const PAUSES_MS = [0, 100, 200, 400, 800, 1_500];
/** After this many trials that found the key accepted, a trial needs that many rejections in a row. */
const MAX_ACCEPTED_TRIALS = 20;
const MANY_IN_A_ROW = 10;

/**
 * Knows whether the service still accepts the key. If it accepted it, and from some point on rejects it in every request,
 * the key has expired or was revoked, which is no fault of the service.
 */
export class KeyLost {
  /** Why the run ends; undefined while the key is accepted. */
  reason: string | undefined;
  readonly #network: Pick<Network, 'fresh'>;
  readonly #hasRightKey: (request: WireRequest) => boolean;
  readonly #wait: (milliseconds: number) => Promise<void>;
  readonly #onLost: () => void;
  /** By operation, the last GET request that was accepted. */
  readonly #reads = new Map<string, WireRequest>();
  #accepted = 0;
  /** When the last accepted request was sent (ms). */
  #lastAcceptedAt = Number.NEGATIVE_INFINITY;
  #rejectionsInARow = 0;
  #acceptedTrials = 0;
  #trial: Promise<void> | undefined;

  constructor(
    network: Pick<Network, 'fresh'>,
    hasRightKey: (request: WireRequest) => boolean,
    wait: (milliseconds: number) => Promise<void>,
    onLost: () => void,
  ) {
    this.#network = network;
    this.#hasRightKey = hasRightKey;
    this.#wait = wait;
    this.#onLost = onLost;
  }

  /** @returns why an exchange says nothing about the service; undefined if it is to be checked */
  async check({ call, request, outcome, sentAt, answeredAt }: Exchange): Promise<string | undefined> {
    if (outcome.kind !== 'answer' || !this.#hasRightKey(request)) return undefined;
    if (outcome.status !== 401) {
      this.#accepted += 1;
      this.#lastAcceptedAt = Math.max(this.#lastAcceptedAt, sentAt);
      this.#rejectionsInARow = 0;
      if (request.method === 'GET' && outcome.status < 300) this.#reads.set(call.operation, request);
      return undefined;
    }
    this.#rejectionsInARow += 1;
    if (
      this.#reads.size === 0 ||
      (this.#acceptedTrials >= MAX_ACCEPTED_TRIALS && this.#rejectionsInARow < MANY_IN_A_ROW)
    )
      return this.reason;
    this.#trial ??= this.#tryAgain(answeredAt).finally(() => {
      this.#trial = undefined;
    });
    await this.#trial;
    return this.reason;
  }

  async #tryAgain(since: number): Promise<void> {
    for (const pause of PAUSES_MS) {
      await this.#wait(pause);
      for (const [operation, request] of this.#reads) {
        const connection = this.#network.fresh();
        const { outcome } = await connection.send(request, operation).finally(() => connection.close());
        const isAccepted = (outcome.kind === 'answer' && outcome.status !== 401) || this.#lastAcceptedAt > since;
        this.#acceptedTrials += isAccepted ? 1 : 0;
        if (isAccepted) return;
      }
    }
    const from = new Date(performance.timeOrigin + since).toISOString().slice(11, 19);
    const accepted = count(this.#accepted, 'response');
    this.reason = `the key has been rejected since ${from} UTC, after ${accepted} had accepted it`;
    this.#onLost();
  }
}
