import type { Writable } from 'node:stream';
import type { Fault } from '../../reference/index.ts';
import type { Profile } from '../report/result.ts';
import { shuffled } from './matrix.ts';
import { runTrials } from './queue.ts';
import type { Job, Trial } from './trial.ts';

/** Of the pairs, this share must have a finding for each of the two faults. */
const ENOUGH = 116 / 120;
/** What one run with a fault alone does not show, others may: the requests differ from seed to seed. */
const FURTHER_RUNS = 3;
/** These have a day of their own, or keep each request waiting. */
const ALONE = /^(VERS-4|SERV-5)$/;

interface PairOptions {
  readonly pairs: number;
  readonly seed: number;
  readonly profile: Profile;
  readonly workers: number;
}

/** Tests services with two faults, of different parts: each is to have a finding, and none may name what neither breaks. */
export async function runPairs(all: readonly Fault[], options: PairOptions, stdout: Writable): Promise<0 | 1> {
  const { pairs, seed, profile, workers } = options;
  const left = [...shuffled(all, seed)].filter(({ breaks }) => !ALONE.test(breaks));
  const partOf = ({ breaks }: Fault): string => breaks.replace(/-.*/, '');
  const jobOf = (at: number, ...faults: readonly Fault[]): Job => {
    return { kind: 'fault', names: faults.map(({ name }) => name), seed: at, profile, extent: 'all' };
  };
  const counts = { tried: 0, complete: 0, untrue: 0 };
  while (counts.tried < pairs) {
    const first = left.shift();
    const at = left.findIndex((other) => first !== undefined && partOf(other) !== partOf(first));
    const [second] = left.splice(at, at < 0 ? 0 : 1);
    if (first === undefined || second === undefined) break;
    const [together, ...alone] = await runTrials(
      [jobOf(seed, first, second), jobOf(seed, first), jobOf(seed, second)],
      workers,
    );
    const findings = together?.findings ?? [];
    const lacking = [first, second].filter(({ breaks }, which) => {
      const keys = alone[which]?.findings.map(({ key }) => key) ?? [];
      return !findings.some(({ key, requirements }) => requirements.includes(breaks) || keys.includes(key));
    });
    const innocent = (of: readonly Trial[]) => {
      const broken = new Set(of.flatMap(({ failed }) => failed));
      return findings.filter(({ requirements }) => requirements.some((id) => !broken.has(id)));
    };
    const seeds = Array.from({ length: innocent(alone).length === 0 ? 0 : FURTHER_RUNS }, (_, run) => seed + 1 + run);
    const further = seeds.flatMap((other) => [jobOf(other, first), jobOf(other, second)]);
    const untrue = innocent([...alone, ...(await runTrials(further, workers))]);
    counts.tried += 1;
    counts.complete += Number(lacking.length === 0);
    counts.untrue += Number(untrue.length > 0);
    const lines = [
      ...lacking.map(({ breaks }) => ['no finding', `none for ${breaks}`]),
      ...untrue.map(({ says, requirements }) => ['untrue', `${says} (${requirements.join(', ')})`]),
      ...[together, ...alone].flatMap((trial) => (trial?.crash ? [['crashed', trial.crash]] : [])),
    ];
    for (const [problem = '', text] of lines)
      stdout.write(`${problem.padEnd(11)}${first.name} + ${second.name}: ${text}\n`);
  }
  const { tried, complete, untrue } = counts;
  stdout.write(
    `\nPairs      ${complete} of ${tried} have a finding for each fault, ${untrue} one that neither breaks\n`,
  );
  return complete >= ENOUGH * tried && untrue === 0 ? 0 : 1;
}
