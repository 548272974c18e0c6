import { isUtf8 } from 'node:buffer';
import { shellQuote } from '../../report/model/text.ts';
import type { Address, ConnectionOptions } from '../connect/route.ts';
import type { WireRequest } from '../exchange.ts';
import type { ExtraHeader } from '../options.ts';

/** Before it sends a longer body, curl asks whether it may: the size from which it does so depends on its version. */
const SENT_AT_ONCE = 1_024;

/** Longer texts do not fit into one argument of a command (128 KiB on Linux). */
const MAX_ARGUMENT = 100_000;

function bodyArgument(body: Uint8Array): string {
  const text = isUtf8(body) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(body) : undefined;
  // No argument holds a NUL, or what is not text.
  if (text === undefined || text.includes('\0')) {
    return `--data-binary @<(printf %s ${shellQuote(Buffer.from(body).toString('base64'))} | base64 -d)`;
  }
  // curl takes what follows an @ for a file name. The shell's own printf takes arguments of any length.
  const isPlain = !text.startsWith('@') && body.length <= MAX_ARGUMENT;
  return `--data-binary ${isPlain ? shellQuote(text) : `@<(printf %s ${shellQuote(text)})`}`;
}

/** A line for bash that sends the same request again. It holds no secret: the key is read from its variable. */
export function curlLine(request: WireRequest, address: Address): string {
  const { method, path, credential, contentType, body, headers, chunked, withoutUserAgent } = request;
  const parts = ['curl -i --path-as-is --globoff', ...address.curlOptions];
  if (method !== 'GET') parts.push(`-X ${method}`);
  for (const [name, value] of headers ?? []) parts.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  // curl would add one of its own.
  if (headers !== undefined && !headers.some(([name]) => name.toLowerCase() === 'accept')) parts.push("-H 'Accept:'");
  if (withoutUserAgent === true) parts.push("-H 'User-Agent:'");
  for (const line of credential.shell) parts.push(`-H "${line}"`);
  if (contentType !== undefined) parts.push(`-H ${shellQuote(`Content-Type: ${contentType}`)}`);
  // curl would add a form's content type.
  else if (body !== undefined) parts.push("-H 'Content-Type:'");
  if (chunked === true) parts.push("-H 'Transfer-Encoding: chunked'");
  if (body !== undefined && body.length > SENT_AT_ONCE) parts.push("-H 'Expect:'");
  if (body !== undefined) parts.push(bodyArgument(body));
  else if (method !== 'GET') parts.push("-H 'Content-Length: 0'");
  const { shellQuery } = credential;
  const query = shellQuery === undefined ? '' : `"${path.includes('?') ? '&' : '?'}${shellQuery}"`;
  parts.push(`${shellQuote(`${address.baseUrl}${path}`)}${query}`);
  return parts.join(' ');
}

/**
 * Options with which curl takes the same route; it reads the environment's proxies by itself. The values of the
 * user's headers are secrets: with the prefix `X_` the shell takes that of `My-Tenant` from `$X_MY_TENANT`.
 */
export function curlOptionsFor(
  options: ConnectionOptions,
  headers: readonly ExtraHeader[],
  variablePrefix: string,
): readonly string[] {
  const option = (name: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [`${name} ${shellQuote(value)}`];
  const variableFor = (name: string): string => variablePrefix + name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  return [
    ...option('--cacert', options.caFile),
    ...(options.insecure ? ['--insecure'] : []),
    ...option('--cert', options.certFile),
    ...option('--key', options.keyFile),
    ...option('--unix-socket', options.unixSocket),
    ...headers.map(({ name }) => `-H ${shellQuote(`${name}: `)}"$${variableFor(name)}"`),
  ];
}
