import { isUtf8 } from 'node:buffer';
import { shellQuote } from '../../report/model/text.ts';
import { chunkSize } from '../chunk-size.ts';
import type { Address, ConnectionOptions } from '../connect/route.ts';
import type { WireRequest } from '../exchange.ts';
import type { ExtraHeader } from '../options.ts';

/** Some versions of curl send a longer body only with an option. */
const SENT_AT_ONCE = 1_024;

/** Longer texts do not fit into one argument of a command (128 KiB on Linux). */
const MAX_ARGUMENT = 100_000;

/** A command that writes a body. */
function written(body: Uint8Array): string {
  const text = textOf(body);
  return text === undefined
    ? `printf %s ${shellQuote(Buffer.from(body).toString('base64'))} | base64 -d`
    : `printf %s ${shellQuote(text)}`;
}

/** The text of a body that an argument of a command can hold: without a NUL. */
function textOf(body: Uint8Array): string | undefined {
  const text = isUtf8(body) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(body) : undefined;
  return text?.includes('\0') === true ? undefined : text;
}

function bodyArguments(body: Uint8Array, chunked: boolean): readonly string[] {
  // Before it sends a long body, curl asks whether it may.
  const atOnce = chunked || body.length > SENT_AT_ONCE ? ["-H 'Expect:'"] : [];
  if (chunked) {
    // What curl reads at once makes a chunk.
    const size = chunkSize(body.length);
    const cut = `for i in {1..${Math.ceil(body.length / size)}}; do dd bs=${size} count=1 2>/dev/null; sleep 0.1; done`;
    return [...atOnce, `-T <(${written(body)} | ${cut})`];
  }
  const text = textOf(body);
  // curl takes what follows an @ for a file name. The shell's own printf takes arguments of any length.
  const isPlain = text !== undefined && !text.startsWith('@') && body.length <= MAX_ARGUMENT;
  return [...atOnce, `--data-binary ${isPlain ? shellQuote(text) : `@<(${written(body)})`}`];
}

/** A line for bash that sends the same request again. It holds no secret. */
export function curlLine(request: WireRequest, address: Address): string {
  const { method, path, credential, contentType, body, headers, chunked, withoutUserAgent } = request;
  const parts = ['curl -i --path-as-is --globoff', ...address.curlOptions];
  if (method !== 'GET') parts.push(`-X ${method}`);
  for (const [name, value] of headers ?? []) parts.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  // curl would add one of its own.
  if (headers !== undefined && !headers.some(([name]) => name.toLowerCase() === 'accept')) parts.push("-H 'Accept:'");
  if (withoutUserAgent === true) parts.push("-H 'User-Agent:'");
  // With a colon, curl would leave an empty header out.
  for (const [name, value] of credential.shell) parts.push(`-H "${value === '' ? `${name};` : `${name}: ${value}`}"`);
  if (contentType !== undefined) parts.push(`-H ${shellQuote(`Content-Type: ${contentType}`)}`);
  // curl would add a form's content type.
  else if (body !== undefined) parts.push("-H 'Content-Type:'");
  // The client sends an empty body with its length.
  const isCut = chunked === true && body !== undefined && body.length > 0;
  if (isCut) parts.push("-H 'Transfer-Encoding: chunked'");
  if (body !== undefined) parts.push(...bodyArguments(body, isCut));
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
