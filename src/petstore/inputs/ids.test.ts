import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../contract/exact-integer.ts';
import { askedId, getPet } from '../calls.ts';
import { NO_KEY } from './credential.ts';
import { anyDecoratedId, decoratedIds, edgeIds, OPEN_ID_KINDS, PET_IDS } from './ids.ts';
import { type KnownIds, writtenId } from './written-id.ts';

const IDS = [1n, 2n, 10n, -1n, 42n, -7n, 0n, 2n ** 53n + 1n, INT64_MAX, INT64_MIN, 1234567890123456789n];

/** One segment of a path as it is sent: no slash, question mark or number sign, and no brace of a placeholder. */
const SEGMENT = /^[\x21-\x22\x24-\x2e\x30-\x3e\x40-\x7a\x7e]+$/;

const known = (own: bigint): KnownIds => ({ own, octal: own, newest: own, others: [own], made: () => own });

/** Every example of a kind, and many of the others that it may hold. */
function textsOf(kind: string, own: bigint): readonly string[] {
  const { examples = [], kinds = [], others } = PET_IDS[kind] ?? {};
  const drawn = [...kinds, ...(others === undefined ? [] : [others])].flatMap((texts) =>
    fc.sample(texts, { seed: 1729, numRuns: 300 }),
  );
  return [...examples, ...drawn].map((id) => writtenId(id, known(own), 'plain'));
}

const asked = (text: string) => askedId(getPet(text, NO_KEY));

describe.each(Object.keys(PET_IDS))('a petId that is %s', (kind) => {
  test('stays one segment of a path, with no placeholder left in it', () => {
    for (const id of IDS) for (const text of textsOf(kind, id)) expect(text).toMatch(SEGMENT);
  });

  test('is what its kind says, whatever the id that it is built on', () => {
    for (const id of IDS) {
      for (const text of textsOf(kind, id)) {
        if (!OPEN_ID_KINDS.includes(kind)) expect(asked(text).kind, text).toBe('int64');
        else if (kind === 'an unusual spelling')
          expect(asked(text), text).toEqual({ kind: 'unusual int64', id: text === '-0' ? 0n : id });
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

test('a decorated id is one segment that is no int64, whatever is put beside it', () => {
  for (const id of IDS) {
    const drawn = fc.sample(anyDecoratedId(known(id)), { seed: 1729, numRuns: 500 });
    for (const text of [...decoratedIds(known(id)), ...drawn]) {
      expect(text).toMatch(SEGMENT);
      expect(asked(text).kind, text).toBe('not int64');
    }
  }
});

test('ids at edges and of any length have 1 to 19 digits, above and below zero', () => {
  const drawn = fc.sample(edgeIds(), { seed: 1729, numRuns: 4_000 }).map(String);
  const lengths = (texts: readonly string[]) => new Set(texts.map((text) => text.replace('-', '').length));
  expect(lengths(drawn.filter((text) => !text.startsWith('-'))).size).toBe(19);
  expect(lengths(drawn.filter((text) => text.startsWith('-'))).size).toBe(19);
});
