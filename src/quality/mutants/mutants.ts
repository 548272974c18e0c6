import { ViolationError } from '../../engine/outcome-errors.ts';
import { type Violation as FullViolation, isSuspicion } from '../../engine/violation.ts';
import type { PetCheck } from '../../petstore/index.ts';

/** The part of a violation that mutants look at. */
export type Violation = Pick<FullViolation, 'code' | 'expected' | 'actual'>;

/** A check with one expectation weakened. */
export interface Mutant {
  /** How the check was weakened, in a few words. */
  readonly label: string;
  readonly check: PetCheck;
  /** Whether it could survive a fault on which the original check reports these violations. */
  readonly concerns: (violations: readonly Violation[]) => boolean;
}

/** A check without its rule for every response, and one without its exercise. */
export function partialMutants(check: PetCheck): readonly Mutant[] {
  const without = (part: 'everyAnswer' | 'exercise', label: string): readonly Mutant[] =>
    check[part] === undefined ? [] : [{ label, check: { ...check, [part]: undefined }, concerns: () => true }];
  return [...without('everyAnswer', 'has no rule for every response'), ...without('exercise', 'sends nothing')];
}

/** For each kind of these violations a check that ignores it, and for each that has a margin one that widens it. */
export function lenientMutants(check: PetCheck, violations: readonly Violation[]): readonly Mutant[] {
  const codes = [...new Set(violations.map(({ code }) => code))];
  const wider = WIDER.filter(([, accepts]) => violations.some(accepts));
  return [
    ...codes.map((code) => ignoring(check, `ignores ${code}`, (violation) => violation.code === code)),
    ...wider.map(([label, accepts]) => ignoring(check, label, accepts)),
  ];
}

function ignoring(check: PetCheck, label: string, ignores: (violation: Violation) => boolean): Mutant {
  const { everyAnswer, exercise } = check;
  const lenient: PetCheck = {
    ...check,
    everyAnswer:
      everyAnswer &&
      ((reply, state) => {
        const judgement = everyAnswer(reply, state);
        if (typeof judgement === 'string') return judgement;
        return ignores(isSuspicion(judgement) ? judgement.violation : judgement) ? 'holds' : judgement;
      }),
    exercise:
      exercise &&
      (async (context) => {
        try {
          await exercise(context);
        } catch (error) {
          if (!(error instanceof ViolationError && ignores(error.violation))) throw error;
        }
      }),
  };
  return { label, check: lenient, concerns: (violations) => violations.every(ignores) };
}

const WIDER: readonly (readonly [label: string, accepts: (violation: Violation) => boolean])[] = [
  ['accepts any 4xx', (violation) => isAnotherStatus(violation, '4')],
  ['accepts any 2xx', (violation) => isAnotherStatus(violation, '2')],
  ['accepts one animal too many', isOneTooMany],
];

function isAnotherStatus({ code, expected, actual }: Violation, firstDigit: string): boolean {
  // After a colon stands the reason, which may hold any digits.
  const [statuses = ''] = expected.split(':');
  return code === 'status' && statuses.includes(`${firstDigit}0`) && new RegExp(`^${firstDigit}..$`).test(actual);
}

function isOneTooMany({ code, expected, actual }: Violation): boolean {
  const [most, count] = [expected, actual].map((text) => Number(/\d+/.exec(text)?.[0] ?? Number.NaN));
  return code === 'page-too-long' && most !== undefined && count === most + 1;
}
