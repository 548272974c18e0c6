import { ProxyFault } from './connect/proxy-fault.ts';

/** How a request can end without a whole response, told apart by stable codes. */
export interface Failure {
  readonly code: FailureCode;
  readonly sentence: string;
}

export type FailureCode =
  // No connection came about.
  | 'dns'
  | 'connection-refused'
  | 'unreachable'
  | 'connect-timeout'
  | 'socket-missing'
  | 'socket-forbidden'
  | 'proxy'
  | 'tls-untrusted'
  | 'tls-expired'
  | 'tls-wrong-host'
  | 'tls-client-certificate'
  | 'tls-handshake'
  // There was a connection, and no whole response.
  | 'timeout'
  | 'reset'
  | 'truncated'
  | 'incomplete-in-time'
  | 'not-http'
  | 'interim-response'
  | 'headers-too-large'
  | 'body-too-large'
  | 'wrong-length'
  | 'transport';

/** How far an exchange had come when it failed. */
export interface Progress {
  /** The request had left: there was a connection. */
  readonly hasLeft: boolean;
  /** Some of a response had come back. */
  readonly hasAnswer: boolean;
}

const SENTENCES: Readonly<Record<Exclude<FailureCode, 'proxy' | 'transport'>, string>> = {
  dns: 'the host name cannot be resolved',
  'connection-refused': 'nothing accepts connections at this address',
  unreachable: 'there is no route to the host',
  'connect-timeout': 'no connection could be made within the time limit',
  'socket-missing': 'there is no Unix socket at this path',
  'socket-forbidden': 'the Unix socket may not be used: permission is denied',
  'tls-untrusted': 'the certificate comes from an authority that is not trusted',
  'tls-expired': 'the certificate is not valid at this time: it has expired or is not valid yet',
  'tls-wrong-host': 'the certificate is for another host',
  'tls-client-certificate': 'the service wants a client certificate, or does not accept the one it got',
  'tls-handshake': 'no TLS connection came about',
  timeout: 'no response came within the time limit',
  reset: 'the service closed the connection without a response',
  truncated: 'the connection was closed in the middle of the response',
  'incomplete-in-time': 'the response began but was not complete within the time limit',
  'not-http': 'what came back is not an HTTP response',
  'interim-response': 'an interim response (100 or 101) came that nobody had asked for',
  'headers-too-large': 'the headers of the response are too large',
  'body-too-large': 'the body of the response is too large, or never ends',
  'wrong-length': 'the body does not have the length that Content-Length names',
};

const BY_CODE: Readonly<Record<string, keyof typeof SENTENCES>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_NODATA: 'dns',
  EAI_FAIL: 'dns',
  ECONNREFUSED: 'connection-refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  ETIMEDOUT: 'connect-timeout',
  ENOENT: 'socket-missing',
  ENOTSOCK: 'socket-missing',
  EACCES: 'socket-forbidden',
  EPERM: 'socket-forbidden',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'wrong-length',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'body-too-large',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'incomplete-in-time',
};

const TLS_CODES: readonly (readonly [pattern: RegExp, code: keyof typeof SENTENCES])[] = [
  [/ALTNAME/, 'tls-wrong-host'],
  [/EXPIRED|NOT_YET_VALID/, 'tls-expired'],
  [
    /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE)/,
    'tls-client-certificate',
  ],
  [/SELF_SIGNED|UNABLE_TO_|CERT_|_CERT|INVALID_CA|CRL_/, 'tls-untrusted'],
  [/^ERR_SSL|^ERR_TLS|^EPROTO$/, 'tls-handshake'],
];

/** Codes of services that are not there, as while they restart. */
const UNCONNECTED = new Set(['connection-refused', 'unreachable', 'connect-timeout', 'socket-missing', 'dns', 'proxy']);

/** Whether a code says that no connection came about. */
export function isUnconnected(code: string): boolean {
  return UNCONNECTED.has(code);
}

function text(error: unknown, name: 'code' | 'name' | 'message'): string {
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

function failure(code: keyof typeof SENTENCES, detail = ''): Failure {
  return { code, sentence: `${SENTENCES[code]}${detail === '' ? '' : ` (${detail})`}` };
}

/**
 * Names what went wrong with a request.
 *
 * @param error what the HTTP client threw
 * @param progress how far the exchange had come
 */
export function failureOf(error: unknown, progress: Progress = { hasLeft: false, hasAnswer: false }): Failure {
  if (error instanceof ProxyFault) return { code: 'proxy', sentence: error.message };
  const name = text(error, 'name');
  const code = codeOf(error);
  const message = text(error, 'message');
  if (name === 'TimeoutError' || name === 'AbortError') {
    return failure(!progress.hasLeft ? 'connect-timeout' : progress.hasAnswer ? 'incomplete-in-time' : 'timeout');
  }
  const known = BY_CODE[code];
  if (known !== undefined) return failure(known);
  const tls = TLS_CODES.find(([pattern]) => pattern.test(code));
  if (tls !== undefined) return failure(tls[1], code);
  // The parser asserts that a status has three digits and is not below 100.
  if (name === 'AssertionError') return failure('not-http', 'its status is none');
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) return failure('not-http', message);
  if (message === 'bad response' || message === 'bad upgrade') return failure('interim-response');
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED') {
    if (message.includes('secure TLS connection')) return failure('tls-handshake', 'the connection was closed');
    return failure(progress.hasAnswer ? 'truncated' : 'reset');
  }
  return { code: 'transport', sentence: `the exchange failed: ${message || code || String(error)}` };
}
