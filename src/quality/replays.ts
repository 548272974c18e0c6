import type { Writable } from 'node:stream';
import { shuffled } from './matrix.ts';
import type { MatrixOptions } from './options.ts';
import { runTrials } from './queue.ts';
import type { Job } from './trial.ts';

/** The share of findings that a replay may leave untested with the fault, and without it. */
const [MAY_BE_UNTESTED, MUST_PASS] = [0.05, 0.95];
/** A fault that needs a date of its own. */
const NOT_REPLAYED = /^VERS-4$/;

/** Replays findings on services that were restarted, with the fault and without it: none may pass while it is there. */
export async function runReplays(most: number, options: MatrixOptions, stdout: Writable): Promise<0 | 1> {
  const { faults, seed, profile, workers, animals, variant } = options;
  const variants = variant === undefined ? [] : [variant];
  const chosen = shuffled(faults, seed, ({ name }) => name)
    .filter(({ breaks, lingerMs }) => !NOT_REPLAYED.test(breaks) && lingerMs === undefined)
    .slice(0, most);
  const jobs = chosen.map(({ name, breaks }): Job => {
    return { kind: 'fault', names: [name], about: [breaks], variants, animals, seed, profile, extent: 'replay' };
  });
  const trials = await runTrials(jobs, workers, undefined, ({ job, crash, replays }) => {
    if (crash !== '') stdout.write(`crashed    ${job.names}: ${crash}\n`);
    for (const { key, isIntermittent, withFault, without } of replays) {
      const isAsItShould = isIntermittent || (withFault === 'still fails' && without === 'passes');
      if (!isAsItShould) stdout.write(`${job.names}: ${key}: ${withFault} with the fault, ${without} without it\n`);
    }
  });
  const all = trials.flatMap(({ replays }) => replays);
  const lasting = all.filter(({ isIntermittent }) => !isIntermittent);
  const number = (is: (one: (typeof all)[number]) => boolean): number => lasting.filter(is).length;
  const wrong = number(({ withFault }) => withFault === 'passes');
  const untested = number(({ withFault }) => !/^(still fails|passes)/.test(withFault));
  const passing = number(({ without }) => without === 'passes');
  const lines = [
    `Replays    ${lasting.length} findings of ${trials.length} faults, and ${all.length - lasting.length} that were intermittent`,
    `With it    ${number(({ withFault }) => withFault === 'still fails')} still fail, ${wrong} pass, ${untested} without a clear word`,
    `Without    ${passing} pass`,
  ];
  stdout.write(`\n${lines.join('\n')}\n`);
  const isGood = untested <= MAY_BE_UNTESTED * lasting.length && passing >= MUST_PASS * lasting.length;
  return wrong === 0 && isGood && trials.every(({ crash }) => crash === '') ? 0 : 1;
}
