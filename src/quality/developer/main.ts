import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { loadContract } from '../../contract/contract.ts';
import { CATALOGUE } from '../../petstore/catalogue.ts';
import { FAULTS } from '../../reference/index.ts';
import { chosenFrom } from '../sample.ts';
import { failFastLines } from './fail-fast.ts';
import { type Reading, type ReadRun, readReport } from './reading.ts';

/**
 * Plays a developer who has only the report: of some faults of the matrix, does the first cause that is printed name
 * the requirement that owns the fault, and show the request that shows it?
 */
const DEFAULTS = { faults: 60, seed: 1729, jobs: 2 };
/** Of 60, so many must be understood at first sight. */
const ENOUGH = 57 / 60;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    faults: { type: 'string' },
    seed: { type: 'string' },
    jobs: { type: 'string' },
    verbose: { type: 'boolean' },
    'fail-fast': { type: 'boolean' },
    worker: { type: 'boolean' },
  },
});
const number = (name: keyof typeof DEFAULTS): number => Number(values[name] ?? DEFAULTS[name]);
const seed = number('seed');

const isReadRun = (message: unknown): message is ReadRun =>
  typeof message === 'object' && message !== null && 'isNamed' in message;

/** Reads the reports of these faults in a process of its own. */
function readInWorker(names: readonly string[], onRun: (run: ReadRun) => void): Promise<void> {
  const failFast = values['fail-fast'] === true ? ['--fail-fast'] : [];
  const worker = fork(process.argv[1] ?? '', ['--worker', '--seed', `${seed}`, ...failFast, ...names]);
  worker.on('message', (message: unknown) => {
    if (isReadRun(message)) onRun(message);
  });
  return new Promise((resolve) => worker.once('close', () => resolve()));
}

function whatOf({ isFound, isNamed, isShown }: Reading): string {
  if (!isFound) return 'not found';
  if (!isNamed) return 'names another requirement';
  return isShown ? 'understood' : 'shows another request';
}

/** The readings that name the owner and show its request; the others are printed, or all of them. */
function understoodIn(readings: readonly Reading[], print: (line: string) => void): readonly Reading[] {
  const understood = readings.filter(({ isNamed, isShown }) => isNamed && isShown);
  for (const reading of readings) {
    if (values.verbose === true || !understood.includes(reading)) {
      print(`${reading.fault} (${reading.owner}): ${whatOf(reading)}\n  ${reading.first}`);
    }
  }
  return understood;
}

async function work(): Promise<void> {
  const specification = { catalogue: CATALOGUE, contract: await loadContract() };
  const kinds = values['fail-fast'] === true ? [false, true] : [false];
  for (const name of positionals) {
    for (const failFast of kinds) process.send?.(await readReport(name, { seed, failFast }, specification));
  }
  process.disconnect?.();
}

async function measure(): Promise<void> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const started = performance.now();
  const matching = FAULTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const unknown = positionals.find((name) => matching.every((fault) => fault.name !== name));
  if (unknown !== undefined)
    throw new Error(`There is no fault ${unknown}; \`petstore-conformance faults\` lists them.`);
  const names = chosenFrom(matching, number('faults'), seed).map(({ name }) => name);
  const runs: ReadRun[] = [];
  const jobs = number('jobs');
  const shares = Array.from({ length: jobs }, (_, share) => names.filter((_name, at) => at % jobs === share));
  await Promise.all(
    shares.filter(({ length }) => length > 0).map((share) => readInWorker(share, (one) => runs.push(one))),
  );
  for (const name of names.filter((one) => runs.every(({ fault }) => fault !== one))) print(`${name}: no report`);
  const whole = runs.filter(({ isFailFast }) => !isFailFast);
  const understood = understoodIn(whole, print);
  if (values['fail-fast'] === true) {
    print('With --fail-fast:');
    const quick = runs.filter(({ isFailFast }) => isFailFast);
    const few = understoodIn(quick, print);
    print(`${few.length} of ${names.length} faults are understood by the first cause`);
    for (const line of failFastLines(runs)) print(line);
    print('Without it:');
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  print(
    `${understood.length} of ${names.length} faults are understood by the first cause · seed ${seed} · ${seconds} s`,
  );
  process.exitCode = understood.length >= ENOUGH * names.length ? 0 : 1;
}

void (values.worker === true ? work() : measure());
