import { UsageError } from './errors.ts';
import { quoted } from './quoted.ts';

interface Range {
  readonly min: number;
  readonly max: number;
}

/** A whole number in a range, both ends included, written in plain digits. @throws UsageError */
export function readInteger(option: string, text: string, { min, max }: Range): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError('value-invalid', `${option}: ${quoted(text)} is not a whole number from ${min} to ${max}`);
}

/**
 * A time in seconds, fractions allowed, in a range with both ends included.
 * @returns whole milliseconds
 * @throws UsageError
 */
export function readSeconds(option: string, text: string, { min, max }: Range): number {
  const seconds = /^(\d{1,9}(\.\d{1,9})?|\.\d{1,9})$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= min && seconds <= max) return Math.round(seconds * 1000);
  const unit = /^[\d.]+ *(ms|s|m|h)$/i.test(text) ? '; write the bare number, without a unit' : '';
  throw new UsageError(
    'value-invalid',
    `${option}: ${quoted(text)} is not a number of seconds from ${min} to ${max}${unit}`,
  );
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * A time with its unit (`30s`, `5m`, `1h`), or in seconds without one, at most a day.
 * @returns whole milliseconds
 * @throws UsageError
 */
export function readDuration(option: string, text: string): number {
  const [, digits, unit = 's'] = /^(\d{1,9}(?:\.\d{1,9})?) ?([smh])?$/i.exec(text) ?? [];
  const milliseconds = Math.round(Number(digits) * (UNIT_MS[unit.toLowerCase()] ?? Number.NaN));
  if (milliseconds >= 1 && milliseconds <= 86_400_000) return milliseconds;
  throw new UsageError(
    'value-invalid',
    `${option}: ${quoted(text)} is not a time up to 24h; write it as 30s, 5m or 1h`,
  );
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** An int64 (part 2 of the specification), written in plain digits. @throws UsageError */
export function readInt64(option: string, text: string): bigint {
  if (/^-?\d{1,19}$/.test(text)) {
    const value = BigInt(text);
    if (value >= INT64_MIN && value <= INT64_MAX) return value;
  }
  throw new UsageError(
    'value-invalid',
    `${option}: ${quoted(text)} is not an int64: a whole number from ${INT64_MIN} to ${INT64_MAX}`,
  );
}

/** A day of the real calendar, `YYYY-MM-DD`. @throws UsageError */
export function readDate(option: string, text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const time = Date.parse(`${text}T00:00:00Z`);
    if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  }
  throw new UsageError(
    'value-invalid',
    `${option}: ${quoted(text)} is not a day of the calendar; write it as 2030-12-05`,
  );
}

/** Reads a value that may be absent. */
export function optional<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text);
}
