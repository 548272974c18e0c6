import type { afterAll, beforeAll, describe, TestContext, test } from '@vitest/runner';
import { isOneAtATime, PHASES } from '../../engine/check.ts';
import { InconclusiveError, NotApplicableError } from '../../engine/outcome-errors.ts';
import type { JudgedCheck, Telemetry } from '../../engine/plan.ts';
import type { PetCheck } from '../../petstore/index.ts';
import type { Outcome } from '../../report/model/result.ts';
import type { PetStoreSession } from './open-session.ts';

declare module '@vitest/runner' {
  export interface TaskMeta {
    /** On a test that concludes a check. */
    judged?: JudgedCheck;
    /** On the suite that holds all checks. */
    telemetry?: Telemetry;
  }
}

/** The functions of vitest that register tests: those of the vitest that is to run them. */
export interface TestFunctions {
  readonly afterAll: typeof afterAll;
  readonly beforeAll: typeof beforeAll;
  readonly describe: typeof describe;
  readonly test: typeof test;
}

export interface Registration {
  /** Names the suite that holds all tests. */
  readonly title: string;
  readonly checks: readonly PetCheck[];
  /** Opens the session, before the first test. */
  readonly open: () => Promise<PetStoreSession>;
  /** Removes every secret from a message: a service may repeat the key, and reporters print what a test throws. */
  readonly redact: (text: string) => string;
  /** Whether results are kept in the tests' metadata. They are not redacted, and other reporters print metadata. */
  readonly keepResults: boolean;
}

// The run has a time budget of its own; until that is over, nothing times out.
const NO_TIMEOUT = 0;

/**
 * Registers the checks with vitest: a test for each, in a suite for each phase, which sends its requests; and at the
 * end a test for each rule, which concludes what was true of every answer.
 */
export function registerChecks(
  { title, checks, open, redact, keepResults }: Registration,
  { afterAll, beforeAll, describe, test }: TestFunctions,
): void {
  let opened: PetStoreSession | undefined;
  const session = (): PetStoreSession => {
    if (opened === undefined) throw new Error('the checks cannot run: their session could not be opened');
    return opened;
  };
  const redactErrors = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw redactedError(error, redact);
    }
  };
  const conclude = async (check: PetCheck, { task }: TestContext): Promise<Outcome> => {
    const judged = await redactErrors(() => session().conclude(check));
    if (keepResults) task.meta.judged = judged;
    return judged.result.outcome;
  };

  describe(title, () => {
    beforeAll(async () => {
      opened = await redactErrors(open);
      await redactErrors(() => session().prepare('found'));
      // A run of rules alone has no phase of its own in which the first entry is added.
      if (!checks.some(({ phase, exercise }) => phase === 'found' && exercise !== undefined)) {
        await redactErrors(() => session().prepare('fresh'));
      }
    }, NO_TIMEOUT);
    // biome-ignore lint/correctness/noEmptyPattern: vitest insists on a pattern as the first parameter
    afterAll(async ({}, suite) => {
      if (keepResults && opened !== undefined) suite.meta.telemetry = opened.telemetry();
      await redactErrors(() => opened?.close());
    }, NO_TIMEOUT);

    for (const phase of PHASES) {
      const due = checks.filter((check) => check.phase === phase && check.exercise !== undefined);
      if (due.length === 0) continue;
      describe(phase, () => {
        if (phase !== 'found') beforeAll(() => redactErrors(() => session().prepare(phase)), NO_TIMEOUT);
        for (const check of due) {
          // Tests are concurrent, and not their suite: vitest would run two such suites side by side.
          test(titleOf(check), { concurrent: !isOneAtATime(phase), timeout: NO_TIMEOUT }, async (context) => {
            const error = await session().exercise(check);
            // Where the check has a rule, it is concluded when every answer is known.
            if (check.everyAnswer === undefined) await conclude(check, context);
            // The test ends as this part of the check did: what could not be judged is skipped, with the reason.
            if (error instanceof InconclusiveError || error instanceof NotApplicableError) {
              context.skip(redact(error.message));
            }
            if (error !== undefined) throw redactedError(error, redact);
          });
        }
      });
    }
    const rules = checks.filter(({ everyAnswer }) => everyAnswer !== undefined);
    // vitest fails a suite without tests.
    if (rules.length === 0) return;
    describe('every answer', () => {
      for (const check of rules) {
        test(titleOf(check), { timeout: NO_TIMEOUT }, async (context) => {
          const outcome = await conclude(check, context);
          if ('reason' in outcome) context.skip(redact(outcome.reason));
          if (outcome.kind === 'harness error')
            throw new Error(redact(`internal error of the suite: ${outcome.message}`));
          if (outcome.kind !== 'failed') return;
          const messages = outcome.violations.map(
            ({ message, expected, actual }) => `${message} (expected ${expected}, got ${actual})`,
          );
          throw new Error(redact(messages.join('; ')));
        });
      }
    });
  });
}

const titleOf = ({ id, title }: { readonly id: string; readonly title: string }): string => `${id} ${title}`;

/** An error that holds nothing but redacted text: vitest prints every field of an error, exchanges and causes too. */
function redactedError(error: unknown, redact: (text: string) => string): Error {
  const redacted = new Error(redact(error instanceof Error ? error.message : String(error)));
  if (error instanceof Error) redacted.stack = redact(error.stack ?? '');
  return redacted;
}
