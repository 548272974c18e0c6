/** How a request can end without a whole response, told apart by stable codes. */
export interface Failure {
  readonly code: string;
  readonly sentence: string;
  /** The connection died before any byte of a response; on a reused connection that may be a mere race. */
  readonly beforeResponse: boolean;
}

const BY_CODE: Readonly<Record<string, readonly [code: string, sentence: string]>> = {
  ECONNREFUSED: ['connection-refused', 'nothing accepts connections at this address'],
  ENOTFOUND: ['dns', 'the host name cannot be resolved'],
  EAI_AGAIN: ['dns', 'the host name cannot be resolved at the moment'],
  EHOSTUNREACH: ['unreachable', 'there is no route to the host'],
  ENETUNREACH: ['unreachable', 'there is no route to the network'],
  UND_ERR_CONNECT_TIMEOUT: ['connect-timeout', 'no connection could be made within the time limit'],
  ETIMEDOUT: ['connect-timeout', 'no connection could be made within the time limit'],
  ECONNRESET: ['reset', 'the service reset the connection'],
  EPIPE: ['reset', 'the service closed the connection while the request was sent'],
  UND_ERR_HEADERS_OVERFLOW: ['headers-too-large', 'the headers of the response are too large'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['wrong-length', 'the body does not have the length that Content-Length names'],
  UND_ERR_RES_EXCEEDED_MAX_SIZE: ['body-too-large', 'the body of the response is too large or never ends'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'no response came within the time limit'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'the body of the response did not arrive within the time limit'],
};

function property(error: unknown, name: 'code' | 'name' | 'message'): string {
  if (typeof error !== 'object' || error === null || !(name in error)) return '';
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

/**
 * Names what went wrong with a request.
 *
 * @param error what the HTTP client threw
 * @param responseStarted whether the head of a response had been received
 */
export function failureOf(error: unknown, responseStarted: boolean): Failure {
  const name = property(error, 'name');
  const code = property(error, 'code') || property(causeOf(error), 'code');
  const message = property(error, 'message');
  if (name === 'TimeoutError' || name === 'AbortError') {
    const sentence = responseStarted
      ? 'the response began but was not complete within the time limit'
      : 'no response came within the time limit';
    return { code: responseStarted ? 'incomplete-in-time' : 'timeout', sentence, beforeResponse: false };
  }
  if (name === 'HTTPParserError' || name === 'AssertionError' || code.startsWith('HPE_')) {
    return { code: 'not-http', sentence: `what came back is not an HTTP response (${message})`, beforeResponse: false };
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) {
    return {
      code: 'tls',
      sentence: `the TLS connection could not be trusted or made (${code})`,
      beforeResponse: false,
    };
  }
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') {
    if (responseStarted) {
      return {
        code: 'truncated',
        sentence: 'the connection was closed in the middle of the response',
        beforeResponse: false,
      };
    }
    return { code: 'reset', sentence: 'the service closed the connection without a response', beforeResponse: true };
  }
  const known = BY_CODE[code];
  if (known !== undefined) return { code: known[0], sentence: known[1], beforeResponse: false };
  return {
    code: 'transport',
    sentence: `the exchange failed: ${message || code || String(error)}`,
    beforeResponse: false,
  };
}
