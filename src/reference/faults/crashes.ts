import { changing, fault } from '../changing.ts';
import type { NewPet } from '../pet.ts';
import type { Call, Fault } from '../steps.ts';

/** Fails as a defect of the service does. */
const crash = (what: string): never => {
  throw new TypeError(what);
};

/** Fails on a body, before it is parsed. */
const onBody = (matches: (text: string) => boolean) =>
  changing('parseBody', (usual) => (text, call) => (matches(text) ? crash('unexpected body') : usual(text, call)));

/** Fails on an animal that is valid. */
const onPet = (matches: (pet: NewPet) => boolean) =>
  changing('validateNewPet', (usual) => (body, call) => {
    const pet = usual(body, call);
    return matches(pet) ? crash('unexpected value') : pet;
  });
const onName = (matches: RegExp) => onPet(({ name }) => matches.test(name));

const onCall = (step: 'listPets' | 'getPet', matches: (call: Call) => boolean) =>
  changing(step, (usual) => (call: Call) => (matches(call) ? crash('unexpected request') : usual(call)));

export const crashFaults: readonly Fault[] = [
  fault('quote-in-name-makes-500', 'SERV-4', 'A double quote in a name makes the service fail.', onName(/"/)),
  fault('nul-in-name-makes-500', 'SERV-4', 'A NUL in a name makes the service fail.', onName(/\0/)),
  fault(
    'emoji-in-name-makes-500',
    'SERV-4',
    'A character beyond U+FFFF makes the service fail.',
    onName(/[\u{10000}-\u{10ffff}]/u),
  ),
  fault(
    'proto-member-makes-500',
    'SERV-4',
    'A member called `__proto__` makes the service fail.',
    onBody((text) => text.includes('__proto__')),
  ),
  fault(
    'deep-nesting-makes-500',
    'SERV-4',
    'A body that is nested 50 deep makes the service fail.',
    onBody((text) => /\[{50}|(?:\{"[^"]*":){50}/.test(text)),
  ),
  fault(
    'twenty-digits-make-500',
    'SERV-4',
    'A number of 19 digits or more makes the service fail.',
    onBody((text) => /\d{19}/.test(text)),
  ),
  fault(
    'not-utf8-makes-500',
    'SERV-4',
    'A body that is not UTF-8 makes the service fail.',
    changing('readBody', (usual) => async (call) => {
      try {
        return await usual(call);
      } catch (refusal) {
        if (refusal instanceof Error && refusal.message.includes('UTF-8')) return crash('not UTF-8');
        throw refusal;
      }
    }),
  ),
  fault(
    'limit-0-makes-500',
    'SERV-4',
    '`limit=0` makes the service fail.',
    onCall('listPets', (call) => call.query.get('limit') === '0'),
  ),
  fault(
    'id-word-makes-500',
    'SERV-4',
    'A word as id makes the service fail.',
    onCall('getPet', (call) => /^[A-Za-z]/.test(call.petId ?? '')),
  ),
  fault(
    'two-creations-at-once-make-503',
    'SERV-4',
    'Of two animals added at the same moment one is answered with 503.',
    (steps) => {
      let busy = false;
      return changing('createPet', (usual) => async (call) => {
        if (busy)
          return {
            status: 503,
            headers: { 'Content-Type': 'application/json' },
            body: '{"code":"busy","message":"Locked.","status":503}',
          };
        busy = true;
        try {
          await new Promise((resolve) => setTimeout(resolve, 2));
          return await usual(call);
        } finally {
          busy = false;
        }
      })(steps);
    },
  ),
];
