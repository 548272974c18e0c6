import { describe, expect, test } from 'vitest';
import { failureOf } from './failures.ts';

const fault = (code: string): Error => Object.assign(new Error('whatever'), { code });

/** Those that no service in a test can provoke; all others are in the tests of the client and of the routes. */
describe('a failure has one stable code and a sentence', () => {
  test.each([
    ['dns', 'EAI_AGAIN'],
    ['unreachable', 'EHOSTUNREACH'],
    ['connect-timeout', 'UND_ERR_CONNECT_TIMEOUT'],
    ['connect-timeout', 'ETIMEDOUT'],
    ['socket-forbidden', 'EACCES'],
    ['tls-untrusted', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['tls-untrusted', 'CERT_REVOKED'],
    ['tls-expired', 'CERT_NOT_YET_VALID'],
    ['tls-client-certificate', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'],
    ['tls-handshake', 'EPROTO'],
    ['wrong-length', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
    ['transport', 'E_NEVER_HEARD_OF'],
  ])('%s: %s, also as a cause and as the first of several attempts', (code, given) => {
    const found = failureOf(fault(given));
    expect(found).toEqual({ code, sentence: expect.stringMatching(/^[a-z].{15,}[^.]$/) });
    expect(failureOf(new TypeError('failed', { cause: fault(given) })).code).toBe(code);
    expect(failureOf(new AggregateError([fault(given), fault('EPIPE')])).code).toBe(code);
  });

  test.each(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])('%s is a reset, or a truncation once something came', (code) => {
    expect(failureOf(fault(code), { wasSent: true, hasResponse: false }).code).toBe('reset');
    expect(failureOf(fault(code), { wasSent: true, hasResponse: true }).code).toBe('truncated');
  });

  test.each([undefined, null, 'a text', 7, {}])('a thrown value that is not an error (%j) is quoted', (thrown) => {
    expect(failureOf(thrown)).toEqual({
      code: 'transport',
      sentence: expect.stringMatching(/^the request failed: ./),
    });
  });
});
