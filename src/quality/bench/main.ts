/** `npm run bench`: measures the whole command, and prints what it measured as Markdown. */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { entryPoint } from '../../entry-points.ts';
import { PACKAGE_ROOT, suiteVersion } from '../../package.ts';
import { casesOf, type Sample } from './cases.ts';
import { tableOf } from './table.ts';

const HELP = `Usage: npm run bench -- [options]

Measures the whole command and prints a table. The cases take turns: one round to warm up, then as many as there are to
be samples. With 5 samples that takes about 13 minutes on 2 cores.

Options:
  --only <text>    only the cases whose names contain this text
  --runs <n>       samples of each case, after the warm-up (default: 5)
  --seed <n>       the seed of the runs (default: 1729)
  --vs <folder>    another checkout, built: each case is measured with it as well, in turns
  --help           print this help
`;

// Until the old core is gone: --next asks for the new one.
if (process.argv.includes('--next')) {
  await import(pathToFileURL(entryPoint('next-bench')).href);
  process.exit();
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1729' },
    vs: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

async function measure(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(2));
  const own = fileURLToPath(PACKAGE_ROOT);
  const folders = values.vs === undefined ? [own] : [own, resolve(values.vs)];
  const cases = casesOf({ seed: Number(values.seed), scratch }).filter(({ name }) => name.includes(values.only));
  const samples = cases.map(() => folders.map((): Sample[] => []));
  const runs = Number(values.runs);
  for (let round = 0; round <= runs; round += 1) {
    for (const [at, one] of cases.entries()) {
      for (const [which, folder] of folders.entries()) {
        process.stderr.write(`${round === 0 ? 'warm-up' : `${round} of ${runs}`}: ${one.name}\n`);
        const sample = await one.measure(join(folder, 'src/cli/petstore-conformance.mjs'));
        if (round > 0) samples[at]?.[which]?.push(sample);
      }
    }
  }
  const rows = cases.map(({ name }, at) => {
    const [these = [], others] = samples[at] ?? [];
    return { name, samples: these, others };
  });
  const [cpu] = cpus();
  process.stdout.write(
    `Measured with \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores (${cpu?.model.trim()}), Node.js ${process.versions.node},
version ${suiteVersion()}, seed ${values.seed}. Each figure is the median of ${runs} after a warm-up, with the lowest and the highest.\n
${tableOf(rows)}\n`,
  );
}

if (values.help) process.stdout.write(HELP);
else await measure();
