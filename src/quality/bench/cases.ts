import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entryPoint } from '../../entry-points.ts';
import type { Profile } from '../../report/model/result.ts';
import { type Contestant, tryOn } from './comparison.ts';
import { startRecording } from './recording.ts';
import type { Part, Sample } from './result.ts';
import { type ServiceChanges, withService } from './service.ts';
import { measureEmbedded, measureWith, sampleSeenBy, suiteCommand } from './suite-run.ts';

/** What is measured together: one sample of each of its rows in every round. */
export interface Case {
  readonly part: Part;
  readonly rows: readonly string[];
  /** Takes a sample of each row, in their order. */
  measure(): Promise<readonly Sample[]>;
}

export interface Settings {
  readonly seed: number;
  /** Which profiles are measured, where a part goes by profile. */
  readonly profiles: readonly Profile[];
  /** An existing folder for what the commands leave behind. */
  readonly scratch: string;
}

/** (a) and (f): the whole command. */
export function commandCases(settings: Settings): readonly Case[] {
  const { seed, scratch, profiles } = settings;
  const embedded = (profile: Profile, name: string, throughNpm: boolean): Case => ({
    part: 'a',
    rows: [name],
    measure: async () => {
      const reportDir = await mkdtemp(join(scratch, 'reports-'));
      return [await measureEmbedded({ profile, seed, throughNpm }, scratch, reportDir)];
    },
  });
  return [
    ...profiles.flatMap((profile) => [
      embedded(profile, `${profile}, embedded service`, false),
      runCase('a', `${profile}, service in another process`, settings, profile, {}),
    ]),
    embedded('standard', 'standard, embedded service, started by `npm test`', true),
  ];
}

/** (b): a run and its floor, each on a fresh service. */
export function floorCases(settings: Settings): readonly Case[] {
  return withoutThorough(settings).map((profile) => {
    const run = runCase('b', `${profile}: run`, settings, profile, {});
    let recorded: string | undefined;
    return {
      part: 'b',
      rows: [...run.rows, `${profile}: floor`],
      measure: async () => {
        recorded ??= await record(profile, settings);
        const file = recorded;
        const floor = await withService({}, (service) => {
          const command = { program: process.execPath, args: [entryPoint('bench/floor'), file, service.baseUrl] };
          return measureWith(service, command, settings.scratch);
        });
        return [...(await run.measure()), floor];
      },
    };
  });
}

/** Records the requests of a run on a fresh service. @returns the file that they are in */
async function record(profile: Profile, { seed, scratch }: Settings): Promise<string> {
  return withService({}, async (service) => {
    const recording = await startRecording(service.baseUrl);
    try {
      const recorded = { ...service, baseUrl: recording.baseUrl };
      const reportDir = await mkdtemp(join(scratch, 'reports-'));
      await measureWith(recorded, suiteCommand({ profile, seed, baseUrl: recording.baseUrl }, reportDir), scratch);
      const file = join(scratch, `requests-${profile}.json`);
      await writeFile(file, JSON.stringify(recording.requests));
      return file;
    } finally {
      await recording.stop();
    }
  });
}

/** (c): the tools side by side on the sound service. @param onFailed is told which tests of a contestant failed on it */
export function toolCases(
  contestants: readonly Contestant[],
  { scratch }: Settings,
  onFailed: (contestant: string, tests: readonly string[]) => void,
): readonly Case[] {
  return contestants.map((contestant) => ({
    part: 'c',
    rows: [contestant.name],
    measure: async () => {
      const { reading, ended, failed } = await tryOn(contestant, undefined, scratch);
      onFailed(contestant.name, failed);
      return [sampleSeenBy(reading, ended)];
    },
  }));
}

/** (d): services that are slow. */
export const latencyCases = (settings: Settings): readonly Case[] =>
  [0, 20, 120].map((latencyMs) =>
    runCase('d', `${latencyMs} ms for every answer`, settings, 'standard', { latencyMs }),
  );

/** (e): collections of any size. */
export const collectionCases = (settings: Settings): readonly Case[] =>
  [0, 10_000, 1_000_000].map((animals) =>
    runCase('e', `${animals.toLocaleString('en-GB')} animals before the run`, settings, 'standard', { animals }),
  );

/** (g): two runs of one target that is empty at first, each with a seed of its own. */
export function repeatCases(settings: Settings): readonly Case[] {
  const { seed, scratch } = settings;
  return withoutThorough(settings).map((profile) => ({
    part: 'g',
    rows: [`${profile}: first run`, `${profile}: second run`],
    measure: () =>
      withService({ animals: 0 }, async (service) => {
        const samples: Sample[] = [];
        for (const ofRun of [seed, seed + 1]) {
          const reportDir = await mkdtemp(join(scratch, 'reports-'));
          const command = suiteCommand({ profile, seed: ofRun, baseUrl: service.baseUrl }, reportDir);
          samples.push(await measureWith(service, command, scratch));
        }
        return samples;
      }),
  }));
}

/** The profiles that are run often enough for their floor and their later runs to matter. */
const withoutThorough = ({ profiles }: Settings): readonly Profile[] =>
  profiles.filter((profile) => profile !== 'thorough');

/** A run against a fresh service in another process. */
function runCase(
  part: Part,
  name: string,
  { seed, scratch }: Settings,
  profile: Profile,
  changes: ServiceChanges,
): Case {
  return {
    part,
    rows: [name],
    measure: () =>
      withService(changes, async (service) => {
        const reportDir = await mkdtemp(join(scratch, 'reports-'));
        const command = suiteCommand({ profile, seed, baseUrl: service.baseUrl }, reportDir);
        return [await measureWith(service, command, scratch)];
      }),
  };
}
