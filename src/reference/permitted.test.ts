import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { PARTS } from '../../suites/index.ts';
import { Checker } from '../check/checker.ts';
import type { WireRequest } from '../http/message.ts';
import { Collection } from '../known/collection.ts';
import { type Call, get, list, type OperationName } from '../reading/call.ts';
import type { Reading } from '../reading/reading.ts';
import { askedBy, NAMES, READINGS, TERMS } from '../reading/readings.fixture.ts';
import { VARIANTS, type Variant } from './index.ts';
import { type Reply, readingOf, requestOf, type Send, startOffline, stopTime } from './offline.fixture.ts';
import { correctSteps } from './service.ts';
import type { ApiResponse, Steps } from './steps.ts';

/**
 * The verdict policy, asked of every variant: each request of its table is sent, and no rule of a suite finds anything
 * wrong. What the wire does to a response, the suite itself checks.
 */

/** What is asked of a service, by what it asks about. */
type Subject = OperationName | 'keys';

/** The steps that serve every request, those behind what is stored, and those of one kind of request, lists first. */
const COMMON = ['serve', 'perform', 'authenticate', 'describeError', 'writeJson', 'respond'] as const;
const STORED = ['assignId', 'store', 'describePet'] as const;
const FETCHING = [...STORED, 'getPet', 'readPetId', 'findPet'] as const;
const STEPS_OF: Readonly<Record<Subject, readonly (keyof Steps)[]>> = {
  listPets: [...STORED, 'populate', 'listPets', 'readLimit', 'readStatusFilter', 'selectPage'],
  keys: [],
  createPet: [...FETCHING, 'createPet', 'checkMediaType', 'readBody', 'parseBody', 'validateNewPet'],
  getPet: [...FETCHING, 'populate'],
};
const STEPS = correctSteps();

/** Whether a variant can answer requests of a kind otherwise than the service without it does. */
function canChange(subject: Subject, { change }: Variant): boolean {
  const changed = change(STEPS);
  return [...COMMON, ...STEPS_OF[subject]].some((step) => changed[step] !== STEPS[step]);
}

test('every step that answers requests is one of these', () => {
  const known = [...COMMON, ...Object.values(STEPS_OF).flat()];
  // What the wire does, and what cannot be told apart without it.
  const others = ['configure', 'send'];
  expect(Object.keys(STEPS).filter((step) => ![...known, ...others].some((one) => one === step))).toEqual([]);
});

const subjectOf = ({ key, operation }: Reading): Subject => (key.kind === 'right' ? operation : 'keys');

/** The calls of the table, but for those about a removal, or about categories that are known; lists while they are short. */
const SUBJECTS = Object.keys(STEPS_OF);
const ASKED = READINGS.map(askedBy)
  .flatMap(({ call, mayBeGone, categories }) => {
    const request = requestOf(call, NAMES);
    if (request === undefined || mayBeGone || categories.length > 0) return [];
    return [{ call, subject: subjectOf(readingOf(request)) }];
  })
  .toSorted((one, other) => SUBJECTS.indexOf(one.subject) - SUBJECTS.indexOf(other.subject));
const CALLS = ASKED.map(({ call }) => call);

const REQUIREMENTS = PARTS.flatMap(({ requirements }) => requirements);

function decoded({ headers, body }: ApiResponse): Uint8Array {
  const coding = headers['Content-Encoding'];
  if (coding === 'gzip') return gunzipSync(body);
  if (coding === 'deflate') return inflateSync(body);
  return coding === 'br' ? brotliDecompressSync(body) : Buffer.from(body);
}

/** Sends a request again while it is throttled. */
async function sendInTime(send: Send, request: WireRequest): Promise<Reply | undefined> {
  for (;;) {
    const reply = await send(request, 1);
    if (reply?.response.status !== 429) return reply;
    vi.advanceTimersByTime(2_000);
  }
}

/** Rejections of the service without variants, in which no rule has found anything wrong. */
const fine = new Map<Call, string>();
const textOf = ({ status, headers, body }: ApiResponse): string => `${status} ${JSON.stringify(headers)} ${body}`;

async function violationsOf(calls: readonly Call[], variants: readonly Variant[]): Promise<readonly string[]> {
  vi.clearAllTimers();
  const { today, key: token, settleMs } = TERMS;
  const send = await startOffline({ token, variants, today }, false);
  const checker = new Checker(REQUIREMENTS, TERMS, new Collection({ settleMs, tag: 'abcde' }));
  const found: string[] = [];
  let id = NAMES['ID'];
  for (const [place, call] of [...calls, get(), list('limit=100')].entries()) {
    vi.advanceTimersByTime(1);
    const digits = `${CALLS.indexOf(call) + 1}`.padStart(4, '0');
    const names = { ...NAMES, NAME: `conformance abcde ${digits}`, NUMBER: `91234${digits}`, ID: `${id}` };
    const request = requestOf(call, names);
    const reply = request && (await sendInTime(send, request));
    if (request === undefined || reply === undefined) throw new Error(`${call.target} got no response`);
    const { response, sentAt, answeredAt } = reply;
    const text = response.status < 400 ? undefined : textOf(response);
    if (text !== undefined && text === fine.get(call)) continue;
    const headers = Object.entries(response.headers);
    const outcome = { kind: 'answer', status: response.status, headers, body: decoded(response) } as const;
    const sent = { outcome, sentAt, answeredAt, connection: 1, place, times: 1 };
    const { checked } = checker.check({
      ...sent,
      number: place + 1,
      call,
      names,
      request,
      reading: readingOf(request),
    });
    if (call.method === 'POST') id = `${checker.known.ownAnimals.at(-1)?.id ?? id}`;
    if (variants.length === 0 && text !== undefined) fine.set(call, text);
    for (const { requirement, says } of checked.violations)
      found.push(`${requirement} ${says}: ${call.method} ${call.target} ${call.body ?? ''}`.slice(0, 300));
  }
  return found;
}

stopTime();

describe('what the policy permits is done', () => {
  test('by the service without variants', async () => {
    expect(await violationsOf(CALLS, [])).toEqual([]);
  });

  // Of a pair, each is asked by itself; and what is very large takes long.
  test.each(VARIANTS.filter(({ name }) => !/-plus-|megabytes|deep/.test(name)))('by $name', async (variant) => {
    // What it cannot change, the service without it is asked, once.
    const asked = ASKED.filter(({ subject }) => canChange(subject, variant)).map(({ call }) => call);
    expect(await violationsOf(asked, [variant])).toEqual([]);
  });
});

/** While no time passes, any rate is exceeded. */
test.each<readonly [name: string, retryAfter: RegExp | undefined]>([
  ['throttled-lists-without-word', undefined],
  ['throttled-with-rfc-850-date', /^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/],
  ['throttled-with-past-date', /^\w{3}, /],
  ['throttled-with-garbage', /^soon$/],
  ['throttled-at-random', /^0$/],
  ['throttled-to-20-for-a-second', /^1$/],
])('too many requests at once get a 429: %s', async (name, retryAfter) => {
  vi.clearAllTimers();
  const { today, key: token } = TERMS;
  const send = await startOffline({ token, variants: VARIANTS.filter((one) => one.name === name), today }, false);
  const request = requestOf(list(), NAMES);
  let refused: ApiResponse | undefined;
  for (let nth = 0; nth < 150 && request !== undefined && refused?.status !== 429; nth += 1)
    refused = (await send(request, 1))?.response;
  const value = refused?.headers['Retry-After'];
  expect([refused?.status, value]).toEqual([429, retryAfter && expect.stringMatching(retryAfter)]);
});
