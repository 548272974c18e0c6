import { violates, violatesByStatus } from '../../engine/violation.ts';
import { type AskedId, askedId } from '../calls.ts';
import type { CollectionModel } from '../collection-model.ts';
import type { PetReply } from '../reply.ts';
import { ownerOfAny } from './owner.ts';
import type { PetRule } from './rule.ts';

/** What a getPet call with the right key asks for; undefined where its answer belongs to another requirement. */
function askedOf(reply: PetReply, model: CollectionModel): AskedId | undefined {
  const { call, status } = reply;
  if (call.operation !== 'getPet' || !call.credential.valid || ownerOfAny(reply) !== undefined) return undefined;
  if (model.getPetMayBeGone && (status === 404 || status === 410)) return undefined;
  return askedId(call);
}

/** Part 4.3, rule 1: an id that no animal of the run has is answered with 404, or with an animal that somebody added. */
export const isUnknownOrSomebodys: PetRule = (reply, model) => {
  const asked = askedOf(reply, model);
  if (asked?.kind !== 'int64' || model.find(asked.id) !== undefined) return 'irrelevant';
  const { status, call, json, animals, exchange } = reply;
  if (status === 404) return 'holds';
  if (status === 200 && model.seenBefore(asked.id, exchange.sentAt) !== undefined) return 'irrelevant';
  const found = animals[0]?.id;
  // Whether somebody has just added the animal of this id, nobody knows.
  if (status === 200 && (json.kind !== 'json' || found === asked.id)) return 'irrelevant';
  return violatesByStatus(reply, 'status', `answers ${status} to ${call.description}`, [404]);
};

/** Part 4.3: what is no int64 names no animal; an odd spelling of one may be read as the number that it is. */
export const isReadAsAnIdOrRefused: PetRule = (reply, model) => {
  const asked = askedOf(reply, model);
  if (asked === undefined || asked.kind === 'int64') return 'irrelevant';
  const { status = 0, call } = reply;
  if (status === 404 || status === 400) return 'holds';
  if (asked.kind !== 'odd' || status !== 200) {
    return violatesByStatus(reply, 'status', `answers ${status} to ${call.description}`, [404, 400]);
  }
  const id = reply.animals[0]?.id;
  if (id === undefined) return 'irrelevant';
  if (id === asked.id) return 'holds';
  const message = `answers ${call.description} with animal ${id}`;
  return violates(reply, 'another-id', message, `${asked.id}, 404 or 400`, `${id}`);
};
