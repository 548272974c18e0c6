import { type Spread, spreadOf } from './statistics.ts';

export const BENCH_FORMAT = 'petstore-bench/1';

/** The parts of the benchmark, by the letters that `--only` takes. */
export const PARTS = {
  a: 'the whole command, by profile, against the embedded service and one in another process',
  b: 'a run beside the floor: a bare undici program that sends the same requests and judges nothing',
  c: 'two other tools on the same service, and the faults that each finds',
  d: 'services that take 0, 20 and 120 ms for every answer',
  e: 'collections of 0, 10 thousand and 1 million animals',
  f: 'peak memory (of the commands of a)',
  g: 'requests and creations, on a first and on a second run of the same target',
} as const;

export type Part = keyof typeof PARTS;

export const ALL_PARTS: readonly Part[] = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

export const isPart = (text: string): text is Part => Object.hasOwn(PARTS, text);

/** What was measured of one execution of a command. Times are in milliseconds. */
export interface Sample {
  readonly wall: number;
  /** User and system time of all processes and threads of the command. */
  readonly processor: number;
  /** The largest resident set of any of its processes. */
  readonly peakBytes: number;
  /** The part of `processor` from the first request after the preflight on; missing where the service is embedded. */
  readonly processorAfterStart?: number | undefined;
  /** As the service saw it; missing where the service is embedded in the command. */
  readonly phases?: Phases | undefined;
  readonly requests?: number | undefined;
  readonly created?: number | undefined;
}

/** The time of a command before its first request (after that of the preflight), from there to the last answer, and after it. */
export interface Phases {
  readonly start: number;
  readonly inside: number;
  readonly end: number;
}

type Figure = 'wall' | 'processor' | 'peakBytes' | 'processorAfterStart' | 'requests' | 'created' | keyof Phases;

/** One command, with every sample and what follows from them. */
export interface Row {
  readonly part: Part;
  readonly name: string;
  readonly samples: readonly Sample[];
  /** Why samples are missing: a command that failed is not measured. */
  readonly failures: readonly string[];
  readonly figures: Readonly<Partial<Record<Figure, Spread>>>;
}

/** How one tool fared on the sample of faults. */
export interface ToolFindings {
  readonly tool: string;
  /** Why the tool could not be tried; everything else is then empty. */
  readonly unavailable?: string | undefined;
  /** The tests that fail on the sound service; they count as found on no other. */
  readonly falseAlarms: readonly string[];
  /** The names of the faults on which another test fails. */
  readonly found: readonly string[];
}

export interface BenchResult {
  readonly format: typeof BENCH_FORMAT;
  readonly suiteVersion: string;
  readonly measuredAt: string;
  readonly machine: {
    readonly cores: number;
    readonly model: string;
    readonly memoryBytes: number;
    readonly platform: string;
    readonly node: string;
  };
  /** How the figures were taken, for who reads nothing but this file. */
  readonly method: string;
  /** How many samples each row has, after the warm-up. */
  readonly runs: number;
  readonly seed: number;
  readonly parts: readonly Part[];
  readonly milliseconds: number;
  readonly rows: readonly Row[];
  readonly comparison?: { readonly faults: readonly string[]; readonly tools: readonly ToolFindings[] } | undefined;
}

/** A row, with the median, the lowest and the highest of each of its figures. */
export function rowOf(part: Part, name: string, samples: readonly Sample[], failures: readonly string[] = []): Row {
  const figures: Partial<Record<Figure, Spread>> = {};
  const add = (figure: Figure, read: (sample: Sample) => number | undefined): void => {
    const values = samples.flatMap((sample) => read(sample) ?? []);
    if (values.length > 0) figures[figure] = spreadOf(values);
  };
  for (const figure of ['wall', 'processor', 'peakBytes', 'processorAfterStart', 'requests', 'created'] as const) {
    add(figure, (sample) => sample[figure]);
  }
  for (const phase of ['start', 'inside', 'end'] as const) add(phase, ({ phases }) => phases?.[phase]);
  return { part, name, samples, failures, figures };
}

/** Whether some JSON says of itself that a benchmark wrote it. */
export const isBenchResult = (value: unknown): value is BenchResult =>
  typeof value === 'object' && value !== null && 'format' in value && value.format === BENCH_FORMAT;
