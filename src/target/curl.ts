import { isUtf8 } from 'node:buffer';
import type { Address } from './address.ts';
import type { WireRequest } from './exchange.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function bodyArgument(body: Uint8Array): string {
  const text = isUtf8(body) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(body) : undefined;
  if (text !== undefined && !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)) return `--data-binary ${quoted(text)}`;
  return `--data-binary @<(printf %s ${quoted(Buffer.from(body).toString('base64'))} | base64 -d)`;
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
  const url = quoted(`${address.baseUrl}${request.path}`);
  const query = request.credential.shellQuery;
  parts.push(query === undefined ? url : `${url}"${request.path.includes('?') ? '&' : '?'}${query}"`);
  return parts.join(' ');
}
