import type { Writable } from 'node:stream';
import { FAULTS, findFault, VARIANTS } from '../reference/index.ts';
import { duration, excerpt, named, printable } from '../text.ts';
import { isHard, whyHidden } from './hidden.ts';
import { shuffled } from './matrix.ts';
import type { MatrixOptions } from './options.ts';
import { NOT_PAIRED } from './pairs.ts';
import { runTrials } from './queue.ts';
import type { Job, Trial } from './trial.ts';

/** The share of faults behind a variant that must be flagged, without those that the variant hides. */
const MIN_FLAGGED = 0.95;
/** Variants that change nothing before getPet is removed. */
const NOT_DRAWN = /^VERS-4$/;

/** Services with one fault behind one variant, drawn by the seed. Every second variant is one that makes faults hard to see. */
export function drawn(count: number, { faults, variants, seed, profile }: MatrixOptions): readonly Job[] {
  const orAll = <T>(chosen: readonly T[], all: readonly T[]): readonly T[] => (chosen.length > 0 ? chosen : all);
  const inOrder = <T extends { readonly name: string }>(all: readonly T[]) => shuffled(all, seed, ({ name }) => name);
  const left = inOrder(orAll(faults, FAULTS).filter(({ breaks }) => !NOT_PAIRED.test(breaks)));
  const any = inOrder(orAll(variants, VARIANTS).filter(({ chooses }) => !NOT_DRAWN.test(chooses)));
  const hard = orAll(
    any.filter(({ name }) => isHard(name)),
    any,
  );
  return Array.from({ length: count }, (_, at): readonly Job[] => {
    const from = at % 2 === 0 ? hard : any;
    const [fault, variant] = [left[at % left.length], from[Math.floor(at / 2) % from.length]];
    if (fault === undefined || variant === undefined) return [];
    const [names, about, behind] = [[fault.name], [fault.breaks], [variant.name]];
    return [{ kind: 'fault', names, about, variants: behind, seed, profile, extent: 'until found' }];
  }).flat();
}

/** Tests services with a fault behind a variant: at least 95 % must be flagged. Those that are not are tested alone, too. */
export async function runBehind(count: number, options: MatrixOptions, stdout: Writable): Promise<0 | 1> {
  const { seed, workers, maxTimeMs, allowed } = options;
  const started = performance.now();
  const jobs = drawn(count, options);
  const trials = await runTrials(jobs, workers, maxTimeMs, (trial) => {
    const { names, variants } = trial.job;
    for (const [problem, text] of problemsOf(trial)) {
      stdout.write(`${problem.padEnd(11)}${names} behind ${variants}: ${excerpt(printable(text), 300)}\n`);
    }
  });
  const [hidden, counted] = [trials.filter(isHidden), trials.filter((trial) => !isHidden(trial))];
  const [found, notFound] = [counted.filter(isFlagged), counted.filter((trial) => !isFlagged(trial))];
  const aloneJobs = notFound.map(({ job: { variants: _, ...job } }) => job);
  const alone = await runTrials(aloneJobs, workers, maxTimeMs - (performance.now() - started));
  const stopped = alone.filter((trial, at) => isStopped(trial) && notFound.slice(at, at + 1).some(isStopped));
  const slipAlone = alone.filter((trial) => !isStopped(trial) && !isFlagged(trial));
  for (const { job } of slipAlone) stdout.write(`alone too  ${job.names}: not flagged without the variant either\n`);
  const slips = notFound.length - stopped.length;
  const maySlip = allowed ?? Math.floor((1 - MIN_FLAGGED) * counted.length);
  const hasPassed = slips <= maySlip && trials.every(({ crash }) => crash === '');
  const time = duration(performance.now() - started);
  const lines = [
    `Behind     ${found.length} of ${counted.length} flagged, ${found.filter(isOwn).length} under their own requirement`,
    `Slip by    ${slips}, ${slipAlone.length} without the variant, too; ${stopped.length} stopped by the preflight, with and without it`,
    `Hidden     ${hidden.length} by their variant, ${hidden.filter(isFlagged).length} flagged all the same`,
    `Tried      ${trials.length} of ${jobs.length} in ${time} with seed ${seed}: ${hasPassed ? 'good' : 'not good'} (${maySlip} may slip by)`,
  ];
  stdout.write(`\n${lines.join('\n')}\n`);
  return hasPassed ? 0 : 1;
}

const isFlagged = ({ failed, findings }: Trial): boolean => failed.length + findings.length > 0;
const isStopped = ({ untestable }: Trial): boolean => untestable !== '';
const isOwn = ({ job, failed }: Trial): boolean => job.about.some((id) => failed.includes(id));
const whyNot = ({ job: { names, about, variants } }: Trial): string | undefined =>
  whyHidden(`${about}`, `${names}`, `${variants}`);
const isHidden = (trial: Trial): boolean => whyNot(trial) !== undefined;

/** What is printed of a trial; nothing if it was flagged under its own requirement. */
function* problemsOf(trial: Trial): Generator<readonly [problem: string, text: string]> {
  const { crash, exitCode, untestable, outcome, failed, findings, job } = trial;
  const says = `${findFault(`${job.names}`)?.says}`;
  const end = untestable === '' ? outcome : `${job.about} not tested (${untestable})`;
  const hidden = whyNot(trial);
  if (crash !== '') yield ['crashed', crash];
  else if (isFlagged(trial)) {
    if (!isOwn(trial)) yield ['elsewhere', `${end}, found under ${named(failed)}: ${findings[0]?.says}`];
  } else if (hidden !== undefined) yield ['hidden', `${hidden}: ${says}`];
  else yield ['slips by', `exit code ${exitCode}, ${end}: ${says}`];
}
