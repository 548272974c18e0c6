import type { ProxySettings } from '../../http/connect/proxy.ts';
import { invalid, quoted, type UsageError } from '../errors.ts';
import type { Reader } from '../option.ts';

const STARTS_WITH_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const isHttp = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';

/**
 * The base URL of a target: http or https, ending in `/v1`. Read without a trailing slash. Credentials in it count as
 * a secret: they are refused, and never repeated.
 */
export const baseUrl: Reader<string> = (text, source) => {
  const wrong = (what: string): UsageError => invalid(source, what);
  if (text.trim() === '') throw wrong('the URL is empty; write one such as https://staging.example/v1');
  if (text.includes('@')) {
    throw wrong('a URL with a user name, a password or an @ is not accepted; give the key with --token or -H');
  }
  // Whatever follows a question mark may be a key: it is not repeated.
  const [plain = ''] = text.split(/[?#]/, 1);
  const shown = quoted(plain);
  if (!STARTS_WITH_SCHEME.test(text)) {
    const mended = `https://${plain}`;
    const hint = URL.canParse(mended) && /^[\w.:[\]-]+(\/|$)/.test(plain) ? `; did you mean ${quoted(mended)}?` : '';
    throw wrong(`${shown} does not start with http:// or https://${hint}`);
  }
  if (!URL.canParse(text) || /[\s\\]/.test(text)) {
    throw wrong(`${shown} is not a valid URL; write one such as https://staging.example/v1`);
  }
  const url = new URL(text);
  if (!isHttp(url)) {
    throw wrong(`${shown} has the scheme ${quoted(url.protocol)}; only http:// and https:// are supported`);
  }
  if (text !== plain) throw wrong(`${shown} is followed by a query or a fragment; remove the ? or # and the rest`);
  const path = url.pathname.replace(/\/$/, '');
  if (path.endsWith('/v1')) return `${url.origin}${path}`;
  const base = `${url.origin}${path.replace(/\/pets(\/[^/]*)?$/, '').replace(/\/+$/, '')}`;
  // What ends in another version is of another interface.
  const isVersioned = /\/v\d+$/.test(base) && !base.endsWith('/v1');
  const mended = base.endsWith('/v1') ? base : isVersioned ? base.replace(/\d+$/, '1') : `${base}/v1`;
  throw wrong(`${shown} does not end in /v1; did you mean ${quoted(mended)}?`);
};

/**
 * The proxies of the environment: `HTTP_PROXY` for http targets, `HTTPS_PROXY` for https ones, and in `NO_PROXY` the
 * hosts reached directly. A name in lower case takes precedence, as in other programs; an empty value means no proxy.
 * No message repeats a value: it may contain a password.
 * @returns undefined if there is no proxy
 * @throws UsageError
 */
export function readProxies(environment: NodeJS.ProcessEnv): ProxySettings | undefined {
  const http = readProxy('HTTP_PROXY', environment);
  const https = readProxy('HTTPS_PROXY', environment);
  if (http === undefined && https === undefined) return undefined;
  const noProxy = environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
  return { ...(http === undefined ? {} : { http }), ...(https === undefined ? {} : { https }), noProxy };
}

function readProxy(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const variable = environment[name.toLowerCase()] === undefined ? name : name.toLowerCase();
  const value = environment[variable]?.trim() ?? '';
  if (value === '') return undefined;
  const text = STARTS_WITH_SCHEME.test(value) ? value : `http://${value}`;
  const wrong = (what: string): UsageError =>
    invalid(variable, `${what}; write it as http://proxy.example:3128, or unset it`);
  if (!URL.canParse(text)) throw wrong('not a valid proxy URL');
  const url = new URL(text);
  if (!isHttp(url)) {
    throw wrong(`proxies with the scheme ${url.protocol}// are not supported, only http:// and https://`);
  }
  try {
    decodeURIComponent(`${url.username}${url.password}`);
  } catch {
    throw wrong('a percent sign in the credentials is not encoded (%25)');
  }
  return url.href;
}
