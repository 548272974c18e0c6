import { type ClientRequest, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import { failureOf } from '../failures.ts';
import { proxyAuthorization, withoutBrackets } from './proxy.ts';
import { ProxyFault } from './proxy-fault.ts';

export interface TunnelOptions {
  /** The origin of the service, an https one. */
  readonly target: URL;
  readonly proxy: URL;
  /** TLS to the service goes through the tunnel. */
  readonly toService: buildConnector.connector;
  /** For TLS to the proxy itself. */
  readonly proxyTls: { readonly secureContext?: SecureContext; readonly rejectUnauthorized: boolean };
  readonly userAgent: string;
  readonly timeoutMs: number;
}

/** Connects through a proxy with CONNECT (RFC 9110, 9.3.6). The proxy learns host and port, and nothing else. */
export function tunnelConnector(options: TunnelOptions): buildConnector.connector {
  return (wanted, callback) => {
    openTunnel(options).then(
      (httpSocket) => options.toService({ ...wanted, httpSocket }, callback),
      (error: unknown) => callback(error instanceof Error ? error : new ProxyFault(String(error)), null),
    );
  };
}

/** Reports a failure to connect as that of the proxy. */
export function blamingProxy(proxy: URL, connect: buildConnector.connector): buildConnector.connector {
  return (wanted, callback) =>
    connect(wanted, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(unreachable(proxy, error), null);
    });
}

/** What a 407 means: the proxy did not let the request through. */
export function refusedBy(proxy: URL, status: number): ProxyFault {
  const why =
    status === 407
      ? 'wants credentials (407): give them in its URL, as http://user:password@host:port'
      : `does not connect to the service (${status})`;
  return new ProxyFault(`the proxy ${proxy.host} ${why}`);
}

function unreachable(proxy: URL, error: unknown): ProxyFault {
  return new ProxyFault(`the proxy ${proxy.host} cannot be reached: ${failureOf(error).sentence}`);
}

function openTunnel({ target, proxy, proxyTls, userAgent, timeoutMs }: TunnelOptions): Promise<Socket> {
  const authority = `${target.hostname}:${target.port || '443'}`;
  const authorization = proxyAuthorization(proxy);
  const isTls = proxy.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const asked: ClientRequest = (isTls ? tlsRequest : plainRequest)({
      method: 'CONNECT',
      host: withoutBrackets(proxy.hostname),
      port: proxy.port || (isTls ? 443 : 80),
      path: authority,
      headers: {
        host: authority,
        'user-agent': userAgent,
        ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
      },
      agent: false,
      maxHeaderSize: 16 * 1024,
      ...(isTls ? proxyTls : {}),
    });
    const timer = setTimeout(() => {
      asked.destroy();
      reject(new ProxyFault(`the proxy ${proxy.host} opened no tunnel within the time limit`));
    }, timeoutMs);
    asked.once('connect', (answer, socket, head) => {
      clearTimeout(timer);
      const status = answer.statusCode ?? 0;
      if (status < 200 || status > 299) {
        socket.on('error', () => {}).destroy();
        reject(refusedBy(proxy, status));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asked.once('error', (error) => {
      clearTimeout(timer);
      reject(unreachable(proxy, error));
    });
    asked.end();
  });
}
