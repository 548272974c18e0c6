/** Other spellings of an id, and numbers near it, by their names in the texts of calls. */

const INT64 = 2n ** 63n;

const plus =
  (offset: bigint) =>
  (id: string): string =>
    `${BigInt(id) + offset}`;

const byte = (value: number): string => `%${value.toString(16).toUpperCase().padStart(2, '0')}`;
/** Every byte percent-encoded. */
const percent = (text: string): string => [...Buffer.from(text)].map(byte).join('');
const inScript = (id: string, zero: number): string =>
  id.replace(/\d/g, (digit) => percent(String.fromCodePoint(zero + Number(digit))));

/** Inserts a text between sign and digits. */
const behindSign = (id: string, text: string): string => id.replace(/^-?/, `$&${text}`);
/** Inserts a mark between the digits: before the last three, as between thousands, or after the first, which may be a zero. */
const withInside = (text: string, mark: string): string => {
  const id = /\d\d/.test(text) ? text : behindSign(text, '0');
  const at = Math.max(id.search(/\d/) + 1, id.length - 3);
  return id.slice(0, at) + mark + id.slice(at);
};

/** What `$ID:name` in a text stands for: another spelling of the id, or another number near it. */
// biome-ignore format: one table
export const ID_FORMS: Readonly<Record<string, (id: string) => string>> = {
  // The same number.
  'percent': percent,
  'first-percent': (id) => percent(id.slice(0, 1)) + id.slice(1),
  'last-percent': (id) => id.slice(0, -1) + percent(id.slice(-1)),
  'zero': (id) => behindSign(id, '0'),
  'zeros': (id) => behindSign(id, '000'),
  // A negative id cannot get another sign.
  'sign': (id) => (id.startsWith('-') ? behindSign(id, '0') : `+${id}`),
  'percent-sign': (id) => (id.startsWith('-') ? `%2D0${id.slice(1)}` : `%2B${id}`),
  'nineteen-digits': (id) => behindSign(id, '0'.repeat(Math.max(0, 19 - id.replace('-', '').length))),
  // Other numbers.
  'plus-1': plus(1n),
  'minus-1': plus(-1n),
  'plus-2-to-16': plus(2n ** 16n),
  'plus-2-to-31': plus(2n ** 31n),
  'plus-2-to-32': plus(2n ** 32n),
  'plus-2-to-53': plus(2n ** 53n),
  'plus-2-to-64': plus(2n * INT64),
  'minus-2-to-64': plus(-2n * INT64),
  'plus-2-to-128': plus(2n ** 128n),
  'plus-10-to-9': plus(10n ** 9n),
  'sign-bit': (id) => `${BigInt.asIntN(64, BigInt(id) + INT64)}`,
  'negative': (id) => `${-BigInt(id)}`,
  'inverted': (id) => `${~BigInt(id)}`,
  'times-10': (id) => `${id}0`,
  'without-last': (id) => `${BigInt(id) / 10n}`,
  'as-double': (id) => `${BigInt(Number(id))}`,
  'in-32-bits': (id) => `${BigInt.asIntN(32, BigInt(id))}`,
  // Numbers only to a lenient parser.
  'and-abc': (id) => `${id}abc`,
  'and-x': (id) => `${id}x`,
  'and-l': (id) => `${id}L`,
  'and-n': (id) => `${id}n`,
  'and-e0': (id) => `${id}e0`,
  'and-0e-1': (id) => `${id}0e-1`,
  'and-underscore': (id) => `${id}_`,
  'hexadecimal': (id) => behindSign(id, '0x').replace(/\d+$/, (digits) => BigInt(digits).toString(16)),
  'octal': (id) => behindSign(id, '0o').replace(/\d+$/, (digits) => BigInt(digits).toString(8)),
  'binary': (id) => behindSign(id, '0b').replace(/\d+$/, (digits) => BigInt(digits).toString(2)),
  'percent-twice': (id) => percent(id).replaceAll('%', '%25'),
  'last-percent-twice': (id) => id.slice(0, -1) + percent(id.slice(-1)).replace('%', '%25'),
  'arabic': (id) => inScript(id, 0x660),
  'full-width': (id) => inScript(id, 0xff10),
  'base64': (id) => encodeURIComponent(Buffer.from(id).toString('base64')),
  'entity': (id) => `%26%23${id.charCodeAt(0)}%3B${id.slice(1)}`,
  'underscore-inside': (id) => withInside(id, '_'),
  'comma-inside': (id) => withInside(id, ','),
  'blank-inside': (id) => withInside(id, '%20'),
  'last-any': (id) => `${id.slice(0, -1)}_`,
};
