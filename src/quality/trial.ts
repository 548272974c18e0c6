import { COURSE } from '../../suites/course.ts';
import { PARTS } from '../../suites/index.ts';
import { plainSettings } from '../cli/options/run-settings.ts';
import { conformance } from '../conformance.ts';
import { PROFILES } from '../engine/budget.ts';
import { groupFindings, type Member } from '../engine/findings.ts';
import { Network, Stopped } from '../http/network.ts';
import { AGENT } from '../petstore/fill.ts';
import { isShownBy } from '../petstore/finding.ts';
import { isPetStore } from '../petstore/preflight.ts';
import { startCourse } from '../petstore/run.ts';
import { findFault, findVariant, startReference } from '../reference/index.ts';
import type { Finding, Profile } from '../report/result.ts';

/** It has letters of both cases and digits, and a length that no fault depends on. */
const KEY = 'k9-Zx_petstore.KEY42';
const [BEFORE_REMOVAL, REMOVAL_DAY] = ['2026-11-26', '2030-12-05'];

/** A fault or variant to test, as plain data for a worker. */
export interface Job {
  readonly kind: 'fault' | 'variant';
  /** One name, or two for faults at once; and the requirements that they break, or that leave the choice open. */
  readonly names: readonly string[];
  readonly about: readonly string[];
  readonly seed: number;
  readonly profile: Profile;
  /**
   * All that a user gets, from the preflight to the findings; or only the course, to the end or until the requirement that
   * the fault breaks fails, with every violation rechecked by its evidence.
   */
  readonly extent: 'all' | 'course' | 'until found';
}

export const EMPTY_TRIAL = {
  /** Why the preflight let nothing be tested; why the suite itself failed. */
  untestable: '',
  crash: '',
  failed: [] as readonly string[],
  notTested: [] as readonly string[],
  findings: [] as readonly Pick<Finding, 'key' | 'says' | 'requirements'>[],
  /** How many violations were rechecked by their evidence alone, and those that it did not show. */
  rechecked: 0,
  notShown: [] as readonly string[],
  requests: 0,
  animals: 0,
  milliseconds: 0,
  isOutOfTime: false,
};

/** The result of a run, as plain data. */
export type Trial = Readonly<typeof EMPTY_TRIAL> & { readonly job: Job };

/** Short for faults, some of which hang; long for variants, whose lists lag by up to two seconds. */
const TIME_LIMITS = {
  fault: { requestTimeoutMs: 1_000, maxTimeMs: 40_000, settleMs: 1_000 },
  variant: { requestTimeoutMs: 6_000, maxTimeMs: 90_000, settleMs: 4_000 },
};
const MORE_TIME = { requestTimeoutMs: 15_000, maxTimeMs: 120_000 };

/** Tests the reference service with a fault or variant; again with more time if a busy machine may be the reason. */
export async function runTrial(job: Job): Promise<Trial> {
  const trial = await runOnce(job, TIME_LIMITS[job.kind]);
  const isFound = job.kind === 'fault' && job.about.some((id) => trial.failed.includes(id));
  const onlySlow = trial.findings.length > 0 && trial.findings.every(({ key }) => key.endsWith(' timeout'));
  if (isFound || !(trial.isOutOfTime || onlySlow)) return trial;
  return runOnce(job, { ...TIME_LIMITS[job.kind], ...MORE_TIME });
}

async function runOnce(job: Job, limits: (typeof TIME_LIMITS)['fault']): Promise<Trial> {
  const { kind, names, about, seed } = job;
  const faults = kind === 'fault' ? names.flatMap((name) => findFault(name) ?? []) : [];
  const variants = kind === 'variant' ? names.flatMap((name) => findVariant(name) ?? []) : [];
  const today = about.includes('VERS-4') ? REMOVAL_DAY : BEFORE_REMOVAL;
  const age = Math.max(0, ...faults.map(({ lingerMs = 0 }) => lingerMs));
  const started = performance.now();
  const reference = await startReference({ token: KEY, faults, variants, seed, today });
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort('time'), limits.maxTimeMs);
  const setting = { ...limits, baseUrl: reference.baseUrl, today, stop, age };
  try {
    const report = await (job.extent === 'all' && age === 0 ? testAll(job, setting) : testCourse(job, setting));
    const isOutOfTime = stop.signal.reason === 'time';
    return { ...EMPTY_TRIAL, job, ...report, isOutOfTime, milliseconds: performance.now() - started };
  } finally {
    clearTimeout(timer);
    await reference.stop();
  }
}

type Setting = (typeof TIME_LIMITS)['fault'] & {
  readonly baseUrl: string;
  readonly today: string;
  readonly stop: AbortController;
  /** How old the first animals must be for the fault to show (ms). */
  readonly age: number;
};

async function testAll({ profile, seed }: Job, { stop: { signal }, ...setting }: Setting): Promise<Partial<Trial>> {
  const settings = plainSettings({ baseUrl: setting.baseUrl, token: KEY, seed, today: setting.today });
  const { result } = await conformance({ ...settings, ...setting, isEmbedded: true, profile, signal });
  const { requirements, findings, summary } = result;
  const idsWith = (outcome: string) => requirements.flatMap((row) => (row.outcome === outcome ? row.id : []));
  return {
    ...(result.preflight !== undefined && { untestable: result.conclusion }),
    failed: idsWith('failed'),
    notTested: idsWith('not tested'),
    findings: findings.map(({ key, says, requirements: of }) => ({ key, says, requirements: of })),
    rechecked: findings.length,
    notShown: findings.flatMap(({ seenOnce, says }) => (seenOnce ? says : [])),
    requests: summary.requests,
    animals: summary.creations,
  };
}

async function testCourse({ profile, seed, extent, about }: Job, setting: Setting): Promise<Partial<Trial>> {
  const { stop, age } = setting;
  const networking = { ...setting, connections: 16, signal: stop.signal };
  const terms = { ...setting, basePath: '/v1', key: KEY, agent: AGENT, categories: [] };
  const preflight = await isPetStore(terms, { network: networking, isReadOnly: false });
  if (preflight.kind === 'not testable') return { untestable: preflight.conclusion };
  const context = { requirements: PARTS, terms };
  const network = new Network({ ...networking, mostRequests: PROFILES[profile].requests });
  try {
    const { session, finished } = startCourse({
      ...{ ...context, parts: PARTS, course: COURSE, network, connections: 16, isReadOnly: false },
      ...{ limits: { ...PROFILES[profile], ages: [age] }, seed, signal: stop.signal },
      onChecked: ({ violations }) => {
        const isFound = violations.some(({ requirement }) => about.includes(requirement));
        if (isFound && extent === 'until found') stop.abort('found');
      },
    });
    await finished.catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error;
    });
    const groups = groupFindings(session.checked);
    const members = groups.flatMap((group) => group.members);
    const notShown = members.filter((member) => !isShownBy(member, context));
    return {
      failed: [...new Set(groups.flatMap(({ requirements }) => requirements))],
      findings: groups.map((group) => ({
        key: group.key,
        requirements: group.requirements,
        says: saysOf(group.members),
      })),
      rechecked: members.length,
      notShown: notShown.map((member) => saysOf([member])),
      requests: network.counts.requests,
      animals: session.budget.creations,
    };
  } finally {
    await network.close();
  }
}

const saysOf = ([first]: readonly Member[]): string => first?.violations[0]?.says ?? '';
