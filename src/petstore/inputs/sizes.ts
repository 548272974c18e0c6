/** The number of brackets, one in the other. */
export const nested = (depth: number, open = '[', close = ']', core = ''): string =>
  `${open.repeat(depth)}${core}${close.repeat(depth)}`;

/** No request has more headers than this, or a head of more bytes, unless its length is the point. */
export const MOST_HEADERS = 50;
export const MOST_HEAD_BYTES = 6_000;

/** Deeper than parsers that call themselves are able to read. */
export const VERY_DEEP = 10_000;

/** As many characters as no buffer of 64 KiB holds. */
export const VERY_LONG = 100_000;

/** Bytes in 1 MiB: as many as usual services read, and not one more. */
export const MEBIBYTE = 1_048_576;

export const DEEP_ARRAY = nested(VERY_DEEP);
export const DEEP_OBJECT = nested(VERY_DEEP, '{"a":', '}', '1');

/** An integer of 5,000 digits. */
export const MANY_DIGITS = '7'.repeat(5_000);

/** A number that takes 100,000 digits to write without its exponent. */
export const LONG_EXPONENT = '1e99999';

/** A thousand members that a NewPet does not have. */
export const MANY_MEMBERS = Array.from({ length: 1_000 }, (_, at) => [`"member ${at}"`, `${at}`] as const);
