import type { Profile } from '../report/model/result.ts';
import type { Effort } from './effort.ts';

/**
 * Checks in the order in which they begin: what sends least comes first, so that most requirements have been judged
 * before the checks that send most have sent all. Where all begin at once, their requests still leave in this order.
 */
export function inStartingOrder<T extends { readonly id: string }>(
  checks: readonly T[],
  effort: Effort | undefined,
  profile: Profile,
): readonly T[] {
  const requests = ({ id }: T): number => effort?.profiles[profile].checks[id] ?? 0;
  return checks.toSorted((one, other) => requests(one) - requests(other));
}
