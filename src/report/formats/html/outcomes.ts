import type { RequirementResult, RequirementStatus } from '../../model/result.ts';

/** What calls for action first. */
const ORDER: readonly RequirementStatus[] = [
  'violated',
  'not judged',
  'holds',
  'not applicable',
  'not selected',
  'untestable',
];

/** How many requirements have each outcome; those that none has are left out. */
export function outcomesOf(requirements: readonly RequirementResult[]) {
  return ORDER.flatMap((status) => {
    const number = requirements.filter((row) => row.status === status).length;
    return number === 0 ? [] : [{ status, number }];
  });
}

/** An outcome after a number: `1 holds`, `50 hold`. */
export const counted = (status: RequirementStatus, number: number): string =>
  status === 'holds' && number !== 1 ? 'hold' : status;
