import { BlockList, isIP, Socket } from 'node:net';
import { Client } from 'undici';
import { lacksRoom, type ProxyCode } from './failure-codes.ts';
import { failureOf, ProxyError } from './failures.ts';
import { type Answer, type Failure, type Headers, headerOf } from './message.ts';
import { type Connect, wireOf } from './socket.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Connects to a proxy: what goes wrong on the way to it is not the service's. */
export function proxied(proxy: URL, connect: Connect): Connect {
  return (wanted, callback, report) =>
    connect(
      wanted,
      (...[error, socket]) => {
        if (error === null) callback(null, socket);
        else callback(unusable(proxy, error), null);
      },
      (opening) => report({ ...opening, late: unusable(proxy, opening.late) }),
    );
}

/** Connects through a proxy with CONNECT (RFC 9110, 9.3.6), so that the proxy sees only host and port. */
export function tunnel(target: URL, proxy: URL, toService: Connect, toProxy: Connect, timeoutMs: number): Connect {
  const authority = `${target.hostname}:${target.port || '443'}`;
  const [name, value] = authorizationFor(proxy);
  const headers = { host: authority, ...(name === undefined ? {} : { [name]: value }) };
  const unanswered = `the proxy ${proxy.host} accepted the connection, but did not respond to CONNECT within the time limit`;
  const open = async (report: Parameters<Connect>[2]): Promise<Socket> => {
    const client: Client = new Client(proxy.origin, {
      connect: (wanted, callback) =>
        toProxy(
          // By default undici would expect the certificate of the host in the Host header, the service.
          { ...wanted, servername: '' },
          (...[error, socket]) => {
            if (error !== null) return callback(error, null);
            report({ late: new ProxyError(unanswered), abandon: () => void client.destroy() });
            // Interim responses are skipped.
            wireOf(socket, 0, performance.now(), () => {});
            return callback(null, socket);
          },
          report,
        ),
      headersTimeout: timeoutMs,
    });
    try {
      const response = await client.connect({ path: authority, headers });
      const { statusCode, socket } = response;
      if (statusCode >= 200 && statusCode <= 299 && socket instanceof Socket) return socket;
      socket.on('error', () => {}).destroy();
      const schemes = [response.headers['proxy-authenticate'] ?? []].flat();
      throw rejection(
        proxy.host,
        statusCode,
        schemes.map((scheme) => ['proxy-authenticate', scheme]),
      );
    } finally {
      void client.destroy();
    }
  };
  return (wanted, callback, report) => {
    open(report).then(
      (httpSocket) => toService({ ...wanted, httpSocket }, callback, report),
      (error: unknown) => callback(unusable(proxy, error), null),
    );
  };
}

/** What a proxy that forwards says in place of the service: it rejects the request, or did not reach the service. */
export function saidByProxy(proxy: string, answer: Answer): Failure | undefined {
  const { status, headers } = answer;
  const [, error] = /;\s*error\s*=\s*([\w-]+)/i.exec(headerOf(headers, 'proxy-status') ?? '') ?? [];
  if (status !== 407 && (status < 500 || error === undefined)) return undefined;
  const failure = failureOf(rejection(proxy, status, headers, error), { written: true, received: true });
  return status === 407 ? failure : { ...failure, answer };
}

/** A failure of a request that a proxy forwards: nobody knows which of the two is at fault. */
export function throughProxy(proxy: string | undefined, failure: Failure): Failure {
  if (proxy === undefined || !failure.reached) return failure;
  const sentence = failure.sentence.replace('the service', 'it or the service');
  return { ...failure, sentence: `through the proxy ${proxy}: ${sentence}` };
}

/** What a status means that comes from the proxy itself. */
const REJECTIONS: readonly (readonly [status: RegExp, code: ProxyCode, what: string])[] = [
  [/^407$/, 'proxy-credentials', 'requires credentials'],
  [/^403$/, 'proxy-forbids', 'forbids connections to the service'],
  [/^5/, 'proxy-gateway', 'could not connect to the service'],
];
const NO_TUNNEL = [/^/, 'proxy', 'does not open a connection to the service'] as const;

function rejection(proxy: string, status: number, headers: Headers, error?: string): ProxyError {
  const [, code, what] = REJECTIONS.find(([pattern]) => pattern.test(`${status}`)) ?? NO_TUNNEL;
  const schemes = schemesIn(headerOf(headers, 'proxy-authenticate') ?? '');
  if (status === 407 && schemes.length > 0 && !schemes.some((scheme) => /^basic$/i.test(scheme))) {
    const sentence = `the proxy ${proxy} accepts credentials by ${schemes.join(' or ')} only (407), and this suite sends Basic`;
    return new ProxyError(sentence, 'proxy-scheme');
  }
  const detail = error === undefined ? status : `${status}, ${error}`;
  return new ProxyError(`the proxy ${proxy} ${what} (${detail})`, code);
}

/** The schemes of a list of challenges (RFC 9110, 11.6.1), in which commas also separate parameters. */
const schemesIn = (challenges: string): readonly string[] => [
  ...new Set(challenges.replace(/"[^"]*"/g, '').match(/(?<=^|,\s*)[\w-]+(?=\s*(?:,|$)|\s+[^\s=])/g)),
];

function unusable(proxy: URL, error: unknown): Error {
  if (error instanceof ProxyError) return error;
  const { code, sentence } = failureOf(error, { written: false, received: false });
  // This machine is short of something, not the proxy.
  if (error instanceof Error && lacksRoom(code)) return error;
  return new ProxyError(`the proxy ${proxy.host} cannot be used: ${sentence.replaceAll('the service', 'it')}`);
}

export function authorizationFor({ username, password }: URL): readonly string[] {
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
