import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { type ProxySettings, proxyAuthorization, proxyFor } from './proxy.ts';
import { blamingProxy, tunnelConnector } from './tunnel.ts';

/** Where the service is: an origin to connect to, and the path that all requests begin with. */
export interface Address {
  readonly origin: string;
  readonly basePath: string;
  readonly baseUrl: string;
  /** Options that curl needs to reach it, beside the URL. */
  readonly curlOptions: readonly string[];
}

/** @param baseUrl an http or https URL, with or without a trailing slash */
export function addressOf(baseUrl: string, curlOptions: readonly string[] = []): Address {
  const url = new URL(baseUrl);
  const basePath = url.pathname.replace(/\/+$/, '');
  return { origin: url.origin, basePath, baseUrl: `${url.origin}${basePath}`, curlOptions };
}

export interface ConnectionOptions {
  /** A certificate authority to trust in addition to the usual ones. */
  readonly caFile: string | undefined;
  readonly insecure: boolean;
  /** A client certificate in PEM, and its key; without `keyFile` the key is in the same file. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** A Unix socket to connect to instead of the host and port of the address; no proxy is used then. */
  readonly unixSocket?: string | undefined;
  readonly proxies?: ProxySettings | undefined;
}

/** How requests reach the service. */
export interface Route {
  /** Where connections go: to the service itself, or to the proxy that forwards requests to it. */
  readonly origin: string;
  readonly connect: buildConnector.connector;
  /** Precedes every path: empty, or the origin of the service where a proxy forwards. */
  readonly prefix: string;
  /** The proxy that reads and forwards requests; a proxy that only opens tunnels is not one. */
  readonly forwarder: { readonly url: URL; readonly headers: readonly (readonly [string, string])[] } | undefined;
}

/**
 * Finds the route to an address: direct, over a Unix socket, through a tunnel (https) or forwarded by a proxy (http).
 *
 * @param timeoutMs for making one connection
 * @throws an error of the file system or of TLS where a certificate file is unreadable
 */
export function routeTo({ origin }: Address, options: ConnectionOptions, userAgent: string, timeoutMs: number): Route {
  const target = new URL(origin);
  const isTls = target.protocol === 'https:';
  const rejectUnauthorized = !options.insecure;
  const connector = (secureContext: SecureContext | undefined, socketPath: string | null): buildConnector.connector =>
    buildConnector({ rejectUnauthorized, timeout: timeoutMs, secureContext, socketPath });
  const direct = connector(isTls ? contextOf(options) : undefined, options.unixSocket ?? null);
  const proxy = options.unixSocket === undefined ? proxyFor(origin, options.proxies) : undefined;
  if (proxy === undefined) return { origin, connect: direct, prefix: '', forwarder: undefined };
  // The client certificate is for the service only.
  const toProxy = connector(contextOf({ caFile: options.caFile }), null);
  if (isTls) {
    const connect = tunnelConnector({ target, proxy, toService: direct, toProxy, userAgent, timeoutMs });
    return { origin, connect, prefix: '', forwarder: undefined };
  }
  const authorization = proxyAuthorization(proxy);
  const headers: (readonly [string, string])[] = [['host', target.host]];
  if (authorization !== undefined) headers.push(['proxy-authorization', authorization]);
  const connect = blamingProxy(proxy, toProxy);
  return { origin: proxy.origin, connect, prefix: origin, forwarder: { url: proxy, headers } };
}

/**
 * Made once: parsing the usual authorities takes long. Naming authorities replaces those that Node.js trusts, so
 * they are named again, with those of NODE_EXTRA_CA_CERTS, which Node.js itself reads in no other case.
 *
 * @throws an error of the file system or of TLS where a file is unreadable
 */
function contextOf(files: Pick<ConnectionOptions, 'caFile' | 'certFile' | 'keyFile'>): SecureContext | undefined {
  const { caFile, certFile, keyFile = certFile } = files;
  if (caFile === undefined && certFile === undefined) return undefined;
  const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file, 'utf8'));
  const ca = read(caFile);
  return createSecureContext({
    ca: ca === undefined ? undefined : [...rootCertificates, ca, ...extraAuthorities()],
    cert: read(certFile),
    key: read(keyFile),
  });
}

/** What NODE_EXTRA_CA_CERTS names; Node.js ignores a file that cannot be read, and so does this. */
function extraAuthorities(): readonly string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  try {
    return file === undefined || file === '' ? [] : [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
