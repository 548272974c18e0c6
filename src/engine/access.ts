import type { Client } from '../http/client.ts';
import type { Exchange, WireRequest } from '../http/exchange.ts';
import { INTERRUPTED, KEY_LOST, NotSent } from '../http/not-sent.ts';
import { count } from '../report/model/text.ts';
import { clock } from './causes/sentence.ts';

/** Pauses (ms) before each time that a refused key is tried: a service may refuse it for a while without right. */
const PAUSES_MS = [0, 100, 200, 400, 800, 1_500];

const UNAUTHORIZED = 401;

/**
 * Whether the service still accepts the right key. Where it has accepted it and from some moment on refuses it whatever
 * is asked, the key has expired or was revoked: that is no fault of the service, and ends the run.
 */
export class Access {
  readonly #client: Pick<Client, 'alone' | 'pause'>;
  readonly #probes: readonly WireRequest[];
  readonly #onLost: (reason: NotSent) => void;
  /** By operation, how many answers have shown that it accepts the key. */
  readonly #accepted = new Map<string, number>();
  #trying: Promise<NotSent | undefined> | undefined;

  /**
   * @param probes requests with the right key that read something, of several operations
   * @param onLost called once the key is refused for good
   */
  constructor(
    client: Pick<Client, 'alone' | 'pause'>,
    probes: readonly WireRequest[],
    onLost: (reason: NotSent) => void,
  ) {
    this.#client = client;
    this.#probes = probes;
    this.#onLost = onLost;
  }

  /** @returns why an answer says nothing of the service; undefined where it may be judged */
  async lostBy({ request: { operation, credential }, answer, answeredAt }: Exchange): Promise<NotSent | undefined> {
    if (!credential.valid || answer.kind !== 'response') return undefined;
    if (answer.status !== UNAUTHORIZED) {
      this.#accepted.set(operation, (this.#accepted.get(operation) ?? 0) + 1);
      return undefined;
    }
    this.#trying ??= this.#tryAgain(answeredAt).catch(whyNotSent);
    const lost = await this.#trying;
    if (lost === undefined) this.#trying = undefined;
    return lost;
  }

  async #tryAgain(since: number): Promise<NotSent | undefined> {
    const probes = this.#probes.filter(({ operation }) => this.#accepted.has(operation));
    if (probes.length === 0) return undefined;
    const isRefused = await this.#client.alone(async (send) => {
      for (const pause of PAUSES_MS) {
        await this.#client.pause(pause);
        for (const probe of probes) {
          const { answer } = await send(probe);
          if (answer.kind !== 'response' || answer.status !== UNAUTHORIZED) return false;
        }
      }
      return true;
    });
    if (!isRefused) return undefined;
    const accepted = [...this.#accepted.values()].reduce((sum, times) => sum + times, 0);
    const reason = `the key was refused from ${clock(since)} on, after ${count(accepted, 'response')} had accepted it; use a key that stays valid for the whole run`;
    const lost = new NotSent(KEY_LOST, reason);
    this.#onLost(lost);
    return lost;
  }
}

/**
 * Where the key can no longer be tried, nobody knows whether it is still accepted. What ends because it was interrupted
 * has no verdict, or is a replay that ends as soon as its failure shows: then what was seen counts.
 */
function whyNotSent(error: unknown): NotSent | undefined {
  if (!(error instanceof NotSent)) throw error;
  return error.code === INTERRUPTED ? undefined : error;
}
