import { BlockList, isIP } from 'node:net';

/** The proxies of the environment, by the scheme of the target; credentials in their URLs are secrets. */
export interface ProxySettings {
  readonly http?: string;
  readonly https?: string;
  /** Hosts that are reached directly, as `NO_PROXY` lists them. */
  readonly noProxy: string;
}

/** The proxy could not be used; the message is a sentence without credentials. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

/** The proxy for an address; undefined where it is reached directly. */
export function proxyFor(origin: string, settings: ProxySettings | undefined): URL | undefined {
  if (settings === undefined) return undefined;
  const target = new URL(origin);
  const proxy = target.protocol === 'https:' ? settings.https : settings.http;
  return proxy === undefined || isExempt(target, settings.noProxy) ? undefined : new URL(proxy);
}

/** The value of `Proxy-Authorization`, where the URL of the proxy has credentials. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Every form in which the proxies' credentials could appear in a report. */
export function proxySecrets(settings: ProxySettings | undefined): readonly string[] {
  return [settings?.http, settings?.https].flatMap((text) => {
    if (text === undefined) return [];
    const url = new URL(text);
    const basic = proxyAuthorization(url);
    if (basic === undefined) return [];
    // A user name without a password is a token.
    const secret = url.password === '' ? url.username : url.password;
    return [...new Set([secret, decodeURIComponent(secret), basic.slice('Basic '.length)])];
  });
}

/**
 * Reads `NO_PROXY` as curl does: separated by commas or spaces, hosts (which include their subdomains, with or without
 * a leading dot or `*.`), addresses, ranges such as 10.0.0.0/8, each with or without a port, or `*` for all.
 */
function isExempt(target: URL, noProxy: string): boolean {
  const host = withoutBrackets(target.hostname).toLowerCase();
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .some((entry) => entry !== '' && (entry === '*' || matches(entry, host, port)));
}

function matches(entry: string, host: string, port: string): boolean {
  // A port follows an address in brackets, or a name without any other colon.
  const [, bracketed, named, onlyPort] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? named ?? entry;
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (isIP(host) !== 0) return name === host || isWithin(host, name);
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  const bare = host.replace(/\.$/, '');
  return domain !== '' && (bare === domain || bare.endsWith(`.${domain}`));
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

export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
