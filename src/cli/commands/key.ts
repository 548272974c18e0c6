import type { Writable } from 'node:stream';
import { credentialNamed, everyCredential } from '../../petstore/inputs/credentials.ts';
import { invalid, UsageError } from '../errors.ts';
import { didYouMean } from '../suggestions.ts';
import type { Command } from './command.ts';

/**
 * Prints what the credential of a name sends, made of the API key: the value of its header, or its query, byte for byte
 * and without a line end. It is a secret, as the key is.
 * @returns 0
 * @throws UsageError if the key has no such credential; the message does not repeat the name, which may be the key
 */
export function printKey({ name, token }: Extract<Command, { kind: 'key' }>, stdout: Writable): number {
  const credential = credentialNamed(name, token);
  if (credential === undefined) {
    const names = everyCredential(token).map((known) => known.name);
    const what = `this API key has no credential of that name${didYouMean(name, names)}`;
    throw new UsageError('name-unknown', `key: ${what} (copy the name from a curl line, use the key of that run)`);
  }
  const { headers, query = '' } = credential;
  const values = [...headers.map(([, value]) => value), query].filter((value) => value !== '');
  if (values.length > 1) throw invalid('key', 'that credential has several values; copy the curl line instead');
  // Each character is a byte.
  stdout.write(Buffer.from(values.join(''), 'latin1'));
  return 0;
}
