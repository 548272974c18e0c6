import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { REQUIREMENTS } from '../contract/catalogue.prebuilt.ts';
import { findFault } from '../reference/index.ts';
import { PROFILES } from '../run/budget.ts';
import { duration, excerpt, grouped, named, printable } from '../text.ts';
import type { MatrixOptions } from './options.ts';
import { runTrials } from './queue.ts';
import type { Job, Trial } from './trial.ts';

/** The share of all faults, and of those in a sample, that may slip by. */
const [MAY_SLIP_BY, MAY_SLIP_BY_IN_SAMPLE] = [0.015, 0.03];
/** Problems that fail the matrix, besides too many faults that slip by. */
const FATAL = /^(blamed|no verdict|not tested|crashed)$/;
/** How often the matrix says how far it is (ms). */
const PROGRESS_MS = 30_000;
/** Two of every eight faults, chosen by the seed, are tested to the end, one in each way. */
const EXTENTS: Readonly<Record<number, Job['extent']>> = { 0: 'all', 4: 'course' };

/** Shuffles a list in an order that depends only on the seed. */
export function shuffled<T>(all: readonly T[], seed: number, nameOf: (one: T) => unknown): readonly T[] {
  const hash = (text: string): string => createHash('sha1').update(text).digest('hex');
  const place = (one: T): string => hash(`${seed} ${nameOf(one)}`);
  return all.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** Tests a service with each fault and variant, and prints the suite's mistakes. @returns exit code */
export async function runMatrix(options: MatrixOptions, stdout: Writable): Promise<0 | 1> {
  const { faults, variants, seed, profile, workers, maxTimeMs, areChosen } = options;
  const started = performance.now();
  const jobOf = (kind: Job['kind'], name: string, about: string, extent: Job['extent'], of = profile): Job => {
    return { kind, names: [name], about: [about], seed, profile: of, extent };
  };
  const extentOf = (at: number) => (areChosen ? 'all' : (EXTENTS[(at + seed) % 8] ?? 'until found'));
  const jobs = [
    ...variants.map(({ name, chooses }) => jobOf('variant', name, chooses, 'all')),
    ...(profile === 'standard' ? variants : []).map(({ name, chooses }) =>
      jobOf('variant', name, chooses, 'all', 'smoke'),
    ),
    ...faults.map(({ name, breaks }, at) => jobOf('fault', name, breaks, extentOf(at))),
  ];
  const isSample = Number.isFinite(maxTimeMs);
  const queue = isSample ? shuffled(jobs, seed, ({ names }) => names) : jobs;
  let isFatal = false;
  let done = 0;
  const progress = setInterval(() => {
    stdout.write(`${`${done} of ${queue.length}`.padEnd(11)}tried in ${duration(performance.now() - started)}\n`);
  }, PROGRESS_MS);
  const trials = await runTrials(queue, workers, maxTimeMs, (trial) => {
    done += 1;
    for (const [problem, text] of problemsOf(trial)) {
      isFatal ||= FATAL.test(problem);
      stdout.write(`${problem.padEnd(11)}${nameOf(trial)}: ${excerpt(printable(text), 300)}\n`);
    }
  });
  clearInterval(progress);
  const slips = trials.filter(slipsBy);
  const share = isSample ? MAY_SLIP_BY_IN_SAMPLE : MAY_SLIP_BY;
  const allowed = options.allowed ?? Math.floor(share * trials.filter(isOfFault).length);
  const hasPassed = slips.length <= allowed && !isFatal;
  const time = duration(performance.now() - started);
  const lines = [
    ...figures(trials),
    ...REQUIREMENTS.flatMap(({ id }) => {
      const names = slips.flatMap(({ job }) => (job.about[0] === id ? job.names : []));
      return names.length === 0 ? [] : `Slips by   ${id}: ${names.join(', ')}`;
    }),
    `Tried      ${trials.length} of ${jobs.length} in ${time} with seed ${seed}: ${hasPassed ? 'good' : 'not good'} (${allowed} may slip by)`,
  ];
  stdout.write(`\n${lines.join('\n')}\n`);
  return hasPassed ? 0 : 1;
}

/** The name of a trial; with its profile where that is not the default. */
const nameOf = ({ job: { names, profile } }: Trial): string =>
  profile === 'standard' ? `${names}` : `${names} (${profile})`;
const isOfFault = ({ job }: Trial): boolean => job.kind === 'fault';
const isOwn = ({ job, failed }: Trial): boolean => job.about.some((id) => failed.includes(id));
const slipsBy = (trial: Trial): boolean =>
  isOfFault(trial) && trial.failed.length === 0 && trial.untestable + trial.crash === '';

function* problemsOf(trial: Trial): Generator<readonly [problem: string, text: string]> {
  const { failed, findings, notShown, rechecked, untestable, crash, requests, animals, job, isOutOfTime } = trial;
  const { exitCode, conclusion } = trial;
  const limits = PROFILES[job.profile];
  if (crash !== '') yield ['crashed', crash];
  else if (job.kind === 'variant') {
    if (untestable !== '') yield ['not tested', untestable];
    else if (exitCode !== 0 && findings.length === 0) yield ['no verdict', `exit code ${exitCode}: ${conclusion}`];
    for (const { requirements, says } of findings) yield ['blamed', `${requirements.join(', ')}: ${says}`];
  } else if (slipsBy(trial)) {
    yield ['slips by', `${job.about}: ${findFault(`${job.names}`)?.says}${isOutOfTime ? ' (out of time)' : ''}`];
  } else if (untestable === '' && !isOwn(trial)) {
    yield ['elsewhere', `${job.about}, found under ${named(failed)}: ${findings[0]?.says}`];
  }
  if (notShown.length > 0) yield ['seen once', `${notShown.length} of ${rechecked}, such as: ${notShown[0]}`];
  if (requests > limits.requests || animals > limits.creations)
    yield ['too much', `${requests} requests, ${animals} animals`];
}

function figures(trials: readonly Trial[]): readonly string[] {
  const faults = trials.filter(isOfFault);
  const variants = trials.filter((trial) => !isOfFault(trial));
  const found = faults.filter((trial) => trial.crash === '' && !slipsBy(trial)).length;
  const stopped = faults.filter(({ untestable }) => untestable !== '').length;
  const percent = ((100 * found) / Math.max(1, faults.length)).toFixed(1);
  const blamed = variants.filter(({ findings }) => findings.length > 0).length;
  const green = variants.filter(({ exitCode, crash }) => exitCode === 0 && crash === '').length;
  const partly = variants.filter(({ notTested }) => notTested.length > 0).length;
  const checked = trials.reduce((sum, { rechecked }) => sum + rechecked, 0);
  const hidden = trials.flatMap(({ notShown }) => notShown).length;
  const most = (figure: 'requests' | 'animals' | 'milliseconds'): string => {
    const [first] = trials.toSorted((one, other) => other[figure] - one[figure]);
    return first === undefined ? figure : `${grouped(Math.round(first[figure]))} ${figure} (${first.job.names})`;
  };
  return [
    `Faults     ${found} of ${faults.length} found (${percent} %), ${faults.filter(isOwn).length} under their own requirement, ${stopped} by the preflight`,
    `Variants   ${green} of ${variants.length} end with exit code 0, ${blamed} blamed, ${partly} only partly tested`,
    `Evidence   ${grouped(checked)} violations rechecked, ${grouped(hidden)} do not show by themselves`,
    `At most    ${most('requests')}, ${most('animals')}, ${most('milliseconds')}`,
  ];
}
