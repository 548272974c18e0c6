import type { Writable } from 'node:stream';
import type { Fault } from '../reference/index.ts';
import { shuffled } from './matrix.ts';
import type { MatrixOptions } from './options.ts';
import { runTrials } from './queue.ts';
import type { Job, Trial } from './trial.ts';

/** The share of pairs that must have a finding for both faults. */
const MIN_COMPLETE = 116 / 120;
/** Further runs with each fault alone, as requests differ from seed to seed. */
const FURTHER_RUNS = 3;
/** Faults that need a date of their own, or delay every request. */
export const NOT_PAIRED = /^(VERS-4|SERV-5)$/;

/** Tests services with two faults of different parts: each must have a finding, and no finding may blame anything else. */
export async function runPairs(pairs: number, options: MatrixOptions, stdout: Writable): Promise<0 | 1> {
  const { faults, seed, profile, workers } = options;
  const left = [...shuffled(faults, seed, ({ name }) => name)].filter(({ breaks }) => !NOT_PAIRED.test(breaks));
  const partOf = ({ breaks }: Fault): string => breaks.replace(/-.*/, '');
  const jobOf = (at: number, ...of: readonly Fault[]): Job => {
    const [names, about] = [of.map(({ name }) => name), of.map(({ breaks }) => breaks)];
    return { kind: 'fault', names, about, seed: at, profile, extent: 'all' };
  };
  let [tried, complete, wrong] = [0, 0, 0];
  for (let first = left.shift(); first !== undefined && tried < pairs; first = left.shift()) {
    const part = partOf(first);
    const at = left.findIndex((other) => partOf(other) !== part);
    const [second] = left.splice(at, at < 0 ? 0 : 1);
    if (second === undefined) break;
    const both = [first, second];
    const jobs = [jobOf(seed, ...both), ...both.map((one) => jobOf(seed, one))];
    const [together, ...alone] = await runTrials(jobs, workers);
    const findings = together?.findings ?? [];
    const lacking = both.filter(({ breaks }, which) => {
      const keys = alone[which]?.findings.map(({ key }) => key) ?? [];
      return !findings.some(({ key, requirements }) => requirements.includes(breaks) || keys.includes(key));
    });
    const untrueBeside = (of: readonly Trial[]) => {
      const broken = new Set(of.flatMap(({ failed }) => failed));
      return findings.filter(({ requirements }) => requirements.some((id) => !broken.has(id)));
    };
    const seeds = Array.from({ length: untrueBeside(alone).length > 0 ? FURTHER_RUNS : 0 }, (_, run) => seed + 1 + run);
    const further = seeds.flatMap((other) => both.map((one) => jobOf(other, one)));
    const untrue = untrueBeside([...alone, ...(await runTrials(further, workers))]);
    tried += 1;
    complete += Number(lacking.length === 0);
    wrong += Number(untrue.length > 0);
    const texts = [
      ...lacking.map(({ breaks }) => `no finding for ${breaks}`),
      ...untrue.map(({ says, requirements }) => `neither breaks ${requirements.join(', ')}: ${says}`),
      ...[together, ...alone].flatMap((trial) => trial?.crash || []),
    ];
    for (const text of texts) stdout.write(`${first.name} + ${second.name}: ${text}\n`);
  }
  stdout.write(
    `\nPairs      ${complete} of ${tried} have a finding for each fault, ${wrong} one that neither breaks\n`,
  );
  return complete >= MIN_COMPLETE * tried && wrong === 0 ? 0 : 1;
}
