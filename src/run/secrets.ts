import { tellingMisses } from '../generate/keys.ts';
import { proxySecrets } from '../target/proxy.ts';
import type { RunOptions } from './options.ts';

/** What no byte that leaves the process may hold; a service may repeat whatever it was sent. */
export function secretsOf({
  token,
  headers,
  proxies,
}: Pick<RunOptions, 'token' | 'headers' | 'proxies'>): readonly string[] {
  return [token, ...tellingMisses(token), ...headers.map(({ value }) => value), ...proxySecrets(proxies)];
}
