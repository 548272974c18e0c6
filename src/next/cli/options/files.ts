/** Checks of files and folders that options name, before anything is sent. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../../report/files.ts';
import { conflict, invalid, quoted, UsageError } from '../errors.ts';
import type { Reader } from './option.ts';

const REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'file not found; name one that exists'],
  ['ENOTDIR', 'file not found; name one that exists'],
  ['EISDIR', 'it is a folder; name a file in it'],
  ['EACCES', 'permission denied; name a file that you may read'],
  ['EPERM', 'permission denied; name a file that you may read'],
]);

/** The content of a file that an option names. @param shown how a message names the file. @throws UsageError */
export function readBytesOf(source: string, path: string, shown = quoted(path)): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = codeOf(error);
    const why = REASONS.get(code) ?? `${code ?? 'unknown error'}; name another file`;
    throw new UsageError('file-unreadable', `${source}: cannot read ${shown}: ${why}`);
  }
}

export const readTextOf = (source: string, path: string): string =>
  readBytesOf(source, path)
    .toString('utf8')
    .replace(/^\ufeff/, '');

/** The path of a file that can be read. */
export const readablePath: Reader<string> = (path, source) => {
  readBytesOf(source, path);
  return path;
};

/** The JSON in a file. @throws UsageError */
export function readJsonOf(source: string, path: string): unknown {
  try {
    return JSON.parse(readTextOf(source, path));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw invalid(source, `${quoted(path)} is not JSON; it may be incomplete, so name another file`);
  }
}

/** What is at a path; whatever cannot be looked at counts as missing. */
export function kindOf(path: string): 'folder' | 'file' | 'missing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'missing';
  }
}

/** The recorded failures that a path names: a file, or all of a folder. @throws UsageError */
export function replayPaths(source: string, path: string): readonly string[] {
  if (kindOf(path) !== 'folder') return [path];
  const folder = kindOf(join(path, 'failures')) === 'folder' ? join(path, 'failures') : path;
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  if (files.length > 0)
    return files.toSorted((one, other) => one.localeCompare(other, 'en')).map((name) => join(folder, name));
  throw invalid(source, `${quoted(path)} holds no recorded failure; name the folder failures of a report folder`);
}

/** The path of a conformance.json, which may be given as the folder that contains it. It need not exist. */
export const resultPath = (path: string): string => (kindOf(path) === 'folder' ? join(path, 'conformance.json') : path);

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Checks that a folder can be written to, or be created. @throws UsageError */
export function checkFolder(source: string, path: string): void {
  const wrong = (what: string) => invalid(source, `${quoted(path)} ${what}; name a folder that can be written to`);
  if (path.trim() === '') throw wrong('is empty');
  let place = resolve(path);
  for (let kind = kindOf(place); kind !== 'folder'; kind = kindOf(place)) {
    if (kind === 'file') throw wrong(place === resolve(path) ? 'is a file' : 'is inside a file');
    if (dirname(place) === place) break;
    place = dirname(place);
  }
  if (!isWritable(place)) throw wrong('cannot be written to');
}

/** Checks that a file can be written, or be created in a folder that exists. @throws UsageError */
export function checkFile(source: string, path: string): void {
  const wrong = (what: string) => invalid(source, `${quoted(path)} ${what}; name a file in a folder that exists`);
  if (path.trim() === '') throw wrong('is empty');
  if (kindOf(path) === 'folder') throw wrong('is a folder');
  const folder = dirname(resolve(path));
  if (kindOf(folder) !== 'folder') throw wrong('is in a folder that does not exist');
  if (!isWritable(kindOf(path) === 'file' ? path : folder)) throw wrong('cannot be written');
}

interface TlsFiles {
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

/** What `--ca`, `--cert` and `--key` name: certificates, and the private key of the client's. @throws UsageError */
export function readTls({ caFile, certFile, keyFile }: TlsFiles) {
  const ca = caFile === undefined ? undefined : certificatesIn('--ca', caFile).text;
  if (certFile === undefined) {
    if (keyFile === undefined) return { ca };
    throw conflict('--key: a private key needs its certificate; give it with --cert FILE');
  }
  const { text: cert, first } = certificatesIn('--cert', certFile);
  const [source, path] = keyFile === undefined ? ['--cert', certFile] : ['--key', keyFile];
  if (first.checkPrivateKey(privateKeyIn(source, path))) return { ca, cert, key: readTextOf(source, path) };
  const pair = `the private key in ${quoted(path)} does not belong to the certificate in ${quoted(certFile)}`;
  throw invalid(source, `${pair}; give a matching pair`);
}

function certificatesIn(source: string, path: string): { readonly text: string; readonly first: X509Certificate } {
  const text = readTextOf(source, path);
  try {
    return { text, first: new X509Certificate(text) };
  } catch {
    const start = '-----BEGIN CERTIFICATE-----';
    throw invalid(source, `${quoted(path)} contains no PEM certificate; name a file that starts with ${start}`);
  }
}

function privateKeyIn(source: string, path: string): KeyObject {
  const text = readTextOf(source, path);
  const wrong = (what: string) => invalid(source, `${quoted(path)} contains ${what}`);
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
