import { INT64_MAX, INT64_MIN, isInt64 } from '../../contract/exact-integer.ts';
import type { RateLimit } from '../../http/options.ts';
import { invalid, quoted } from '../errors.ts';
import type { Reader } from '../option.ts';

const isNot = (source: string, text: string, what: string) => invalid(source, `${quoted(text)} is not ${what}`);

/** A whole number in a range, both ends included, in plain digits. */
export function integer(min: number, max: number): Reader<number> {
  return (text, source) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw isNot(source, text, `a whole number from ${min} to ${max}`);
  };
}

/** A share in percent, `90` or `90%`. */
export const percent: Reader<number> = (text, source) => {
  const number = /^\d{1,3}(?:\.\d{1,3})? ?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (number >= 0 && number <= 100) return number;
  throw isNot(source, text, 'a percentage from 0 to 100');
};

/** A time in seconds, fractions allowed, in a range with both ends included. Read as whole milliseconds. */
export function seconds(min: number, max: number): Reader<number> {
  return (text, source) => {
    const number = /^(\d{1,9}(\.\d{1,9})?|\.\d{1,9})$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return Math.round(number * 1000);
    const unit = /^[\d.]+ *(ms|s|m|h)$/i.test(text) ? '; write it without a unit' : '';
    throw isNot(source, text, `a number of seconds from ${min} to ${max}${unit}`);
  };
}

/** An int64 in plain digits. */
export const int64: Reader<bigint> = (text, source) => {
  const number = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (number !== undefined && isInt64(number)) return number;
  throw isNot(source, text, `an int64: a whole number from ${INT64_MIN} to ${INT64_MAX}`);
};

/** A day of the calendar, `YYYY-MM-DD`. */
export const date: Reader<string> = (text, source) => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw isNot(source, text, 'a calendar date; write it as 2030-12-05');
};

/** `50/s`, or `auto`. */
export const rateLimit: Reader<RateLimit> = (text, source) => {
  if (text === 'auto') return { kind: 'auto' };
  const perSecond = Number(/^(\d{1,6}(?:\.\d{1,6})?)\/s$/.exec(text)?.[1]);
  if (perSecond >= 0.01 && perSecond <= 100_000) return { kind: 'fixed', perSecond };
  const isNumber = /^\d+(\.\d+)?$/.test(text);
  const hint = isNumber ? `did you mean ${text}/s?` : 'write it as 50/s (from 0.01/s to 100000/s), or auto';
  throw isNot(source, text, `a number of requests per second; ${hint}`);
};
