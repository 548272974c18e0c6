import { expect, test } from 'vitest';
import { conformance } from './conformance.ts';
import { fail, KEY, optionsFor, said, serve } from './service.fixture.ts';
for (const [what, isMeant] of [['all', () => true], ['with the key', (key: string | undefined) => key === `Bearer ${KEY}`]] as const)
test.concurrent(`silent ${what}`, async () => {
  const { baseUrl } = await serve((one, right) => one.url.startsWith('/v1/pets/') && isMeant(one.headers.authorization) ? { ...fail(500), hangs: true } : right());
  const t = performance.now();
  const { result } = await conformance(optionsFor(baseUrl, { profile: 'standard', signal: AbortSignal.timeout(100_000) }));
  console.log(what, performance.now() - t, said(result), result.summary.requests);
});
