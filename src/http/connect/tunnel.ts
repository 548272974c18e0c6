import { Socket } from 'node:net';
import { type buildConnector, Client } from 'undici';
import { failureOf } from '../failures.ts';
import { ProxyError, proxyAuthorization } from './proxy.ts';

export interface TunnelOptions {
  readonly target: URL;
  readonly proxy: URL;
  /** Connects to the service by TLS through the tunnel. */
  readonly toService: buildConnector.connector;
  readonly toProxy: buildConnector.connector;
  readonly userAgent: string;
  readonly timeoutMs: number;
}

/**
 * Connects through a proxy with CONNECT (RFC 9110, 9.3.6), which shows the proxy nothing but the host and port.
 *
 * Not undici's ProxyAgent: it throws on a request that has a Proxy-Authorization header of its own, drops repeated
 * headers, reports a 407 only in the text of an AbortError, and leaves a proxy that hangs to a timeout of 300 s.
 */
export function tunnelConnector(options: TunnelOptions): buildConnector.connector {
  return (wanted, callback) => {
    openTunnel(options).then(
      (httpSocket) => options.toService({ ...wanted, httpSocket }, callback),
      (error: unknown) => callback(error instanceof ProxyError ? error : proxyUnreachable(options.proxy, error), null),
    );
  };
}

async function openTunnel({ target, proxy, toProxy, userAgent, timeoutMs }: TunnelOptions): Promise<Socket> {
  const authority = `${target.hostname}:${target.port || '443'}`;
  const authorization = proxyAuthorization(proxy);
  // By default undici would expect the certificate of the host in the Host header, the service.
  const connect: buildConnector.connector = (wanted, callback) => toProxy({ ...wanted, servername: '' }, callback);
  const client = new Client(proxy.origin, { connect, headersTimeout: timeoutMs });
  try {
    const headers = { host: authority, 'user-agent': userAgent, 'proxy-authorization': authorization };
    const { statusCode, socket } = await client.connect({ path: authority, headers });
    if (statusCode >= 200 && statusCode <= 299 && socket instanceof Socket) return socket;
    socket.on('error', () => {}).destroy();
    throw proxyRefusal(proxy, statusCode);
  } finally {
    void client.destroy();
  }
}

/** Reports a failure to connect as a failure of the proxy. */
export function blamingProxy(proxy: URL, connect: buildConnector.connector): buildConnector.connector {
  return (wanted, callback) =>
    connect(wanted, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(proxyUnreachable(proxy, error), null);
    });
}

/** The meaning of a status with which the proxy itself answered. */
export function proxyRefusal(proxy: URL, status: number): ProxyError {
  const reason =
    status === 407
      ? 'requires credentials (407): add them to its URL, as http://user:password@host:port'
      : `could not connect to the service (${status})`;
  return new ProxyError(`the proxy ${proxy.host} ${reason}`);
}

function proxyUnreachable(proxy: URL, error: unknown): ProxyError {
  return new ProxyError(`the proxy ${proxy.host} cannot be used: ${failureOf(error).sentence}`);
}
