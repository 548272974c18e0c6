import { grouped } from '../../report/model/text.ts';
import type { PetCall } from '../calls.ts';
import { LIMIT, PET_STATUSES } from '../contract-facts.ts';
import { LONGEST_CERTAIN_NAME } from '../inputs/names.ts';

const ACCEPTED: Readonly<Record<string, string>> = {
  'RES-6': `every name of up to ${grouped(LONGEST_CERTAIN_NAME)} UTF-16 code units must be accepted, but for an empty one, control characters and lone surrogates`,
  'RES-7': 'every int64 must be accepted as a categoryId',
  'STATE-1': 'the status may be left out',
  'CREATE-10': 'the same body may be sent again, and gives another animal',
  'CREATE-12': 'JSON may be written so',
};

/** Why a call must succeed, where its bounds or its spelling are the point; undefined where it is just a valid call. */
export function whyAccepted(call: PetCall): string | undefined {
  if (call.operation === 'createPet') return call.body.kind === 'valid' ? ACCEPTED[call.body.requirement] : undefined;
  if (call.operation === 'getPet') return undefined;
  const { limit, status } = call.asked;
  const reasons = [
    ...(limit.kind === 'valid' ? [`a limit from ${LIMIT.minimum} to ${LIMIT.maximum} must be accepted`] : []),
    ...(status.kind === 'valid' ? [`a status of ${PET_STATUSES.join(', ')} must be accepted`] : []),
  ];
  return reasons.length === 0 ? undefined : reasons.join(', and ');
}

/** What is expected, and why. */
export const because = (expected: string, reason: string | undefined): string =>
  reason === undefined ? expected : `${expected}: ${reason}`;
