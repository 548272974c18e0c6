// Part 5 · Authentication

import { part, requirement } from '../src/check/requirement.ts';
import { at, CALLS, each, inTurn, onAll, withKey } from '../src/check/rows.ts';
import { header, showsEffectOfRejected } from '../src/check/rules.ts';
import { KEYS } from '../src/inputs/keys.ts';
import type { Seen } from '../src/known/seen.ts';
import { create as CREATE, PLAIN, PLAIN_CALLS } from '../src/reading/call.ts';
import { SCRIPTS } from './course.ts';

const { list, create, getFree, limit0, badBody } = CALLS;
/** One of each operation. */
const EVERY = Object.values(PLAIN_CALLS);
const [NONE = { headers: [] }] = KEYS.none;
const [WRONG = { headers: [] }] = KEYS.invented;
const FAULTY = [getFree, badBody, limit0];
const KEYLESS_CREATIONS = [
  CREATE('{'),
  CREATE('{"id":$ID,"name":"$NAME","categoryId":7}'),
  { ...create, chunkBytes: 20 },
  CREATE(undefined),
];
/** Bodies under media types that a service may hand to another handler. */
const KEYLESS_FORMS = [
  CREATE('name=$NAME&categoryId=7', [...PLAIN, ['Content-Type', 'application/x-www-form-urlencoded']]),
  CREATE('{"name":"$NAME","categoryId":7}', [...PLAIN, ['Content-Type', 'text/plain']]),
  CREATE('<pet><name>$NAME</name></pet>', [...PLAIN, ['Content-Type', 'application/xml']]),
  CREATE('{"name":"$NAME","categoryId":7}', [...PLAIN, ['Content-Type', 'multipart/form-data']]),
];

const KEYS_IN_BODIES = KEYS.inBody.map((members) => CREATE(`{"name":"$NAME","categoryId":7,${members}}`));

export const authentication = part('5', 'Authentication', 'AUTH', [
  requirement('AUTH-1', 'the key gives access to every operation', {
    about: 'status',
    when: ({ reading: { key } }) => key.kind === 'right',
    broken: ({ status }) => status === 401 && 'the response to the right key is 401',
    sends: [inTurn(KEYS.right, withKey, EVERY)],
    scripts: [SCRIPTS.keysInARow],
  }),
  requirement('AUTH-2', 'a request without a key is rejected with 401', {
    when: ({ reading: { key, query } }) => key.kind === 'bad' && query?.isOtherPath === true,
    broken: ({ animals }) => animals.some(({ id }) => id !== undefined) && 'an animal is shown without a valid key',
    sends: [
      onAll(KEYS.none.slice(0, 1), withKey, EVERY),
      inTurn(KEYS.none.slice(1), withKey, EVERY),
      inTurn(KEYS.signsOfTrust, withKey, EVERY),
      each(KEYS.guardedTargets, (target) => withKey(at(target), NONE)),
      each(KEYS.otherPaths, (target) => withKey(at(target), NONE)),
    ],
    scripts: [SCRIPTS.cookies],
  }),
  requirement('AUTH-3', 'a request with an invalid key is rejected with 401', {
    sends: [
      inTurn(KEYS.invented, withKey, EVERY, { atLeast: 3 }),
      onAll([WRONG], withKey, EVERY),
      inTurn(KEYS.rawBytes, withKey, EVERY),
      inTurn(KEYS.long, withKey, [list]),
    ],
  }),
  requirement('AUTH-4', 'a key that differs from the right one in any way is invalid', {
    sends: [
      onAll(KEYS.nearestMisses.slice(0, 3), withKey, EVERY),
      inTurn(KEYS.nearestMisses.slice(3), withKey, EVERY),
      inTurn(KEYS.nearMisses, withKey, EVERY),
    ],
  }),
  requirement('AUTH-5', 'the key gives no access with another scheme or in another place', {
    sends: [
      inTurn(KEYS.otherSchemes, withKey, EVERY),
      inTurn(KEYS.elsewhere, withKey, EVERY),
      onAll([NONE], withKey, KEYS_IN_BODIES),
    ],
  }),
  requirement('AUTH-6', 'a valid key gives no access to later requests without one', {
    about: 'status',
    when: (seen, known) =>
      followsValidKey(seen, known.sequences.onConnection(seen.exchange)) &&
      known.keylessRejected(seen.reading.operation) !== undefined,
    broken: (seen, known) => {
      const rejected = known.keylessRejected(seen.reading.operation);
      if (rejected === undefined) return undefined;
      return (seen.status ?? 0) >= 300
        ? false
        : {
            says: 'a request without a valid key is accepted after one with it on the same connection, but rejected on another',
            earlier: [rejected, ...known.sequences.onConnection(seen.exchange).map(({ exchange }) => exchange)],
          };
    },
    isAboutConnection: true,
    scripts: [SCRIPTS.oneConnection],
  }),
  requirement('AUTH-7', 'an animal sent without a valid key is not added, and changes none', {
    when: ({ animals, reading }) => animals.length > 0 && reading.operation !== 'createPet',
    broken: showsEffectOfRejected('key'),
    scripts: [SCRIPTS.aged],
  }),
  requirement('AUTH-8', 'the scheme in another letter case or with other blanks is accepted, or rejected', {
    sends: [inTurn(KEYS.openSpellings, withKey, EVERY)],
  }),
  requirement('AUTH-9', 'a request without a valid key and with another fault is rejected for one of them', {
    sends: [
      onAll([NONE, WRONG], withKey, FAULTY),
      onAll([NONE], withKey, KEYLESS_CREATIONS),
      onAll([NONE], withKey, KEYLESS_FORMS),
      each(KEYS.faultyTargets, (target) => withKey(at(target), NONE)),
      each(KEYS.faultyTargets.slice(0, 3), (target) => withKey(at(target), WRONG)),
    ],
  }),
  requirement('AUTH-10', 'a WWW-Authenticate header on a 401', {
    records: (seen) =>
      seen.status === 401
        ? `sends ${header(seen, 'www-authenticate') === undefined ? 'no' : 'a'} WWW-Authenticate`
        : undefined,
  }),
]);

const followsValidKey = ({ reading: { key } }: Seen, before: readonly Seen[]): boolean =>
  key.requirement === 'AUTH-2' && before.some((one) => one.reading.key.kind === 'right' && (one.status ?? 500) < 300);
