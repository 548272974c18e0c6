import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { ExtraHeader } from '../options.ts';
import type { Address } from './address.ts';
import { type ProxySettings, proxyAuthorization, proxyFor } from './proxy.ts';
import { blamingProxy, tunnelConnector } from './tunnel.ts';

/** What a user says of the way to the service. */
export interface Reach {
  /** A certificate authority to trust beside the usual ones. */
  readonly caFile: string | undefined;
  readonly insecure: boolean;
  /** A client certificate in PEM, and its key; where no key is named, it stands in the same file. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** A Unix socket to connect to instead of the host and port of the address; no proxy is asked then. */
  readonly unixSocket?: string | undefined;
  readonly proxies?: ProxySettings | undefined;
}

/** How to get a request to the service. */
export interface Way {
  /** Where connections go to: the service itself, or the proxy that forwards for it. */
  readonly origin: string;
  readonly connect: buildConnector.connector;
  /** Stands before every path: empty, or the origin of the service where a proxy forwards. */
  readonly prefix: string;
  /** The proxy that reads the requests; one that only tunnels does not. */
  readonly forwarder: { readonly url: URL; readonly headers: readonly (readonly [string, string])[] } | undefined;
}

/**
 * Finds the way to an address: straight, over a Unix socket, through a tunnel (https) or forwarded by a proxy (http).
 *
 * @param timeoutMs for making one connection
 */
export function wayTo({ origin }: Address, reach: Reach, userAgent: string, timeoutMs: number): Way {
  const target = new URL(origin);
  const rejectUnauthorized = !reach.insecure;
  const own = target.protocol === 'https:' ? ownContext(reach) : undefined;
  const straight = buildConnector({
    rejectUnauthorized,
    timeout: timeoutMs,
    ...(own === undefined ? {} : { secureContext: own }),
    ...(reach.unixSocket === undefined ? {} : { socketPath: reach.unixSocket }),
  });
  const proxy = reach.unixSocket === undefined ? proxyFor(origin, reach.proxies) : undefined;
  if (proxy === undefined) return { origin, connect: straight, prefix: '', forwarder: undefined };
  // A client certificate is for the service alone.
  const context = reach.caFile === undefined ? undefined : createSecureContext({ ca: authorities(reach.caFile) });
  const proxyTls = { rejectUnauthorized, ...(context === undefined ? {} : { secureContext: context }) };
  if (target.protocol === 'https:') {
    const connect = tunnelConnector({ target, proxy, toService: straight, proxyTls, userAgent, timeoutMs });
    return { origin, connect, prefix: '', forwarder: undefined };
  }
  const authorization = proxyAuthorization(proxy);
  return {
    origin: proxy.origin,
    connect: blamingProxy(proxy, buildConnector({ ...proxyTls, timeout: timeoutMs })),
    prefix: origin,
    forwarder: {
      url: proxy,
      headers: [
        ['host', target.host],
        ...(authorization === undefined ? [] : [['proxy-authorization', authorization] as const]),
      ],
    },
  };
}

/**
 * What curl must be told to go the same way; it reads the environment's proxies by itself. The values of further
 * headers are secrets: the shell takes that of X-Tenant from $PETSTORE_HEADER_X_TENANT.
 */
export function curlOptionsFor(reach: Reach, headers: readonly ExtraHeader[] = []): readonly string[] {
  const named = (option: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [`${option} '${value.replaceAll("'", "'\\''")}'`];
  return [
    ...named('--cacert', reach.caFile),
    ...(reach.insecure ? ['--insecure'] : []),
    ...named('--cert', reach.certFile),
    ...named('--key', reach.keyFile),
    ...named('--unix-socket', reach.unixSocket),
    ...headers.map(({ name }) => `-H '${name.replaceAll("'", "'\\''")}: '"$${variableFor(name)}"`),
  ];
}

const variableFor = (name: string): string => `PETSTORE_HEADER_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

/** Made once: the usual authorities take long to parse. */
function ownContext({ caFile, certFile, keyFile }: Reach): SecureContext | undefined {
  if (caFile === undefined && certFile === undefined) return undefined;
  return createSecureContext({
    ...(caFile === undefined ? {} : { ca: authorities(caFile) }),
    ...(certFile === undefined
      ? {}
      : { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile ?? certFile, 'utf8') }),
  });
}

const authorities = (caFile: string): string[] => [...rootCertificates, readFileSync(caFile, 'utf8')];
