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
import { percent } from './percent.ts';
import { spellingOf } from './spelling.ts';

/** What a petId is built on: what the run knows of the ids of its service. */
export interface KnownIds {
  /** The id of an animal that exists. */
  readonly own: bigint;
  /** An id of the run's own that reads as another number in another base, where there is one. */
  readonly octal: bigint;
  /** The largest id that the run was given. */
  readonly newest: bigint;
  /** Ids that the list shows of animals of others; none where there are none, or none are shown. */
  readonly others: readonly bigint[];
  /** The id of an animal that was made like this. */
  readonly made: (making: string) => bigint;
}

/** What stands in the path for a petId, verbatim. */
export type PetIdText = (known: KnownIds, making: string) => string;

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
export function idsOfAnyLength(): fc.Arbitrary<bigint> {
  const ofLength = (length: number): fc.Arbitrary<bigint> => {
    const least = 10n ** BigInt(length - 1);
    const most = length === MOST_DIGITS ? INT64_MAX : least * 10n - 1n;
    return fc.tuple(fc.bigInt({ min: least, max: most }), fc.boolean()).map(([id, isBelow]) => (isBelow ? -id : id));
  };
  return fc.oneof(...Array.from({ length: MOST_DIGITS }, (_, at) => ofLength(at + 1)));
}

/** Ids that an animal may or may not have, where implementations go wrong. */
export const EDGE_IDS: readonly bigint[] = [
  0n, -1n, INT64_MAX, INT64_MIN, -(2n ** 31n), 1n, 2n ** 53n + 1n, 2n ** 32n, 2n ** 31n, 2n ** 31n - 1n, 2n ** 53n,
  -(2n ** 53n) - 1n, INT64_MAX - 1n, INT64_MIN + 1n, 999999999n, -2n, -100n,
]; // biome-ignore format: one table

/** Other int64s of which each is near to `id`, also to the double that is nearest to it. */
function besides(id: bigint): readonly bigint[] {
  const asDouble = BigInt(Number(id));
  return othersThan(id, [id + 1n, id - 1n, asDouble, asDouble + 1n, asDouble - 1n, id + 2n, id - 2n]);
}

/** Other int64s in the rows before and after `id`. */
const inARow = (id: bigint): readonly bigint[] =>
  othersThan(
    id,
    Array.from({ length: 18 }, (_, at) => BigInt(at) + 3n).flatMap((step) => [id + step, id - step]),
  );

/** Other int64s that have some bits or digits of `id`: those that most implementations confuse with it first. */
function confusions(id: bigint): readonly bigint[] {
  return othersThan(id, [
    id + 2n ** 32n, BigInt.asIntN(64, id + 2n ** 63n), id + 2n ** 16n, -id, id * 10n, id / 10n, id + 2n ** 53n, id - 2n ** 32n, BigInt.asIntN(32, id),
    ~id, id + 2n ** 31n, id * 2n,
  ]); // biome-ignore format: one table
}

/** Bits that a narrower integer, a packed id or a flag has no room for. */
const HIGH_BITS = [8n, 16n, 20n, 24n, 31n, 32n, 33n, 40n, 48n, 53n, 62n, 63n];

/** Other int64s that differ from `id` in one of the {@link HIGH_BITS}, or by its value. */
const inOtherBits = (id: bigint): readonly bigint[] =>
  othersThan(
    id,
    HIGH_BITS.flatMap((bit) => [id + 2n ** bit, id - 2n ** bit, id ^ (2n ** bit), BigInt.asIntN(64, id ^ (1n << bit))]),
  );

/** Digits of which a field of fixed width has no room for the first. */
const WIDTHS = [4, 5, 6, 8, 9, 10, 12, 15, 16, 18];

/** Other int64s that have one digit more than `id`, before or after it, or another last digit. */
function inOtherDigits(id: bigint): readonly bigint[] {
  const { sign, digits } = partsOf(id);
  const written = [
    ...[...'0123456789'].flatMap((digit) => [
      `${digit === '0' ? '' : digit}${digits}`,
      `${digits}${digit}`,
      `${digits.slice(0, -1)}${digit}`,
    ]),
    ...WIDTHS.map((width) => `3${digits.padStart(width, '0')}`),
  ];
  return othersThan(
    id,
    written.map((text) => BigInt(`${sign}${text}`)),
  );
}

const othersThan = (id: bigint, candidates: readonly bigint[]): readonly bigint[] =>
  [...new Set(candidates)].filter((candidate) => candidate !== id && isInt64(candidate));

/** So many of {@link EDGE_IDS} are sent in every run; of the others some. */
const ALWAYS_SENT_EDGES = 6;

/** Other int64s that an implementation could confuse with `id`. */
export function neighboursOf(id: bigint): readonly bigint[] {
  return [...new Set([...besides(id), ...confusions(id)])];
}

/** A sign and digits. */
function partsOf(id: bigint): { readonly sign: string; readonly digits: string } {
  return id < 0n ? { sign: '-', digits: `${-id}` } : { sign: '', digits: `${id}` };
}

/** As languages write it in base 16. */
function inHex(id: bigint): string {
  const { sign, digits } = partsOf(id);
  return `${sign}0x${BigInt(digits).toString(16)}`;
}

/** Digits in another script that begins with this zero. */
const inScript = (id: bigint, zero: number): string =>
  encodeURIComponent(`${id}`.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))));

const fullWidth = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

const texts = (...examples: readonly string[]): Level<PetIdText> => ({
  examples: examples.map((text) => () => text),
});
const ofOwn = (...examples: readonly ((id: bigint) => string)[]): Level<PetIdText> => ({
  examples: examples.map(
    (text) =>
      ({ own }: KnownIds) =>
        text(own),
  ),
});
const both = (one: Level<PetIdText>, other: Level<PetIdText>): Level<PetIdText> => ({
  examples: [...one.examples, ...other.examples],
});
const randomly = (level: Level<PetIdText>, others: fc.Arbitrary<string>): Level<PetIdText> => ({
  ...level,
  others: others.map((text) => () => text),
});
/** Any of those that there are. */
const anyOf = (of: (known: KnownIds) => readonly bigint[]): fc.Arbitrary<PetIdText> =>
  fc.nat().map((nth) => (known) => {
    const all = of(known);
    return `${all[nth % Math.max(1, all.length)] ?? known.own}`;
  });
const written = (ids: fc.Arbitrary<bigint>): fc.Arbitrary<PetIdText> => ids.map((id) => () => `${id}`);
/** The n-th of so many; of fewer, in turn. */
const nthOf = (count: number, of: (known: KnownIds) => readonly bigint[]): Level<PetIdText> => ({
  examples: Array.from({ length: count }, (_, at) => (known: KnownIds) => {
    const all = of(known);
    return `${all[at % Math.max(1, all.length)] ?? known.own}`;
  }),
});

/** Ids that animals of the run have, by age: the making decides which of them. */
const OWN_IDS: LevelTable<PetIdText> = {
  'given just now': {
    // Every other one in plain digits.
    examples: [
      ({ made }, making) => `${made(making)}`,
      ({ made }, making) => percent(`${made(making)}`),
      ({ made }, making) => `${made(making)}`,
      ({ made }, making) => `${made(making)}`.slice(0, -1) + percent(`${made(making)}`.slice(-1)),
    ],
  },
  'given earlier': ofOwn((id) => `${id}`),
  'given long ago': { examples: [({ made }, making) => `${made(making)}`] },
};

/** Other int64s in plain digits. */
const OTHER_IDS: LevelTable<PetIdText> = {
  'of another': nthOf(12, ({ others }) => others),
  'the next': nthOf(7, ({ newest }) => Array.from({ length: 7 }, (_, at) => newest + BigInt(at) + 1n).filter(isInt64)),
  'beside one': {
    ...nthOf(4, ({ own }) => besides(own)),
    kinds: [anyOf(({ own }) => inARow(own))],
    others: anyOf(({ own }) => [...besides(own), ...inARow(own)]),
  },
  'in other bits or digits': {
    ...nthOf(6, ({ own }) => confusions(own)),
    kinds: [anyOf(({ own }) => inOtherBits(own)), anyOf(({ own }) => inOtherDigits(own))],
    others: anyOf(({ own }) => [...confusions(own), ...inOtherBits(own)]),
  },
  'an edge': {
    ...nthOf(ALWAYS_SENT_EDGES, () => EDGE_IDS.slice(ALWAYS_SENT_EDGES)),
    others: fc.oneof(written(fc.constantFrom(...EDGE_IDS.slice(ALWAYS_SENT_EDGES))), written(idsOfAnyLength())),
  },
  far: { examples: [], others: written(farIds()) },
};

/** The same id in other words, as a URI allows. */
const ENCODED_IDS: LevelTable<PetIdText> = {
  'percent-encoded digits': ofOwn(
    (id) => percent(`${id}`),
    (id) => percent(`${id}`.slice(0, 1)) + `${id}`.slice(1),
    (id) => `${id}`.slice(0, -1) + percent(`${id}`.slice(-1)),
  ),
};

/** Texts that may be read as an id, but need not be. */
const ODD_IDS: LevelTable<PetIdText> = {
  'an odd spelling': both(
    {
      examples: [
        ({ octal }) => `${partsOf(octal).sign}0${partsOf(octal).digits}`,
        ({ own }) => (own < 0n ? `-0${-own}` : `+${own}`),
        ({ own }) => `${own}.0`,
        ({ octal }) => `${partsOf(octal).sign}000${partsOf(octal).digits}`,
      ],
    },
    ofOwn(
      (id) => `${partsOf(id).sign}0${partsOf(id).digits}`,
      (id) => `${partsOf(id).sign}00000${partsOf(id).digits}`,
      (id) => (id < 0n ? `${id}.00` : `%2B${id}`),
      () => '-0',
      (id) => (id < 0n ? `${id}.000` : `%2B${id}.0`),
    ),
  ),
};

/** Texts that are no int64, by kind. */
const NOT_INT64: LevelTable<PetIdText> = {
  'a word': randomly(
    texts('abc', 'available', 'one', 'pets', 'first'),
    matching(/^[a-z]{1,12}$/),
  ),
  'a word of languages': texts(
    '__proto__', 'null', 'constructor', 'undefined', 'NaN', 'true', 'Infinity', 'toString', 'false', 'None', 'nil', 'hasOwnProperty',
  ),
  'digits and letters': randomly(
    both(
      ofOwn((id) => `${id}abc`, (id) => `${id}.json`, (id) => `abc${id}`, (id) => `${id}x`, (id) => `${id}L`, (id) => `${id}.xml`),
      texts('12abc'),
    ),
    matching(/^[0-9]{1,6}[a-df-z]{1,4}$/),
  ),
  'another base or an exponent': both(
    ofOwn((id) => inHex(id), (id) => `${id}e0`, (id) => `0x${partsOf(id).digits}`, (id) => `${id}E0`, (id) => `0b${partsOf(id).digits}`),
    texts('1e2', '0x1', '0o7', '1_0', '1e', '1e400', '0b1'),
  ),
  'a fraction': randomly(
    both(ofOwn((id) => `${id}.5`, (id) => `${id}.00000000000000000001`, (id) => `${id}%2e5`, (id) => `${id}.0001`, (id) => `${id},5`), texts('1.5', '-1.5', '0.1')),
    matching(/^-?[0-9]{1,5}\.[0-9]{0,3}[1-9]$/),
  ),
  'beyond int64': texts(
    '9223372036854775808', '-9223372036854775809', '18446744073709551616', '99999999999999999999', '-18446744073709551616',
    '18446744073709551617', '9223372036854775809',
  ),
  'many digits': randomly(
    both(
      ofOwn((id) => `${id + 2n ** 64n}`, () => '9'.repeat(2_000), (id) => `${id - 2n ** 64n}`, (id) => `${id + 2n ** 128n}`),
      texts(`1${'0'.repeat(40)}`, '1'.repeat(1_000)),
    ),
    matching(/^[1-9][0-9]{20,40}$/),
  ),
  'signs and marks': both(
    ofOwn(
      // An error that repeats it must escape each of them.
      () => 'a%22%5Cq%09%3C', (id) => `--${partsOf(id).digits}`, (id) => `${id},${id}`, (id) => `${id}%27`, (id) => `${id}%20or%201=1`, (id) => `%22${id}%22`,
      (id) => `%5B${id}%5D`, (id) => `${id}-`, (id) => `${id}%5C`, (id) => `${id}+`,
    ),
    texts('-', '*', '%7B%7D', '+-1', '%2A', '%7B%7B7*7%7D%7D', '$', '~1', '1-1', "'", '%3F', '%23'),
  ),
  'control characters': both(
    ofOwn(
      (id) => `${id}%00`, (id) => `${id}%0A`, (id) => `%00${id}`, (id) => `${id}%0D%0A`, (id) => `${id}%09`, (id) => `%0A${id}`,
      (id) => `${id}%7F`, (id) => `${id}%E2%80%8B`,
    ),
    texts('%00', '%20'),
  ),
  'other scripts or encodings': both(
    ofOwn(
      (id) => inScript(id, 0x660), (id) => percent(percent(`${id}`)), (id) => inScript(id, 0xff10), (id) => inScript(id, 0x966),
      (id) => `${id}`.slice(0, -1) + encodeURIComponent(percent(`${id}`.slice(-1))),
    ),
    texts('%F0%9F%98%80', '%C2%B2', '%E4%BA%94', '%E2%85%A7', '%E2%88%921'),
  ),
}; // biome-ignore format: one table

/** Texts of which the percent-encoding is malformed. */
const MALFORMED_IDS: LevelTable<PetIdText> = {
  'malformed percent-encoding': both(
    ofOwn((id) => `${id}%`, (id) => `${id}%FF`, (id) => `${id}%ZZ`, (id) => `%ZZ${id}`),
    texts('%ZZ', '%2', '%FF', '%u0031', '%C3%28'),
  ),
}; // biome-ignore format: one table

/** Texts with which a path is another one to those who decode it before they take it apart. */
const OTHER_PATHS: LevelTable<PetIdText> = {
  'an encoded slash or dot segment': ofOwn(
    (id) => `${id}%2F`,
    (id) => `%2F${id}`,
    (id) => `..%2F${id}`,
    (id) => `${id}%2f.`,
    (id) => `.%2F${id}`,
    (id) => `%2E%2E%2F${id}`,
    (id) => `${id}%2F%2F`,
    (id) => `x%2F..%2F${id}`,
    (id) => `${id}%2Fx`,
  ),
};

/** Everything that can stand in the path for a petId, by kind. */
export const PET_IDS: LevelTable<PetIdText> = {
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

/** What the specification permits as the answer to a petId of such a kind, by status. @param petId as it was sent */
export function readingsOfId(kind: string, petId = ''): Readonly<Record<number, string>> {
  const refusals = (what: string) => ({ 400: `answers 400 to ${what}`, 404: `answers 404 to ${what}` });
  if (Object.hasOwn(MALFORMED_IDS, kind)) return refusals('malformed percent-encoding');
  if (Object.hasOwn(OTHER_PATHS, kind)) return refusals('a petId with an encoded slash or dot segment');
  if (!Object.hasOwn(ODD_IDS, kind)) return refusals('a petId that is not an int64');
  const odd = `a petId ${spellingOf(decodeURIComponent(petId)) ?? 'in an odd spelling'}`;
  return { 200: `reads ${odd}`, ...refusals(odd) };
}

/**
 * Three ids, each drawn at random from some range: that animals have all of them, nobody would believe. They end in the
 * bits or digits of `id`, so that whoever keeps no more of an id than these finds that animal.
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
const DECORATIONS: readonly PetIdText[] = [
  ...ofOwn(
    (id) => `${id};v=1`, (id) => `${id};`, (id) => `${id}%3Bv=1`, (id) => `${id}%20`, (id) => `%20${id}`, (id) => `${id}%C2%A0`,
    (id) => `%EF%BB%BF${id}`, (id) => `${id},`, (id) => `'${id}'`, (id) => `(${id})`, (id) => `%7B${id}%7D`, (id) => `${id}n`, (id) => `${id}a`,
    (id) => `${id}&x=1`, (id) => `${id}:`, (id) => `:${id}`, (id) => `id:${id}`, (id) => `id=${id}`, (id) => `pet-${id}`,
    (id) => `@${id}`, (id) => `%23${id}`, (id) => `${id}%3Fx=1`, (id) => `${id}%23x`, (id) => `${id}_`,
    (id) => `${id}0e-1`, (id) => `${id}e%2B0`, (id) => `${id}-0`, (id) => `${id}-rex`, (id) => `%5B%22${id}%22%5D`, (id) => segment(fullWidth(`${id}`)),
    (id) => `%26%23${`${id}`.codePointAt(0)}%3B${`${id}`.slice(1)}`, (id) => segment(Buffer.from(`${id}`).toString('base64')),
  ).examples,
  ...ofOwn((id) => `${id}.0.5`, (id) => `${id}%2B`, (id) => `${id}.html`, (id) => `${id}d`, (id) => `${id}~1`).examples,
  ({ octal }) => withInside(octal, '_'),
  ({ octal }) => withInside(octal, ','),
  ({ octal }) => withInside(octal, '%20'),
  ({ octal }) => withInside(octal, '%E2%80%AF'),
]; // biome-ignore format: one table

/** A mark between its digits, as between thousands. */
function withInside(id: bigint, mark: string): string {
  const { sign, digits } = partsOf(id);
  const at = Math.max(1, digits.length - 3);
  return `${sign}${digits.slice(0, at)}${mark}${digits.slice(at)}`;
}

/** Ids that exist, decorated in ways that a careful reader refuses. */
export const decoratedIds = (known: KnownIds): readonly string[] => DECORATIONS.map((text) => text(known, ''));

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
