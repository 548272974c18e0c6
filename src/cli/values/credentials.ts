/** Credentials of a request: no message repeats them. */
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { ExtraHeader } from '../../http/options.ts';
import { invalid, quoted } from '../errors.ts';
import type { Reader } from '../option.ts';
import { readFileOf } from './files.ts';

const KEY_FAULTS: readonly (readonly [fault: RegExp, what: string])[] = [
  [/^$/, 'is empty'],
  [/^Bearer\s/i, 'begins with "Bearer"; give only the key, without "Bearer"'],
  [/[\s\p{Cc}]/u, 'contains a space, a line break or a control character, which a header cannot carry'],
  [/[^\x21-\xff]/, 'contains a character outside Latin-1, which a header cannot carry'],
];

/** Refuses what a header cannot carry after `Bearer `. @param place where the key stands, in words */
function checkedKey(key: string, source: string, place = ''): string {
  const [, what] = KEY_FAULTS.find(([fault]) => fault.test(key)) ?? [];
  if (what !== undefined) throw invalid(source, `the key${place} ${what}`);
  return key;
}

/** The API key itself. */
export const apiKey: Reader<string> = (key, source) => checkedKey(key, source);

/** The API key, by the name of its environment variable. */
export const apiKeyInVariable: Reader<string> = (name, source, environment) => {
  const key = environment[name];
  if (key !== undefined && key !== '') return apiKey(key, source, environment);
  // Somebody may have given the key in place of the name: only what looks like a name is repeated.
  const shown = /^[A-Z][A-Z0-9_]{0,40}$/.test(name) ? `variable ${name}` : 'that variable';
  const what = key === undefined ? 'is not set' : 'is empty';
  throw invalid(source, `${shown} ${what}; set it, and give its name, not the key`);
};

/** The API key, by the path of its file. */
export const apiKeyInFile: Reader<string> = (path, source) => {
  // Somebody may have given the key in place of the path: only what leads to an existing file or folder is repeated.
  const isPath = existsSync(path) || (basename(path) !== path && existsSync(dirname(path)));
  const key = readFileOf(source, path, isPath ? quoted(path) : 'the file').replace(/(\r?\n)+$/, '');
  return checkedKey(key, source, ` in ${quoted(path)}`);
};

/** Headers that cannot be set, each with the reason or the alternative. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['authorization', 'give the key with --token, --token-env or --token-file'],
  ['proxy-authorization', 'put the credentials of the proxy into HTTPS_PROXY or HTTP_PROXY'],
  ['host', 'it follows from --base-url'],
  ['content-length', 'it follows from the body'],
  ['content-type', 'the checks vary it'],
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'].map(
    (name) => [name, 'it belongs to the connection'] as const,
  ),
]);

/** A header for every request, written `Name: value`; the value is a secret. */
export const requestHeader: Reader<ExtraHeader> = (text, source) => {
  const colon = text.indexOf(':');
  if (colon < 0) throw invalid(source, "missing colon; write 'Name: value'");
  const name = text.slice(0, colon).trim();
  const value = text.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '');
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    throw invalid(source, "the name before the colon is not a valid header name; write 'Name: value'");
  }
  const reason = REFUSED.get(name.toLowerCase());
  if (reason !== undefined) throw invalid(source, `the header ${name} cannot be set; ${reason}`);
  if (value === '') throw invalid(source, `the header ${name} has no value; write '${name}: value'`);
  if (/^[\t\x20-\x7e\xa0-\xff]+$/.test(value)) return { name, value };
  const what = 'contains a line break, a control character or a character outside Latin-1';
  throw invalid(source, `the value of ${name} ${what}`);
};
