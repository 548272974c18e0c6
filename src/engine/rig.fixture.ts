import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { CHECKS } from '../../suites/index.ts';
import { type Contract, loadContract } from '../contract/contract.ts';
import { type Change, type ReferenceOptions, startReference, type Variant } from '../reference/index.ts';
import type { Check } from './check.ts';
import { judge } from './judge.ts';
import type { JudgedCheck, Plan } from './plan.ts';

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
    categoryIds: [],
    seed: 7,
    replay: undefined,
    concurrency: 16,
    rateLimit: { kind: 'none' },
    requestTimeoutMs: 5_000,
    maxTimeMs: 60_000,
    settleMs: 300,
    strict: false,
    today: '2027-01-01',
    caFile: undefined,
    insecure: false,
    checks: CHECKS.map(({ id }) => id),
    recordTraffic: false,
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

/** Judges in process by checks that a test has made, or by some of the suites'. */
export async function judgeBy(checks: readonly Check[], plan: Plan): Promise<readonly JudgedCheck[]> {
  contract ??= loadContract();
  const ids = checks.map(({ id }) => id);
  return (await judge({ ...plan, checks: ids }, await contract, () => {}, undefined, checks)).checks;
}
