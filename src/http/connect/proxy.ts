import { BlockList, isIP } from 'node:net';

/** The proxies of the environment, by the scheme of the target; credentials in their URLs are secrets. */
export interface ProxySettings {
  /** For http targets. */
  readonly http?: string;
  /** For https targets. */
  readonly https?: string;
  /** Hosts that are reached directly, as `NO_PROXY` lists them. */
  readonly noProxy: string;
}

/** The proxy on the way to an address; undefined where it is reached directly. */
export function proxyFor(origin: string, settings: ProxySettings | undefined): URL | undefined {
  if (settings === undefined) return undefined;
  const target = new URL(origin);
  const proxy = target.protocol === 'https:' ? settings.https : settings.http;
  return proxy === undefined || isExempt(target, settings.noProxy) ? undefined : new URL(proxy);
}

/** What the `Proxy-Authorization` of a proxy says, where its URL has credentials. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Every form in which the proxies' credentials could come to light. */
export function proxySecrets(settings: ProxySettings | undefined): readonly string[] {
  return [settings?.http, settings?.https].flatMap((text) => {
    if (text === undefined) return [];
    const url = new URL(text);
    const basic = proxyAuthorization(url);
    if (basic === undefined) return [];
    // A user name alone is a token; beside a password it is just a name.
    const secret = url.password === '' ? url.username : url.password;
    return [...new Set([secret, decodeURIComponent(secret), basic.slice('Basic '.length)])];
  });
}

/**
 * As curl reads `NO_PROXY`: a list with commas or spaces of hosts (which stand for their subdomains too, with or
 * without a leading dot or `*.`), addresses, ranges such as 10.0.0.0/8, each with or without a port, or `*` for all.
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
  const { name, onlyPort } = partsOf(entry);
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (isIP(host) !== 0) return name === host || isWithin(host, name);
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  const bare = host.replace(/\.$/, '');
  return domain !== '' && (bare === domain || bare.endsWith(`.${domain}`));
}

function partsOf(entry: string): { readonly name: string; readonly onlyPort: string | undefined } {
  const [, bracketed, afterBrackets] = /^\[([^\]]+)\](?::(\d+))?$/.exec(entry) ?? [];
  if (bracketed !== undefined) return { name: bracketed, onlyPort: afterBrackets };
  const [, name, port] = /^([^:]+):(\d+)$/.exec(entry) ?? [];
  return name === undefined ? { name: entry, onlyPort: undefined } : { name, onlyPort: port };
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
