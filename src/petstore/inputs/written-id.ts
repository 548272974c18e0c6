import { INT64_MAX, INT64_MIN, isInt64 } from '../../contract/exact-integer.ts';
import { percent } from './percent.ts';

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
const inScript = (text: string, zero: number): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** A mark between the digits of an id, as between thousands. */
function withInside(id: bigint, mark: string): string {
  const { sign, digits } = partsOf(id);
  const at = Math.max(1, digits.length - 3);
  return `${sign}${digits.slice(0, at)}${mark}${digits.slice(at)}`;
}

const segment = encodeURIComponent;
const allButTheLast = (id: bigint): string => `${id}`.slice(0, -1);
const theLast = (id: bigint): string => `${id}`.slice(-1);

/** How an id can be written, by the name that stands behind the colon of a placeholder. */
const FORMS: Readonly<Record<string, (id: bigint) => string>> = {
  sign: (id) => partsOf(id).sign,
  digits: (id) => partsOf(id).digits,
  // A minus sign leaves no room for another one.
  'plus sign': (id) => (id < 0n ? `-0${-id}` : `+${id}`),
  'encoded plus sign': (id) => (id < 0n ? `-00${-id}` : `%2B${id}`),
  hexadecimal: inHex,
  'percent-encoded': (id) => percent(`${id}`),
  'percent-encoded twice': (id) => percent(percent(`${id}`)),
  'first percent-encoded': (id) => percent(`${id}`.slice(0, 1)) + `${id}`.slice(1),
  'last percent-encoded': (id) => allButTheLast(id) + percent(theLast(id)),
  'last percent-encoded twice': (id) => allButTheLast(id) + segment(percent(theLast(id))),
  'first as an HTML entity': (id) => `%26%23${`${id}`.codePointAt(0)}%3B${`${id}`.slice(1)}`,
  Arabic: (id) => segment(inScript(`${id}`, 0x660)),
  Devanagari: (id) => segment(inScript(`${id}`, 0x966)),
  'full width': (id) => segment(inScript(`${id}`, 0xff10)),
  Base64: (id) => segment(Buffer.from(`${id}`).toString('base64')),
  'by underscores': (id) => withInside(id, '_'),
  'by commas': (id) => withInside(id, ','),
  'by blanks': (id) => withInside(id, '%20'),
  'by narrow blanks': (id) => withInside(id, '%E2%80%AF'),
  '+ 2^64': (id) => `${id + 2n ** 64n}`,
  '- 2^64': (id) => `${id - 2n ** 64n}`,
  '+ 2^128': (id) => `${id + 2n ** 128n}`,
};

/** Ids of animals, by the name in a placeholder. */
const IDS: Readonly<Record<string, (known: KnownIds, making: string) => bigint>> = {
  own: ({ own }) => own,
  octal: ({ octal }) => octal,
  made: ({ made }, making) => made(making),
};

/** Lists of other int64s, by the name that stands before the number of a placeholder. */
const LISTS: Readonly<Record<string, (known: KnownIds) => readonly bigint[]>> = {
  other: ({ others }) => others,
  next: ({ newest }) => Array.from({ length: 7 }, (_, at) => newest + BigInt(at) + 1n).filter(isInt64),
  near: ({ own }) => besides(own),
  'in a row': ({ own }) => inARow(own),
  confused: ({ own }) => confusions(own),
  'by a bit': ({ own }) => inOtherBits(own),
  'by a digit': ({ own }) => inOtherDigits(own),
  'near or in a row': ({ own }) => [...besides(own), ...inARow(own)],
  'confused or by a bit': ({ own }) => [...confusions(own), ...inOtherBits(own)],
};

/**
 * A petId as it stands in the path. In the template, `{own}`, `{octal}` and `{made}` stand for known ids,
 * `{own:hexadecimal}` for one that is written in another form, and `{near 3}` for one of a list, counted from 0 and
 * beginning anew at its end; everything else is sent as it is.
 *
 * @param making how the animal of `{made}` was made
 * @throws Error where a placeholder is unknown
 */
export function writtenId(template: string, known: KnownIds, making = ''): string {
  return template.replace(/\{(\D+?)(?::(.+?)| (\d+))?\}/g, (placeholder, name: string, form = '', nth = '') => {
    const all = LISTS[name]?.(known);
    if (all !== undefined) return `${all[Number(nth) % Math.max(1, all.length)] ?? known.own}`;
    const id = IDS[name];
    const write = form === '' ? String : FORMS[form];
    if (id === undefined || write === undefined) throw new Error(`there is no placeholder ${placeholder}`);
    return write(id(known, making));
  });
}
