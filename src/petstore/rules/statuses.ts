import { type Judgement, violatesByStatus } from '../../engine/violation.ts';
import type { PetCall } from '../calls.ts';
import { ownerOf, type Permitted, permitted } from '../oracle.ts';
import type { PetReply } from '../reply.ts';
import type { PetRule } from './rule.ts';

/**
 * Every answer that belongs to this requirement, and to this operation if one is named, has a status that the oracle
 * permits.
 */
export function isAnswered(requirement: string, operation?: PetCall['operation']): PetRule {
  return (reply, model) => {
    if (operation !== undefined && reply.call.operation !== operation) return 'irrelevant';
    if (ownerOf(reply, model) !== requirement) return 'irrelevant';
    const right = permitted(reply, model);
    return right === undefined ? 'irrelevant' : hasAPermittedStatus(reply, right);
  };
}

/** The status is one of those that are permitted. */
export function hasAPermittedStatus(
  reply: PetReply,
  { statuses, why, shownBy = [] }: Omit<Permitted, 'requirement'>,
): Judgement {
  const { call, status = 0 } = reply;
  if (statuses.includes(status)) return 'holds';
  const code = status < 300 && !call.credential.valid ? 'key-accepted' : 'status';
  const isInvalid = call.operation === 'createPet' && call.body.kind === 'invalid';
  const reason = isInvalid && call.credential.valid ? reply.requestFault : why;
  const expected = `${listed(statuses)}${reason === undefined ? '' : `: ${reason}`}`;
  const violation = violatesByStatus(
    reply,
    code,
    `answers ${reply.statusText} to ${call.description}`,
    statuses,
    expected,
  );
  return { ...violation, proof: [...shownBy.filter((one) => one !== reply.exchange), reply.exchange] };
}

const listed = (statuses: readonly number[]): string =>
  statuses.length < 3 ? statuses.join(' or ') : `one of ${statuses.join(', ')}`;
