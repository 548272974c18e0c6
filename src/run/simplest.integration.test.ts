import { expect, onTestFinished, test } from 'vitest';
import { findFault, startReference } from '../reference/index.ts';
import { conformance } from '../result/conformance.ts';
import type { Finding } from '../result/result.ts';
import { KEY, optionsFor } from './service.fixture.ts';

/** A fault, the requirement that it breaks, and all of the request that shows it: nothing in it is not needed. */
const SIMPLEST: readonly (readonly [fault: string, requirement: string, request: string])[] = [
  ['errors-as-problem-json', 'SERV-2', 'GET /v1/pets/ID (no Authorization)'],
  [
    'b3-header-makes-500',
    'SERV-4',
    'POST /v1/pets b3: 80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1 {"name":"NAME","categoryId":7,"status":"available"}',
  ],
  ['limit-greatest-uint32-makes-500', 'LIST-10', 'GET /v1/pets?limit=4294967295'],
  ['two-invalid-parameters-make-500', 'LIST-10', 'GET /v1/pets?limit=-1&status=SOLD'],
  ['trailing-comma-accepted', 'CREATE-4', 'POST /v1/pets {"name":"NAME","categoryId":7,}'],
  ['null-body-makes-500', 'CREATE-8', 'POST /v1/pets null'],
  ['omitted-status-answered-500', 'STATE-1', 'POST /v1/pets {"name":"NAME","categoryId":7}'],
  ['getpet-answered-410', 'GET-1', 'GET /v1/pets/ID'],
  ['category-minimum-makes-500', 'RES-7', 'POST /v1/pets {"name":"NAME","categoryId":-9223372036854775808}'],
  [
    'nested-name-wins',
    'RES-11',
    'POST /v1/pets {"owner":{"name":"Ann","categoryId":8,"status":"pending"},"name":"NAME","categoryId":7}',
  ],
  [
    'lone-surrogate-escape-makes-500',
    'RES-11',
    'POST /v1/pets {"name":"NAME","categoryId":7,"note":"\\u0000 \\ud800"}',
  ],
  ['id-malformed-encoding-makes-500', 'GET-5', 'GET /v1/pets/%'],
  ['key-in-auth-token-parameter-accepted', 'AUTH-5', 'GET /v1/pets/ID?auth_token=$KEY:in-query (no Authorization)'],
  ['key-in-x-api-key-accepted', 'AUTH-5', 'GET /v1/pets X-API-Key: $KEY (no Authorization)'],
];

const PLAIN = new Set(['Accept: application/json', 'User-Agent: petstore-conformance', 'Authorization: Bearer $KEY']);

/** A request but for what is in every plain one. */
function textOf({ example: { request } }: Finding): string {
  const headers = request.headers.map(([name, value]) => `${name}: ${value}`);
  const odd = headers.filter((header) => !PLAIN.has(header) && header !== 'Content-Type: application/json');
  const keyless = request.headers.some(([name]) => name === 'Authorization') ? [] : ['(no Authorization)'];
  const body = request.body?.text.replace(/"conformance \w+ \d+"/, '"NAME"') ?? [];
  return [request.method, request.target.replace(/\/\d+\b/, '/ID'), ...odd, ...keyless, body].flat().join(' ');
}

test.each(SIMPLEST)('%s is shown by the simplest request', async (name, requirement, request) => {
  const fault = findFault(name);
  const reference = await startReference({
    token: KEY,
    faults: fault === undefined ? [] : [fault],
    variants: [],
    seed: 1,
    today: '2026-01-01',
  });
  onTestFinished(() => reference.stop());
  const result = await conformance(optionsFor(reference.baseUrl, { profile: 'standard', only: [requirement] }));
  expect(result.findings.map(textOf)[0]).toBe(request);
});
