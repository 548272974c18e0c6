import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { findFault, startReference } from '../reference/index.ts';
import type { Violation } from '../report/model/result.ts';
import { delayInWords } from './index.ts';
import { limitInWords } from './inputs/spelling.ts';
import { judgeBy, KEY, recordingServer, testPlan } from './rig.fixture.ts';

/** The violations of one check, on a server that answers everything alike or on a service with a fault. */
async function violationsOf(id: string, baseUrl: string): Promise<readonly Violation[]> {
  const chosen = CHECKS.filter((check) => check.id === id);
  const [judged] = await judgeBy(chosen, testPlan(baseUrl, { profile: 'standard', settleMs: 0 }));
  const outcome = judged?.result.outcome;
  return outcome?.kind === 'failed' ? outcome.violations : [];
}

async function onFault(id: string, name: string): Promise<readonly Violation[]> {
  const fault = findFault(name);
  if (fault === undefined) throw new Error(`no fault ${name}`);
  const service = await startReference({ token: KEY, faults: [fault] });
  try {
    return await violationsOf(id, service.baseUrl);
  } finally {
    await service.stop();
  }
}

async function answeredWith(id: string, status: number, body: string): Promise<readonly Violation[]> {
  const server = await recordingServer((_incoming, outgoing) => {
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  try {
    return await violationsOf(id, server.baseUrl);
  } finally {
    await server.stop();
  }
}

const excerptOf = (violation: Violation | undefined) => violation?.exchanges.at(-1)?.excerpt;

test('a delay of the list is told in words that do not change from run to run', () => {
  const delay = (missingAt: number | undefined, shownAt: number) => delayInWords({ missingAt, shownAt });
  expect(delay(undefined, 20)).toBe('within a second');
  expect(delay(300, 812)).toBe('within a second');
  expect(delay(1_100, 28_600)).toBe('after more than a second');
  // Held up by a rate limit: nothing is known.
  expect(delay(undefined, 28_600)).toBeUndefined();
  expect(delay(700, 28_600)).toBeUndefined();
});

test.each([
  [['05'], 'written with a leading zero'],
  [['0150'], 'written with a leading zero (out of range)'],
  [['+5'], 'written with a plus sign'],
  [['5.0'], 'written with a fraction of zero'],
  [[' 5'], 'written with blanks'],
  [[''], 'that is empty'],
  [['-0'], 'written as -0 (out of range)'],
  [['0'], 'of 0'],
  [['-7'], 'below 0'],
  [['101'], 'above 100'],
  [['2147483648'], 'above 100 (beyond 32 bits)'],
  [['-9223372036854775809'], 'below 0 (beyond 64 bits)'],
  [['abc'], 'that is a word'],
  [['1.5'], 'that is a fraction'],
  [['1e2'], 'that is a number with an exponent'],
  [['0x10'], 'that is a number in another base'],
  [['5abc'], 'that is digits before other characters'],
  [["'5'"], 'that is digits behind other characters'],
  [['²'], 'that is not an integer'],
  [['5', '7'], 'given twice'],
  [['abc', '5'], 'given twice (the first invalid)'],
  [['5', '1000'], 'given twice (the last invalid)'],
])('the limit %j in words', (texts, words) => {
  expect(limitInWords(texts)).toBe(words);
});

describe.concurrent('what a violation says', () => {
  test('the element of a page that is meant, and where it stands', async () => {
    const [violation] = await onFault('LIST-6', 'filter-lets-one-through');
    const excerpt = excerptOf(violation);
    expect(excerpt?.pointer).toMatch(/^\/\d+$/);
    const { status } = JSON.parse(excerpt?.text ?? '');
    expect(violation?.actual).toBe(JSON.stringify(status));
    const asked = /status=(\w+)/.exec(violation?.exchanges.at(-1)?.request.url ?? '')?.[1];
    expect(violation?.expected).toBe(`only "${asked}"`);
    expect(status).not.toBe(asked);
  });

  test('null where an array was expected', async () => {
    const [violation] = await answeredWith('LIST-1', 200, 'null');
    expect(violation).toMatchObject({
      message: 'the body must be an array and is null',
      expected: 'an array of animals',
      actual: 'null',
    });
  });

  test('an element that is no animal', async () => {
    const [violation] = await onFault('LIST-1', 'list-holds-a-null');
    expect(violation?.message).toMatch(/^\/\d+ must be an object and is null$/);
    expect(violation?.actual).toBe('null');
    expect(excerptOf(violation)?.text).toBe('null');
  });

  test('a field in the own words of the service where it cannot be read', async () => {
    const [violation] = await onFault('STATE-2', 'omitted-status-null');
    expect(violation?.actual).toBe('null');
  });

  test('why a long name must be accepted', async () => {
    const [violation] = await onFault('RES-6', 'name-above-255-refused');
    expect(violation?.expected).toMatch(/^201: every name of up to 1,000 UTF-16 code units must be accepted, but for /);
  });

  test('why a body must be refused', async () => {
    const [violation] = await answeredWith('CREATE-6', 201, '{"id":1,"name":"Rex","categoryId":1}');
    expect(violation?.expected).toMatch(/400.*: \/categoryId must be an int(64|eger) and is ./);
  });
});
