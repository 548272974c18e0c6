/** Reads the files that options name, before anything is sent. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
// That of Node.js, as a DOM environment may replace the global.
import { TextDecoder } from 'node:util';
import type { TlsOptions } from '../../http/route.ts';
import { codeOf } from '../../result/files.ts';
import { conflict, quoted, UsageError } from '../errors.ts';

const REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'file not found; name one that exists'],
  ['ENOTDIR', 'file not found; name one that exists'],
  ['EISDIR', 'it is a folder; name a file in it'],
  ['EACCES', 'permission denied; name a file that you may read'],
  ['EPERM', 'permission denied; name a file that you may read'],
]);

/** The text of a file that an option names. @param shown how a message names the file. @throws UsageError */
export function readTextOf(source: string, path: string, shown = quoted(path)): string {
  try {
    return decoded(readFileSync(path));
  } catch (error) {
    const code = codeOf(error);
    const why = REASONS.get(code) ?? `${code ?? 'unknown error'}; name another file`;
    throw new UsageError('file-unreadable', `${source}: cannot read ${shown}: ${why}`);
  }
}

/** A text in UTF-8, or in UTF-16 as PowerShell writes it, without its byte order mark. */
function decoded(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8').decode(bytes);
}

/** What is at a path; what cannot be examined counts as missing. */
export function kindOf(path: string): 'folder' | 'file' | 'missing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'missing';
  }
}

type Tls = Readonly<Record<'caFile' | 'certFile' | 'keyFile', string | undefined>> & { readonly insecure: boolean };

/** Reads the files of `--ca`, `--cert` and `--key`. @throws UsageError if TLS cannot use them */
export function readTls({ caFile, certFile, keyFile, insecure }: Tls): TlsOptions {
  if (keyFile !== undefined && certFile === undefined) {
    throw conflict('--key: a private key needs its certificate; give it with --cert FILE');
  }
  const ca = caFile === undefined ? undefined : readTextOf('--ca', caFile);
  const cert = certFile === undefined ? undefined : readTextOf('--cert', certFile);
  const key = keyFile === undefined ? cert : readTextOf('--key', keyFile);
  if (ca !== undefined) {
    requireUsable(() => new X509Certificate(ca), `--ca: ${quoted(caFile ?? '')} contains no PEM certificate`);
  }
  if (cert !== undefined) {
    requireUsable(() => new X509Certificate(cert), `--cert: ${quoted(certFile ?? '')} contains no PEM certificate`);
    const pair = `${quoted(keyFile ?? certFile ?? '')} contains no PEM private key that belongs to the certificate`;
    const hint = 'without a passphrase (openssl pkey removes it)';
    requireUsable(() => createSecureContext({ cert, key }), `--key: ${pair}, ${hint}`);
  }
  return { ca, cert, key, insecure };
}

function requireUsable(use: () => unknown, wrong: string): void {
  try {
    use();
  } catch (cause) {
    throw new UsageError('value-invalid', `${wrong}; name another file`, { cause });
  }
}
