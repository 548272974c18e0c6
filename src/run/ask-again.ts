import { distinct } from '../text.ts';
import { idOf, type Session } from './session.ts';

/** How many different sequences of requests are asked at once; others are asked later. */
const MAX_AT_ONCE = 12;
const MAX_ROUNDS = 9;
/** This many rounds with equal pauses take the settle time; the rounds after it need none. */
const ROUNDS_OVER_SETTLE_TIME = 5;

/**
 * Asks the open questions of a session again, together and while nothing else is in flight, until each is answered otherwise
 * or a rule has reported it. What cannot be sent stays open.
 *
 * @param settleMs how long lag may explain what looks wrong (ms)
 */
export async function askAgain(
  session: Session,
  settleMs: number,
  pause: (milliseconds: number) => Promise<void>,
): Promise<void> {
  const asked = new Set<string>();
  let askedAt = 0;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    let isOpen = false;
    if (round > ROUNDS_OVER_SETTLE_TIME) dropMoot(session);
    for (const [text, questions] of chosen(session, asked)) {
      asked.add(text);
      isOpen = (await askOnce(session, questions)) || isOpen;
    }
    if (!isOpen) return;
    if (round === 1) askedAt = performance.now();
    const left = askedAt + (settleMs * round) / (ROUNDS_OVER_SETTLE_TIME - 1) - performance.now();
    await pause(round < ROUNDS_OVER_SETTLE_TIME ? left : 0);
  }
  dropMoot(session);
}

/** What is no suspicion was asked for long enough: what pages left out all the time is known now. */
function dropMoot({ questions }: Session): void {
  for (const [id, { isMoot }] of questions) if (isMoot === true) questions.delete(id);
}

type Question = Session['questions'] extends Map<string, infer Value> ? Value : never;

/** The open questions by what is sent for them: those that were asked before, and as many others as may be. */
function chosen(session: Session, asked: ReadonlySet<string>): ReadonlyMap<string, readonly Question[]> {
  const groups = new Map<string, Question[]>();
  for (const question of session.questions.values()) {
    const text = JSON.stringify(question.again);
    groups.set(text, [...(groups.get(text) ?? []), question]);
  }
  const first = [...groups].toSorted(([one], [other]) => Number(asked.has(other)) - Number(asked.has(one)));
  return new Map(first.slice(0, MAX_AT_ONCE));
}

/** @returns whether a question is still open that can be asked again */
async function askOnce(session: Session, questions: readonly Question[]): Promise<boolean> {
  const [{ again, connection } = { again: [], connection: undefined }] = questions;
  const keys = distinct(questions.map(({ key }) => key));
  const asked = new Set(questions.map(idOf));
  const sequence = session.newSequence();
  const said = new Set<string>();
  for (const [at, { call, names }] of again.entries()) {
    const order = { sequence, isQuiet: true, ...(at === again.length - 1 && { again: keys }) };
    const learned = connection && (await session.send(connection, call, names, order));
    if (learned === undefined) return false;
    for (const question of learned.checked.questions) {
      said.add(idOf(question));
      // A page that varies leaves out another animal each time, which is no suspicion.
      if (question.isMoot === true && !asked.has(idOf(question))) session.questions.delete(idOf(question));
    }
  }
  for (const id of asked) if (!said.has(id)) session.questions.delete(id);
  return [...said].some((id) => session.questions.has(id));
}
