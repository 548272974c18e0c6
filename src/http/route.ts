import { readFileSync } from 'node:fs';
import { BlockList, isIP, Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { codeOf, failureOf, ProxyError } from './failures.ts';

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
  readonly connect: buildConnector.connector;
  /** Precedes every target: empty, or the origin of the service if a proxy forwards. */
  readonly prefix: string;
  /** Headers for the proxy that forwards, as a flat list of names and values. */
  readonly headers: readonly string[];
  /** The host and port of that proxy. */
  readonly forwarder?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

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
  const ca = options.ca === undefined ? undefined : [...rootCertificates, options.ca, ...extraAuthorities(env)];
  const common = { rejectUnauthorized: insecure !== true, timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) };
  const own = cert === undefined ? {} : { cert, ...(key === undefined ? {} : { key }) };
  const direct = patient((tries) => buildConnector({ ...common, ...own, ...tries }), timeoutMs);
  const proxy = proxyFor(target, env);
  if (proxy === undefined) return { origin, connect: direct, prefix: '', headers: [] };
  // The client certificate is for the service only.
  const toProxy = patient((tries) => buildConnector({ ...common, ...tries }), timeoutMs);
  if (target.protocol === 'https:') {
    return { origin, connect: tunnel(target, proxy, direct, toProxy, timeoutMs), prefix: '', headers: [] };
  }
  const connect: buildConnector.connector = (wanted, callback) =>
    toProxy(wanted, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(unusableProxy(proxy, error), null);
    });
  const headers = ['host', target.host, ...authorizationFor(proxy)];
  return { origin: proxy.origin, connect, prefix: origin, headers, forwarder: proxy.host };
}

/** How long (ms) Node tries each address of a name but the last before it tries the next; then, how much longer. */
const FIRST_ATTEMPT_MS = 250;
const LONGER = 4;

type Tries = { readonly autoSelectFamilyAttemptTimeout: number };

/** Tries all addresses of a name again, each for longer, if one of them did not respond in time: the host may be far. */
function patient(connector: (tries: Tries) => buildConnector.connector, timeoutMs: number): buildConnector.connector {
  const connectors: buildConnector.connector[] = [];
  for (let attemptMs = FIRST_ATTEMPT_MS; attemptMs < LONGER * timeoutMs; attemptMs *= LONGER)
    connectors.push(connector({ autoSelectFamilyAttemptTimeout: attemptMs }));
  const connect = (wanted: buildConnector.Options, callback: buildConnector.Callback, nth: number): void =>
    connectors[nth]?.(wanted, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else if (hasTimedOut(error) && nth + 1 < connectors.length) connect(wanted, callback, nth + 1);
      else callback(error, null);
    });
  return (wanted, callback) => connect(wanted, callback, 0);
}

const hasTimedOut = (error: Error): boolean =>
  error instanceof AggregateError && error.errors.some((one: unknown) => codeOf(one) === 'ETIMEDOUT');

/** The option `ca` also replaces the authorities of NODE_EXTRA_CA_CERTS, so they are read here. */
function extraAuthorities(env: Environment): readonly string[] {
  try {
    const file = env['NODE_EXTRA_CA_CERTS'] ?? '';
    return file === '' ? [] : [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}

/** Connects through a proxy with CONNECT (RFC 9110, 9.3.6), so that the proxy sees only host and port. */
function tunnel(
  target: URL,
  proxy: URL,
  toService: buildConnector.connector,
  toProxy: buildConnector.connector,
  timeoutMs: number,
): buildConnector.connector {
  const authority = `${target.hostname}:${target.port || '443'}`;
  const [name, value] = authorizationFor(proxy);
  const headers = { host: authority, ...(name === undefined ? {} : { [name]: value }) };
  const open = async (): Promise<Socket> => {
    // By default undici would expect the certificate of the host in the Host header, the service.
    const connect: buildConnector.connector = (wanted, callback) => toProxy({ ...wanted, servername: '' }, callback);
    const client = new Client(proxy.origin, { connect, headersTimeout: timeoutMs });
    try {
      const { statusCode, socket } = await client.connect({ path: authority, headers });
      if (statusCode >= 200 && statusCode <= 299 && socket instanceof Socket) return socket;
      socket.on('error', () => {}).destroy();
      throw proxyRejection(proxy.host, statusCode);
    } finally {
      void client.destroy();
    }
  };
  return (wanted, callback) => {
    open().then(
      (httpSocket) => toService({ ...wanted, httpSocket }, callback),
      (error: unknown) => callback(error instanceof ProxyError ? error : unusableProxy(proxy, error), null),
    );
  };
}

/** What a status means that comes from the proxy itself. */
export function proxyRejection(proxy: string, status: number): ProxyError {
  const reason =
    status === 407
      ? 'requires credentials (407): add them to its URL, or correct them there: http://user:password@host:port'
      : `could not connect to the service (${status})`;
  return new ProxyError(`the proxy ${proxy} ${reason}`);
}

function unusableProxy(proxy: URL, error: unknown): ProxyError {
  const { sentence } = failureOf(error, { written: false, received: false });
  return new ProxyError(`the proxy ${proxy.host} cannot be used: ${sentence}`);
}

function authorizationFor({ username, password }: URL): readonly string[] {
  if (username === '' && password === '') return [];
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return ['proxy-authorization', `Basic ${Buffer.from(pair).toString('base64')}`];
}

/** The proxy that the environment names for a target; undefined if it is reached directly. */
export function proxyFor(target: URL, env: Environment): URL | undefined {
  const named = (name: string): string => env[name] || env[name.toUpperCase()] || '';
  const url = target.protocol === 'https:' ? named('https_proxy') : named('http_proxy');
  const host = withoutBrackets(target.hostname).replace(/\.$/, '');
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  const exempt = named('no_proxy')
    .toLowerCase()
    .split(/[,\s]+/);
  return url === '' || exempt.some((entry) => entry === '*' || matches(entry, host, port)) ? undefined : new URL(url);
}

/** As in curl: a host with its subdomains, an address, or a range such as 10.0.0.0/8, each with or without a port. */
function matches(entry: string, host: string, port: string): boolean {
  // A port follows an address in brackets, or a name without any other colon.
  const [, bracketed, named, onlyPort] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? named ?? entry;
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (isIP(host) !== 0) return name === host || isWithin(host, name);
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function isWithin(address: string, range: string): boolean {
  const [net = '', bits = '', ...more] = range.split('/');
  const family = isIP(net);
  const prefix = Number(bits);
  if (more.length > 0 || family === 0 || !/^\d{1,3}$/.test(bits) || prefix > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(net, prefix, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');
