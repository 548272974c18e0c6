/** How a request can end without a complete response: a stable code, and the sentence that goes with it. */
export const SENTENCES = {
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

/** The codes of failures that this suite puts into words, and of those that a proxy does. */
export type OwnCode = keyof typeof SENTENCES;
export type ProxyCode = 'proxy' | 'proxy-credentials' | 'proxy-scheme' | 'proxy-forbids' | 'proxy-gateway';
/** `transport`: anything else, in the words of the operating system. */
export type FailureCode = OwnCode | ProxyCode | 'transport';

/** This machine has no resources for more connections. */
const WITHOUT_ROOM: ReadonlySet<FailureCode> = new Set(['no-descriptors', 'no-ports']);
const MAY_PASS: ReadonlySet<FailureCode> = new Set([
  ...WITHOUT_ROOM,
  'dns',
  'connection-refused',
  'unreachable',
  'proxy',
  'proxy-credentials',
  'proxy-scheme',
  'proxy-forbids',
  'proxy-gateway',
]);

export const lacksRoom = (code: FailureCode): boolean => WITHOUT_ROOM.has(code);

/** Whether a request did not reach the service for a reason that may be temporary. */
export const mayPass = (code: FailureCode): boolean => MAY_PASS.has(code);
