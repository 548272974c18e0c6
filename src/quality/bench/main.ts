import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PACKAGE_ROOT } from '../../package.ts';
import type { Profile } from '../../report/model/result.ts';
import { writeReport } from '../../report/write.ts';
import { type BenchOptions, measure } from './measure.ts';
import { benchJson, publish, readBench } from './publish.ts';
import { ALL_PARTS, type BenchResult, isPart, PARTS } from './result.ts';
import { benchTable } from './table.ts';

const PROFILES = ['smoke', 'standard', 'thorough'] as const satisfies readonly Profile[];

const HELP = `Usage: npm run bench -- [options]

Measures the suite beside its floor and beside other tools, and writes bench.json. The cases of a part take turns:
one round to warm up, then as many as there are to be samples.

${ALL_PARTS.map((part) => `  ${part}  ${PARTS[part]}`).join('\n')}

Options:
  --only <letters>     only these parts, separated by commas (default: all)
  --runs <n>           samples of each case, after a warm-up (default: 5)
  --profiles <names>   only these profiles, where a part goes by profile (default: smoke,standard,thorough)
  --faults <n>         faults that each tool of part c is tried on (default: 40)
  --seed <n>           the seed of the runs, and of the sample of faults (default: 1729)
  --report-dir <dir>   folder for bench.json (default: reports)
  --publish            keep the figures as the published ones, and write the table of the README
  --from <file>        measure nothing, and take the figures of this bench.json
  --help               print this help

All parts with 5 runs take about 20 minutes on 2 quiet cores. Part c installs the other tools from the npm registry
into a temporary folder. A command that takes longer than 5 minutes is ended.
`;

const OPTIONS = {
  only: { type: 'string' },
  runs: { type: 'string', default: '5' },
  profiles: { type: 'string', default: PROFILES.join(',') },
  faults: { type: 'string', default: '40' },
  seed: { type: 'string', default: '1729' },
  'report-dir': { type: 'string', default: fileURLToPath(new URL('reports', PACKAGE_ROOT)) },
  publish: { type: 'boolean' },
  from: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** The options of the command line. @throws Error where one cannot be used; the message says why */
function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  const number = (option: 'runs' | 'faults' | 'seed', least: number): number => {
    const read = Number(values[option]);
    if (Number.isSafeInteger(read) && read >= least) return read;
    throw new Error(`--${option} takes a whole number from ${least}, not "${values[option]}".`);
  };
  const letters = values.only?.split(',').map((letter) => letter.trim());
  const parts = letters?.map((letter) => {
    if (isPart(letter)) return letter;
    throw new Error(`--only takes letters from ${ALL_PARTS[0]} to ${ALL_PARTS.at(-1)}, such as a,d, not "${letter}".`);
  });
  const profiles = values.profiles.split(',').map((name) => {
    const profile = PROFILES.find((one) => one === name.trim());
    if (profile !== undefined) return profile;
    throw new Error(`--profiles takes names of profiles (${PROFILES.join(', ')}), separated by commas, not "${name}".`);
  });
  if (values.publish === true && parts !== undefined) {
    throw new Error('What is published was measured in one run: leave out --only, or --publish.');
  }
  const plan = {
    parts: parts ?? ALL_PARTS,
    profiles,
    runs: number('runs', 1),
    faults: number('faults', 1),
    seed: number('seed', 0),
  };
  return { ...values, reportDir: values['report-dir'], plan };
}

/** Measures with a temporary folder, which is gone afterwards even where the user ends it. */
async function measureInScratch(plan: Omit<BenchOptions, 'scratch' | 'onProgress'>): Promise<BenchResult> {
  const scratch = await mkdtemp(join(tmpdir(), 'petstore-bench-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => process.exit(exitCode));
  }
  return measure({ ...plan, scratch, onProgress: (text) => process.stderr.write(`${text}\n`) });
}

async function main({
  help,
  from,
  reportDir,
  publish: isPublished,
  plan,
}: ReturnType<typeof readOptions>): Promise<void> {
  if (help === true) {
    process.stdout.write(HELP);
    return;
  }
  const result = from === undefined ? await measureInScratch(plan) : readBench(from);
  process.stdout.write(`${benchTable(result)}\n`);
  if (from === undefined) {
    await mkdir(reportDir, { recursive: true });
    await writeReport(reportDir, 'bench.json', benchJson(result));
    process.stdout.write(`\nEvery sample is in ${join(reportDir, 'bench.json')}\n`);
  }
  for (const { name, failures } of result.rows) {
    for (const failure of failures) process.stderr.write(`\n"${name}" has failed: ${failure}\n`);
    if (failures.length > 0) process.exitCode = 1;
  }
  if (isPublished === true) publish(result);
}

try {
  await main(readOptions());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
