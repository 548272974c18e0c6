import { excerptText } from '../report/model/text.ts';
import { ProxyError } from './connect/proxy.ts';
import { UnreadableHead } from './connect/response-heads.ts';

/** How a request can end without a complete response: a stable code, and the sentence that goes with it. */
const SENTENCES = {
  // No connection was made.
  dns: 'the host name cannot be resolved',
  'connection-refused': 'nothing accepts connections at this address',
  unreachable: 'there is no route to the host',
  'connect-timeout': 'no connection could be made within the time limit',
  'socket-missing': 'there is no Unix socket at this path',
  'socket-forbidden': 'permission to use the Unix socket is denied',
  'tls-untrusted': 'the certificate was issued by an authority that is not trusted',
  'tls-expired': 'the certificate has expired or is not valid yet',
  'tls-wrong-host': 'the certificate is for another host',
  'tls-client-certificate': 'the service requires a client certificate, or rejects the one it was given',
  'tls-handshake': 'the TLS handshake failed',
  // There was a connection, but no complete response.
  timeout: 'no response came within the time limit',
  reset: 'the service closed the connection without a response',
  truncated: 'the connection was closed in the middle of the response',
  'incomplete-in-time': 'the response was not complete within the time limit',
  'not-http': 'the reply is not an HTTP response',
  'interim-response': 'the service changed to another protocol (101), which was not asked for',
  'headers-too-large': 'the headers of the response are too large',
  'body-too-large': 'the body of the response is longer than this suite reads',
  'body-endless': 'the body of the response did not end',
  'wrong-length': 'the body does not have the length that Content-Length announces',
} as const;

type KnownCode = keyof typeof SENTENCES;

export interface Failure {
  readonly code: KnownCode | 'proxy' | 'transport';
  readonly sentence: string;
}

/** What is known of a request that failed. */
export interface Stage {
  /** There was a connection, and the request was written to it. */
  readonly wasSent: boolean;
  /** Some bytes of a response came back. */
  readonly hasResponse: boolean;
}

/** The meaning of error codes of Node and undici. */
const BY_CODE: readonly (readonly [pattern: RegExp, code: KnownCode])[] = [
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_FAIL)$/, 'dns'],
  [/^ECONNREFUSED$/, 'connection-refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'unreachable'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'connect-timeout'],
  [/^(ENOENT|ENOTSOCK)$/, 'socket-missing'],
  [/^(EACCES|EPERM)$/, 'socket-forbidden'],
  [/^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'headers-too-large'],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, 'wrong-length'],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, 'body-too-large'],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'timeout'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'incomplete-in-time'],
  [/ALTNAME/, 'tls-wrong-host'],
  [/EXPIRED|NOT_YET_VALID/, 'tls-expired'],
  [
    /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE)/,
    'tls-client-certificate',
  ],
  [/SELF_SIGNED|UNABLE_TO_|CERT_|_CERT|INVALID_CA|CRL_/, 'tls-untrusted'],
  [/^ERR_SSL|^ERR_TLS|^EPROTO$/, 'tls-handshake'],
];

const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** How many characters are shown of a response that is not HTTP. */
const BYTES_SHOWN = 24;

function text(error: unknown, name: 'code' | 'name' | 'message' | 'data'): string {
  if (typeof error !== 'object' || error === null) return '';
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
}

/** The code of an error, of its cause, or of the first of several attempts. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const attempts: unknown = Reflect.get(error, 'errors');
  const first: unknown = Array.isArray(attempts) ? attempts[0] : undefined;
  return text(error, 'code') || text(Reflect.get(error, 'cause'), 'code') || text(first, 'code');
}

function failure(code: KnownCode, detail = ''): Failure {
  return { code, sentence: `${SENTENCES[code]}${detail === '' ? '' : ` (${detail})`}` };
}

/**
 * Names the reason why a request failed.
 *
 * @param error what undici threw
 * @param stage how far the request had come
 */
export function failureOf(error: unknown, stage: Stage = { wasSent: false, hasResponse: false }): Failure {
  if (error instanceof ProxyError) return { code: 'proxy', sentence: error.message };
  if (error instanceof UnreadableHead) return failure('not-http', error.message);
  const name = text(error, 'name');
  const code = codeOf(error);
  const message = text(error, 'message');
  if (name === 'TimeoutError' || name === 'AbortError') {
    return failure(!stage.wasSent ? 'connect-timeout' : stage.hasResponse ? 'incomplete-in-time' : 'timeout');
  }
  const [, known] = BY_CODE.find(([pattern]) => pattern.test(code)) ?? [];
  if (known !== undefined) return failure(known, known.startsWith('tls-') ? code : '');
  // undici's parser asserts that a status is a number of three digits, and at least 100.
  if (name === 'AssertionError') return failure('not-http', 'its status code is invalid');
  // Another protocol, or noise: what came says most about it.
  if (message.includes('Expected HTTP/')) {
    return failure('not-http', `it begins with ${JSON.stringify(excerptText(text(error, 'data'), BYTES_SHOWN))}`);
  }
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) return failure('not-http', message);
  if (message === 'bad response' || message === 'bad upgrade') return failure('interim-response');
  if (CLOSED.has(code)) {
    if (message.includes('secure TLS connection')) return failure('tls-handshake', 'the connection was closed');
    return failure(stage.hasResponse ? 'truncated' : 'reset');
  }
  return { code: 'transport', sentence: `the request failed: ${message || code || String(error)}` };
}

const UNCONNECTED = new Set(['connection-refused', 'unreachable', 'connect-timeout', 'socket-missing', 'dns', 'proxy']);

/** Whether the service could not be reached, as while it restarts: the request itself was not sent. */
export const isUnconnected = (code: string): boolean => UNCONNECTED.has(code);
