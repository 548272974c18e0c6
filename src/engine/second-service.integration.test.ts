import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { loadContract } from '../contract/contract.ts';
import type { Credential } from '../http/credential.ts';
import type { RunResult } from '../report/model/result.ts';
import { defineCheck, type Rule } from './check.ts';
import type { CheckTools } from './check-tools.ts';
import type { RunState } from './every-answer.ts';
import type { Plan } from './plan.ts';
import { preflight } from './preflight.ts';
import { parseCatalogue } from './read-catalogue.ts';
import { type Call, Reply } from './reply.ts';
import { runChecks } from './run-checks.ts';
import { runResult } from './run-result.ts';
import type { ServiceDefinition } from './service.ts';
import { Session } from './session.ts';
import { violates } from './violation.ts';

/** A service that has nothing to do with the one that this package judges: it tells the time in a few zones. */
const OPENAPI = `
openapi: 3.1.0
info: { title: Clock, version: 2.1.0 }
paths:
  /zones/{zone}:
    get:
      operationId: readClock
      parameters:
        - { name: zone, in: path, required: true, schema: { type: string } }
      responses:
        '200':
          description: The time.
          content: { application/json: { schema: { $ref: '#/components/schemas/Time' } } }
        '404':
          description: No such zone.
          content: { application/json: { schema: { $ref: '#/components/schemas/Problem' } } }
components:
  schemas:
    Time: { type: object, required: [hour], properties: { hour: { type: integer, minimum: 0, maximum: 23 } } }
    Problem: { type: object, required: [title], properties: { title: { type: string } } }
`;

const PARTS = [{ part: '1', title: 'Time', prefix: 'TIME' }];
const CATALOGUE = `
- { id: TIME-1, source: ['1'], kind: stated, says: A clock tells an hour. }
- { id: TIME-2, source: ['1'], kind: stated, says: A zone that does not exist is answered with 404. }
- { id: TIME-3, source: ['1'], kind: open, says: How zones are spelled is open., readings: ['200', '404'] }
`;

const NOBODY: Credential = { name: 'nobody', valid: true, headers: [], shown: [], shell: [] };

function readClock(zone: string): Call {
  const request = { operation: 'readClock', method: 'GET', path: `/zones/${zone}`, credential: NOBODY };
  return { request, description: `readClock of ${zone}`, equivalence: zone, effect: 'reads' };
}

/** Every zone that answered so far. */
class KnownZones implements RunState<Reply> {
  readonly answered = new Set<string>();
  learn({ call, status }: Reply): void {
    if (status === 200) this.answered.add(call.equivalence);
  }
}

interface Vocabulary extends CheckTools<Reply, KnownZones> {
  readonly read: (zone: string) => Promise<Reply>;
}

const fitsSchema: Rule<Reply, KnownZones> = (reply) => {
  const [fault] = reply.schemaFaults;
  if (fault === undefined) return reply.status === 200 ? 'holds' : 'irrelevant';
  return violates(reply, 'schema', fault.message, 'the documented shape', 'another one');
};

const check = defineCheck<Reply, KnownZones, Vocabulary>;
const CHECKS = [
  check('TIME-1', 'a clock tells an hour', {
    everyAnswer: fitsSchema,
    exercise: ({ read, forEach }) =>
      forEach(['utc', 'cet'], async (zone) => {
        await read(zone);
      }),
  }),
  check('TIME-2', 'a zone that does not exist is answered with 404', {
    exercise: async ({ read, expect: judge, inconclusive, state }) => {
      if (state.answered.size === 0) inconclusive('no-zone', 'no zone answers');
      const reply = await read('nowhere');
      judge((seen) => {
        if (seen.status === 404) return 'holds';
        return violates(seen, 'status', 'answers a zone that is none', '404', seen.statusText);
      }, reply);
    },
    stage: 'alone',
  }),
  check('TIME-3', 'how zones are spelled is recorded', {
    exercise: async ({ read, observe }) => observe(`answers ${(await read('UTC')).status} to UTC`),
  }),
];

const folder = mkdtempSync(join(tmpdir(), 'second-service-'));
const contractFile = join(folder, 'openapi.yaml');
writeFileSync(contractFile, OPENAPI);

const CLOCK: ServiceDefinition<Reply, KnownZones, Vocabulary> = {
  description: {
    title: 'Clock',
    program: 'clock-conformance',
    created: { one: 'alarm', many: 'alarms' },
    keyVariable: 'CLOCK_KEY',
    parts: PARTS,
  },
  headerVariablePrefix: 'CLOCK_HEADER_',
  loadCatalogue: () => parseCatalogue(PARTS, CATALOGUE),
  loadContract: () => loadContract(pathToFileURL(contractFile)),
  preflight: {
    unknownTargetCode: 'not-a-clock',
    first: () => readClock('utc').request,
    reads: () => [],
    writes: () => [],
    showsService: (exchanges) =>
      exchanges.some(({ answer }) => answer.kind === 'response' && [200, 404].includes(answer.status)),
  },
  replay: {
    schema: { type: 'object' },
    names: () => undefined,
    given: () => undefined,
    record: () => ({}),
    restore: () => readClock('utc'),
  },
  secrets: () => [],
  ledgerEntry: () => undefined,
  readReply: (call, exchange, contract) =>
    new Reply(call, exchange, contract, { errorSchema: 'Problem', members: new Set(['hour', 'title']) }),
  verify: () => undefined,
  createState: () => new KnownZones(),
  open: () => ({
    prepare: async () => {},
    vocabulary: (tools) => ({ ...tools, read: (zone) => tools.client.send(readClock(zone)) }),
  }),
};

const planFor = (baseUrl: string): Plan => ({
  runId: 'clock',
  baseUrl,
  token: '',
  headers: [],
  userAgent: 'clock-conformance',
  profile: 'standard',
  readOnly: false,
  maxCreates: 0,
  maxTimeMs: 60_000,
  lingerMs: 0,
  seed: 1,
  replay: undefined,
  concurrency: 4,
  rateLimit: { kind: 'none' },
  requestTimeoutMs: 10_000,
  settleMs: 0,
  strict: false,
  today: '2027-01-01',
  failFast: false,
  caFile: undefined,
  insecure: false,
  checks: CHECKS.map(({ id }) => id),
  recordTraffic: false,
  ledgerFile: undefined,
});

let server: Server | undefined;
afterEach(() => server?.close());

async function started(answer: RequestListener): Promise<Plan> {
  const listening = createServer(answer);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  return planFor(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`);
}

async function judged(answer: RequestListener): Promise<RunResult> {
  const plan = await started(answer);
  const session = new Session(CLOCK, CHECKS, plan, await CLOCK.loadContract());
  const { checks, telemetry } = await runChecks(session);
  const { runId: id, seed, profile, baseUrl } = plan;
  const facts = {
    suite: { name: CLOCK.description.program, version: '1.0.0', specification: '1' },
    run: { id, seed, profile, startedAt: new Date(0), milliseconds: 1, options: [] },
    target: { baseUrl, embedded: false },
    baseline: undefined,
  };
  const results = checks.map(({ result }) => result);
  return runResult(CLOCK.loadCatalogue(), facts, { checks: results, telemetry, notes: [], faults: [] });
}

const statuses = ({ requirements }: RunResult) => requirements.map(({ id, status }) => `${id} ${status}`);

/** A clock whose hours are those given, and which knows just these zones. */
const clock =
  (hours: Readonly<Record<string, number>>): RequestListener =>
  ({ url = '' }, response) => {
    const hour = hours[url.replace('/v1/zones/', '')];
    response.writeHead(hour === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(hour === undefined ? { title: 'no such zone' } : { hour }));
  };

describe('the engine judges another service, by what that says of itself', () => {
  test('one that conforms', async () => {
    const result = await judged(clock({ utc: 11, cet: 12 }));
    expect(statuses(result)).toEqual(['TIME-1 holds', 'TIME-2 holds', 'TIME-3 holds']);
    expect(result.verdict).toBe('conforms');
    expect(result.summary.requests).toBe(4);
    expect(result.latencies.map(({ operation }) => operation)).toEqual(['readClock']);
    expect(result.checks.flatMap(({ observations }) => observations)).toEqual([
      { requirement: 'TIME-3', reading: 'answers 404 to UTC' },
    ]);
  });

  test('one that violates its contract, with the proof', async () => {
    const result = await judged(clock({ utc: 24, cet: 12, nowhere: 3 }));
    expect(statuses(result)).toEqual(['TIME-1 violated', 'TIME-2 violated', 'TIME-3 holds']);
    const [first] = result.checks;
    const violations = first?.outcome.kind === 'failed' ? first.outcome.violations : [];
    expect(violations).toHaveLength(1);
    expect(violations[0]).toMatchObject({ code: 'schema', frequency: { violated: 1 } });
    expect(violations[0]?.exchanges[0]?.curl).toContain('/v1/zones/utc');
  });

  test('one that cannot be judged', async () => {
    const plan = await started((_request, response) => response.writeHead(418).end());
    const look = await preflight(CLOCK, plan, 0, new AbortController().signal);
    expect(look).toMatchObject({ kind: 'unjudgeable', code: 'not-a-clock' });
    expect(look).toMatchObject({
      sentence: expect.stringContaining('does not answer as a Clock does: GET /v1/zones/utc → 418'),
    });
    rmSync(folder, { recursive: true });
  });
});
