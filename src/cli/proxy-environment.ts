import type { ProxySettings } from '../http/connect/proxy.ts';
import type { Environment } from './environment.ts';
import { UsageError } from './errors.ts';

/**
 * The proxies that the environment names: `HTTP_PROXY` for http targets, `HTTPS_PROXY` for https ones, and in
 * `NO_PROXY` the hosts that need none. Names in lower case count first, as everywhere; an empty value is none.
 * No message repeats a value, for it may hold a password.
 * @returns undefined where no proxy is named
 * @throws UsageError where a value is no address of an HTTP proxy
 */
export function readProxies(environment: Environment): ProxySettings | undefined {
  const http = readProxy('HTTP_PROXY', environment);
  const https = readProxy('HTTPS_PROXY', environment);
  if (http === undefined && https === undefined) return undefined;
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    noProxy: environment['no_proxy'] ?? environment['NO_PROXY'] ?? '',
  };
}

function readProxy(name: string, environment: Environment): string | undefined {
  const variable = environment[name.toLowerCase()] === undefined ? name : name.toLowerCase();
  const value = environment[variable]?.trim() ?? '';
  if (value === '') return undefined;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const wrong = (what: string): UsageError =>
    new UsageError('value-invalid', `${variable}: ${what}; write it as http://proxy.example:3128, or unset it`);
  if (!URL.canParse(text)) throw wrong('the value is not the address of a proxy');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw wrong(`a proxy with the scheme ${url.protocol}// cannot be used, only http:// and https://`);
  }
  try {
    decodeURIComponent(`${url.username}${url.password}`);
  } catch {
    throw wrong('the percent signs in its credentials are not encoded (%25)');
  }
  return url.href;
}
