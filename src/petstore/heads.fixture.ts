import type { IncomingMessage } from 'node:http';

export interface Head {
  /** The first line. */
  readonly line: string;
  readonly bytes: number;
  readonly fields: number;
  readonly key: string;
}

/** The head of a request as it arrived, in full. */
export function headOf({ method, url, rawHeaders, headers: { authorization = '' } }: IncomingMessage): Head {
  const line = `${method} ${url} HTTP/1.1`;
  const lines = [line];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  const bytes = [...lines, '', ''].join('\r\n').length;
  return { line, bytes, fields: lines.length - 1, key: authorization };
}
