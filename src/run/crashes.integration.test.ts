import { describe, expect, test } from 'vitest';
import { conformance } from '../result/conformance.ts';
import { errorOf, findingLines, KEY, optionsFor, type ReceivedRequest, serve } from './service.fixture.ts';

/** Requests that may bring a service down, one at a time: what it does not expect, and the requirement whose rows have it. */
const INPUTS: readonly (readonly [what: string, of: string, (asked: ReceivedRequest) => boolean])[] = [
  ['a NUL in an id', 'GET-5', ({ url }) => /^\/v1\/pets\/[^?]*%00/.test(url)],
  ['an id beyond int64', 'GET-5', ({ url }) => /^\/v1\/pets\/\d{20,}$/.test(url)],
  ['an id that is a word', 'GET-5', ({ url }) => /^\/v1\/pets\/[a-z]+$/i.test(url)],
  ['an empty limit', 'LIST-10', ({ url }) => /[?&]limit=(&|$)/.test(url)],
  ['a limit below 0', 'LIST-10', ({ url }) => /[?&]limit=-\d+(&|$)/.test(url)],
  ['an unknown status', 'LIST-11', ({ url }) => /[?&]status=(?!available|pending|sold)[a-z]+/.test(url)],
  ['a creation without a body', 'CREATE-3', ({ method, body }) => method === 'POST' && body.length === 0],
  ['a body that is null', 'CREATE-8', ({ body }) => body.toString() === 'null'],
  [
    'a name that is no string',
    'CREATE-5',
    ({ body }) => /^(?!.*"name".*"name").*"name"\s*:\s*[[{\dtfn]/.test(body.toString('latin1')),
  ],
  ['a credential without a scheme', 'AUTH-5', ({ headers }) => headers.authorization === KEY],
];

/** Goes down with all that is under way, as if its process exited. */
async function runOn([, of, isFatal]: (typeof INPUTS)[number], restartsAfter: number | undefined) {
  const fatal: ReceivedRequest[] = [];
  const service = await serve((asked, right) => {
    if (!isFatal(asked)) return right();
    fatal.push(asked);
    service.crash(restartsAfter);
    return { ...errorOf(500), hangs: true };
  });
  // Lists are in flight beside the rows of the requirement.
  const only = [of, 'SERV-5', 'LIST-5', 'LIST-6', 'LIST-9'];
  // Smoke leaves out some of the ids.
  const profile = of === 'GET-5' ? 'standard' : 'smoke';
  const result = await conformance(optionsFor(service.baseUrl, { profile, only }));
  return { result, fatal };
}

describe('a service that exits', () => {
  // One at a time, as what is sent again has to be sent in time.
  test.each(INPUTS)(
    'and is started again after 200 ms: the request that brings it down is named, and no other: %s',
    async (...input) => {
      const { result, fatal } = await runOn(input, 200);
      expect(findingLines(result)).toEqual([
        expect.stringMatching(/^\w+: the service closed the connection without a response/),
      ]);
      const [finding] = result.findings;
      const { target, body } = finding?.example.request ?? {};
      const isShown = fatal.some((one) => one.url === target && one.body.toString('utf8') === (body?.text ?? ''));
      expect([isShown, finding?.intermittent, finding?.seenOnce]).toEqual([true, false, false]);
    },
  );

  test('for good: what was under way is one finding', async () => {
    await Promise.all(
      INPUTS.map(async (input) => {
        const [what] = input;
        const { result, fatal } = await runOn(input, undefined);
        expect([findingLines(result).length, result.exitCode], what).toEqual([1, 1]);
        const [finding] = result.findings;
        const also = (finding?.also ?? []).map((text) => text.replaceAll('`', ''));
        const listed = [`${finding?.example.request.target}`, ...also];
        const { method, url = '', body } = fatal[0] ?? {};
        const texts = [`${method} ${url}`, `${method} ${url} ${body}`, url];
        const isListed = listed.some((one) =>
          texts.some((text) => text.startsWith(one.replace(/….*$/, '')) || one.startsWith(`${text} with `)),
        );
        expect([listed.includes(''), isListed], what).toEqual([false, true]);
        // Equal texts are listed once.
        expect(listed.length).toBeLessThanOrEqual(finding?.failed ?? 0);
      }),
    );
  });
});

test('animals that are gone after the service was away are one finding, which comes first', async () => {
  const service = await serve((asked, right) => {
    if (asked.nth !== 500) return right();
    service.crash(1_200, true);
    return { ...errorOf(500), hangs: true };
  });
  const result = await conformance(optionsFor(service.baseUrl, { settleMs: 500 }));
  expect(findingLines(result)).toEqual([
    expect.stringMatching(
      /^the service accepted no connection from [\d:]{8} to [\d:]{8} UTC; after that, \d+ animals? of the run (was|were) gone \(SERV-1, /,
    ),
  ]);
  expect(result.exitCode).toBe(1);
});
