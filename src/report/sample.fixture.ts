/** Results by hand: a green run, a red one with five findings, and one that tested little. */

import {
  type BodyEvidence,
  type ExchangeEvidence,
  type Finding,
  RESULT_FORMAT,
  type RequirementResult,
  type RunResult,
} from '../run/result.ts';
import { applyBaseline } from './baseline.ts';
import { parseBaseline } from './baseline-file.ts';
import type { ReportContext } from './blocks.ts';
import { type Concluding, conclude, requirementFigures } from './verdict.ts';

export const CONTEXT: ReportContext = {
  command: 'npx petstore-conformance',
  reportDir: 'reports',
};

/** What a service may send to harm a reader: markup, controls, a change of direction, and commands of CIs. */
const HOSTILE =
  '</pre><script>alert(1)</script> \u001b[31m\u202e ::error::x ##vso[task] ##[group] ##teamcity[x] section_start:1:x 猫';

const row = (id: string, part: string, says: string, more: Partial<RequirementResult> = {}): RequirementResult => ({
  id,
  part,
  source: [part],
  kind: 'stated',
  says,
  outcome: 'passed',
  expectedFailure: false,
  responses: 120,
  recorded: [],
  ...more,
});

const ROWS: readonly RequirementResult[] = [
  row('SERV-4', '1', 'No request, however unusual, makes the service fail; a 5xx is never the answer.', {
    kind: 'derived',
    because: 'Part 4 names every status of every operation, and no 5xx is among them.',
  }),
  row('SERV-6', '1', 'Production and staging expose the same interface.', {
    outcome: 'untestable',
    reason: 'one run tests one deployment',
    responses: 0,
  }),
  row('LIST-2', '4.1', 'A page never holds more animals than its `limit`.'),
  row('LIST-10', '4.1', 'A limit that is out of range is rejected, or gives a page.', {
    kind: 'open',
    readings: ['400 with Error', '200 with a page of at most 100'],
    recorded: [{ reading: 'answers 400 to a limit of 0', count: 12, request: 'GET /v1/pets?limit=0', status: 400 }],
  }),
  row('LIST-13', '4.1', 'A new animal is listed once its settling time is over.', {
    outcome: 'not tested',
    reason: 'the list shows its oldest 100 first and holds more, so no page can show a new animal',
    reasonOf: 'collection',
    responses: 0,
  }),
  row('LIM-2', '4.1', 'A page never holds more than 100 animals.', { kind: 'derived' }),
  row('CREATE-1', '4.3', 'A valid body gives 201 with the animal.'),
  row('CREATE-4', '4.3', 'A body that is no JSON is rejected with 400.', {
    cause: 'An error of the JSON parser that nothing catches.',
  }),
  row('CREATE-8', '4.3', 'A body that is no object is rejected with 400.'),
  row('RES-7', '4.3', '`categoryId` comes back digit by digit.'),
  row('GET-9', '4.3', 'getPet works until 5 December 2030.', {
    outcome: 'not applicable',
    reason: 'the removal date has passed',
    responses: 0,
  }),
  row('AUTH-2', '5', 'A request without a key is rejected with 401.'),
  row('AUTH-8', '5', 'A key in other letters is rejected with 401.'),
];

const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const text = (value: string): BodyEvidence => ({
  encoding: 'text',
  text: value,
  bytes: Buffer.byteLength(value),
  cut: false,
});

interface Sending {
  readonly body?: string;
  readonly headers?: ExchangeEvidence['request']['headers'];
}

export function exchange(
  number: number,
  line: string,
  status: number,
  answer: string,
  sending: Sending = {},
): ExchangeEvidence {
  const [method = '', target = ''] = line.split(' ');
  const { body, headers = [['Authorization', 'Bearer [redacted]']] } = sending;
  const data = body === undefined ? '' : ` --data-raw '${body}'`;
  return {
    number,
    operation: method === 'POST' ? 'createPet' : target.includes('?') ? 'listPets' : 'getPet',
    request: {
      method,
      target,
      headers: [['Host', 'localhost:3000'], ...headers],
      ...(body === undefined ? {} : { body: text(body) }),
    },
    answer: { status, headers: [JSON_TYPE], body: text(answer) },
    sentAt: '2026-01-01T00:00:01.250Z',
    milliseconds: 3.4,
    curl: `curl -i -X ${method} 'http://localhost:3000${target}' -H "Authorization: Bearer $PETSTORE_API_KEY"${data}`,
  };
}

const finding = (key: string, says: string, example: ExchangeEvidence, more: Partial<Finding>): Finding => ({
  key,
  says,
  requirements: [],
  operations: [example.operation],
  kind: 'stated',
  unusual: [],
  failed: 12,
  checked: 12,
  intermittent: false,
  passedAgain: false,
  seenOnce: false,
  example,
  violation: says,
  earlier: [],
  also: [],
  requests: {},
  replay: `replay/${key.replaceAll(' ', '-')}.json`,
  expected: false,
  ...more,
});

export const FINDINGS: readonly Finding[] = [
  finding(
    'createPet 500 for rejected',
    'createPet answers 500 where 400 is right',
    exchange(7, 'POST /v1/pets', 500, '{"code":"internal","message":"Unexpected end of JSON input","status":500}', {
      body: '{',
    }),
    {
      requirements: ['CREATE-4', 'CREATE-8', 'SERV-4'],
      failed: 81,
      checked: 81,
      also: ['{"name":"Rex","categoryId":01}', 'an array', 'text after the value'],
      requests: { 'CREATE-8': '[]' },
    },
  ),
  finding(
    'categoryId',
    'createPet returns another categoryId than was sent',
    exchange(31, 'GET /v1/pets/8', 200, '{"id":8,"name":"conformance 猫 7","categoryId":9007199254740992}'),
    {
      requirements: ['RES-7'],
      violation: 'the categoryId is 9007199254740992, and 9007199254740993 was sent',
      earlier: [
        exchange(30, 'POST /v1/pets', 201, '{"id":8,"name":"conformance 猫 7","categoryId":9007199254740992}', {
          body: '{"name":"conformance 猫 7","categoryId":9007199254740993}',
        }),
      ],
      failed: 3,
      checked: 40,
      intermittent: true,
    },
  ),
  finding(
    'page larger',
    'a page has more animals than its limit',
    exchange(40, 'GET /v1/pets?limit=7', 200, `[${HOSTILE}`),
    {
      requirements: ['LIST-2', 'LIM-2'],
      violation: 'the page has 101 animals where at most 7 are permitted',
      kind: 'derived',
      seenOnce: true,
      failed: 1,
      checked: 93,
    },
  ),
  finding(
    'no key accepted',
    'a request without a key is accepted',
    exchange(52, 'GET /v1/pets/8', 200, '{"id":8}', { headers: [] }),
    {
      requirements: ['AUTH-2'],
      operations: ['getPet', 'listPets'],
    },
  ),
  finding(
    'key in capitals',
    'a key in other letters is accepted',
    exchange(60, 'GET /v1/pets?limit=%35', 200, '[]', { headers: [['authorization', 'Bearer [redacted near miss]']] }),
    {
      requirements: ['AUTH-8'],
      unusual: ['an escaped digit'],
    },
  ),
];

const LATENCIES = [
  {
    operation: 'listPets',
    requests: 612,
    p50: 2.13,
    p95: 8.4,
    max: 41,
    distribution: [
      { below: 1, count: 12 },
      { below: 2, count: 300 },
      { below: 5, count: 280 },
      { below: 50, count: 20 },
    ],
  },
];

const withOutcomes = (findings: readonly Finding[]): readonly RequirementResult[] => {
  const failed = findings.flatMap(({ requirements }) => requirements);
  return ROWS.filter(({ id }) => id !== 'LIST-13').map((one) =>
    failed.includes(one.id) ? { ...one, outcome: 'failed' } : one,
  );
};

/** A result of requirements and findings, concluded by the policy. */
export function resultOf(tested: Concluding, more: Partial<RunResult> = {}): RunResult {
  const run = {
    id: 'r1',
    seed: 7,
    profile: 'standard',
    startedAt: '2026-03-04T10:20:30.000Z',
    milliseconds: 3_120,
  } as const;
  return {
    format: RESULT_FORMAT,
    suite: { name: 'petstore-conformance', version: '2.0.0', specification: '1.0' },
    run: {
      ...run,
      options: ['--base-url http://localhost:3000/v1', "-H 'X-Team: a'"],
      interrupted: tested.interrupted,
    },
    target: { baseUrl: 'http://localhost:3000/v1', embedded: false },
    ...conclude(tested),
    summary: {
      ...requirementFigures(tested.requirements),
      requests: 1_812,
      evidenceRequests: 41,
      creations: 214,
      throttled: 0,
    },
    requirements: tested.requirements,
    findings: tested.findings,
    baseline: tested.baseline,
    latencies: LATENCIES,
    notes: [],
    ...more,
  };
}

export const green = (): RunResult =>
  resultOf(
    { requirements: withOutcomes([]), findings: [] },
    { target: { baseUrl: 'http://127.0.0.1:4010/v1', embedded: true } },
  );

export const red = (findings = FINDINGS): RunResult =>
  resultOf({ requirements: withOutcomes(findings), findings }, { notes: ['The service throttled: 20 s of waiting.'] });

/** Red with a baseline in YAML. */
export function baselined(findings: readonly Finding[], yaml: string, day = '2026-03-04'): RunResult {
  const requirements = withOutcomes(findings);
  const entries = parseBaseline(
    yaml,
    'known.yaml',
    requirements.map(({ id }) => id),
  );
  const run = { day, profile: 'standard', interrupted: false } as const;
  return resultOf(applyBaseline({ requirements, findings }, { file: 'known.yaml', entries }, run));
}

export function littleTested(): RunResult {
  const requirements = ROWS.map((one): RequirementResult => {
    if (one.outcome !== 'passed' || one.part === '1') return one;
    const untested = { ...one, outcome: 'not tested', responses: 0, recorded: [] } as const;
    if (one.part === '5') return { ...untested, outcome: 'not selected' };
    return { ...untested, reason: 'no valid createPet was accepted', reasonOf: 'service' };
  });
  return resultOf({ requirements, findings: [] }, { notes: [`The service said "${HOSTILE}".`] });
}
