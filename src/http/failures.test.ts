import { describe, expect, test } from 'vitest';
import { ProxyError } from './connect/proxy.ts';
import { failureOf } from './failures.ts';

const fault = (code: string, message = 'whatever', name = 'Error'): Error =>
  Object.assign(new Error(message), { code, name });
const BEFORE = { wasSent: false, hasResponse: false };
const WAITING = { wasSent: true, hasResponse: false };
const READING = { wasSent: true, hasResponse: true };

describe('a failure has one stable code and a sentence', () => {
  test.each([
    ['dns', 'ENOTFOUND'],
    ['dns', 'EAI_AGAIN'],
    ['connection-refused', 'ECONNREFUSED'],
    ['unreachable', 'EHOSTUNREACH'],
    ['unreachable', 'ENETUNREACH'],
    ['connect-timeout', 'UND_ERR_CONNECT_TIMEOUT'],
    ['connect-timeout', 'ETIMEDOUT'],
    ['socket-missing', 'ENOENT'],
    ['socket-forbidden', 'EACCES'],
    ['tls-untrusted', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['tls-untrusted', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ['tls-untrusted', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['tls-untrusted', 'CERT_REVOKED'],
    ['tls-expired', 'CERT_HAS_EXPIRED'],
    ['tls-expired', 'CERT_NOT_YET_VALID'],
    ['tls-wrong-host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['tls-client-certificate', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
    ['tls-client-certificate', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'],
    ['tls-handshake', 'ERR_SSL_WRONG_VERSION_NUMBER'],
    ['tls-handshake', 'EPROTO'],
    ['headers-too-large', 'UND_ERR_HEADERS_OVERFLOW'],
    ['wrong-length', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
    ['not-http', 'HPE_INVALID_CONSTANT'],
    ['transport', 'E_NEVER_HEARD_OF'],
  ])('%s: %s, also as a cause and as the first of several attempts', (code, given) => {
    const found = failureOf(fault(given));
    expect(found).toEqual({ code, sentence: expect.stringMatching(/^[a-z].{15,}[^.]$/) });
    expect(failureOf(new TypeError('failed', { cause: fault(given) })).code).toBe(code);
    expect(failureOf(new AggregateError([fault(given), fault('EPIPE')])).code).toBe(code);
  });

  test.each([
    ['TimeoutError', BEFORE, 'connect-timeout'],
    ['TimeoutError', WAITING, 'timeout'],
    ['TimeoutError', READING, 'incomplete-in-time'],
    ['AbortError', WAITING, 'timeout'],
  ])('a %s when %j: %s', (name, stage, code) => {
    expect(failureOf(fault('', 'the time limit was reached', name), stage).code).toBe(code);
  });

  test.each(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])('%s is a reset, or a truncation once something came', (code) => {
    expect(failureOf(fault(code), WAITING).code).toBe('reset');
    expect(failureOf(fault(code), READING).code).toBe('truncated');
  });

  test('a connection that is closed during the TLS handshake is not a reset', () => {
    const message = 'Client network socket disconnected before secure TLS connection was established';
    expect(failureOf(fault('ECONNRESET', message)).code).toBe('tls-handshake');
  });

  test('an interim response is not a reset', () => {
    expect(failureOf(fault('UND_ERR_SOCKET', 'bad response'), READING).code).toBe('interim-response');
    expect(failureOf(fault('UND_ERR_SOCKET', 'bad upgrade'), READING).code).toBe('interim-response');
  });

  test('an error of a proxy keeps its own sentence', () => {
    expect(failureOf(new ProxyError('the proxy is gone'))).toEqual({ code: 'proxy', sentence: 'the proxy is gone' });
  });

  test.each([undefined, null, 'a text', 7, {}])('a thrown value that is not an error (%j) is quoted', (thrown) => {
    expect(failureOf(thrown)).toEqual({
      code: 'transport',
      sentence: expect.stringMatching(/^the request failed: ./),
    });
  });
});
