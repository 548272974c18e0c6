import { CHECKS } from '../../../suites/index.ts';
import type { PetCheck } from '../../petstore/index.ts';

/** What there is to know of a check without loading it, and so everything that it is tested with. */
export type ListedCheck = Omit<PetCheck, 'exercise' | 'everyAnswer' | 'covers'> & {
  /** It has a rule about every answer. */
  readonly everyAnswer?: true;
};

/** Every check, in the order of the specification. */
export const CHECK_LIST: readonly ListedCheck[] = CHECKS.map(({ exercise: _, covers: __, everyAnswer, ...listed }) => ({
  ...listed,
  ...(everyAnswer === undefined ? {} : { everyAnswer: true }),
}));
