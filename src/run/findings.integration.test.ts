import { describe, expect, test } from 'vitest';
import { conformance } from '../result/conformance.ts';
import {
  type Change,
  errorOf,
  type FixtureResponse,
  findingLines,
  jsonOf,
  KEY,
  optionsFor,
  type ReceivedRequest,
  reportOf,
  serve,
} from './service.fixture.ts';

/** Answers malformed JSON with 500 and with what a careless service says of it. */
const careless =
  (message: (error: unknown, body: string) => string, evenWithout = true): Change =>
  (asked, right) => {
    const reply = right();
    if (asked.method !== 'POST' || reply.status !== 400 || (asked.body.length === 0 && !evenWithout)) return reply;
    try {
      jsonOf(asked.body);
      return reply;
    } catch (error) {
      return { status: 500, body: JSON.stringify({ message: message(error, asked.body.toString('latin1')) }) };
    }
  };

/** Looks at the key when the animal is there already. */
const addingWithoutKey: Change = ({ method, headers }, right) => {
  if (method !== 'POST' || headers.authorization === `Bearer ${KEY}`) return right();
  right({ headers: { ...headers, authorization: `Bearer ${KEY}` } });
  return errorOf(401);
};

const [random, time] = [() => `${Math.random()}`.slice(2), () => new Date().toISOString()];
/** Beside the message, whether a request without a body is malformed too, and what is shown. */
const MESSAGES: readonly (readonly [string, (error: unknown, body: string) => string, boolean, RegExp])[] = [
  [
    'the message of the error, which echoes the input',
    (error, body) => `${error instanceof Error ? error.message : ''} in ${body.slice(0, 200)}`,
    false,
    /^CREATE-4 \S{1,2}$/,
  ],
  [
    'a stack trace, an id of the request and the time',
    (error) => `${random()} ${time()} ${error instanceof Error ? error.stack : ''}`,
    true,
    /^CREATE-[34] \S{0,2}$/,
  ],
];

const parsed = (body: Buffer): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

describe('a right service', () => {
  test.each([
    ['smoke', 720, 126],
    ['standard', 1_500, 234],
  ] as const)(
    '%s: has no finding, all is tested with at most %i requests and %i animals, and the report is short',
    async (profile, mostRequests, mostAnimals) => {
      const { baseUrl } = await serve();
      const result = await conformance(optionsFor(baseUrl, { profile }));
      expect(findingLines(result)).toEqual([]);
      expect(result).toMatchObject({ exitCode: 0, verdict: 'conforms', notes: [] });
      // Well below the budgets of the profiles: a service that is late, or shows short pages, needs more.
      expect(result.summary.requests).toBeLessThanOrEqual(mostRequests);
      expect(result.summary.creations).toBeLessThanOrEqual(mostAnimals);
      const open = result.requirements.filter(({ outcome, partly }) => outcome === 'not tested' || partly);
      expect(open.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
      expect(reportOf(result).trimEnd().split('\n').length).toBeLessThanOrEqual(8);
    },
  );
});

describe('one fault is one finding', () => {
  test.each(MESSAGES)('malformed JSON is answered 500 with %s', async (_, message, evenWithout, simplest) => {
    const { baseUrl } = await serve(careless(message, evenWithout));
    const result = await conformance(optionsFor(baseUrl));
    expect(findingLines(result)).toHaveLength(1);
    const [finding] = result.findings;
    expect(finding?.says).toMatch(/^createPet answers 500 to /);
    expect(finding?.requirements).toEqual(expect.arrayContaining(['CREATE-4', 'SERV-4']));
    expect(finding?.unusual).toEqual([]);
    expect(`${finding?.requirements[0]} ${finding?.example.request.body?.text ?? ''}`).toMatch(simplest);
    expect([finding?.intermittent, finding?.seenOnce]).toEqual([false, false]);
    const failed = result.requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
    expect(failed.toSorted()).toEqual(finding?.requirements.toSorted());
    expect(result.requirements.filter(({ outcome }) => outcome === 'not tested')).toEqual([]);
    expect(result.exitCode).toBe(1);
    const lines = reportOf(result).trimEnd().split('\n');
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(25);
  });

  test('a page that ignores its limit is one finding for all that it breaks', async () => {
    const { baseUrl } = await serve((asked, right) => {
      const isInRange = /[?&]limit=([1-9]\d?|100)(&|$)/.test(asked.url);
      return right(isInRange ? { url: asked.url.replace(/limit=\d+/, 'limit=100') } : {});
    });
    const result = await conformance(optionsFor(baseUrl, { settleMs: 100 }));
    expect(findingLines(result)).toEqual([expect.stringContaining('where')]);
  });

  test('a larger default beside a status is one finding, though it is seen in one page and between three', async () => {
    const { baseUrl } = await serve(({ url }, right) =>
      right(/^[^=]*[?&]status=\w+$/.test(url) ? { url: `${url}&limit=50` } : {}),
    );
    const result = await conformance(optionsFor(baseUrl, { settleMs: 100 }));
    expect(findingLines(result)).toEqual([expect.stringContaining('20 or fewer')]);
    expect(result.findings[0]?.requirements).toEqual(expect.arrayContaining(['LIST-3', 'LIST-4']));
    expect(result.findings[0]?.requests['LIST-4']).toMatch(/^GET /);
  });

  test('what rejected creations have done is one finding, whatever shows it', async () => {
    const { baseUrl } = await serve(addingWithoutKey);
    const result = await conformance(optionsFor(baseUrl));
    expect(findingLines(result)).toEqual([expect.stringMatching(/^createPet answers 401 but has an effect: /)]);
    expect(result.findings[0]?.also.every((text) => /^`?POST \/v1\/pets/.test(text))).toBe(true);
  });

  test('of what --only leaves out, nothing is reported', async () => {
    const { baseUrl } = await serve(addingWithoutKey);
    const result = await conformance(optionsFor(baseUrl, { only: ['LIST-1'] }));
    expect([findingLines(result), result.exitCode]).toEqual([[], 0]);
  });

  test('five faults are five findings, on two screens', async () => {
    const [, stackTrace = () => ''] = MESSAGES[1] ?? [];
    const malformed = careless(stackTrace);
    const { baseUrl } = await serve((asked, right) => {
      const { method, url, body, headers } = asked;
      // Keys in other letters open it; a number is accepted as a name; a filter shows another status; 404 is plain text.
      const isKeyAlike = headers.authorization?.toLowerCase() === `bearer ${KEY.toLowerCase()}`;
      const reply = right(isKeyAlike ? { headers: { ...headers, authorization: `Bearer ${KEY}` } } : {});
      const { name, categoryId, status } = parsed(body);
      if (reply.status === 400 && Number.isInteger(name) && Number.isInteger(categoryId) && status !== 'SOLD')
        return { status: 201, body: JSON.stringify({ id: 5_000_000 + asked.nth, name: `${name}`, categoryId: 7 }) };
      if (reply.status === 200 && /[?&]status=pending/.test(url))
        return { ...reply, body: reply.body.replace('"pending"', '"sold"') };
      if (reply.status === 404) return { ...reply, headers: { 'Content-Type': 'text/plain' } };
      return method === 'POST' ? malformed(asked, right) : reply;
    });
    const result = await conformance(optionsFor(baseUrl));
    const found = [
      /answers 500 to /,
      /accepts .*: 201, expected 400/,
      /accepts? a key that differs a little/,
      /status "sold"/,
      /media type/,
    ];
    for (const says of found)
      expect(
        findingLines(result).filter((text) => says.test(text)),
        `${says}`,
      ).toHaveLength(1);
    expect(findingLines(result)).toHaveLength(5);
    const lines = reportOf(result).trimEnd().split('\n');
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(60);
    expect(result.exitCode).toBe(1);
  });
});

describe('what needs another request', () => {
  // The body of a creation that is rejected for its key is not read, and spoils the next request.
  const spoiling = (spoil: (asked: ReceivedRequest) => FixtureResponse): Change => {
    const spoilt = new WeakSet<object>();
    return (asked, right) => {
      if (spoilt.delete(asked.connection)) return spoil(asked);
      const reply = right();
      if (asked.method === 'POST' && reply.status === 401) spoilt.add(asked.connection);
      return reply;
    };
  };
  const SPOILT: readonly (readonly [string, (asked: ReceivedRequest) => FixtureResponse, RegExp])[] = [
    ['rejected', () => errorOf(400), /^listPets (answers|rejects) .*, after another request on the same conn/],
    [
      'never answered',
      () => ({ ...errorOf(500), hangs: true }),
      /^listPets did not respond within \d+(\.\d)? s, after another request on/,
    ],
  ];
  test.each(SPOILT)('is shown behind the request that went before on its connection: %s', async (_, spoil, says) => {
    const { baseUrl } = await serve(spoiling(spoil));
    const result = await conformance(optionsFor(baseUrl, { requestTimeoutMs: 1_000 }));
    const finding = result.findings.find((one) => says.test(one.says));
    expect(result.findings.filter(({ intermittent, passedAgain }) => intermittent || passedAgain)).toEqual([]);
    expect(finding?.earlier.map(({ request }) => request.method)).toEqual(['POST']);
    expect([finding?.seenOnce, finding?.intermittent]).toEqual([false, false]);
  });

  test('is found where it is answered by the end of the connection, and nothing else is', async () => {
    const closing = spoiling(({ connection }) => {
      connection.destroy();
      return { ...errorOf(500), hangs: true };
    });
    const result = await conformance(optionsFor((await serve(closing)).baseUrl));
    expect(new Set(result.findings.flatMap(({ requirements }) => requirements))).toEqual(new Set(['SERV-5']));
  });
});

describe('nothing is untested because of something else', () => {
  test('what must be rejected is not tested where no plain request is accepted, with one reason', async () => {
    const { baseUrl } = await serve((asked, right) =>
      asked.method === 'POST' && asked.headers.authorization === `Bearer ${KEY}` ? errorOf(400) : right(),
    );
    const result = await conformance(optionsFor(baseUrl));
    const row = (id: string) => result.requirements.find((one) => one.id === id);
    expect([row('LIST-1')?.outcome, row('CREATE-1')?.outcome]).toEqual(['passed', 'failed']);
    expect([row('CREATE-2')?.outcome, row('CREATE-2')?.reason]).toEqual([
      'not tested',
      'createPet answered no valid request as it must',
    ]);
    expect(
      findingLines(result).filter((text) => !/^createPet (rejects|answers 400 to) a valid request/.test(text)),
    ).toEqual([]);
  });
});
