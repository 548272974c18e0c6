import { plainOptions } from '../cli/options/run-settings.ts';
import { findFault, findVariant, startReference } from '../reference/index.ts';
import { type ConformanceOptions, testedResult } from '../result/builders.ts';
import { conformance } from '../result/conformance.ts';
import { isShownBy } from '../result/finding.ts';
import type { Finding, RequirementResult, RunResult } from '../result/result.ts';
import type { Profile } from '../run/budget.ts';
import { type Group, groupFindings, type Instance, requirementsOf } from '../run/findings.ts';
import { networkOptions, termsOf } from '../run/options.ts';
import { preflight } from '../run/preflight.ts';
import { INTERRUPTED, Run } from '../run/run.ts';

/** It has letters of both cases and digits, and a length that no fault depends on. */
const KEY = 'k9-Zx_petstore.KEY42';
const [BEFORE_REMOVAL, REMOVAL_DAY] = ['2026-11-26', '2030-12-05'];

/** A fault or variant to test, as plain data for a worker. */
export interface Job {
  readonly kind: 'fault' | 'variant';
  /** One name, or two for faults at once; and the requirements that they break, or that leave the choice open. */
  readonly names: readonly string[];
  readonly about: readonly string[];
  /** The variants that a fault is tested behind, by name. */
  readonly variants?: readonly string[];
  /** How many animals the service has at first; by default a handful. */
  readonly animals?: number | undefined;
  readonly seed: number;
  readonly profile: Profile;
  /**
   * All that a user gets, from the preflight to the findings; or only the course, to the end or until the requirement that
   * the fault breaks fails, with every violation rechecked by its evidence. Or a run, and replays of its findings on a
   * service that was restarted with the fault, and on one without it.
   */
  readonly extent: 'all' | 'course' | 'until found' | 'replay';
}

export const EMPTY_TRIAL = {
  /** Why the preflight let nothing be tested; why the suite itself failed. */
  untestable: '',
  crash: '',
  /** Of a whole run. */
  exitCode: 0,
  conclusion: '',
  failed: [] as readonly string[],
  /** How the requirement that the fault breaks ended, with the reason where it was not fully tested. */
  outcome: '',
  notTested: [] as readonly string[],
  findings: [] as readonly Pick<Finding, 'key' | 'says' | 'requirements'>[],
  /** How many violations were rechecked by their evidence alone, and those that it did not show. */
  rechecked: 0,
  notShown: [] as readonly string[],
  requests: 0,
  animals: 0,
  milliseconds: 0,
  isOutOfTime: false,
  replays: [] as readonly ReplayedFinding[],
};

/** How the replay of a finding ended with the fault, and without it. */
interface ReplayedFinding {
  readonly key: string;
  readonly isIntermittent: boolean;
  readonly withFault: string;
  readonly without: string;
}

/** The result of a run, as plain data. */
export type Trial = Readonly<typeof EMPTY_TRIAL> & { readonly job: Job };

/** Short, as some faults hang. A variant is tested with a user's defaults. */
const LIMITS_OF_FAULTS = { requestTimeoutMs: 1_000, maxTimeMs: 40_000, settleMs: 1_000 };
const MORE_TIME = { requestTimeoutMs: 15_000, maxTimeMs: 120_000 };

/** Variants that encode a finished response: what a fault does to its text must come before. */
const ENCODES = /gzip|compressed|(deflate|brotli|coding)-as-asked|modern-proxy/;

/** Tests the reference service with a fault or variant; a fault again with more time if a busy machine may be the reason. */
export async function runTrial(job: Job): Promise<Trial> {
  if (job.extent === 'replay') return { ...EMPTY_TRIAL, job, replays: await replayed(job) };
  if (job.variants !== undefined) return runOnce(job, {});
  const trial = await runOnce(job, LIMITS_OF_FAULTS);
  const isFound = job.about.some((id) => trial.failed.includes(id));
  if (job.kind === 'variant' || isFound || !trial.isOutOfTime) return trial;
  return runOnce(job, { ...LIMITS_OF_FAULTS, ...MORE_TIME });
}

/** @param limits in place of a user's defaults */
async function runOnce(job: Job, limits: Partial<typeof LIMITS_OF_FAULTS>): Promise<Trial> {
  const { kind, names, about, seed } = job;
  const faults = kind === 'fault' ? names.flatMap((name) => findFault(name) ?? []) : [];
  const variants = (kind === 'variant' ? names : (job.variants ?? [])).flatMap((name) => findVariant(name) ?? []);
  const today = about.includes('VERS-4') ? REMOVAL_DAY : BEFORE_REMOVAL;
  const age = Math.max(0, ...faults.map(({ lingerMs = 0 }) => lingerMs));
  const started = performance.now();
  const [around, within] = [true, false].map((is) => variants.filter(({ name }) => ENCODES.test(name) === is));
  // Later changes are made around earlier ones.
  const inOrder = [...(within ?? []), ...faults.map((one) => ({ ...one, chooses: one.breaks })), ...(around ?? [])];
  const reference = await startReference({ token: KEY, variants: inOrder, seed, today });
  const { baseUrl } = reference;
  try {
    const report = await (kind === 'variant' || (job.extent === 'all' && age === 0)
      ? testAll(job, kind === 'variant' ? { baseUrl, today } : { baseUrl, today, ...limits })
      : testStages(job, { ...limits, baseUrl, today, age }));
    return { ...EMPTY_TRIAL, job, ...report, milliseconds: performance.now() - started };
  } finally {
    await reference.stop();
  }
}

interface Setting {
  readonly baseUrl: string;
  readonly today: string;
}

/** All that a user gets. @param limits in place of a user's defaults */
async function testAll(
  job: Job,
  { baseUrl, today, ...limits }: Setting & Partial<typeof LIMITS_OF_FAULTS>,
): Promise<Partial<Trial>> {
  const { profile, seed } = job;
  const options = plainOptions({ ...limits, baseUrl, token: KEY, seed, today, profile });
  return reportOf(job, options, await conformance(options));
}

/** What a trial keeps of the result of a whole run. */
function reportOf({ about }: Job, { maxTimeMs }: ConformanceOptions, result: RunResult): Partial<Trial> {
  const { requirements, findings, summary } = result;
  const idsWith = (outcome: string) => requirements.flatMap((row) => (row.outcome === outcome ? row.id : []));
  return {
    ...(result.preflight !== undefined && { untestable: result.conclusion }),
    exitCode: result.exitCode,
    conclusion: result.conclusion,
    isOutOfTime: result.run.milliseconds >= maxTimeMs,
    failed: idsWith('failed'),
    outcome: requirements.flatMap((row) => (about.includes(row.id) ? outcomeOf(row) : [])).join('; '),
    notTested: idsWith('not tested'),
    findings: findings.map(({ key, says, requirements: of }) => ({ key, says, requirements: of })),
    rechecked: findings.length,
    notShown: findings.flatMap(({ seenOnce, says }) => (seenOnce ? says : [])),
    requests: summary.requests,
    animals: summary.creations,
  };
}

function outcomeOf({ id, outcome, partly, reason }: RequirementResult): string {
  return `${id} ${outcome}${partly ? ' so far' : ''}${reason === undefined ? '' : ` (${reason})`}`;
}

/** Only the stages, as far as the extent of the job says, with a recheck at an age of its own. */
async function testStages(
  job: Job,
  { baseUrl, today, age, ...limits }: Setting & Partial<typeof LIMITS_OF_FAULTS> & { readonly age: number },
): Promise<Partial<Trial>> {
  const { profile, seed, extent, about, variants } = job;
  let isFound = false;
  const options = plainOptions({
    ...{ ...limits, baseUrl, token: KEY, seed, today, profile },
    onEvent: (event) => {
      if (event.kind !== 'checked') return;
      isFound ||= event.checked.violations.some(({ requirement }) => about.includes(requirement));
      if (isFound && extent === 'until found') run.stop(INTERRUPTED);
    },
  });
  const started = performance.now();
  const terms = termsOf(options);
  const target = await preflight(terms, { network: networkOptions(options), isReadOnly: false });
  if (target.kind === 'not testable') return { untestable: target.conclusion, exitCode: 3 };
  const run = new Run(options, target, { ages: [age] });
  try {
    await run.send();
    if (variants !== undefined && !isFound) {
      const before = { notes: target.notes, sentAgain: new Set<string>() };
      return reportOf(job, options, testedResult(options, started, run, await run.find(), before));
    }
    const { session } = run.course;
    const groups = groupFindings(session.checked);
    const members = groups.flatMap((group) => group.members);
    const notShown = members.filter((member) => !isShownBy(member, terms));
    return {
      failed: [...new Set(groups.flatMap(failedIn))],
      findings: groups.map((group) => ({
        key: group.key,
        requirements: failedIn(group),
        says: saysOf(group.members),
      })),
      rechecked: members.length,
      notShown: notShown.map((member) => saysOf([member])),
      requests: run.network.counts.requests,
      animals: session.budget.creations,
      isOutOfTime: run.isOutOfTime,
    };
  } finally {
    await run.close();
  }
}

const failedIn = ({ members }: Group): readonly string[] => requirementsOf(members);

const saysOf = ([first]: readonly Instance[]): string => first?.violations[0]?.says ?? '';

/** Tests a service with a fault, and runs again on a restarted one with the fault, and on one without it. */
async function replayed({ names, seed, profile, animals, variants = [] }: Job): Promise<readonly ReplayedFinding[]> {
  const faults = names.flatMap((name) => findFault(name) ?? []);
  const shape = { seedAnimals: animals, variants: variants.flatMap((name) => findVariant(name) ?? []) };
  const on = async (of: typeof faults, replay?: RunResult): Promise<RunResult> => {
    const today = BEFORE_REMOVAL;
    const { baseUrl, stop } = await startReference({ ...shape, token: KEY, faults: of, seed, today });
    return conformance(
      plainOptions({ ...LIMITS_OF_FAULTS, baseUrl, token: KEY, seed, today, profile, replay }),
    ).finally(stop);
  };
  const recorded = await on(faults);
  if (recorded.findings.length === 0) return [];
  const [again, without] = [await on(faults, recorded), await on([], recorded)];
  return recorded.findings.map(({ key, intermittent, passedAgain, seenOnce }) => {
    const endIn = ({ replay = [] }: RunResult): string => replay.find((one) => one.key === key)?.end ?? '';
    const isIntermittent = intermittent || passedAgain || seenOnce;
    return { key, isIntermittent, withFault: endIn(again), without: endIn(without) };
  });
}
