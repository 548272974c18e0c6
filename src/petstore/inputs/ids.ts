import fc from 'fast-check';
import { INT64_MAX, INT64_MIN, isInt64 } from '../../contract/exact-integer.ts';
import type { Level, LevelTable } from '../../engine/request-space.ts';
import {
  behind,
  beside,
  besideABlank,
  besideAControl,
  besideAMark,
  edgesOf,
  inBrackets,
  inDoubleQuotes,
  inOtherQuotes,
  withAMarkInside,
  withSomethingUnseen,
} from './decorations.ts';
import { matching } from './matching.ts';
import { spellingOf } from './spelling.ts';
import { EDGE_IDS, type KnownIds, writtenId } from './written-id.ts';

/** Ids that no animal has: far from any counter, and beyond what a double holds. A guess at random never meets one. */
export function farIds(): fc.Arbitrary<bigint> {
  // Near the ends of the ranges, where values are drawn more often otherwise, animals may well have ids.
  return fc.noBias(
    fc.oneof(
      fc.bigInt({ min: 2n ** 60n, max: INT64_MAX - 2n ** 33n }),
      fc.bigInt({ min: INT64_MIN + 2n ** 33n, max: -(2n ** 60n) }),
    ),
  );
}

const MOST_DIGITS = `${INT64_MAX}`.length;

/** Int64s of 1 to 19 digits, each number of them as often as the others, above and below zero. */
function idsOfAnyLength(): fc.Arbitrary<bigint> {
  const ofLength = (length: number): fc.Arbitrary<bigint> => {
    const least = 10n ** BigInt(length - 1);
    const most = length === MOST_DIGITS ? INT64_MAX : least * 10n - 1n;
    return fc.tuple(fc.bigInt({ min: least, max: most }), fc.boolean()).map(([id, isBelow]) => (isBelow ? -id : id));
  };
  return fc.oneof(...Array.from({ length: MOST_DIGITS }, (_, at) => ofLength(at + 1)));
}

/** How many of {@link EDGE_IDS} every run sends; it sends some of the others. */
const ALWAYS_SENT_EDGES = 6;

/** Templates of petIds, see {@link writtenId}. */
const written = (...examples: readonly string[]): Level<string> => ({ examples });
/** As many of a list, in turn. */
const each = (list: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `{${list} ${at}}`);
/** Any of a list. */
const anyOf = (list: string): fc.Arbitrary<string> => fc.nat().map((nth) => `{${list} ${nth}}`);

/** Ids that animals of the run have, by age. */
const OWN_IDS: LevelTable<string> = {
  // Every other one in plain digits.
  'given just now': written('{made}', '{made:percent-encoded}', '{made}', '{made:last percent-encoded}'),
  'given earlier': written('{own}'),
  'given long ago': written('{made}'),
};

/** Other int64s in plain digits. */
const OTHER_IDS: LevelTable<string> = {
  'of another': written(...each('other', 12)),
  'the next': written(...each('next', 7)),
  'beside one': { examples: each('near', 4), kinds: [anyOf('in a row')], others: anyOf('near or in a row') },
  'in other bits or digits': {
    examples: each('confused', 6), kinds: [anyOf('by a bit'), anyOf('by a digit')], others: anyOf('confused or by a bit'),
  },
  'an edge': {
    examples: EDGE_IDS.slice(ALWAYS_SENT_EDGES, 2 * ALWAYS_SENT_EDGES).map(String),
    others: fc.oneof(fc.constantFrom(...EDGE_IDS.slice(ALWAYS_SENT_EDGES)), idsOfAnyLength()).map(String),
  },
  far: { examples: [], others: farIds().map(String) },
}; // biome-ignore format: one table

/** The same id in other words, as a URI allows. */
const ENCODED_IDS: LevelTable<string> = {
  'percent-encoded digits': written(
    '{own:percent-encoded}',
    '{own:first percent-encoded}',
    '{own:last percent-encoded}',
  ),
};

/** Texts that may be read as an id, but need not be. */
const ODD_IDS: LevelTable<string> = {
  'an unusual spelling': written(
    '{octal:sign}0{octal:digits}', '{own:plus sign}', '{own}.0', '{octal:sign}000{octal:digits}', '{own:sign}0{own:digits}',
    '{own:sign}00000{own:digits}', '{own:encoded plus sign}', '-0', '{own:encoded plus sign}.0',
  ),
}; // biome-ignore format: one table

/** Texts that are no int64, by kind. */
const NOT_INT64: LevelTable<string> = {
  'a word': {
    examples: ['abc', 'available', 'one', 'pets', 'first'],
    others: matching(/^[a-z]{1,12}$/),
  },
  'a keyword': written(
    '__proto__', 'null', 'constructor', 'undefined', 'NaN', 'true', 'Infinity', 'toString', 'false', 'None', 'nil', 'hasOwnProperty',
  ),
  'digits and letters': {
    examples: ['{own}abc', '{own}.json', 'abc{own}', '{own}x', '{own}L', '{own}.xml', '12abc'],
    others: matching(/^[0-9]{1,6}[a-df-z]{1,4}$/),
  },
  'another base or an exponent': written(
    '{own:hexadecimal}', '{own}e0', '0x{own:digits}', '{own}E0', '0b{own:digits}', '1e2', '0x1', '0o7', '1_0', '1e', '1e400', '0b1',
  ),
  'a fraction': {
    examples: ['{own}.5', '{own}.00000000000000000001', '{own}%2e5', '{own}.0001', '{own},5', '1.5', '-1.5', '0.1'],
    others: matching(/^-?[0-9]{1,5}\.[0-9]{0,3}[1-9]$/),
  },
  'beyond int64': written(
    '9223372036854775808', '-9223372036854775809', '18446744073709551616', '99999999999999999999', '-18446744073709551616',
    '18446744073709551617', '9223372036854775809',
  ),
  'many digits': {
    examples: ['{own:+ 2^64}', '9'.repeat(2_000), '{own:- 2^64}', '{own:+ 2^128}', `1${'0'.repeat(40)}`, '1'.repeat(5_000)],
    others: matching(/^[1-9][0-9]{20,40}$/),
  },
  'signs and marks': written(
    // An error that repeats it must escape each of them.
    'a%22%5Cq%09%3C',
    '--{own:digits}', '{own},{own}', '{own}%27', '{own}%20or%201=1', '%22{own}%22', '%5B{own}%5D', '{own}-', '{own}%5C', '{own}+',
    '-', '*', '%7B%7D', '+-1', '%2A', '%7B%7B7*7%7D%7D', '$', '~1', '1-1', "'", '%3F', '%23',
  ),
  'control characters': written(
    '{own}%00', '{own}%0A', '%00{own}', '{own}%0D%0A', '{own}%09', '%0A{own}', '{own}%7F', '{own}%E2%80%8B', '%00', '%20',
  ),
  'other scripts or encodings': written(
    '{own:Arabic}', '{own:percent-encoded twice}', '{own:full width}', '{own:Devanagari}', '{own:last percent-encoded twice}',
    '%F0%9F%98%80', '%C2%B2', '%E4%BA%94', '%E2%85%A7', '%E2%88%921',
  ),
}; // biome-ignore format: one table

/** Texts of which the percent-encoding is malformed. */
const MALFORMED_IDS: LevelTable<string> = {
  'malformed percent-encoding': written(
    '{own}%', '{own}%FF', '{own}%ZZ', '%ZZ{own}', '%ZZ', '%2', '%FF', '%u0031', '%C3%28',
  ),
}; // biome-ignore format: one table

/** Texts with which a path is another one to those who decode it before they take it apart. */
const OTHER_PATHS: LevelTable<string> = {
  'an encoded slash or dot segment': written(
    '{own}%2F', '%2F{own}', '..%2F{own}', '{own}%2f.', '.%2F{own}', '%2E%2E%2F{own}', '{own}%2F%2F', 'x%2F..%2F{own}', '{own}%2Fx',
  ),
}; // biome-ignore format: one table

/** Everything that can stand in the path for a petId, by kind. */
export const PET_IDS: LevelTable<string> = {
  ...OWN_IDS,
  ...OTHER_IDS,
  ...ENCODED_IDS,
  ...ODD_IDS,
  ...NOT_INT64,
  ...OTHER_PATHS,
  ...MALFORMED_IDS,
};

/** The kinds that are not an int64 in plain digits, so that it is not said what becomes of them. */
export const OPEN_ID_KINDS: readonly string[] = Object.keys({
  ...ODD_IDS,
  ...NOT_INT64,
  ...OTHER_PATHS,
  ...MALFORMED_IDS,
});

/** What a petId of such a kind is, in words that distinguish what services treat differently. @param petId as sent */
export function petIdInWords(kind: string, petId: string): string {
  if (Object.hasOwn(MALFORMED_IDS, kind)) {
    const isHex = !/%(?![\da-f]{2})/i.test(petId);
    return isHex ? 'not UTF-8' : 'malformed percent-encoding';
  }
  return Object.hasOwn(ODD_IDS, kind) ? (spellingOf(decodeURIComponent(petId)) ?? kind) : kind;
}

/**
 * Three ids, each drawn at random from some range: that animals have all of them, nobody would believe. They end in the
 * bits or digits of `id`, so that a service that keeps no more of an id than these finds that animal.
 */
export function threeGuesses(id: bigint): fc.Arbitrary<readonly bigint[]> {
  const endingIn = (end: bigint, step: bigint, min: bigint, max: bigint): fc.Arbitrary<bigint> =>
    fc
      .noBias(fc.noShrink(fc.bigInt({ min: min / step + 1n, max: max / step - 1n })))
      .map((steps) => steps * step + end);
  const bits = (width: number): bigint => BigInt.asUintN(width, id);
  return fc.tuple(
    endingIn(bits(16), 2n ** 16n, 10n ** 8n, 2n ** 31n),
    endingIn((id < 0n ? -id : id) % 10n ** 9n, 10n ** 9n, 2n ** 33n, 2n ** 40n),
    endingIn(bits(32), 2n ** 32n, 2n ** 45n, 2n ** 52n),
  );
}

/** The edges that are asked for in every run. */
export const everyEdge = (): readonly bigint[] => EDGE_IDS.slice(0, ALWAYS_SENT_EDGES);

/**
 * Where integers of some width end, and integers of any number of digits: no animal has most of these, and none of them
 * may make a service fail.
 */
export const edgeIds = (): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.constantFrom(...edgesOf(7n, 8n, 15n, 16n, 24n, 31n, 32n, 53n, 62n, 63n).filter(isInt64)),
    idsOfAnyLength(),
  );

const segment = encodeURIComponent;
/** What may stand in a path as it is, beside letters and digits; a full stop is part of a number. */
const BARE = "!$&'()*,;=:@";

/** An id that exists, decorated: each of these is sent in every run. */
const DECORATIONS: readonly string[] = [
  '{own};v=1', '{own};', '{own}%3Bv=1', '{own}%20', '%20{own}', '{own}%C2%A0', '%EF%BB%BF{own}', '{own},', "'{own}'", '({own})',
  '%7B{own}%7D', '{own}n', '{own}a', '{own}&x=1', '{own}:', ':{own}', 'id:{own}', 'id={own}', 'pet-{own}', '@{own}', '%23{own}',
  '{own}%3Fx=1', '{own}%23x', '{own}_', '{own}0e-1', '{own}e%2B0', '{own}-0', '{own}-rex', '%5B%22{own}%22%5D', '{own:full width}',
  '{own:first as an HTML entity}', '{own:Base64}', '{own}.0.5', '{own}%2B', '{own}.html', '{own}d', '{own}~1',
  '{octal:by underscores}', '{octal:by commas}', '{octal:by blanks}', '{octal:by narrow blanks}',
]; // biome-ignore format: one table

/** Ids that exist, decorated in ways that a careful reader refuses. */
export const decoratedIds = (known: KnownIds): readonly string[] => DECORATIONS.map((id) => writtenId(id, known));

/** The same in any way. */
export function anyDecoratedId(known: KnownIds): fc.Arbitrary<string> {
  const id = fc.constantFrom(`${known.own}`, `${known.octal}`);
  const bare = beside(id, fc.constantFrom(...BARE));
  const letters = behind(id, matching(/^[a-zA-Z]{1,3}$/));
  const word = fc.oneof(matching(/^[a-z]{2,6}$/), fc.integer({ min: 0, max: 99 }).map(String));
  const files = behind(id, fc.constantFrom('.csv', '.html', '.txt', '.pdf', '.yaml', '.xml'));
  const slugs = fc
    .tuple(id, fc.constantFrom(...'-_?#&,;:|~@$+!= '), word, fc.boolean())
    .map(([inner, mark, other, isBehind]) => segment(isBehind ? `${inner}${mark}${other}` : `${other}${mark}${inner}`));
  const matrix = fc
    .tuple(
      id,
      fc.constantFrom('v', 'id', 'jsessionid', 'x', 'version'),
      fc.constantFrom('', '=', '=1', '=abc', '=1;y=2'),
    )
    .map(([inner, name, value]) => `${inner};${name}${value}`);
  const lists = fc.tuple(id, fc.constantFrom(...',:;&=@'), word).map((parts) => parts.join(''));
  const encoded = [
    besideAMark, besideABlank, besideAControl, withAMarkInside, withSomethingUnseen, inBrackets, inDoubleQuotes, inOtherQuotes,
  ].map((decorated) => decorated(id).map(segment)); // biome-ignore format: one table
  return fc.oneof(bare, letters, files, slugs, matrix, lists, ...encoded).filter(isRefused);
}

/** Neither an int64, however it is spelled, nor a path that a proxy takes for another one. */
function isRefused(text: string): boolean {
  const written = decodeURIComponent(text);
  return !/^[+-]?[\d.]*$/.test(written) && !/[/\\]/.test(written);
}
