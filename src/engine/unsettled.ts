import type { Exchange } from '../http/exchange.ts';

/** A request that was answered rightly, and those that were only answered wrongly. */
export interface Unsettled {
  readonly known: Exchange;
  readonly others: readonly Exchange[];
}

/** A request that is answered wrongly this many more times, while another is answered rightly, always is. */
export const ENOUGH_AGAIN = 3;
/** At most this many requests are looked into. */
const MOST_LOOKED_INTO = 20;
/** How often it is asked whether the service answers again, and how long between (ms). */
const MOST_TRIES = 40;
const BETWEEN_TRIES_MS = 250;

/**
 * Sends requests again, one at a time, that were only answered wrongly: a service that one of them brings down each time
 * fails the others in passing, and those alone come and go.
 *
 * @param isRight sends the request of an exchange again, and says whether it was answered rightly
 */
export async function settle(
  { known, others }: Unsettled,
  isRight: (exchange: Exchange) => Promise<boolean>,
  pause: (milliseconds: number) => Promise<void>,
): Promise<void> {
  const answersAgain = async (): Promise<boolean> => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      if (await isRight(known)) return true;
      await pause(BETWEEN_TRIES_MS);
    }
    return false;
  };
  for (const exchange of others.slice(0, MOST_LOOKED_INTO)) {
    for (let again = 0; again < ENOUGH_AGAIN; again += 1) {
      if (!(await answersAgain())) return;
      if (await isRight(exchange)) break;
    }
  }
}
