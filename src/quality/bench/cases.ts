import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entryPoint } from '../../entry-points.ts';
import type { Profile } from '../../report/model/result.ts';
import { readResult } from '../../report/read-result.ts';
import { runCommand } from './command.ts';
import { startRecording } from './recording.ts';
import { BENCH_KEY, type ServiceSettings, withService } from './service.ts';
import { writeTraffic } from './traffic.ts';

/** What was measured of one execution of a command. Times are in milliseconds. */
export interface Sample {
  readonly wall: number;
  /** User and system time of all processes and threads of the command. */
  readonly processor: number;
  /** The largest resident set of any of its processes, in bytes. */
  readonly peak: number;
  readonly requests: number;
  readonly created: number;
  /** How many times as long as a bare undici program a run takes for the same requests, where that was asked. */
  readonly factor?: number;
}

export interface Case {
  readonly name: string;
  /** @param program the program of the suite that is measured */
  readonly measure: (program: string) => Promise<Sample>;
}

interface Settings {
  readonly seed: number;
  /** An existing folder for what the commands leave behind. */
  readonly scratch: string;
}

/** Everything that is measured. */
export function casesOf(settings: Settings): readonly Case[] {
  const service = (name: string, profile: Profile, changes: ServiceSettings = {}): Case => ({
    name,
    measure: (program) => withService(changes, ({ baseUrl }) => judge({ program, profile, baseUrl, ...settings })),
  });
  const embedded = (profile: Profile): Case => ({
    name: `${profile}, embedded service`,
    measure: (program) => judge({ program, profile, ...settings }),
  });
  return [
    embedded('smoke'),
    embedded('standard'),
    embedded('thorough'),
    floor('smoke', settings),
    floor('standard', settings),
    service('thorough', 'thorough'),
    service('standard, 20 ms for every answer', 'standard', { latencyMs: 20 }),
    service('standard, 120 ms for every answer', 'standard', { latencyMs: 120 }),
    service('standard, no animals before the run', 'standard', { animals: 0 }),
    service('standard, 10,000 animals before the run', 'standard', { animals: 10_000 }),
    service('standard, 1,000,000 animals before the run', 'standard', { animals: 1_000_000 }),
    service('smoke, no animals before the run', 'smoke', { animals: 0 }),
    service('smoke, 10,000 animals before the run', 'smoke', { animals: 10_000 }),
    traffic(50_000, settings),
  ];
}

interface Judging extends Settings {
  readonly program: string;
  readonly profile: Profile;
  readonly baseUrl?: string;
}

/** Runs the suite, and reads what it counted from its result. */
async function judge({ program, profile, baseUrl, seed, scratch }: Judging): Promise<Sample> {
  const folder = await mkdtemp(join(scratch, 'reports-'));
  const target = baseUrl === undefined ? [] : ['--base-url', baseUrl];
  const options = ['--profile', profile, '--seed', `${seed}`, '--report-dir', folder, '--report', 'json', ...target];
  const used = await runCommand([program, ...options], { PETSTORE_API_KEY: BENCH_KEY }, scratch);
  const { summary } = await readResult(join(folder, 'conformance.json'));
  return { ...used, requests: summary.requests, created: summary.creations };
}

/** The judgement of recorded traffic. */
function traffic(exchanges: number, { scratch }: Settings): Case {
  return {
    name: `judge, ${exchanges.toLocaleString('en')} recorded exchanges`,
    measure: async (program) => {
      const file = join(scratch, 'traffic.har');
      await writeTraffic(file, exchanges);
      const reports = ['--report-dir', await mkdtemp(join(scratch, 'reports-')), '--report', 'json'];
      return {
        ...(await runCommand([program, 'judge', file, ...reports], {}, scratch)),
        requests: exchanges,
        created: 0,
      };
    },
  };
}

/** A run, and the same requests by a bare program; both from the first request of the checks to the last answer. */
function floor(profile: Profile, settings: Settings): Case {
  let recorded: Promise<string> | undefined;
  return {
    name: `${profile}, service in another process`,
    measure: async (program) => {
      recorded ??= record(program, profile, settings);
      const file = await recorded;
      const run = await withService({}, async ({ baseUrl, takeDuration }) => {
        const sample = await judge({ program, profile, baseUrl, ...settings });
        return { sample, milliseconds: await takeDuration() };
      });
      const bare = await withService({}, async ({ baseUrl, takeDuration }) => {
        await runCommand([entryPoint('bench/floor'), file, baseUrl], {}, settings.scratch);
        return takeDuration();
      });
      return { ...run.sample, factor: run.milliseconds / bare };
    },
  };
}

/** Records the requests of a run. @returns the file that they are in */
function record(program: string, profile: Profile, settings: Settings): Promise<string> {
  return withService({}, async ({ baseUrl }) => {
    const recording = await startRecording(baseUrl);
    await judge({ program, profile, baseUrl: recording.baseUrl, ...settings });
    await recording.stop();
    const file = join(settings.scratch, `requests-${profile}.json`);
    await writeFile(file, JSON.stringify(recording.requests));
    return file;
  });
}
