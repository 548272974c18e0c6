import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { buildConnector } from 'undici';
import { codeOf, TimeIsUp } from './failures.ts';
import { authorizationFor, type Environment, proxied, proxyFor, tunnel } from './proxy.ts';
import type { Connect } from './socket.ts';

/** Options of TLS; certificates and keys are PEM texts. */
export interface TlsOptions {
  /** An authority to trust besides the usual ones. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  /** The key of `cert`, if it is not in the same text. */
  readonly key?: string | undefined;
  readonly insecure?: boolean | undefined;
}

/** How requests reach the service. */
export interface Route {
  /** Where connections go: to the service itself, or to the proxy that forwards requests to it. */
  readonly origin: string;
  readonly connect: Connect;
  /** Precedes every target: empty, or the origin of the service if a proxy forwards. */
  readonly prefix: string;
  /** Headers for the proxy that forwards, as a flat list of names and values. */
  readonly headers: readonly string[];
  /** The host and port of that proxy. */
  readonly forwarder?: string;
}

/**
 * Finds the route to a service: direct, through a tunnel (https) or forwarded by a proxy (http). Not undici's ProxyAgent:
 * it drops repeated headers, throws on a Proxy-Authorization of the request, and tunnels to port 80, which proxies reject.
 *
 * @param timeoutMs for making one connection
 * @throws an error of TLS if a certificate or key is unreadable
 */
export function routeTo(origin: string, options: TlsOptions, timeoutMs: number, env: Environment): Route {
  const target = new URL(origin);
  const { insecure, cert, key = cert } = options;
  const common = { rejectUnauthorized: insecure !== true, timeout: timeoutMs };
  const own = cert === undefined ? {} : { cert, ...(key === undefined ? {} : { key }) };
  const connector = (secrets: SecureContextOptions): Connect => {
    const secure =
      options.ca === undefined ? secrets : { secureContext: trusting([options.ca, ...extraAuthorities(env)], secrets) };
    return patient((tries) => buildConnector({ ...common, ...secure, ...tries }), timeoutMs);
  };
  const direct = connector(own);
  const proxy = proxyFor(target, env);
  if (proxy === undefined) return { origin, connect: direct, prefix: '', headers: [] };
  // The client certificate is for the service only.
  const toProxy = proxied(proxy, connector({}));
  if (target.protocol === 'https:') {
    return { origin, connect: tunnel(target, proxy, direct, toProxy, timeoutMs), prefix: '', headers: [] };
  }
  const headers = ['host', target.host, ...authorizationFor(proxy)];
  return { origin: proxy.origin, connect: toProxy, prefix: origin, headers, forwarder: proxy.host };
}

/** Adds authorities to those that Node trusts, wherever it has them from. Its option `ca` would replace them. */
function trusting(authorities: readonly string[], own: SecureContextOptions): SecureContext {
  const made = createSecureContext(own);
  const context: { addCACert(pem: string): void } = made.context;
  for (const pem of authorities) context.addCACert(pem);
  return made;
}

/** How long (ms) Node tries each address of a name but the last before it tries the next; then, how much longer. */
const FIRST_ATTEMPT_MS = 250;
const LONGER = 4;

type Tries = { readonly autoSelectFamilyAttemptTimeout: number };

/** Tries all addresses of a name again, each for longer, if one of them did not respond in time: the host may be far. */
function patient(connector: (tries: Tries) => buildConnector.connector, timeoutMs: number): Connect {
  const connectors: buildConnector.connector[] = [];
  for (let attemptMs = FIRST_ATTEMPT_MS; attemptMs < LONGER * timeoutMs; attemptMs *= LONGER)
    connectors.push(connector({ autoSelectFamilyAttemptTimeout: attemptMs }));
  const connect = (nth: number, ...[wanted, callback, report]: Parameters<Connect>): void => {
    const socket: unknown = connectors[nth]?.(wanted, (...[error, made]) => {
      if (error === null) callback(null, made);
      else if (hasTimedOut(error) && nth + 1 < connectors.length) connect(nth + 1, wanted, callback, report);
      else callback(error, null);
    });
    report({ late: new TimeIsUp(), abandon: () => socket instanceof Socket && socket.destroy() });
  };
  return (...all) => connect(0, ...all);
}

const hasTimedOut = (error: Error): boolean =>
  error instanceof AggregateError && error.errors.some((one: unknown) => codeOf(one) === 'ETIMEDOUT');

/** Node 20 forgets the authorities of NODE_EXTRA_CA_CERTS where another is added, so they are read here. */
function extraAuthorities(env: Environment): readonly string[] {
  try {
    const file = env['NODE_EXTRA_CA_CERTS'] ?? '';
    return file === '' ? [] : [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
