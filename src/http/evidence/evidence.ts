import { isUtf8 } from 'node:buffer';
import type { AnswerEvidence, BodyEvidence, ExchangeEvidence, HeaderEvidence } from '../../report/model/result.ts';
import type { Address } from '../connect/address.ts';
import type { Answer, Exchange, WireRequest } from '../exchange.ts';
import { curlLine } from './curl.ts';
import { beginningOf } from './kept.ts';

/** @param size bytes of the whole body, of which `bytes` may be the beginning */
function bodyEvidence(bytes: Uint8Array, size = bytes.length): BodyEvidence {
  const beginning = beginningOf(bytes);
  const cut = beginning.length < size;
  if (isUtf8(beginning)) {
    return { encoding: 'text', text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(beginning), size, cut };
  }
  return { encoding: 'base64', base64: Buffer.from(beginning).toString('base64'), size, cut };
}

function answerEvidence(answer: Answer): AnswerEvidence {
  const milliseconds = Math.round(answer.milliseconds * 10) / 10;
  if (answer.kind === 'no response') {
    return { kind: 'no response', code: answer.code, sentence: answer.sentence, milliseconds };
  }
  return {
    kind: 'response',
    status: answer.status,
    headers: answer.headers,
    body: bodyEvidence(answer.body, answer.fullSize),
    milliseconds,
  };
}

/** The path and query of a request as a report may show them: a credential in the query is replaced. */
function shownUrl(request: WireRequest, address: Address): string {
  const url = `${address.baseUrl}${request.path}`;
  if (request.credential.query === undefined) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${request.credential.shellQuery ?? ''}`;
}

/** Turns an exchange into the proof that reports show: no key in it, large bodies cut. */
export function evidenceOf(exchange: Exchange, role: ExchangeEvidence['role'], address: Address): ExchangeEvidence {
  const { request } = exchange;
  const headers: HeaderEvidence[] = [...request.credential.shown];
  if (request.contentType !== undefined) headers.push(['Content-Type', request.contentType]);
  return {
    role,
    operation: request.operation,
    request: {
      method: request.method,
      url: shownUrl(request, address),
      headers,
      ...(request.body === undefined ? {} : { body: bodyEvidence(request.body) }),
    },
    answer: answerEvidence(exchange.answer),
    curl: curlLine(request, address),
  };
}
