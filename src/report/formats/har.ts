import { STATUS_CODES } from 'node:http';
import type { ExchangeEvidence, HeaderEvidence } from '../model/evidence.ts';
import type { ReportView } from '../view.ts';
import { headerValue } from './evidence.ts';

const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

// The scheme is kept, since a check may be about it; the credentials are not.
function withoutCredentials([name, value]: HeaderEvidence) {
  if (!CREDENTIALS.has(name.toLowerCase())) return { name, value };
  const scheme = /^\s*([A-Za-z][\w-]*)\s+\S/.exec(value)?.[1];
  return { name, value: scheme === undefined ? '[redacted]' : `${scheme} [redacted]` };
}

const shared = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };

function requestOf({ request: { method, url, headers, headersSize = -1, body } }: ExchangeEvidence) {
  const query = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
  const mimeType = headerValue(headers, 'content-type') ?? '';
  const content =
    body?.encoding === 'base64'
      ? { text: body.base64, comment: 'The text is the body in base64.' }
      : { text: body?.text ?? '' };
  return {
    ...shared,
    headersSize,
    method,
    url,
    headers: headers.map(withoutCredentials),
    queryString: [...query].map(([name, value]) => ({ name, value })),
    postData: body && { mimeType, params: [], ...content },
    bodySize: body?.size ?? 0,
  };
}

function responseOf({ answer }: ExchangeEvidence) {
  if (answer.kind === 'no response') {
    const content = { size: 0, mimeType: 'x-unknown' };
    const _error = `${answer.code}: ${answer.sentence}`;
    return { ...shared, status: 0, statusText: '', redirectURL: '', headers: [], content, bodySize: -1, _error };
  }
  const { status, headers, body } = answer;
  const text = body.encoding === 'text' ? { text: body.text } : { text: body.base64, encoding: 'base64' };
  const comment = body.cut ? 'The body is longer than what is shown.' : undefined;
  const mimeType = headerValue(headers, 'content-type') ?? 'x-unknown';
  return {
    ...shared,
    status,
    statusText: STATUS_CODES[status] ?? '',
    redirectURL: headerValue(headers, 'location') ?? '',
    headers: headers.map(withoutCredentials),
    content: { size: body.size, mimeType, comment, ...text },
    bodySize: body.size,
  };
}

/** Tells an exchange, where its moment is known: what was recorded of the whole run has those of violations too. */
function identityOf(exchange: ExchangeEvidence): unknown {
  const { sentAt, request, answer } = exchange;
  return sentAt === undefined ? exchange : `${sentAt} ${answer.milliseconds} ${request.method} ${request.url}`;
}

/**
 * The exchanges of every violation, and `traffic` where it was recorded, as HTTP Archive 1.2, oldest first. Times are in
 * milliseconds; a request without a response has status 0.
 */
export function harReport({ result, findings }: ReportView, traffic: readonly ExchangeEvidence[] = []): string {
  const { suite, run } = result;
  const shown = findings.flatMap(({ check, violations }) =>
    violations.flatMap(({ exchanges }) => exchanges.map((exchange) => ({ exchange, check: check.id }))),
  );
  const known = new Set(shown.map(({ exchange }) => identityOf(exchange)));
  const others = traffic
    .filter((one) => !known.has(identityOf(one)))
    .map((exchange) => ({ exchange, check: undefined }));
  const entries = [...shown, ...others]
    .map((entry) => ({ ...entry, startedDateTime: entry.exchange.sentAt ?? run.startedAt }))
    .toSorted((one, other) => Date.parse(one.startedDateTime) - Date.parse(other.startedDateTime));
  const log = {
    version: '1.2',
    creator: { name: suite.name, version: suite.version },
    pages: [],
    entries: entries.map(({ exchange, check, startedDateTime }) => ({
      startedDateTime,
      time: exchange.answer.milliseconds,
      request: requestOf(exchange),
      response: responseOf(exchange),
      cache: {},
      timings: { send: 0, wait: exchange.answer.milliseconds, receive: 0 },
      _operation: exchange.operation,
      _role: exchange.role,
      _check: check,
    })),
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}
