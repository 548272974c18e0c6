import type { Exchange } from '../http/exchange.ts';
import { grouped } from '../report/model/text.ts';
import {
  askedId,
  asksFor,
  type CreateCall,
  type GetCall,
  hasUnknownPiece,
  idOf,
  type ListCall,
  openPart,
  type PetCall,
} from './calls.ts';
import type { CollectionModel } from './collection-model.ts';
import { LIMIT, PET_STATUSES, REMOVAL_DATE_IN_WORDS } from './contract-facts.ts';
import { JSON_TYPE } from './inputs/body.ts';
import { LONGEST_CERTAIN_NAME } from './inputs/names.ts';
import type { Created, PetReply } from './reply.ts';

/** What may answer a call, by the specification and the policy, and by what the run knew when it was sent. */
export interface Permitted {
  /** The requirement that an answer with any other status violates. */
  readonly requirement: string;
  readonly statuses: readonly number[];
  /** Why, where a bound or a spelling is the point. */
  readonly why?: string | undefined;
  /** What shows that no other status is right, such as the 201 of the animal that is asked for. */
  readonly shownBy?: readonly Exchange[];
}

/** The status of the success of each operation. */
export const SUCCESS = { listPets: 200, createPet: 201, getPet: 200 } as const;

/**
 * What may answer the call of a reply; undefined where no status would be wrong. No answer, a 5xx, and the right key
 * refused are wrong for every call: see {@link ownerOf}.
 */
export function permitted(reply: PetReply, model: CollectionModel): Permitted | undefined {
  const { call } = reply;
  if (call.credential.isUnknown === true) return undefined;
  if (!call.credential.valid) return withoutAValidKey(reply, model);
  if (call.operation === 'listPets') return toAList(call);
  return call.operation === 'createPet' ? toAnAddition(call, model) : toAFetch(reply, call, model);
}

/** The requirement that an answer belongs to; undefined where it is nobody's. */
export function ownerOf(reply: PetReply, model: CollectionModel): string | undefined {
  return ownerOfAny(reply) ?? permitted(reply, model)?.requirement;
}

/** The requirement that an answer belongs to whatever was asked; undefined where the call decides. */
export function ownerOfAny({ status, call: { credential } }: PetReply): string | undefined {
  if (status === undefined) return 'SERV-5';
  if (status >= 500) return 'SERV-4';
  return status === 401 && credential.valid ? 'AUTH-1' : undefined;
}

/** Part 4.1: by which parameters are given, and whether they are valid. */
function toAList(call: ListCall): Permitted {
  const { limit, status } = call.asked;
  const open = openPart(call);
  if (open !== undefined) return { requirement: open === 'limit' ? 'LIST-10' : 'LIST-11', statuses: [200, 400] };
  const reasons = [
    ...(limit.kind === 'valid' ? [`a limit from ${LIMIT.minimum} to ${LIMIT.maximum} must be accepted`] : []),
    ...(status.kind === 'valid' ? [`a status of ${PET_STATUSES.join(', ')} must be accepted`] : []),
  ];
  return {
    requirement: listing(call),
    // A service that knows all parameters may refuse what is none.
    statuses: hasUnknownPiece(call) ? [200, 400] : [200],
    why: reasons.length === 0 ? undefined : reasons.join(', and '),
  };
}

/** The requirement that a list call with valid parameters succeeds. */
function listing({ asked: { limit, status } }: ListCall): string {
  if (limit.kind !== 'valid') return status.kind === 'valid' ? 'LIST-6' : 'LIST-1';
  if (status.kind === 'valid') return 'LIST-9';
  if (limit.value === LIMIT.minimum) return 'LIM-1';
  return limit.value === LIMIT.maximum ? 'LIM-2' : 'LIST-5';
}

/** Bodies of more bytes than this may be too large for a service: 413 is permitted then. */
const CERTAINLY_READ = 65_536;

const WHY_ACCEPTED: Readonly<Record<string, string>> = {
  'RES-6': `every name of up to ${grouped(LONGEST_CERTAIN_NAME)} UTF-16 code units must be accepted, but for an empty one, control characters and lone surrogates`,
  'RES-7': 'every int64 must be accepted as a categoryId',
  'STATE-1': 'the status may be left out',
  'CREATE-10': 'the same body may be sent again, and gives another animal',
  'CREATE-12': 'JSON may be written so',
};

/** Part 4.2: by what the body is, and how it is sent. */
function toAnAddition({ body, form }: CreateCall, { control }: CollectionModel): Permitted | undefined {
  const isChunked = form.chunked === true;
  const byForm = [...(isChunked ? [411] : []), ...((body.bytes?.length ?? 0) > CERTAINLY_READ ? [413] : [])];
  const { requirement } = body;
  switch (body.kind) {
    case 'valid': {
      const owner = isChunked && requirement === 'CREATE-1' ? 'CREATE-16' : body.requirement;
      return { requirement: owner, statuses: [201, ...byForm], why: WHY_ACCEPTED[owner] };
    }
    case 'invalid':
      // That JSON is taken for JSON with a charset parameter too is another requirement's concern.
      return {
        requirement: body.requirement,
        statuses: [400, ...(body.contentType === JSON_TYPE ? [] : [415]), ...byForm],
      };
    case 'open': {
      // Of a service that has accepted no valid body, an open one says nothing.
      if (requirement === undefined || control === undefined) return undefined;
      return {
        requirement,
        statuses: [...Object.keys(body.readings ?? {}).map(Number), ...byForm],
        shownBy: [control],
      };
    }
  }
}

/** Part 4.3: by whether the text is an int64, and whether an animal is known to have it. */
function toAFetch(reply: PetReply, call: GetCall, model: CollectionModel): Permitted | undefined {
  const { exchange, status, json, animals } = reply;
  const once = model.getPetMayBeGone ? [404, 410] : [];
  const asked = askedId(call);
  if (asked.kind !== 'int64') {
    return { requirement: 'GET-5', statuses: [404, 400, ...(asked.kind === 'unusual int64' ? [200] : []), ...once] };
  }
  const own = model.find(asked.id);
  if (own !== undefined && own.exchange.answeredAt <= exchange.sentAt) {
    const requirement = model.getPetMayBeGone ? 'VERS-4' : ownerOfAFetch(own, reply, call);
    return { requirement, statuses: [200, ...once], why: WHY_FOUND[requirement], shownBy: [own.exchange] };
  }
  const mayExist = own !== undefined || model.seenBefore(asked.id, exchange.sentAt) !== undefined;
  // Whether somebody has just added the animal of this id, nobody knows.
  if (!mayExist && status === 200 && (json.kind !== 'json' || animals[0]?.id === asked.id)) return undefined;
  const requirement = mayExist && model.getPetMayBeGone ? 'VERS-4' : 'GET-2';
  return { requirement, statuses: [404, ...(mayExist ? [200] : []), ...once] };
}

const WHY_FOUND: Readonly<Record<string, string>> = {
  'VERS-3': `getPet works until it is removed on ${REMOVAL_DATE_IN_WORDS}`,
};

/** Statuses that send a client elsewhere. */
const MOVED: readonly number[] = [301, 302, 303, 307, 308];

/** From this age on (ms), an animal that is not found is not merely late. */
const NO_LONGER_NEW_MS = 1_000;

/** A 404 to an id in plain digits is a fault of the animal's age, and a 410 or a redirect one of the operation. */
function ownerOfAFetch({ id, exchange }: Created, reply: PetReply, call: GetCall): string {
  const { status = 0 } = reply;
  if (call.petId !== `${id}`) return 'GET-1';
  if (status === 410 || MOVED.includes(status)) return 'VERS-3';
  const isNew = reply.exchange.sentAt - exchange.answeredAt < NO_LONGER_NEW_MS;
  return isNew && (status === 200 || status === 404) ? 'GET-4' : 'GET-1';
}

/** Part 5: a missing or invalid key is refused, alone or beside another fault, which may be reported instead. */
function withoutAValidKey({ call, exchange }: PetReply, model: CollectionModel): Permitted {
  const { operation, credential } = call;
  const refusals = refusalsOf(call, model);
  const others = otherFaults(call, model);
  const id = idOf(call);
  const existing = model.find(id)?.exchange ?? (id === undefined ? undefined : model.seenBefore(id, exchange.sentAt));
  // What a replay takes the credential from stands just before the request.
  const shownBy = [existing === credential.source ? [] : (existing ?? []), credential.source ?? []].flat();
  if (credential.isOpen === true) {
    return { requirement: 'AUTH-8', statuses: [SUCCESS[operation], ...refusals, ...others], shownBy };
  }
  // Of a body that may be valid, nobody knows whether it is a fault.
  const isOfTheKey = others.length === 0 || (operation === 'createPet' && call.body.kind === 'open');
  return {
    requirement: isOfTheKey ? credential.requirement : 'AUTH-9',
    statuses: [...refusals, ...others.filter((status) => !refusals.includes(status))],
    shownBy,
  };
}

/** The statuses with which a call may be refused for what is wrong with it beside its key; none where nothing is. */
function otherFaults(call: PetCall, model: CollectionModel): readonly number[] {
  switch (call.operation) {
    case 'listPets':
      return asksFor(call, {}) && !hasUnknownPiece(call) ? [] : [400];
    case 'createPet': {
      const { kind, contentType } = call.body;
      if (kind === 'valid') return [];
      return contentType === JSON_TYPE ? [400] : [400, 415];
    }
    case 'getPet': {
      const asked = askedId(call);
      if (asked.kind !== 'int64') return [400, 404];
      return model.find(asked.id) === undefined && !isOfOthers(call, model) ? [404] : [];
    }
  }
}

/** The statuses with which a call may be refused of which only the key is at fault. */
function refusalsOf(call: PetCall, model: CollectionModel): readonly number[] {
  const { form, operation, credential } = call;
  return [
    401,
    // A parameter that is not known may be refused as such.
    ...(credential.query === undefined ? [] : [400]),
    ...(form.chunked === true ? [411] : []),
    ...(operation === 'getPet' && model.getPetMayBeGone ? [404, 410] : []),
    ...(operation === 'getPet' && isOfOthers(call, model) ? [404] : []),
  ];
}

/** Whether a call asks for an animal that the run did not add and has seen: it exists, and may be gone at any time. */
function isOfOthers(call: PetCall, model: CollectionModel): boolean {
  const id = idOf(call);
  return (
    id !== undefined && model.find(id) === undefined && model.seenBefore(id, Number.POSITIVE_INFINITY) !== undefined
  );
}
