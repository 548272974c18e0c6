/** An HTTP date in any of its three forms. Nothing else that `Date.parse` takes for a date is one. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d\d:\d\d:\d\d( gmt| \d{4})$/i;

/**
 * The wait that a 429 asks for, in milliseconds: `Retry-After` in whole seconds or as an HTTP date. Undefined where the
 * header is missing or invalid, or asks for no wait at all.
 *
 * @param now the time by the clock of the service, in milliseconds since 1970
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1_000 : dateIn(text) - now;
  return milliseconds > 0 ? Math.min(milliseconds, Number.MAX_SAFE_INTEGER) : undefined;
}

/** The form of C's asctime names no zone, and means GMT like the others. */
function dateIn(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`);
}
