import { UnreadableHead } from './heads.ts';
import type { Answer, Failure } from './message.ts';

/** How a request can end without a complete response: a stable code, and the sentence that goes with it. */
const SENTENCES = {
  // The request never reached the service.
  dns: 'the host name cannot be resolved',
  'connection-refused': 'nothing accepts connections at this address',
  unreachable: 'there is no route to the host',
  'no-descriptors': 'this machine has no file descriptors left for another connection',
  'no-ports': 'this machine has no free port left for another connection',
  'connect-timeout': 'no connection could be made within the time limit',
  'tls-untrusted': 'the certificate was issued by an authority that is not trusted',
  'tls-lone':
    'the service sends its own certificate alone, and no trusted authority has issued it: either the service does not ' +
    'send its intermediate certificate, or the authority is a private one',
  'tls-expired': 'the certificate has expired or is not valid yet',
  'tls-wrong-host': 'the certificate is for another host',
  'tls-client-certificate': 'the service requires a client certificate, or rejects the one it was given',
  'tls-rejected':
    'the service rejects the TLS handshake: it may require a client certificate, or support no cipher of this suite',
  'tls-handshake': 'the TLS handshake failed',
  'http-port': 'this port speaks plain HTTP: the URL must begin with http://',
  spent: 'the run has used up its budget of requests',
  // There was a connection, but no complete response.
  'https-port': 'this port speaks HTTPS: the URL must begin with https://',
  ssh: 'what came back is the greeting of an SSH server',
  'http2-only': 'the service speaks HTTP/2 only, and this suite needs HTTP/1.1',
  timeout: 'no response came within the time limit',
  reset: 'the service closed the connection without a response',
  truncated: 'the connection was closed in the middle of the response',
  'incomplete-in-time': 'the response was not complete within the time limit',
  'not-http': 'what came back is not an HTTP response',
  'interim-response': 'the service switched to another protocol (101), which was not requested',
  'headers-too-large': 'the headers of the response are too large',
  'body-endless': 'the body of the response did not end',
  'wrong-length': 'the body does not have the length that Content-Length announces',
} as const;

type KnownCode = keyof typeof SENTENCES;

/** What a proxy did instead of passing a request on: a stable code. */
export type ProxyCode = 'proxy' | 'proxy-credentials' | 'proxy-scheme' | 'proxy-forbids' | 'proxy-gateway';

/** A proxy did not pass a request on; the message is a sentence without credentials. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: ProxyCode;

  constructor(message: string, code: ProxyCode = 'proxy') {
    super(message);
    this.code = code;
  }
}

/** A request exceeded its time limit. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
}

/** A body exceeded every bound; the message says how long it is. */
export class EndlessBody extends Error {
  override readonly name = 'EndlessBody';
}

/** How far a request had come when it failed. */
interface Stage {
  /** It was written to a connection, at least in part. */
  readonly written: boolean;
  /** Some bytes of a response came back. */
  readonly received: boolean;
}

/** Alerts of TLS about the certificate of this side. */
const ABOUT_CERTIFICATE =
  /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE)/;
export const isAboutCertificate = (error: Error): boolean => ABOUT_CERTIFICATE.test(codeOf(error));

/** What error codes of Node and undici mean. */
const BY_CODE: readonly (readonly [pattern: RegExp, code: KnownCode])[] = [
  [/^(ENOTFOUND|EAI_\w+)$/, 'dns'],
  [/^ECONNREFUSED$/, 'connection-refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EACCES|EPERM)$/, 'unreachable'],
  [/^(EMFILE|ENFILE|ENOBUFS)$/, 'no-descriptors'],
  [/^EADDRNOTAVAIL$/, 'no-ports'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'connect-timeout'],
  [/^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'headers-too-large'],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, 'wrong-length'],
  [/ALTNAME/, 'tls-wrong-host'],
  [/EXPIRED|NOT_YET_VALID/, 'tls-expired'],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'timeout'],
  [/NO_APPLICATION_PROTOCOL/, 'http2-only'],
  [/ALERT_HANDSHAKE_FAILURE$/, 'tls-rejected'],
  [ABOUT_CERTIFICATE, 'tls-client-certificate'],
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, 'tls-lone'],
  [/SELF_SIGNED|UNABLE_TO_|CERT_|_CERT|INVALID_CA|CRL_/, 'tls-untrusted'],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/, 'http-port'],
  [/^ERR_SSL|^ERR_TLS|^EPROTO$/, 'tls-handshake'],
];

const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** How many characters are shown of a response that is not HTTP. */
const SHOWN = 24;

function text(error: unknown, name: 'code' | 'name' | 'message' | 'data'): string {
  if (typeof error !== 'object' || error === null) return '';
  const value: unknown = Reflect.get(error, name);
  return Buffer.isBuffer(value) ? value.toString('latin1') : typeof value === 'string' ? value : '';
}

/** The code of an error, of its cause, or of the first of several attempts. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const attempts: unknown = Reflect.get(error, 'errors');
  const first: unknown = Array.isArray(attempts) ? attempts[0] : undefined;
  return text(error, 'code') || text(Reflect.get(error, 'cause'), 'code') || text(first, 'code');
}

/** The failure for a code; a detail follows its sentence in parentheses. */
export function failure(code: KnownCode, reached: boolean, detail = ''): Failure {
  return { kind: 'failure', code, sentence: `${SENTENCES[code]}${detail === '' ? '' : ` (${detail})`}`, reached };
}

/**
 * Names the reason why a request failed.
 *
 * @param error what undici, the connector or this folder threw
 */
export function failureOf(error: unknown, { written, received }: Stage): Failure {
  const failed = (code: KnownCode, detail = ''): Failure => failure(code, written, detail);
  const message = text(error, 'message');
  if (error instanceof ProxyError) return { kind: 'failure', code: error.code, sentence: message, reached: false };
  if (error instanceof TimeIsUp)
    return failed(!written ? 'connect-timeout' : received ? 'incomplete-in-time' : 'timeout');
  if (error instanceof EndlessBody) return failed('body-endless', message);
  if (error instanceof UnreadableHead) return failed('not-http', message);
  const code = codeOf(error);
  const [, known] = BY_CODE.find(([pattern]) => pattern.test(code)) ?? [];
  if (known !== undefined) return failed(known, known.startsWith('tls-') ? code : '');
  // undici's parser asserts that a status is a number of three digits, and at least 100.
  if (text(error, 'name') === 'AssertionError') return failed('not-http', 'its status code is invalid');
  if (message.includes('Expected HTTP/')) return otherProtocol(text(error, 'data'), failed);
  if (text(error, 'name') === 'HTTPParserError' || code.startsWith('HPE_')) return failed('not-http', message);
  if (message === 'bad response' || message === 'bad upgrade') return failed('interim-response');
  if (CLOSED.has(code)) {
    if (message.includes('secure TLS connection')) return failed('tls-handshake', 'the connection was closed');
    return failed(received ? 'truncated' : 'reset');
  }
  const sentence = `the request failed: ${message || code || String(error)}`;
  return { kind: 'failure', code: 'transport', sentence, reached: written };
}

/** Another protocol, or noise: the bytes received say most about it. */
function otherProtocol(data: string, failed: (code: KnownCode, detail?: string) => Failure): Failure {
  // A TLS alert, and the SETTINGS or GOAWAY frame with which an HTTP/2 connection begins.
  if (/^\x15\x03/.test(data)) return failed('https-port');
  if (/^\0\0[\s\S][\x04\x07][\s\S]\0\0\0\0/.test(data)) return failed('http2-only');
  if (data.startsWith('SSH-')) return failed('ssh');
  const shown = data.length > SHOWN ? `${data.slice(0, SHOWN)}…` : data;
  return failed('not-http', `it begins with ${JSON.stringify(shown)}`);
}

/** Pages of nginx, Go, Apache and others about a connection that is not as they want it. */
const PAGES: readonly (readonly [scheme: string, says: RegExp, code: KnownCode])[] = [
  [
    'http:',
    /plain HTTP request was sent to (an )?HTTPS port|HTTP request to an HTTPS server|plain HTTP to an SSL/i,
    'https-port',
  ],
  ['https:', /No required SSL certificate was sent|The SSL certificate error/i, 'tls-client-certificate'],
];

/** What a page says that a server sends in place of the service's response; undefined for any other response. */
export function saidOfConnection(origin: string, { status, body }: Answer): Failure | undefined {
  if (status !== 400) return undefined;
  const text = Buffer.from(body.subarray(0, 4_096)).toString('latin1');
  const [, , code] = PAGES.find(([scheme, says]) => origin.startsWith(scheme) && says.test(text)) ?? [];
  return code && failure(code, true);
}

const UNREACHED = /^(dns|connection-refused|unreachable|no-descriptors|no-ports|proxy(-.*)?)$/;

/** Whether a request did not reach the service for a reason that may be temporary. */
export const mayPass = (code: string): boolean => UNREACHED.test(code);

/** Whether this machine has no resources for more connections. */
export const lacksRoom = (code: string): boolean => code === 'no-descriptors' || code === 'no-ports';
