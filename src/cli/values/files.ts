import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { conflict, invalid, quoted, UsageError } from '../errors.ts';
import type { Reader } from '../option.ts';

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'file not found; name one that exists'],
  ['ENOTDIR', 'file not found; name one that exists'],
  ['EISDIR', 'it is a folder; name a file in it'],
  ['EACCES', 'permission denied; name a file that you may read'],
  ['EPERM', 'permission denied; name a file that you may read'],
]);

/**
 * The text of a file that an option names.
 * @param shown how a message names the file
 * @throws UsageError if it cannot be read
 */
export function readFileOf(source: string, path: string, shown = quoted(path)): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown error';
    const why = REASONS.get(code) ?? `${code}; name another file`;
    throw new UsageError('file-unreadable', `${source}: cannot read ${shown}: ${why}`);
  }
}

/** The path of a file that can be read. */
export const readablePath: Reader<string> = (path, source) => {
  readFileOf(source, path);
  return path;
};

/** The path of a conformance.json, which may be given as the folder that contains it. It need not exist. */
export const resultPath = (path: string): string => (kindOf(path) === 'folder' ? join(path, 'conformance.json') : path);

/** Checks that a folder can be written to, or be created. @throws UsageError */
export function checkFolder(source: string, path: string): void {
  const wrong = (what: string): UsageError =>
    invalid(source, `${quoted(path)} ${what}; name a folder that can be written to`);
  if (path.trim() === '') throw wrong('is empty');
  let place = resolve(path);
  for (let kind = kindOf(place); kind !== 'folder'; kind = kindOf(place)) {
    if (kind === 'file') throw wrong(place === resolve(path) ? 'is a file' : 'is inside a file');
    if (dirname(place) === place) break;
    place = dirname(place);
  }
  try {
    accessSync(place, constants.W_OK);
  } catch {
    throw wrong('cannot be written to');
  }
}

/** Checks that a file can be written, or be created in a folder that exists. @throws UsageError */
export function checkFile(source: string, path: string): void {
  const wrong = (what: string): UsageError =>
    invalid(source, `${quoted(path)} ${what}; name a file in a folder that exists`);
  if (path.trim() === '') throw wrong('is empty');
  if (kindOf(path) === 'folder') throw wrong('is a folder');
  const folder = dirname(resolve(path));
  if (kindOf(folder) !== 'folder') throw wrong('is in a folder that does not exist');
  try {
    accessSync(kindOf(path) === 'file' ? path : folder, constants.W_OK);
  } catch {
    throw wrong('cannot be written');
  }
}

/** What is at a path; whatever cannot be looked at counts as missing. */
function kindOf(path: string): 'folder' | 'file' | 'missing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'missing';
  }
}

/** The longest path of a socket that all usual systems accept, in bytes. */
const LONGEST_SOCKET_PATH = 103;

/** The path of a Unix socket. It need not exist yet: the service may still be starting. */
export const socketPath: Reader<string> = (path, source) => {
  const bytes = Buffer.byteLength(path);
  if (bytes === 0) throw invalid(source, 'the path is empty; name a socket');
  if (bytes <= LONGEST_SOCKET_PATH) return path;
  const limit = `the system's limit is ${LONGEST_SOCKET_PATH}`;
  throw invalid(source, `the path is ${bytes} bytes long, ${limit}; use a shorter one, or a link`);
};

type CertificateFiles = Readonly<Record<'caFile' | 'certFile' | 'keyFile', string | undefined>>;

/** Checks what `--ca`, `--cert` and `--key` name: certificates, and the private key of the client's. @throws UsageError */
export function checkCertificates({ caFile, certFile, keyFile }: CertificateFiles): void {
  if (caFile !== undefined) certificateIn('--ca', caFile);
  if (certFile === undefined) {
    if (keyFile === undefined) return;
    throw conflict('--key: a private key needs its certificate; give it with --cert FILE');
  }
  const certificate = certificateIn('--cert', certFile);
  const [source, path] = keyFile === undefined ? ['--cert', certFile] : ['--key', keyFile];
  if (certificate.checkPrivateKey(privateKeyIn(source, path))) return;
  const pair = `the private key in ${quoted(path)} does not belong to the certificate in ${quoted(certFile)}`;
  throw invalid(source, `${pair}; give a matching pair`);
}

/** The first certificate of a PEM file. */
function certificateIn(source: string, path: string): X509Certificate {
  const text = readFileOf(source, path);
  try {
    return new X509Certificate(text);
  } catch {
    const start = '-----BEGIN CERTIFICATE-----';
    throw invalid(source, `${quoted(path)} contains no PEM certificate; name a file that starts with ${start}`);
  }
}

function privateKeyIn(source: string, path: string): KeyObject {
  const text = readFileOf(source, path);
  const wrong = (what: string): UsageError => invalid(source, `${quoted(path)} contains ${what}`);
  if (!text.includes('PRIVATE KEY-----')) {
    if (source === '--cert') throw wrong('no private key; give it with --key FILE');
    throw wrong('no PEM private key; name a file that starts with -----BEGIN PRIVATE KEY-----');
  }
  try {
    return createPrivateKey(text);
  } catch {
    throw wrong('a private key that cannot be read; if it has a passphrase, remove it (openssl pkey)');
  }
}
