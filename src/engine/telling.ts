import type { Check } from './check.ts';
import { ViolationError } from './outcome-errors.ts';
import { isSuspicion } from './violation.ts';

/** The check, which tells when it has found a violation: by its rule, or at the end of its own part. */
export function telling<R, S, V>(check: Check<R, S, V>, tell: () => void): Check<R, S, V> {
  const { everyAnswer, exercise } = check;
  return {
    ...check,
    everyAnswer:
      everyAnswer &&
      ((reply, state) => {
        const judgement = everyAnswer(reply, state);
        if (typeof judgement === 'object' && !isSuspicion(judgement)) tell();
        return judgement;
      }),
    exercise:
      exercise &&
      (async (vocabulary) => {
        try {
          await exercise(vocabulary);
        } catch (error) {
          if (error instanceof ViolationError) tell();
          throw error;
        }
      }),
  };
}
