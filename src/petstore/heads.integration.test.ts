/** Requests whose heads are long, or have many headers: what stands before a service may refuse them. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { override, variant } from '../reference/changes.ts';
import { startReference } from '../reference/index.ts';
import type { ApiResponse } from '../reference/steps.ts';
import type { Outcome, Profile } from '../report/model/result.ts';
import { type Head, headOf } from './heads.fixture.ts';
import { judge, KEY, testPlan } from './rig.fixture.ts';

interface Judged {
  readonly failed: readonly string[];
  readonly inconclusive: readonly string[];
}

/** Judges the reference service behind something that sees every head first, and may answer or close in its stead. */
async function judgedBehind(
  before: (head: Head) => ApiResponse | 'closes' | undefined,
  { token = KEY, profile = 'standard', only = /./ }: { token?: string; profile?: Profile; only?: RegExp } = {},
): Promise<Judged> {
  const seeing = override('serve', (usual) => async (call) => {
    const seen = before(headOf(call.incoming));
    if (seen === 'closes') call.incoming.socket.destroy();
    return seen === 'closes' || seen === undefined ? usual(call) : seen;
  });
  const service = await startReference({
    token,
    variants: [variant('behind', 'SERV-5', 'Heads are seen first.', seeing)],
  });
  try {
    const checks = CHECKS.filter(({ id }) => only.test(id));
    const { checks: judged } = await judge(checks, testPlan(service.baseUrl, { token, profile }));
    const ending = (kind: Outcome['kind']) =>
      judged.flatMap(({ result }) => (result.outcome.kind === kind ? result.id : []));
    const errors = judged.flatMap(({ result: { outcome } }) =>
      outcome.kind === 'harness error' ? (outcome.stack ?? outcome.message) : [],
    );
    expect(errors).toEqual([]);
    return { failed: ending('failed'), inconclusive: ending('inconclusive') };
  } finally {
    await service.stop();
  }
}

const error = (status: number): ApiResponse => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ code: 'too_large', message: 'The head is too large.', status }),
});
const page = (status: number): ApiResponse => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  body: '<h1>No</h1>',
});
const bare = (status: number): ApiResponse => ({ status, headers: {}, body: '' });

/** A token of so many characters, of which no part is like another. */
const tokenOf = (length: number): string =>
  Array.from({ length: length / 40 + 1 }, (_, at) => createHash('sha256').update(`${at}`).digest('base64url'))
    .join('')
    .slice(0, length);

test.each([
  [2_900, 'standard', error(431), /^(AUTH-|ERR-|SERV-|LIST-10)/],
  [6_000, 'smoke', page(400), /./],
  [7_900, 'smoke', bare(414), /./],
] as const)('with a key of %d characters, heads over 8 KiB may be refused', async (length, profile, refusal, only) => {
  let refused = 0;
  const behind = ({ bytes }: Head): ApiResponse | undefined => {
    if (bytes <= 8_192) return undefined;
    refused += 1;
    return refusal;
  };
  const { failed, inconclusive } = await judgedBehind(behind, { token: tokenOf(length), profile, only });
  expect(refused).toBeGreaterThan(0);
  expect(failed).toEqual([]);
  expect(inconclusive.length).toBeLessThan(10);
});

test('where more than 30 headers are refused whatever the key, the key is not to blame', async () => {
  let refused = 0;
  const behind = ({ fields }: Head): ApiResponse | undefined => {
    if (fields <= 30) return undefined;
    refused += 1;
    return page(400);
  };
  const { failed } = await judgedBehind(behind, { profile: 'smoke', only: /^(AUTH-|ERR-|SERV-2)/ });
  expect(refused).toBeGreaterThan(0);
  expect(failed).toEqual([]);
});

test.each([
  [error(431), /^AUTH-4/, 'AUTH-4.listPets'],
  ['closes', /^(AUTH-4|SERV-5)/, 'SERV-5'],
] as const)('what is as long as a request that was read may not be refused unread', async (refusal, only, violated) => {
  const token = tokenOf(5_000);
  const right = `Bearer ${token}`;
  const isAsLong = ({ key }: Head): boolean => key.length === right.length && key !== right;
  const { failed } = await judgedBehind((head) => (isAsLong(head) ? refusal : undefined), { token, only });
  expect(failed).toContain(violated);
});
