import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { CHECKS } from '../../suites/index.ts';
import { type Contract, loadContract } from '../contract/contract.ts';
import type { JudgedCheck, Plan } from '../engine/plan.ts';
import { type RunChecks, runChecks } from '../engine/run-checks.ts';
import { Session, type SessionOptions } from '../engine/session.ts';
import { type Change, type ReferenceOptions, startReference, type Variant } from '../reference/index.ts';
import type { Outcome } from '../report/model/result.ts';
import { type PetStoreOptions, petStore } from './definition.ts';
import type { PetCheck } from './index.ts';

export const KEY = 'Key-Of-The-Tests-7';

/** A plan for tests in process: all checks against one address, patient and unlimited. */
export function testPlan(baseUrl: string, changes: Partial<Plan> = {}): Plan {
  return {
    runId: 'test',
    baseUrl,
    token: KEY,
    headers: [],
    userAgent: 'test',
    profile: 'standard',
    readOnly: false,
    maxCreates: 1_000,
    seed: 7,
    replay: undefined,
    concurrency: 16,
    rateLimit: { kind: 'none' },
    requestTimeoutMs: 30_000,
    maxTimeMs: 110_000,
    settleMs: 300,
    lingerMs: 1_060,
    strict: false,
    today: '2027-01-01',
    caFile: undefined,
    insecure: false,
    checks: CHECKS.map(({ id }) => id),
    recordTraffic: false,
    failFast: false,
    ledgerFile: undefined,
    ...changes,
  };
}

/** A request as a service saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

const seen = ({ method = '', url = '', headers }: IncomingMessage): Seen => ({
  method,
  path: url,
  authorization: headers.authorization,
});

export interface RecordingReference {
  readonly baseUrl: string;
  readonly requests: readonly Seen[];
  stop(): Promise<void>;
}

/** The reference service, which notes every request that reaches it. */
export async function recordingReference(
  options: Partial<ReferenceOptions> = {},
  change: Change['change'] = (steps) => steps,
): Promise<RecordingReference> {
  const requests: Seen[] = [];
  const recording: Variant = {
    name: 'recording',
    says: 'notes every request',
    chooses: '',
    change: (steps) => ({
      ...change(steps),
      configure(server, shop) {
        steps.configure(server, shop);
        server.prependListener('request', (incoming: IncomingMessage) => requests.push(seen(incoming)));
      },
    }),
  };
  const { variants = [], ...others } = options;
  const reference = await startReference({ token: KEY, ...others, variants: [...variants, recording] });
  return { ...reference, requests };
}

/** Any HTTP server at all, which notes every request that reaches it. */
export async function recordingServer(answer: RequestListener): Promise<RecordingReference> {
  const requests: Seen[] = [];
  const server = createServer((incoming, outgoing) => {
    requests.push(seen(incoming));
    answer(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

let contract: Promise<Contract> | undefined;

export interface JudgingOptions extends SessionOptions {
  readonly petStore?: PetStoreOptions;
}

/** Judges in process, by checks that a test has made or by some of the suites'. */
export async function judge(
  checks: readonly PetCheck[],
  plan: Plan,
  { petStore: given, ...options }: JudgingOptions = {},
): Promise<RunChecks> {
  contract ??= loadContract();
  const ids = checks.map(({ id }) => id);
  return runChecks(new Session(petStore(given), checks, { ...plan, checks: ids }, await contract, options));
}

/** As {@link judge}; only the results. */
export async function judgeBy(checks: readonly PetCheck[], plan: Plan): Promise<readonly JudgedCheck[]> {
  return (await judge(checks, plan)).checks;
}

/** How one check of the suites ends on a reference service with a change. */
export async function endingOf(check: string, change: Change['change']): Promise<Outcome['kind'] | undefined> {
  const service = await recordingReference({}, change);
  try {
    const checks = CHECKS.filter(({ id }) => id === check);
    const [judged] = await judgeBy(checks, testPlan(service.baseUrl));
    return judged?.result.outcome.kind;
  } finally {
    await service.stop();
  }
}
