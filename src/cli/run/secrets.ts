import type { RunOptions } from '../../engine/options.ts';
import { proxySecrets } from '../../http/connect/proxy.ts';
import { tellingMisses } from '../../petstore/inputs/keys.ts';

/** What no byte that leaves the process may hold; a service may repeat whatever it was sent. */
export function secretsOf({
  token,
  headers,
  proxies,
}: Pick<RunOptions, 'token' | 'headers' | 'proxies'>): readonly string[] {
  return [token, ...tellingMisses(token), ...headers.map(({ value }) => value), ...proxySecrets(proxies)];
}
