import type { BodyEvidence, ExchangeEvidence } from './model/evidence.ts';
import {
  type CheckResult,
  type FailingInput,
  type Outcome,
  RESULT_FORMAT,
  type RequirementResult,
  type RunResult,
  type SpaceCoverage,
  type Violation,
} from './model/result.ts';
import type { ReportContext, ServiceDescription } from './model/service.ts';
import { summarise } from './model/summary.ts';
import { type ReportView, viewOf } from './view.ts';

/** Results as runs write them, for the tests of the reports. */

export const SERVICE: ServiceDescription = {
  title: 'Pet Store',
  program: 'petstore-conformance',
  created: { one: 'animal', many: 'animals' },
  keyVariable: 'PETSTORE_API_KEY',
  parts: [
    { part: '2', title: 'Fields' },
    { part: '4.1', title: 'listPets', file: 'suites/4.1-list-pets.ts' },
    { part: '4.2', title: 'createPet' },
    { part: '5', title: 'Authentication' },
    { part: '6', title: 'Events' },
    { part: '9', title: 'Versioning' },
  ],
};

/** What the writers get beside a result. */
const CONTEXT: ReportContext = { service: SERVICE, reportDir: 'reports' };

/** A result as the writers get it. */
export const viewed = (result: RunResult, change: Partial<ReportContext> = {}): ReportView =>
  viewOf(result, { ...CONTEXT, ...change });

export function textBody(text: string): BodyEvidence {
  return { encoding: 'text', text, size: Buffer.byteLength(text), cut: false };
}

export function exchange(change: Partial<ExchangeEvidence> = {}): ExchangeEvidence {
  return {
    role: 'judged',
    operation: 'listPets',
    request: {
      method: 'GET',
      url: 'https://staging.example/v1/pets?limit=1',
      headers: [
        ['Accept', 'application/json'],
        ['Authorization', 'Bearer $PETSTORE_API_KEY'],
      ],
    },
    answer: {
      kind: 'response',
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: textBody('[{"id":1,"name":"Rex","categoryId":1},{"id":2,"name":"Tom","categoryId":1}]'),
      milliseconds: 4.2,
    },
    curl: `curl -H "Authorization: Bearer $PETSTORE_API_KEY" 'https://staging.example/v1/pets?limit=1'`,
    ...change,
  };
}

/** An exchange in which the service answers with this body. */
export function answering(text: string): ExchangeEvidence {
  const answer = { kind: 'response' as const, status: 200, headers: [], body: textBody(text), milliseconds: 1 };
  return exchange({ answer });
}

export function violation(change: Partial<Violation> = {}): Violation {
  return {
    code: 'page-too-long',
    message: 'The page holds more animals than `limit`.',
    expected: 'at most 1',
    actual: '200 with 2 animals',
    exchanges: [exchange()],
    shrunk: { from: 'limit=7', to: 'limit=1', requests: 6 },
    frequency: { violated: 3, judged: 812 },
    replay: 'failures/LIST-2.json',
    ...change,
  };
}

export function requirement(id: string, change: Partial<RequirementResult> = {}): RequirementResult {
  return {
    id,
    part: '4.1',
    source: ['4.1', '8'],
    kind: 'stated',
    says: `What ${id} says.`,
    status: 'holds',
    expectedFailure: false,
    ...change,
  };
}

export function check(
  id: string,
  outcome: Outcome = { kind: 'passed' },
  change: Partial<CheckResult> = {},
): CheckResult {
  return {
    id,
    requirement: id.replace(/\..*$/, ''),
    title: `the title of ${id}`,
    outcome,
    observations: [],
    requests: 5,
    milliseconds: 120,
    ...change,
  };
}

/** A result from rows and checks, with figures that fit them. */
export function resultOf(
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
  change: Partial<RunResult> = {},
): RunResult {
  return {
    format: RESULT_FORMAT,
    suite: { name: 'petstore-conformance', version: '1.0.0', specification: '1.0.0' },
    run: {
      id: 'r-1',
      seed: 1729,
      profile: 'standard',
      startedAt: '2026-03-01T10:00:00.000Z',
      milliseconds: 3100,
      options: ['--base-url', 'https://staging.example/v1'],
    },
    target: { baseUrl: 'https://staging.example/v1', embedded: false },
    verdict: 'conforms',
    exitCode: 0,
    conclusion: 'Conforms: every requirement that was judged holds.',
    summary: summarise(requirements, checks, { requests: 812, creations: 104, throttled: 0 }),
    requirements,
    checks,
    causes: [],
    latencies: [{ operation: 'listPets', requests: 400, p50: 2.1, p95: 6.5, p99: 11, max: 14.25 }],
    coverage: [],
    notes: [],
    ...change,
  };
}

export function greenResult(change: Partial<RunResult> = {}): RunResult {
  return resultOf(
    [requirement('LIST-2'), requirement('AUTH-2', { part: '5', source: ['5 rule 2'] })],
    [check('LIST-2'), check('AUTH-2.listPets'), check('AUTH-2.createPet')],
    change,
  );
}

/** Two checks that fail for one reason, and one more that fails for another. */
export function resultWithCauses(text = 'createPet answers 422 (40 of 90 answers of createPet)'): RunResult {
  const violated = (id: string, expectedFailure = false) =>
    requirement(id, { status: 'violated', part: '4.2', expectedFailure });
  const input = (sent: string, times: number): FailingInput => ({
    operation: 'createPet',
    input: text,
    sent,
    answered: `422 application/json · ${text}`,
    times,
  });
  const inputs = [
    input('POST /v1/pets {}', 1),
    input(`POST /v1/pets {"name":1} ${text}`, 3),
    input('POST /v1/pets {"categoryId":1}', 1),
    input('POST /v1/pets []', 2),
    input('POST /v1/pets null', 1),
  ];
  const failed = { kind: 'failed', violations: [violation()], inputs, inputsLeftOut: 7 } as const;
  return resultOf(
    [violated('CREATE-2'), violated('CREATE-5'), violated('LIST-2')],
    [check('LIST-2', failed), check('CREATE-5', failed), check('CREATE-2', failed)],
    {
      verdict: 'violations',
      exitCode: 1,
      causes: [
        {
          says: text,
          requirements: ['CREATE-2', 'CREATE-5'],
          checks: ['CREATE-2', 'CREATE-5'],
          unjudged: ['RES-1', 'RES-2'],
          since: `seen only after ${text} was answered 201`,
          exchange: answering(text),
        },
      ],
    },
  );
}

/** A request space that was covered so far. */
export function coverageOf(space: string, covered: number, possible = 412): SpaceCoverage {
  return { space, tuples: 'pairs', covered, possible };
}

/** One of everything: a violation, an expected one, an open point, no verdict, not applicable, an internal error. */
export function redResult(shown: Violation = violation(), change: Partial<RunResult> = {}): RunResult {
  const control = exchange({ role: 'control', curl: 'curl control' });
  const tooFew = { status: 'not judged', reason: 'the collection holds too few animals' } as const;
  const notYet = { status: 'not applicable', reason: 'the removal date has not come' } as const;
  const reading = 'answers 400 to a limit out of range';
  return resultOf(
    [
      requirement('LIST-2', { status: 'violated', says: 'A page never holds more animals than `limit`.' }),
      requirement('LIST-10', { kind: 'open', readings: ['400 with Error', '200 with a page of at most 100'] }),
      requirement('LIST-4', { ...tooFew, kind: 'derived', because: 'The default is 20.' }),
      requirement('LIST-7', tooFew),
      requirement('CREATE-2', { part: '4.2', source: ['4.2 rule 1'], status: 'violated', expectedFailure: true }),
      requirement('CREATE-9', {
        part: '4.2',
        source: ['4.2 rule 2'],
        status: 'not judged',
        reason: 'the suite failed',
      }),
      requirement('VERS-4', { part: '9', ...notYet, kind: 'open', readings: ['as before'] }),
      requirement('EVENT-1', { part: '6', status: 'untestable', reason: 'The specification describes no events.' }),
      requirement('RES-1', { part: '2', status: 'not selected' }),
      requirement('AUTH-2', { part: '5', source: ['5 rule 2'] }),
    ],
    [
      check('LIST-2', { kind: 'failed', violations: [{ ...shown, exchanges: [control, ...shown.exchanges] }] }),
      check('LIST-10', { kind: 'passed' }, { observations: [{ requirement: 'LIST-10', reading }] }),
      check('LIST-4', { kind: 'inconclusive', code: 'too-few', reason: tooFew.reason, byOption: false }),
      check('CREATE-2', {
        kind: 'failed',
        violations: [violation({ code: 'status', message: 'Accepted.', replay: 'failures/CREATE-2.json' })],
      }),
      check('CREATE-9', {
        kind: 'harness error',
        message: 'cannot read x of undefined',
        stack: 'Error: cannot\n    at a.ts:1',
      }),
      check('VERS-4', { kind: 'not applicable', reason: notYet.reason }),
      check('AUTH-2.listPets'),
    ],
    {
      verdict: 'violations',
      exitCode: 1,
      conclusion: 'Does not conform: 1 requirement is violated.',
      baseline: {
        file: 'expected.txt',
        expected: ['CREATE-2'],
        stale: ['AUTH-2'],
        entries: [
          { ...listed('CREATE-2', 1), checks: ['CREATE-2'], state: 'expected' },
          { ...listed('AUTH-2', 2), checks: ['AUTH-2.listPets'], state: 'stale' },
        ],
      },
      notes: ['The service asked for a pause 3 times.'],
      ...change,
    },
  );
}

const listed = (requirement: string, line: number) => ({ requirement, line, lastLine: line, text: `- ${requirement}` });

/** What a hostile service could put into a body, in one text. */
export const HOSTILE =
  '\u001b[31mred\u001b[0m\u001b]0;title\u0007 \u202egnp.exe </script><script>alert(1)</script> ```\n# heading ]]> &lt; &foo; &#60; \u0000 \ud800 \u009b2J "\'<img src=x onerror=alert(1)>';
