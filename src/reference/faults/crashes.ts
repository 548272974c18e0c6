import { changing, fault } from '../changing.ts';
import { isObject } from '../json.ts';
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

/** Fails on a body that is parsed, before it is validated. */
const onValue = (matches: (body: unknown) => boolean) =>
  changing(
    'validateNewPet',
    (usual) => (body, call) => (matches(body) ? crash('unexpected value') : usual(body, call)),
  );

const onCall = (step: 'listPets' | 'getPet', matches: (call: Call) => boolean) =>
  changing(step, (usual) => (call: Call) => (matches(call) ? crash('unexpected request') : usual(call)));

export const crashFaults: readonly Fault[] = [
  fault('quote-in-name-makes-500', 'SERV-4', 'A double quote in a name makes the service fail.', onName(/"/)),
  fault(
    'apostrophe-in-name-makes-500',
    'SERV-4',
    'An apostrophe in a name makes the service fail, as SQL that is pasted together does.',
    onName(/'/),
  ),
  fault('backslash-in-name-makes-500', 'SERV-4', 'A backslash in a name makes the service fail.', onName(/\\/)),
  fault('nul-in-name-makes-500', 'SERV-4', 'A NUL in a name makes the service fail.', onName(/\0/)),
  fault(
    'emoji-in-name-makes-500',
    'SERV-4',
    'A character beyond U+FFFF makes the service fail.',
    onName(/[\u{10000}-\u{10ffff}]/u),
  ),
  fault('lone-surrogate-makes-500', 'SERV-4', 'A lone surrogate in a name makes the service fail.', onName(/\p{Cs}/u)),
  fault('percent-in-name-makes-500', 'SERV-4', 'A percent sign in a name makes the service fail.', onName(/%/)),
  fault('line-break-in-name-makes-500', 'SERV-4', 'A line break in a name makes the service fail.', onName(/[\r\n]/)),
  fault(
    'long-name-makes-500',
    'SERV-4',
    'A name of more than 255 characters makes the service fail.',
    onPet(({ name }) => name.length > 255),
  ),
  fault(
    'very-long-name-makes-500',
    'SERV-4',
    'A name of more than 2,000 characters makes the service fail.',
    onPet(({ name }) => name.length > 2000),
  ),
  fault(
    'empty-name-makes-500',
    'SERV-4',
    'An empty name makes the service fail.',
    onPet(({ name }) => name === ''),
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
    'exponent-makes-500',
    'SERV-4',
    'A number with an exponent makes the service fail.',
    onBody((text) => /:\s*-?\d+(?:\.\d+)?e[+-]?\d+/i.test(text)),
  ),
  fault(
    'negative-category-makes-500',
    'SERV-4',
    'A negative `categoryId` makes the service fail.',
    onPet(({ categoryId }) => categoryId < 0n),
  ),
  fault(
    'category-beyond-2-53-makes-500',
    'SERV-4',
    'A `categoryId` beyond 2^53 makes the service fail.',
    onPet(({ categoryId }) => categoryId > 2n ** 53n || categoryId < -(2n ** 53n)),
  ),
  fault('array-body-makes-500', 'SERV-4', 'An array as body makes the service fail.', onValue(Array.isArray)),
  fault(
    'null-body-makes-500',
    'SERV-4',
    'A body of null makes the service fail.',
    onValue((body) => body === null),
  ),
  fault(
    'name-number-makes-500',
    'SERV-4',
    'A number as `name` makes the service fail.',
    onValue((body) => isObject(body) && typeof body['name'] === 'bigint'),
  ),
  fault(
    'name-null-makes-500',
    'SERV-4',
    'A `name` of null makes the service fail.',
    onValue((body) => isObject(body) && body['name'] === null),
  ),
  fault(
    'status-object-makes-500',
    'SERV-4',
    'An object or an array as status makes the service fail.',
    onValue((body) => isObject(body) && typeof body['status'] === 'object' && body['status'] !== null),
  ),
  fault(
    'malformed-json-makes-500',
    'SERV-4',
    'Malformed JSON makes the service fail.',
    changing('parseBody', (usual) => (text, call) => {
      try {
        return usual(text, call);
      } catch {
        return crash('malformed');
      }
    }),
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
    'other-media-type-makes-500',
    'SERV-4',
    'A body of another media type makes the service fail.',
    changing('checkMediaType', (usual) => (call) => {
      try {
        usual(call);
      } catch {
        crash('no reader for this media type');
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
    'limit-negative-makes-500',
    'SERV-4',
    'A negative `limit` makes the service fail.',
    onCall('listPets', (call) => call.query.get('limit')?.startsWith('-') ?? false),
  ),
  fault(
    'limit-word-makes-500',
    'SERV-4',
    'A `limit` that is not a number makes the service fail.',
    onCall('listPets', (call) => /[A-Za-z]/.test(call.query.get('limit') ?? '')),
  ),
  fault(
    'limit-huge-makes-500',
    'SERV-4',
    'A `limit` of more than nine digits makes the service fail.',
    onCall('listPets', (call) => /\d{10}/.test(call.query.get('limit') ?? '')),
  ),
  fault(
    'status-unknown-makes-500',
    'SERV-4',
    'A status filter outside the enumeration makes the service fail.',
    onCall('listPets', (call) => !['available', 'pending', 'sold', null].includes(call.query.get('status'))),
  ),
  fault(
    'id-word-makes-500',
    'SERV-4',
    'A word as id makes the service fail.',
    onCall('getPet', (call) => /^[A-Za-z]/.test(call.petId ?? '')),
  ),
  fault(
    'id-with-20-digits-makes-500',
    'SERV-4',
    'An id of 20 digits makes the service fail.',
    onCall('getPet', (call) => /\d{20}/.test(call.petId ?? '')),
  ),
  fault(
    'id-with-fraction-makes-500',
    'SERV-4',
    'An id with a fraction makes the service fail.',
    onCall('getPet', (call) => /^\d+\.\d/.test(call.petId ?? '')),
  ),
  fault(
    'id-percent-encoded-makes-500',
    'SERV-4',
    'A percent escape in an id makes the service fail.',
    onCall('getPet', (call) => call.incoming.url?.includes('%') ?? false),
  ),
  fault(
    'id-maximum-makes-500',
    'SERV-4',
    'The largest int64 as id makes the service fail.',
    onCall('getPet', (call) => call.petId === '9223372036854775807'),
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
  fault('store-full-after-thirty', 'SERV-4', 'After thirty creations the service fails.', (steps) => {
    let added = 0;
    return changing('store', (usual) => (pet, call) => {
      added += 1;
      if (added > 30) crash('full');
      usual(pet, call);
    })(steps);
  }),
];
