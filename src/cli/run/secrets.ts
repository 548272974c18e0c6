import type { RunSettings } from '../../engine/plan.ts';
import { proxySecrets } from '../../http/connect/proxy.ts';

/** What no byte that leaves the process may hold; a service may repeat whatever it was sent. */
export function secretsOf(
  { token, headers, proxies }: Pick<RunSettings, 'token' | 'headers' | 'proxies'>,
  service: { readonly secrets: (token: string) => readonly string[] },
): readonly string[] {
  return [token, ...service.secrets(token), ...headers.map(({ value }) => value), ...proxySecrets(proxies)];
}
