import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../contract/exact-integer.ts';
import { askedId, getPet } from '../calls.ts';
import { NO_KEY } from './credentials.ts';
import { type KnownIds, OPEN_ID_KINDS, PET_IDS, readingsOfId } from './ids.ts';

const IDS = [1n, 42n, -7n, 0n, 2n ** 53n + 1n, INT64_MAX, INT64_MIN, 1234567890123456789n];

const known = (own: bigint): KnownIds => ({ own, octal: own, newest: own, others: [own], made: () => own });

/** Every example of a kind, and many of the others that it may hold. */
function textsOf(kind: string, own: bigint): readonly string[] {
  const { examples = [], others } = PET_IDS[kind] ?? {};
  const drawn = others === undefined ? [] : fc.sample(others, { seed: 1729, numRuns: 300 });
  return [...examples, ...drawn].map((text) => text(known(own), 'plain'));
}

const asked = (text: string) => askedId(getPet(text, NO_KEY));

describe.each(Object.keys(PET_IDS))('a petId that is %s', (kind) => {
  test('stays one segment of a path', () => {
    for (const id of IDS)
      for (const text of textsOf(kind, id)) expect(text).toMatch(/^[\x21-\x22\x24-\x2e\x30-\x3e\x40-\x7e]+$/);
  });

  test('is what its kind says, whatever the id that it is built on', () => {
    for (const id of IDS) {
      for (const text of textsOf(kind, id)) {
        if (!OPEN_ID_KINDS.includes(kind)) expect(asked(text).kind, text).toBe('int64');
        else if (kind === 'an odd spelling')
          expect(asked(text), text).toEqual({ kind: 'odd', id: text === '-0' ? 0n : id });
        else expect(asked(text).kind, text).toBe(kind.startsWith('malformed') ? 'malformed' : 'not int64');
      }
    }
  });
});

test('percent-encoded digits are the same id', () => {
  for (const id of IDS) {
    for (const text of textsOf('percent-encoded digits', id)) {
      expect(text).toContain('%');
      expect(asked(text)).toEqual({ kind: 'int64', id });
    }
  }
});

test.each(['beside one', 'in other bits or digits', 'the next'])('an id %s is another one', (kind) => {
  for (const id of IDS.filter((one) => one !== INT64_MAX)) expect(textsOf(kind, id)).not.toContain(`${id}`);
});

test('only an odd spelling may be answered with an animal', () => {
  for (const kind of OPEN_ID_KINDS) {
    expect(Object.hasOwn(readingsOfId(kind), 200), kind).toBe(kind === 'an odd spelling');
    expect(readingsOfId(kind)).toMatchObject({ 400: expect.any(String), 404: expect.any(String) });
  }
});
