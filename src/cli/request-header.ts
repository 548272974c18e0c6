import type { ExtraHeader } from '../http/options.ts';
import { UsageError } from './errors.ts';

/** Headers that belong to the connection or to the suite, each with the reason or the other way. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['authorization', 'give the key with --token, --token-env or --token-file'],
  ['proxy-authorization', 'give the proxy with its credentials in HTTPS_PROXY or HTTP_PROXY'],
  ['host', 'it follows from --base-url'],
  ['content-length', 'it follows from the body'],
  ['content-type', 'the checks vary it'],
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'].map(
    (name) => [name, 'it belongs to the connection'] as const,
  ),
]);

/**
 * A header for every request, written `Name: value`. The value counts as a secret: no message repeats it.
 * @throws UsageError
 */
export function readHeader(option: string, text: string): ExtraHeader {
  const wrong = (what: string): UsageError => new UsageError('value-invalid', `${option}: ${what}`);
  const colon = text.indexOf(':');
  if (colon < 0) throw wrong("a header is written 'Name: value', with a colon");
  const name = text.slice(0, colon).trim();
  const value = text.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '');
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    throw wrong("the name before the colon must be made of letters, digits and hyphens; write 'Name: value'");
  }
  const reason = REFUSED.get(name.toLowerCase());
  if (reason !== undefined) throw wrong(`the header ${name} cannot be set; ${reason}`);
  if (value === '') throw wrong(`the header ${name} has no value; write '${name}: value'`);
  if (!/^[\t\x20-\x7e\xa0-\xff]+$/.test(value)) {
    throw wrong(`the value of ${name} holds a line break, a control character or a letter outside Latin-1`);
  }
  return { name, value };
}

/** @throws UsageError where two headers have one name */
export function readHeaders(option: string, texts: readonly string[]): readonly ExtraHeader[] {
  const headers = texts.map((text) => readHeader(option, text));
  const seen = new Set<string>();
  for (const { name } of headers) {
    const key = name.toLowerCase();
    if (seen.has(key))
      throw new UsageError('option-conflict', `${option}: the header ${name} is given twice; give it once`);
    seen.add(key);
  }
  return headers;
}
