import { CHECKS } from '../../../suites/index.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Catalogue } from '../../engine/catalogue.ts';
import { runResult } from '../../engine/run-result.ts';
import { findFault } from '../../reference/index.ts';
import { causesOf } from '../../report/model/queries.ts';
import type { Cause, CheckResult, ExchangeEvidence, FailingInput, RunResult } from '../../report/model/result.ts';
import { BEFORE_REMOVAL, runPlan, withReference } from '../reference-run.ts';

/** What a developer who has only the report of a run learns from the first cause that is printed. */
export interface Reading {
  readonly fault: string;
  /** The requirement that owns the fault. */
  readonly owner: string;
  readonly isFound: boolean;
  /** Whether the first cause names the owner. */
  readonly isNamed: boolean;
  /** Whether the request that it shows is one that the owner was violated by. */
  readonly isShown: boolean;
  /** The first cause, in one line. */
  readonly first: string;
}

/** A reading, and what its run took. */
export interface ReadRun extends Reading {
  readonly isFailFast: boolean;
  readonly requests: number;
  /** Processor time of the run and the service together (ms). */
  readonly processorMs: number;
}

/** Runs the checks against the reference service with this fault, and reads the first cause of the report. */
export async function readReport(
  fault: string,
  { seed, failFast }: { readonly seed: number; readonly failFast: boolean },
  { catalogue, contract }: { readonly catalogue: Catalogue; readonly contract: Contract },
): Promise<ReadRun> {
  const found = findFault(fault);
  if (found === undefined) throw new Error(`unknown fault: ${fault}`);
  const before = process.cpuUsage();
  const options = {
    seed,
    failFast,
    today: BEFORE_REMOVAL,
    requestTimeoutMs: 1_000,
    maxTimeMs: 60_000,
    settleMs: 1_000,
  };
  const result = await withReference({ faults: [found], options, checks: CHECKS }, async (plan) => {
    const startedAt = new Date();
    const { checks, telemetry } = await runPlan(CHECKS, plan, contract);
    const run = { id: plan.runId, seed, profile: plan.profile, startedAt, milliseconds: 0, options: [] };
    const facts = {
      suite: { name: '', version: '', specification: '' },
      run,
      target: { baseUrl: plan.baseUrl, embedded: true },
    };
    const findings = { checks: checks.map((one) => one.result), telemetry, notes: [], faults: [] };
    return runResult(catalogue, { ...facts, baseline: undefined }, findings);
  });
  const { user, system } = process.cpuUsage(before);
  const reading = readingOf(fault, found.breaks, result);
  const processorMs = Math.round((user + system) / 1_000);
  return { ...reading, isFailFast: failFast, requests: result.summary.requests, processorMs };
}

/** What the first cause of a result says of a fault. */
export function readingOf(
  fault: string,
  owner: string,
  result: Pick<RunResult, 'checks' | 'causes' | 'requirements'>,
): Reading {
  const [first] = causesOf(result);
  const own = result.checks.filter(({ requirement }) => requirement === owner);
  return {
    fault,
    owner,
    isFound: own.some(({ outcome }) => outcome.kind === 'failed'),
    isNamed: first?.requirements.includes(owner) ?? false,
    isShown: first?.exchange !== undefined && isAmong(first.exchange, own),
    first: first === undefined ? 'none' : told(first),
  };
}

const told = ({ says, requirements }: Cause): string => `${says}: ${requirements.join(', ')}`;

/** Whether these checks found this very request answered wrongly, or the same wrong answer of the same operation. */
function isAmong(shown: ExchangeEvidence, checks: readonly CheckResult[]): boolean {
  return checks.some(({ outcome }) => {
    if (outcome.kind !== 'failed') return false;
    const judged = outcome.violations.flatMap(
      ({ exchanges }) => exchanges.findLast(({ role }) => role === 'judged') ?? [],
    );
    const isAnsweredAlike = judged.some(
      ({ operation, answer }) => operation === shown.operation && headOf(answer) === headOf(shown.answer),
    );
    return isAnsweredAlike || (outcome.inputs ?? []).some((input) => isSentAs(input, shown));
  });
}

function headOf(answer: ExchangeEvidence['answer']): string {
  if (answer.kind === 'no response') return answer.code;
  return `${answer.status} ${answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]}`;
}

/** Whether an input is this request, as far as its line shows it. */
function isSentAs({ sent }: FailingInput, { request: { method, url, body } }: ExchangeEvidence): boolean {
  const { pathname, search } = new URL(url);
  const line = `${method} ${pathname}${search}${body?.encoding === 'text' ? ` ${body.text}` : ''}`;
  const [beginning = ''] = sent.split('…');
  return sent.includes('…') ? line.startsWith(beginning) : line === sent;
}
