/** `npm run faults -- --next`: tests the suite with every fault and variant of the reference service. */
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { FAULTS, VARIANTS } from '../../reference/index.ts';
import { PROFILES } from '../engine/budget.ts';
import type { Profile } from '../report/result.ts';
import { runMatrix } from './matrix.ts';
import { runPairs } from './pairs.ts';

const isProfile = (text: string): text is Profile => Object.hasOwn(PROFILES, text);

/** @returns exit code: 1 where more slips by than may, or a variant is blamed */
export async function main(argv: readonly string[], _: unknown, { stdout }: { stdout: Writable }): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: argv.slice(argv.indexOf('--run') + 1),
    options: {
      only: { ...text, multiple: true, default: [] },
      seed: { ...text, default: '1729' },
      profile: { ...text, default: 'standard' },
      jobs: { ...text, default: '2' },
      'max-time': text,
      allow: text,
      pairs: text,
    },
  });
  const { profile } = values;
  if (!isProfile(profile)) throw new RangeError(`--profile takes ${Object.keys(PROFILES).join(', ')}`);
  const names = values.only.flatMap((list) => list.split(','));
  const isChosen = (...of: readonly string[]): boolean => names.length === 0 || of.some((one) => names.includes(one));
  const faults = FAULTS.filter(({ name, breaks }) => isChosen(name, breaks));
  const variants = VARIANTS.filter(({ name, chooses }) => isChosen(name, chooses));
  if (faults.length + variants.length === 0) throw new RangeError('--only names no fault, variant or requirement');
  const options = {
    ...{
      faults,
      variants,
      areChosen: names.length > 0,
      seed: Number(values.seed),
      profile,
      workers: Number(values.jobs),
    },
    maxTimeMs: values['max-time'] === undefined ? undefined : 1_000 * Number(values['max-time']),
    allowed: values.allow === undefined ? undefined : Number(values.allow),
  };
  return values.pairs === undefined ? runMatrix(options, stdout) : runPairs(Number(values.pairs), options, stdout);
}
