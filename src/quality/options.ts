import { parseArgs } from 'node:util';
import { FAULTS, VARIANTS } from '../reference/index.ts';
import type { Profile } from '../run/budget.ts';
import { PROFILES } from '../run/budget.ts';

const isProfile = (text: string): text is Profile => Object.hasOwn(PROFILES, text);

/** @throws TypeError or RangeError if an option is unknown or invalid */
export function readOptions(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    only: text,
    seed: text,
    profile: text,
    jobs: text,
    'max-time': text,
    allow: text,
    pairs: text,
    behind: text,
    replay: text,
    animals: text,
    variant: text,
  };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { only, profile = 'standard', seed = '1729', jobs = '2', 'max-time': seconds = 'Infinity' } = values;
  if (!isProfile(profile)) throw new RangeError(`--profile must be one of ${Object.keys(PROFILES).join(', ')}`);
  /** Names of faults, variants or requirements. */
  const names =
    only === undefined && positionals.length === 0 ? undefined : [...(only?.split(',') ?? []), ...positionals];
  const isChosen = (...of: readonly string[]): boolean => names === undefined || of.some((one) => names.includes(one));
  const faults = FAULTS.filter(({ name, breaks }) => isChosen(name, breaks));
  const variants = VARIANTS.filter(({ name, chooses }) => isChosen(name, chooses));
  if (faults.length + variants.length === 0) throw new RangeError('no fault, variant or requirement has this name');
  const number = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));
  return {
    ...{ faults, variants, areChosen: names !== undefined, profile, seed: Number(seed), workers: Number(jobs) },
    /** As many as fit in this time, different ones for each seed. */
    maxTimeMs: 1_000 * Number(seconds),
    /** How many faults may slip by. */
    allowed: number(values.allow),
    pairs: number(values.pairs),
    behind: number(values.behind),
    replays: number(values.replay),
    /** The service that findings are replayed on: how many animals it has at first, and a variant of it. */
    animals: number(values.animals),
    variant: values.variant,
  };
}

export type MatrixOptions = ReturnType<typeof readOptions>;
