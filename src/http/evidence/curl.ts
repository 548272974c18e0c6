import { isUtf8 } from 'node:buffer';
import type { Address } from '../connect/address.ts';
import type { WireRequest } from '../exchange.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Longer texts do not fit into one argument of a command (128 KiB on Linux). */
const LONGEST_ARGUMENT = 100_000;

/** The key as a query carries it, every byte in hexadecimal. */
const ENCODED_KEY = `$(printf %s "$PETSTORE_API_KEY" | od -An -v -tx1 | tr -d '\\n' | tr ' ' %)`;

function bodyArgument(body: Uint8Array): string {
  const text = isUtf8(body) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(body) : undefined;
  if (text === undefined || /[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)) {
    return `--data-binary @<(printf %s ${quoted(Buffer.from(body).toString('base64'))} | base64 -d)`;
  }
  // curl would take what follows an @ for the name of a file. The shell's own printf takes arguments of any length.
  const isPlain = !text.startsWith('@') && body.length <= LONGEST_ARGUMENT;
  return isPlain ? `--data-binary ${quoted(text)}` : `--data-binary @<(printf %s ${quoted(text)})`;
}

function queryArgument({ path, credential }: WireRequest): string {
  const { query = '', shellQuery } = credential;
  if (shellQuery === undefined) return '';
  const written = query.includes('%') ? shellQuery.replaceAll('$PETSTORE_API_KEY', () => ENCODED_KEY) : shellQuery;
  return `"${path.includes('?') ? '&' : '?'}${written}"`;
}

/**
 * A shell line (bash) that sends the same request again. The key is taken from $PETSTORE_API_KEY, and what differs
 * from the key is built from it in the shell, so the line can be shown to anybody.
 */
export function curlLine(request: WireRequest, address: Address): string {
  const parts = ['curl -i --path-as-is --globoff', ...address.curlOptions];
  if (request.method !== 'GET') parts.push(`-X ${request.method}`);
  for (const line of request.credential.shell) parts.push(`-H "${line}"`);
  if (request.contentType !== undefined) parts.push(`-H ${quoted(`Content-Type: ${request.contentType}`)}`);
  // curl would add a form content type of its own.
  else if (request.body !== undefined) parts.push("-H 'Content-Type:'");
  if (request.body !== undefined) parts.push(bodyArgument(request.body));
  else if (request.method !== 'GET') parts.push("-H 'Content-Length: 0'");
  parts.push(`${quoted(`${address.baseUrl}${request.path}`)}${queryArgument(request)}`);
  return parts.join(' ');
}
