import type { PetCall } from './calls.ts';
import { type KeyCredential, MOST_CREDENTIAL_BYTES, sizeOf } from './inputs/credentials.ts';
import type { Connection } from './space/circumstances.ts';

/** On a connection that was used before, about so many requests are sent: with more, what waits for them waits for long. */
const MOST_IN_SEQUENCE = 3;

const USED = ['on a connection used by a good key', 'on a connection used by a refusal'] as const;

/** Something that is made of a call. */
interface Of {
  readonly call: PetCall;
}

/** What is sent on one connection, one after the other. */
export interface Sequence<T extends Of> {
  /** A call that nobody waits for, as it makes the connection what the others need. */
  readonly before?: PetCall;
  readonly members: readonly T[];
}

export const connectionOf = ({ form }: PetCall): Connection => form.connection ?? 'on any connection';

export const isOnAUsedConnection = (call: PetCall): boolean => USED.some((used) => used === connectionOf(call));

/** Whether a call is sent again as soon as it was answered: the same body twice would be two animals. */
export const isSentTwice = ({ form, effect }: PetCall): boolean => form.times === 2 && effect !== 'may create';

export const isForAMoment = ({ call }: Of): boolean => call.form.concurrency === 'at the same moment as seven others';

/**
 * Deals calls that ask for a certain connection out to as few as serve them all. What is on a new connection by itself
 * makes it one that was used, and saves a call that would. None has two calls that are for a moment.
 *
 * @param opening a call by which a connection becomes one that was used by a good key, or by a refusal
 */
export function sequencesOf<T extends Of>(
  all: readonly T[],
  opening: (byGoodKey: boolean) => PetCall,
): readonly Sequence<T>[] {
  const on = (connection: Connection): readonly T[] => all.filter(({ call }) => connectionOf(call) === connection);
  const newcomers = [...on('on a new connection')];
  const used = USED.flatMap((connection) => {
    const byGoodKey = connection === 'on a connection used by a good key';
    return dealt(on(connection)).map((followers): Sequence<T> => {
      const meets = followers.some(isForAMoment);
      // One that is sent twice would wait for the others before its second time.
      const at = newcomers.findIndex(
        ({ call }) =>
          leavesUsed(call.credential, byGoodKey) && !isSentTwice(call) && !(meets && isForAMoment({ call })),
      );
      if (at >= 0) return { members: [...newcomers.splice(at, 1), ...followers] };
      return { before: opening(byGoodKey), members: followers };
    });
  });
  return [...used, ...newcomers.map((newcomer) => ({ members: [newcomer] }))];
}

/** Those on used connections of one kind, by connection: on each, one that is for a moment comes first. */
function dealt<T extends Of>(followers: readonly T[]): readonly (readonly T[])[] {
  const meeting = followers.filter(isForAMoment);
  const others = followers.filter((follower) => !isForAMoment(follower));
  const twice = others.filter(({ call }) => isSentTwice(call));
  const once = others.filter(({ call }) => !isSentTwice(call));
  const requests = 2 * twice.length + once.length;
  const count = Math.max(meeting.length, Math.ceil(requests / MOST_IN_SEQUENCE));
  // Where some sequences have one more that is sent twice, they are the first: the others fill up from the end.
  return Array.from({ length: count }, (_, nth) => [
    ...meeting.slice(nth, nth + 1),
    ...twice.filter((_other, at) => at % count === nth),
    ...once.filter((_other, at) => at % count === count - 1 - nth),
  ]);
}

/**
 * Whether a request with a credential makes its connection one that was used by a good key, or by a refusal of the key: a
 * parameter that is not known may be refused for itself, and what is too long by what stands before the service.
 */
const leavesUsed = (credential: KeyCredential, byGoodKey: boolean): boolean =>
  credential.valid === byGoodKey &&
  credential.isOpen !== true &&
  credential.query === undefined &&
  sizeOf(credential) < MOST_CREDENTIAL_BYTES;
