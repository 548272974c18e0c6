import { type OwnCode, type ProxyCode, SENTENCES } from './failure-codes.ts';
import { UnreadableHead } from './heads.ts';
import type { Answer, Failure } from './message.ts';

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
interface Transfer {
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
const BY_CODE: readonly (readonly [pattern: RegExp, code: OwnCode])[] = [
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
export function failure(code: OwnCode, reached: boolean, detail = ''): Failure {
  return { kind: 'failure', code, sentence: `${SENTENCES[code]}${detail === '' ? '' : ` (${detail})`}`, reached };
}

/**
 * Names the reason why a request failed.
 *
 * @param error what undici, the connector or this folder threw
 */
export function failureOf(error: unknown, { written, received }: Transfer): Failure {
  const failed = (code: OwnCode, detail = ''): Failure => failure(code, written, detail);
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
function otherProtocol(data: string, failed: (code: OwnCode, detail?: string) => Failure): Failure {
  // A TLS alert, and the SETTINGS or GOAWAY frame with which an HTTP/2 connection begins.
  if (/^\x15\x03/.test(data)) return failed('https-port');
  if (/^\0\0[\s\S][\x04\x07][\s\S]\0\0\0\0/.test(data)) return failed('http2-only');
  if (data.startsWith('SSH-')) return failed('ssh');
  const shown = data.length > SHOWN ? `${data.slice(0, SHOWN)}…` : data;
  return failed('not-http', `it begins with ${JSON.stringify(shown)}`);
}

/** Pages of nginx, Go, Apache and others about a connection that is not as they want it. */
const PAGES: readonly (readonly [scheme: string, says: RegExp, code: OwnCode])[] = [
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
