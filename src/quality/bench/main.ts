import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PACKAGE_ROOT } from '../../package.ts';
import { writeAtomically } from '../../report/write.ts';
import { measure } from './measure.ts';
import { publish, readBench } from './publish.ts';
import { type BenchResult, isPart, PARTS, type Part } from './result.ts';
import { benchTable } from './table.ts';

const ALL = Object.keys(PARTS).filter(isPart);

const HELP = `Usage: npm run bench -- [options]

Measures the suite beside its floor and beside other tools, and writes reports/bench.json.
A part takes turns among its cases: one round to warm up, then as many as there are to be samples.

${ALL.map((part) => `  ${part}  ${PARTS[part]}`).join('\n')}

Options:
  --only <letters>     only these parts, separated by commas (default: all)
  --runs <n>           samples of each case, after a warm-up (default: 5)
  --seed <n>           the seed of the runs, and of the sample of faults (default: 1729)
  --report-dir <dir>   folder for bench.json (default: reports)
  --publish            then keep the figures as the published ones, and write the table of the README
  --from <file>        measure nothing: take the figures of this bench.json
  --help               print this help

All parts with 5 runs take about 20 minutes on 2 quiet cores. Part c installs the other tools from the npm registry
into a temporary folder. A command that takes longer than 3 minutes is ended.
`;

/** An option that cannot be used. */
class UsageError extends Error {}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1729' },
    'report-dir': { type: 'string', default: fileURLToPath(new URL('reports', PACKAGE_ROOT)) },
    publish: { type: 'boolean' },
    from: { type: 'string' },
    help: { type: 'boolean' },
  },
});

function partsFrom(text: string | undefined): readonly Part[] {
  const letters = text?.split(',').map((letter) => letter.trim()) ?? ALL;
  return letters.map((letter) => {
    if (isPart(letter)) return letter;
    throw new UsageError(`--only takes letters from ${ALL[0]} to ${ALL.at(-1)}, separated by commas, not "${letter}".`);
  });
}

function numberFrom(option: 'runs' | 'seed', least: number): number {
  const number = Number(values[option]);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`--${option} takes a whole number from ${least}, not "${values[option]}".`);
}

async function measured(): Promise<BenchResult> {
  if (values.from !== undefined) return readBench(values.from);
  const parts = partsFrom(values.only);
  const runs = numberFrom('runs', 1);
  const seed = numberFrom('seed', 0);
  const scratch = await mkdtemp(join(tmpdir(), 'petstore-bench-'));
  const clear = (): void => rmSync(scratch, { recursive: true, force: true });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      clear();
      process.exit(signal === 'SIGINT' ? 130 : 143);
    });
  }
  try {
    const onProgress = (text: string): void => {
      process.stderr.write(`${text}\n`);
    };
    return await measure({ parts, runs, seed, scratch, onProgress });
  } finally {
    clear();
  }
}

async function main(): Promise<void> {
  if (values.help === true) {
    process.stdout.write(HELP);
    return;
  }
  if (values.publish === true && values.only !== undefined) {
    throw new UsageError('What is published was measured in one run: leave out --only, or --publish.');
  }
  const result = await measured();
  process.stdout.write(`${benchTable(result)}\n`);
  if (values.from === undefined) {
    const reportDir = values['report-dir'];
    await mkdir(reportDir, { recursive: true });
    await writeAtomically(reportDir, 'bench.json', `${JSON.stringify(result, undefined, 2)}\n`);
    process.stdout.write(`\nEvery sample is in ${join(reportDir, 'bench.json')}\n`);
  }
  if (values.publish === true) publish(result);
}

try {
  await main();
} catch (error) {
  process.stderr.write(
    `${error instanceof UsageError ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
