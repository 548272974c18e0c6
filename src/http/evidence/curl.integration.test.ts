import { describe, expect, test } from 'vitest';
import { addressOf } from '../connect/route.ts';
import type { WireRequest } from '../exchange.ts';
import { bytesOf, GET, inHeader, inQuery, JSON_TYPE, KEY, LIST, WITHOUT_KEY } from '../rig.fixture.ts';
import { expectSameRequests } from './curl.fixture.ts';
import { curlLine } from './curl.ts';

/** A request that creates something; null for no body, or no content type. */
function creating(body: Uint8Array | null, contentType: string | null = JSON_TYPE): WireRequest {
  return {
    ...LIST,
    operation: 'create',
    method: 'POST',
    ...(contentType === null ? {} : { contentType }),
    ...(body === null ? {} : { body }),
  };
}

describe('the curl line sends the same request as the client', () => {
  test.each([KEY, 'it\'s-$HOME`x"\\y!&*+/='])('with a credential in a header made of the key %s', async (key) => {
    const requests = ['authorization', 'X-API-Key'].map((name) => ({ ...LIST, credential: inHeader(name, key) }));
    const headers = [['authorization', '']] as const;
    const empty = { ...WITHOUT_KEY.credential, headers, shell: headers };
    await expectSameRequests([...requests, WITHOUT_KEY, { ...LIST, credential: empty }], { API_KEY: key });
  });

  test('with a credential in the query', async () => {
    const credential = inQuery('api_key', KEY);
    await expectSameRequests(
      [LIST, { ...LIST, path: '/items?limit=1' }].map((one) => ({ ...one, credential })),
      {
        API_KEY: KEY,
      },
    );
  });

  test('with every kind of body', async () => {
    const texts = ['@/etc/hostname', '@-', '', "'{}'", '!!', 'a\r\n\tb', '\ufeff{}', '{"a":"é☃𝄞"}', '$(id) `id` \\ "'];
    const long = ['x', '\u0001'].map((letter) => letter.repeat(300_000));
    const bodies = [...texts, ...long].map((text) => creating(bytesOf(text)));
    const binary = creating(Uint8Array.from({ length: 256 }, (_, at) => at));
    await expectSameRequests([...bodies, binary, creating(bytesOf('{}'), null), creating(null), creating(null, null)], {
      API_KEY: KEY,
    });
  });

  test('with a body in chunks, cut in the same places', async () => {
    const texts = ['{"name":"Rex"}', '{"name":"🐾é日","categoryId":1}', "@it's\t\n ", '', 'x'.repeat(70)];
    const bodies = [...texts.map(bytesOf), Uint8Array.of(0xff, 0, 1, 2, 3)];
    await expectSameRequests(
      bodies.map((body) => ({ ...creating(body), chunked: true })),
      { API_KEY: KEY },
    );
  });

  test('with headers of the user, whose values are in variables', async () => {
    const headers = [
      { name: 'X-Tenant', value: 'it\'s-$HOME "`id`"' },
      { name: "x-it's.odd", value: 'second' },
    ];
    const variables = { TEST_HEADER_X_TENANT: headers[0]?.value, TEST_HEADER_X_IT_S_ODD: 'second' };
    await expectSameRequests([LIST], { API_KEY: KEY, ...variables }, headers);
  });

  test('with every kind of path', async () => {
    const names = ['%00', '{a,b}', '[1-3]', '../x', "it's", '$HOME', '-1'];
    await expectSameRequests(
      names.map((name) => ({ ...GET, path: `/items/${name}` })),
      { API_KEY: KEY },
    );
  });
});

test('the line contains the options of the route to the service', () => {
  const options = ["--unix-socket '/run/it'\\''s.sock'", '--insecure'];
  expect(curlLine(LIST, addressOf('http://localhost/v1', options))).toBe(
    `curl -i --path-as-is --globoff --unix-socket '/run/it'\\''s.sock' --insecure -H "authorization: Bearer $API_KEY" 'http://localhost/v1/items'`,
  );
});
