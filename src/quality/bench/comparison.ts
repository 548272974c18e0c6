import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { FAULTS } from '../../reference/index.ts';
import { readResult } from '../../report/read-result.ts';
import { REMOVAL_DAY } from '../reference-run.ts';
import { chosenFrom } from '../sample.ts';
import { type Command, type Ended, runCommand } from './command.ts';
import { type Installed, install } from './install.ts';
import type { ToolFindings } from './result.ts';
import { type ServiceReading, withService } from './service.ts';
import { suiteCommand } from './suite-run.ts';
import { TOOLS } from './tools.ts';

/** What is compared: this suite, or another tool that is installed. */
export interface Contestant {
  readonly name: string;
  command(baseUrl: string, folder: string, today: string | undefined): Command;
  failures(folder: string, output: string): Promise<readonly string[]> | readonly string[];
}

/** One run of a contestant, what the service saw of it, and the tests that failed. */
interface Trial {
  readonly ended: Ended;
  readonly reading: ServiceReading;
  readonly failed: readonly string[];
}

export interface Comparison {
  readonly contestants: readonly Contestant[];
  readonly missing: readonly ToolFindings[];
}

/** Installs the other tools, and sets this suite beside them. */
export async function prepareComparison(seed: number, scratch: string): Promise<Comparison> {
  const suite: Contestant = {
    name: 'this suite, standard',
    command: (baseUrl, folder, today) => suiteCommand({ profile: 'standard', seed, baseUrl, today }, folder),
    failures: async (folder) => {
      const { checks, exitCode, conclusion } = await readResult(join(folder, 'conformance.json'));
      const failed = checks.filter(({ outcome }) => outcome.kind === 'failed').map(({ id }) => id);
      return exitCode === 3 ? [...failed, conclusion] : failed;
    },
  };
  const installed: Installed[] = [];
  for (const tool of TOOLS) installed.push(await install(tool, scratch));
  return {
    contestants: [
      suite,
      ...installed.flatMap((one): readonly Contestant[] =>
        'unavailable' in one
          ? []
          : [
              {
                name: one.tool.name,
                command: (baseUrl, folder) => one.tool.command(one.home, baseUrl, folder),
                failures: one.tool.failures,
              },
            ],
      ),
    ],
    missing: installed.flatMap((one) =>
      'unavailable' in one ? [{ tool: one.tool.name, unavailable: one.unavailable, falseAlarms: [], found: [] }] : [],
    ),
  };
}

/** Runs a contestant against a fresh service, sound or with a fault. */
export async function tryOn(contestant: Contestant, fault: string | undefined, scratch: string): Promise<Trial> {
  const isOfRemoval = FAULTS.some(({ name, breaks }) => name === fault && breaks === 'VERS-4');
  const today = isOfRemoval ? REMOVAL_DAY : undefined;
  return withService({ fault, today }, async ({ baseUrl, takeReading }) => {
    const folder = await mkdtemp(join(scratch, 'reports-'));
    const ended = await runCommand(contestant.command(baseUrl, folder, today), scratch);
    return { ended, reading: await takeReading(), failed: await failuresOf(contestant, ended, folder) };
  });
}

/** The tests that failed. A tool that breaks down on a service has shown that something is wrong with it. */
async function failuresOf(
  contestant: Contestant,
  { exitCode, output }: Ended,
  folder: string,
): Promise<readonly string[]> {
  const brokeDown = exitCode === undefined ? ['no end within the time limit'] : [`no result, exit code ${exitCode}`];
  try {
    const failures = await contestant.failures(folder, output);
    return failures.length === 0 && exitCode !== 0 ? brokeDown : failures;
  } catch {
    return brokeDown;
  }
}

/** The names of the faults to try, drawn by the seed. */
export const drawFaults = (number: number, seed: number): readonly string[] =>
  chosenFrom(FAULTS, number, seed).map(({ name }) => name);

/**
 * The faults on which a test fails that does not fail on the sound service.
 * @param failed the tests that failed, by fault
 */
export function foundFaults(
  failed: ReadonlyMap<string, readonly string[]>,
  falseAlarms: readonly string[],
): readonly string[] {
  return [...failed].filter(([, tests]) => tests.some((test) => !falseAlarms.includes(test))).map(([fault]) => fault);
}

/** Tries every contestant on every fault, two at a time. */
export async function findFaults(
  contestants: readonly Contestant[],
  faults: readonly string[],
  falseAlarms: ReadonlyMap<string, readonly string[]>,
  scratch: string,
  onTrial: (done: string) => void,
): Promise<readonly ToolFindings[]> {
  const failed = new Map(contestants.map(({ name }) => [name, new Map<string, readonly string[]>()]));
  const jobs = faults.flatMap((fault) => contestants.map((contestant) => ({ fault, contestant })));
  const work = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const { contestant, fault } = job;
      const trial = await tryOn(contestant, fault, scratch);
      failed.get(contestant.name)?.set(fault, trial.failed);
      onTrial(
        `${contestant.name} on ${fault}: ${trial.failed.length === 0 ? 'no test fails' : trial.failed.join(', ')}`,
      );
    }
  };
  await Promise.all([work(), work()]);
  return contestants.map(({ name }) => {
    const alarms = falseAlarms.get(name) ?? [];
    const found = foundFaults(failed.get(name) ?? new Map(), alarms);
    return { tool: name, falseAlarms: alarms, found: faults.filter((fault) => found.includes(fault)) };
  });
}
