import type { PetReply } from '../reply.ts';

/**
 * The requirement that an answer belongs to whatever the call has asked for: no answer, a failure of the service, or the
 * right key refused. Undefined where it is what the call asks for that decides.
 */
export function ownerOfAny({ status, call: { credential } }: PetReply): string | undefined {
  if (status === undefined) return 'SERV-5';
  if (status >= 500) return 'SERV-4';
  return status === 401 && credential.valid ? 'AUTH-1' : undefined;
}
