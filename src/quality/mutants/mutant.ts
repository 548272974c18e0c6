import type { Breach } from '../../engine/breach.ts';
import type { Check } from '../../engine/check.ts';
import { Broken } from '../../engine/signals.ts';

/** A check with one expectation weakened. */
export interface Mutant {
  /** The check that is weakened. */
  readonly check: string;
  /** What it no longer minds, in a few words. */
  readonly label: string;
  readonly weakened: Check;
  /** Whether it could let a fault pass on which the sound check reports just these breaches. */
  readonly concerns: (seen: readonly Seen[]) => boolean;
}

/** The part of a breach that a weakened expectation looks at. */
export type Seen = Pick<Breach, 'code' | 'expected' | 'actual'>;

/** A check without its rule on every reply, and one that sends nothing of its own. */
export function coarseMutants(check: Check): readonly Mutant[] {
  const mutant = (label: string, weakened: Check): Mutant => ({
    check: check.id,
    label,
    weakened,
    concerns: () => true,
  });
  return [
    ...(check.always === undefined ? [] : [mutant('its rule is silent', { ...check, always: undefined })]),
    ...(check.provoke === undefined ? [] : [mutant('it sends nothing', { ...check, provoke: undefined })]),
  ];
}

/** A check for each kind of breach in `seen` that forgives it, and for each that has a margin, one that widens it. */
export function fineMutants(check: Check, seen: readonly Seen[]): readonly Mutant[] {
  const codes = [...new Set(seen.map(({ code }) => code))];
  return [
    ...codes.map((code) => forgiving(check, `it forgives ${code}`, (breach) => breach.code === code)),
    ...(seen.some(isAnotherRefusal) ? [forgiving(check, 'it takes any 4xx for the right one', isAnotherRefusal)] : []),
    ...(seen.some(isAnotherSuccess) ? [forgiving(check, 'it takes any 2xx for the right one', isAnotherSuccess)] : []),
    ...(seen.some(isOneTooMany) ? [forgiving(check, 'it takes one animal too many', isOneTooMany)] : []),
  ];
}

function forgiving(check: Check, label: string, forgives: (breach: Seen) => boolean): Mutant {
  const { always, provoke } = check;
  const weakened: Check = {
    ...check,
    always:
      always === undefined
        ? undefined
        : (reply, known) => {
            const judgement = always(reply, known);
            return typeof judgement === 'string' || !forgives(judgement) ? judgement : 'holds';
          },
    provoke:
      provoke === undefined
        ? undefined
        : async (context) => {
            try {
              await provoke(context);
            } catch (error) {
              if (!(error instanceof Broken && forgives(error.breach))) throw error;
            }
          },
  };
  return { check: check.id, label, weakened, concerns: (seen) => seen.every(forgives) };
}

const among = ({ code, expected, actual }: Seen, hundreds: string): boolean =>
  code === 'status' && expected.includes(`${hundreds}0`) && actual.startsWith(hundreds) && actual.length === 3;

const isAnotherRefusal = (seen: Seen): boolean => among(seen, '4');
const isAnotherSuccess = (seen: Seen): boolean => among(seen, '2');

function isOneTooMany({ code, expected, actual }: Seen): boolean {
  const [most, count] = [expected, actual].map((text) => Number(/\d+/.exec(text)?.[0] ?? Number.NaN));
  return code === 'page-too-long' && most !== undefined && count === most + 1;
}
