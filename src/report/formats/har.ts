import { STATUS_CODES } from 'node:http';
import { findings } from '../findings.ts';
import type { BodyEvidence, ExchangeEvidence, HeaderEvidence, RunResult } from '../model/result.ts';
import { headerValue } from './proof.ts';

interface NameValue {
  readonly name: string;
  readonly value: string;
}

const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

// The scheme stays, since a check may be about it; what follows goes.
function withoutCredentials([name, value]: HeaderEvidence): NameValue {
  if (!CREDENTIALS.has(name.toLowerCase())) return { name, value };
  const scheme = /^\s*([A-Za-z][\w-]*)\s+\S/.exec(value)?.[1];
  return {
    name,
    value: scheme === undefined ? '[redacted]' : `${scheme} [redacted]`,
  };
}

function queryOf(url: string): readonly NameValue[] {
  const query = /\?([^#]*)/.exec(url)?.[1];
  return query === undefined ? [] : [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}

function content(body: BodyEvidence, mimeType: string) {
  const shared = {
    size: body.size,
    mimeType,
    ...(body.cut ? { comment: 'The body is longer than what is shown.' } : {}),
  };
  return body.encoding === 'text'
    ? { ...shared, text: body.text }
    : { ...shared, text: body.base64, encoding: 'base64' };
}

function requestOf({ request }: ExchangeEvidence) {
  const { body } = request;
  const mimeType = headerValue(request.headers, 'content-type') ?? '';
  return {
    method: request.method,
    url: request.url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: request.headers.map(withoutCredentials),
    queryString: queryOf(request.url),
    ...(body === undefined
      ? {}
      : {
          postData: {
            mimeType,
            params: [],
            text: body.encoding === 'text' ? body.text : body.base64,
            ...(body.encoding === 'text' ? {} : { comment: 'The text is the body in base64.' }),
          },
        }),
    headersSize: -1,
    bodySize: body?.size ?? 0,
  };
}

function responseOf({ answer }: ExchangeEvidence) {
  const shared = {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    redirectURL: '',
    headersSize: -1,
  };
  if (answer.kind === 'no response') {
    const empty = { size: 0, mimeType: 'x-unknown' };
    const why = { _error: `${answer.code}: ${answer.sentence}` };
    return {
      status: 0,
      statusText: '',
      ...shared,
      headers: [],
      content: empty,
      bodySize: -1,
      ...why,
    };
  }
  const mimeType = headerValue(answer.headers, 'content-type') ?? 'x-unknown';
  return {
    status: answer.status,
    statusText: STATUS_CODES[answer.status] ?? '',
    ...shared,
    redirectURL: headerValue(answer.headers, 'location') ?? '',
    headers: answer.headers.map(withoutCredentials),
    content: content(answer.body, mimeType),
    bodySize: answer.body.size,
  };
}

function entry(exchange: ExchangeEvidence, startedDateTime: string, check: string | undefined) {
  const time = exchange.answer.milliseconds;
  return {
    startedDateTime,
    time,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _operation: exchange.operation,
    _role: exchange.role,
    ...(check === undefined ? {} : { _check: check }),
  };
}

/**
 * The exchanges of every violation, and `traffic` where it was recorded, as HTTP Archive 1.2. Times are in
 * milliseconds; a request without a response has status 0. The model does not keep when each request was sent, so all
 * entries begin when the run did.
 */
export function harReport(result: RunResult, traffic: readonly ExchangeEvidence[] = []): string {
  const proofs = findings(result).flatMap(({ check, violations }) =>
    violations.flatMap((violation) => violation.exchanges.map((exchange) => ({ exchange, check: check.id }))),
  );
  const shown = new Set(proofs.map(({ exchange }) => exchange));
  const others = traffic.filter((exchange) => !shown.has(exchange)).map((exchange) => ({ exchange, check: undefined }));
  const log = {
    version: '1.2',
    creator: { name: result.suite.name, version: result.suite.version },
    pages: [],
    entries: [...proofs, ...others].map(({ exchange, check }) => entry(exchange, result.run.startedAt, check)),
    comment: 'Every entry begins when the run did; the moment of each request is not recorded.',
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}
