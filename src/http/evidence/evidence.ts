import { isUtf8 } from 'node:buffer';
import type { AnswerEvidence, BodyEvidence, ExchangeEvidence, HeaderEvidence } from '../../report/model/evidence.ts';
import type { Address } from '../connect/route.ts';
import { type Answer, type Exchange, type WireRequest, withQuery } from '../exchange.ts';
import { curlLine } from './curl.ts';
import { trimBody } from './trim.ts';

/** @param size bytes of the whole body, of which `bytes` may be the beginning */
function bodyEvidence(bytes: Uint8Array, size = bytes.length): BodyEvidence {
  const beginning = trimBody(bytes);
  const cut = beginning.length < size;
  if (isUtf8(beginning)) {
    return { encoding: 'text', text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(beginning), size, cut };
  }
  return { encoding: 'base64', base64: Buffer.from(beginning).toString('base64'), size, cut };
}

/** A cookie may give access: its value is not shown. */
function withoutCookie([name, value]: HeaderEvidence): HeaderEvidence {
  return name.toLowerCase() === 'set-cookie' ? [name, value.replace(/=[^;]*/, '=<not shown>')] : [name, value];
}

function answerEvidence(answer: Answer): AnswerEvidence {
  const milliseconds = Math.round(answer.milliseconds * 10) / 10;
  if (answer.kind === 'no response') return { ...answer, milliseconds };
  const { kind, status, headers, body, fullSize } = answer;
  return { kind, status, headers: headers.map(withoutCookie), body: bodyEvidence(body, fullSize), milliseconds };
}

/** A request with more bytes before its body may be answered by what stands before the service: the size says so. */
const USUAL_HEADERS_SIZE = 4_000;

function headersSizeOf({ path, headers = [], credential }: WireRequest): number {
  const lines = [...headers, ...credential.headers].map(([name, value]) => `${name}: ${value}\r\n`.length);
  return lines.reduce((sum, length) => sum + length, path.length);
}

/** The evidence of an exchange for reports: without the key, large bodies trimmed. */
export function evidenceOf(exchange: Exchange, role: ExchangeEvidence['role'], address: Address): ExchangeEvidence {
  const { request } = exchange;
  const { path, credential, contentType } = request;
  const headers: HeaderEvidence[] = [...(request.headers ?? []), ...credential.shown];
  if (contentType !== undefined) headers.push(['Content-Type', contentType]);
  const headersSize = headersSizeOf(request);
  return {
    role,
    operation: request.operation,
    request: {
      method: request.method,
      // A credential in the query is replaced.
      url: address.baseUrl + withQuery(path, credential.shownQuery),
      headers,
      ...(headersSize > USUAL_HEADERS_SIZE ? { headersSize } : {}),
      ...(request.body === undefined ? {} : { body: bodyEvidence(request.body) }),
    },
    answer: answerEvidence(exchange.answer),
    sentAt: new Date(performance.timeOrigin + exchange.sentAt).toISOString(),
    curl: curlLine(request, address),
  };
}
