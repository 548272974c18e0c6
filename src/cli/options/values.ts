/** Readers of values: numbers, dates, addresses and credentials. No message repeats what may be a secret. */
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
// That of Node.js, as a DOM environment may replace the global.
import { URL } from 'node:url';
import { invalid, quoted } from '../errors.ts';
import { readTextOf } from './files.ts';
import type { Reader } from './option.ts';

const isNot = (source: string, given: string, what: string) => invalid(source, `${quoted(given)} is not ${what}`);

/** A whole number in a range, both ends included, in plain digits. */
export function integer(min: number, max: number): Reader<number> {
  return (given, source) => {
    const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw isNot(source, given, `a whole number from ${min} to ${max}`);
  };
}

/** A time in seconds, fractions allowed, in a range with both ends included. Read as whole milliseconds. */
export function seconds(min: number, max: number): Reader<number> {
  return (given, source) => {
    const number = /^(\d{1,9}(\.\d{1,9})?|\.\d{1,9})$/.test(given) ? Number(given) : Number.NaN;
    if (number >= min && number <= max) return Math.round(number * 1000);
    const unit = /^[\d.]+ *(ms|s|m|h)$/i.test(given) ? '; write it without a unit' : '';
    throw isNot(source, given, `a number of seconds from ${min} to ${max}${unit}`);
  };
}

/** An int64 in plain digits. */
export const int64: Reader<bigint> = (given, source) => {
  const number = /^-?\d{1,19}$/.test(given) ? BigInt(given) : undefined;
  if (number !== undefined && BigInt.asIntN(64, number) === number) return number;
  throw isNot(source, given, 'an int64: a whole number from -9223372036854775808 to 9223372036854775807');
};

/** A day of the calendar, `YYYY-MM-DD`. */
export const date: Reader<string> = (given, source) => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(given) ? Date.parse(`${given}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(given)) return given;
  throw isNot(source, given, 'a calendar date; write it as 2030-12-05');
};

/** `50/s` */
export const perSecond: Reader<number> = (given, source) => {
  const number = Number(/^(\d{1,6}(?:\.\d{1,6})?)\/s$/.exec(given)?.[1]);
  if (number >= 0.01 && number <= 100_000) return number;
  const hint =
    /^\d+(\.\d+)?$/.test(given) && Number(given) > 0
      ? `did you mean ${given}/s?`
      : 'write it as 50/s (0.01/s to 100000/s)';
  throw isNot(source, given, `a number of requests per second; ${hint}`);
};

/** A text that is not empty. */
export const sentence: Reader<string> = (given, source) => {
  if (given.trim() !== '') return given.trim();
  throw invalid(source, 'the text is empty; say why, or leave it out');
};

/** The path of an output. */
export function path(example: string): Reader<string> {
  return (given, source) => {
    if (given.trim() !== '') return given;
    throw invalid(source, `the path is empty; write one such as ${example}`);
  };
}

export const host: Reader<string> = (name, source) => {
  if (/^[\w.:-]+$/.test(name)) return name;
  throw invalid(source, `${quoted(name)} is not a host; write one such as 127.0.0.1`);
};

/** Whether a server of this name and port probably speaks http, as it is local or has an unusual port. */
const isLikelyHttp = (authority: string): boolean =>
  /^(localhost|[^/]*\.local|\[?::1\]?|[\d.]+)(:|$)/i.test(authority) || /:(?!443$)\d+$/.test(authority);

/**
 * The base URL of a target: http or https, ending in `/v1`, with or without a slash at the end. Credentials in it are
 * rejected, and never repeated.
 */
export const baseUrl: Reader<string> = (given, source) => {
  const wrong = (what: string) => invalid(source, what);
  if (given.trim() === '') throw wrong('the URL is empty; write one such as https://staging.example/v1');
  if (given.includes('@')) {
    throw wrong('a URL with a user name, a password or an @ is not accepted; give the key with --token or -H');
  }
  // What follows a question mark may be a key, so it is not repeated.
  const [plain = ''] = given.split(/[?#]/, 1);
  const shown = quoted(plain);
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) {
    const scheme = isLikelyHttp(plain.split('/', 1)[0] ?? '') ? 'http' : 'https';
    const corrected = `${scheme}://${plain}`;
    const hint =
      URL.canParse(corrected) && /^[\w.:[\]-]+(\/|$)/.test(plain) ? `; did you mean ${quoted(corrected)}?` : '';
    throw wrong(`${shown} does not start with http:// or https://${hint}`);
  }
  if (!URL.canParse(given) || /[\s\\]/.test(given)) {
    throw wrong(`${shown} is not a valid URL; write one such as https://staging.example/v1`);
  }
  const url = new URL(given);
  if (!/^https?:$/.test(url.protocol)) {
    throw wrong(`${shown} has the scheme ${quoted(url.protocol)}; only http:// and https:// are supported`);
  }
  if (given !== plain) throw wrong(`${shown} is followed by a query or a fragment; remove the ? or # and the rest`);
  const path = url.pathname.replace(/\/$/, '');
  if (path.endsWith('/v1')) return `${url.origin}${path}`;
  const base = `${url.origin}${path.replace(/\/pets(\/[^/]*)?$/, '').replace(/\/+$/, '')}`;
  const corrected = base.endsWith('/v1') ? base : `${base.replace(/\/v\d+$/, '')}/v1`;
  throw wrong(`${shown} does not end in /v1; did you mean ${quoted(corrected)}?`);
};

const KEY_FAULTS: readonly (readonly [fault: RegExp, what: string])[] = [
  [/^$/, 'is empty'],
  [/^Bearer\s/i, 'begins with "Bearer"; give only the key, without "Bearer"'],
  [/[\s\p{Cc}]/u, 'contains a space, a line break or a control character, which a header cannot carry'],
  [/[^\x21-\xff]/, 'contains a character outside Latin-1, which a header cannot carry'],
];

/** Rejects what a header cannot carry after `Bearer `. @param place where the key stands, in words */
function checkedKey(key: string, source: string, place = ''): string {
  const [, what] = KEY_FAULTS.find(([fault]) => fault.test(key)) ?? [];
  if (what !== undefined) throw invalid(source, `the key${place} ${what}`);
  return key;
}

/** The API key itself. */
export const apiKey: Reader<string> = (key, source) => checkedKey(key, source);

/** The API key, by the path of its file. */
export const apiKeyInFile: Reader<string> = (path, source) => {
  // The path may be the key by mistake, so it is repeated only if its file or folder exists.
  const isPath = existsSync(path) || (basename(path) !== path && existsSync(dirname(path)));
  const key = readTextOf(source, path, isPath ? quoted(path) : 'the file').replace(/(\r?\n)+$/, '');
  return checkedKey(key, source, ` in ${quoted(path)}`);
};

/** Headers that cannot be set, each with the reason or the alternative. */
const REJECTED: ReadonlyMap<string, string> = new Map([
  ['authorization', 'give the key with --token or --token-file'],
  ['proxy-authorization', 'put the credentials of the proxy into HTTPS_PROXY or HTTP_PROXY'],
  ['host', 'it follows from --base-url'],
  ['content-length', 'it follows from the body'],
  ['content-type', 'the requests vary it'],
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'].map(
    (name) => [name, 'it belongs to the connection'] as const,
  ),
]);

/** A header for every request, written `Name: value`; the value is a secret. */
export const requestHeader: Reader<readonly [name: string, value: string]> = (given, source) => {
  const colon = given.indexOf(':');
  if (colon < 0) throw invalid(source, "missing colon; write 'Name: value'");
  const name = given.slice(0, colon).trim();
  const content = given.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '');
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    throw invalid(source, "the name before the colon is not a valid header name; write 'Name: value'");
  }
  const reason = REJECTED.get(name.toLowerCase());
  if (reason !== undefined) throw invalid(source, `the header ${name} cannot be set; ${reason}`);
  if (content === '') throw invalid(source, `the header ${name} has no value; write '${name}: value'`);
  if (/^[\t\x20-\x7e\xa0-\xff]+$/.test(content)) return [name, content];
  const what = 'contains a line break, a control character or a character outside Latin-1';
  throw invalid(source, `the value of ${name} ${what}`);
};
