import type { Session } from './session.ts';

/** Bounds on asking once. */
const MAX_QUESTIONS = 12;
const MAX_ROUNDS = 9;
/** This many rounds with equal pauses take the settle time; the rounds after it need none. */
const ROUNDS_OVER_SETTLE_TIME = 5;

/**
 * Asks all open questions of a session again, together and while nothing else is in flight, until each is answered
 * otherwise or a rule has reported it.
 *
 * @param settleMs how long lag may explain what is unsure (ms)
 */
export async function askAgain(
  session: Session,
  settleMs: number,
  pause: (milliseconds: number) => Promise<void>,
): Promise<void> {
  const open = new Map([...session.unsure].slice(0, MAX_QUESTIONS));
  session.unsure.clear();
  let askedAt = 0;
  for (let round = 1; round <= MAX_ROUNDS && open.size > 0; round += 1) {
    for (const [key, { again, connection }] of open) {
      let isUnsure = false;
      for (const [at, { call, names }] of again.entries()) {
        const learned = await session.send(connection, call, names, at === again.length - 1 ? key : undefined);
        isUnsure = learned?.checked.unsure.some((one) => one.key === key) === true;
      }
      if (!isUnsure) open.delete(key);
      session.unsure.delete(key);
    }
    // What was noticed meanwhile is asked with the rest.
    for (const [key, question] of session.unsure) if (open.size < MAX_QUESTIONS) open.set(key, question);
    session.unsure.clear();
    if (round === 1) askedAt = performance.now();
    const left = askedAt + (settleMs * round) / (ROUNDS_OVER_SETTLE_TIME - 1) - performance.now();
    if (open.size > 0) await pause(round < ROUNDS_OVER_SETTLE_TIME ? left : 0);
  }
}
