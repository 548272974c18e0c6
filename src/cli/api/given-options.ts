import { isDeepStrictEqual } from 'node:util';
import { Command } from 'commander';
import type { Catalogue } from '../../engine/catalogue.ts';
import { conflict, invalid, quoted, UsageError } from '../errors.ts';
import { addOptions, type Declared, longFlag, type Options } from '../option.ts';
import { RUN_OPTIONS } from '../options.ts';
import {
  completedAndChecked,
  type GivenRunOptions,
  isSelective,
  NOWHERE,
  type RunOptions,
  readSelection,
} from '../run-options.ts';
import { didYouMean } from '../suggestions.ts';
import { checkFolder } from '../values/files.ts';
import type { ConformanceOptions } from './conformance-options.ts';

/** Options of the command alone: other ways to give the key, what concerns its terminal, and an earlier name. */
const COMMAND_ONLY = ['tokenEnv', 'tokenFile', 'dryRun', 'yes', 'quiet', 'verbose', 'color'] as const;

/** What a program can give and the command line cannot. */
const PROGRAM_ONLY = ['proxies', 'signal', 'onEvent'] as const satisfies readonly (keyof ConformanceOptions)[];

type Missing = Exclude<keyof GivenRunOptions, keyof ConformanceOptions | (typeof COMMAND_ONLY)[number]>;
// An option of the command line that programs cannot give is an error of types here, which names it.
const DECLARED: Options & Record<Missing, never> = RUN_OPTIONS;

const isCommandOnly = (field: string): boolean => COMMAND_ONLY.some((name) => name === field);

/**
 * Checks the options that a program gives, by the declarations of the command line, and completes them.
 * @param loadCatalogue called only if requirements are named
 * @throws UsageError with the codes of the command line
 */
export function readConformanceOptions(given: ConformanceOptions, loadCatalogue: () => Catalogue): RunOptions {
  const values = readValues(given);
  if (given.baseUrl !== undefined && given.token === undefined) {
    throw new UsageError('key-missing', 'token: the service needs an API key; give it as the option token');
  }
  if (given.reportDir !== undefined) checkFolder('reportDir', given.reportDir);
  const { http, https, noProxy } = given.proxies ?? {};
  const proxies = { http_proxy: http, https_proxy: https, no_proxy: noProxy };
  const [options] = completedAndChecked(values, proxies, { isTerminal: false });
  if (options === undefined) throw new Error('a run always has a target');
  return isSelective(values) ? { ...options, ...readSelection(values, loadCatalogue()) } : options;
}

function readValues(given: ConformanceOptions): GivenRunOptions {
  if (given.reports !== undefined && given.reportDir === undefined) {
    throw conflict('reports: has no effect without reportDir; give the folder too');
  }
  const fields = Object.entries({ ...given }).filter(([, value]) => value !== undefined);
  const command = addOptions(new Command(), DECLARED, {});
  if (given.reportDir === undefined) {
    command
      .setOptionValueWithSource('reportDir', NOWHERE, 'default')
      .setOptionValueWithSource('reports', [], 'default');
  }
  for (const [field, value] of fields) {
    if (PROGRAM_ONLY.some((name) => name === field)) continue;
    const declared = isCommandOnly(field) ? undefined : DECLARED[field];
    if (declared === undefined) throw unknownOption(field);
    command.setOptionValueWithSource(field, readValue(field, declared, value), 'config');
  }
  refuseConflicts(fields.filter(([, value]) => value !== false).map(([field]) => field));
  return command.opts<GivenRunOptions>();
}

function unknownOption(field: string): UsageError {
  const known = [...Object.keys(DECLARED).filter((name) => !isCommandOnly(name)), ...PROGRAM_ONLY];
  return new UsageError('option-unknown', `${quoted(field)}: unknown option${didYouMean(field, known)}`);
}

/** Reads a value as the command line would read what a user types for it. */
function readValue(field: string, declared: Declared<unknown, unknown>, value: unknown): unknown {
  const source = `${field} (${longFlag(declared.flags)})`;
  const { read, initial } = declared;
  if (isDeepStrictEqual(value, initial)) return initial;
  if (read === undefined) {
    if (typeof value === 'boolean') return value;
    throw invalid(source, `${shownValue(value, declared)} is neither true nor false`);
  }
  // A run of a program has one target.
  const isList = Array.isArray(initial) && field !== 'baseUrl';
  if (Array.isArray(value) !== isList) {
    throw invalid(source, isList ? 'not an array; write [ ] around the value' : 'an array; give a single value');
  }
  const items: readonly unknown[] = [value].flat();
  const first: unknown = isList ? [] : initial;
  return items.reduce((before, item) => read(textOf(item, source, declared), before, source, {}), first);
}

/** A value as a user would type it. */
function textOf(item: unknown, source: string, declared: Declared<unknown, unknown>): string {
  const { write = String } = declared;
  const text = item === null ? 'null' : write(item);
  // What a value of another type, or one with a member missing, turns into.
  const [gap] = /NaN|undefined|\[object/.exec(text) ?? [];
  if (gap === undefined || plainText(item).includes(gap)) return text;
  throw invalid(source, `${shownValue(item, declared)} is not a value of this option`);
}

const plainText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const shownValue = (value: unknown, { secret }: Declared<unknown, unknown>): string =>
  secret === undefined ? quoted(plainText(value)) : 'what is given';

function refuseConflicts(fields: readonly string[]): void {
  for (const field of fields) {
    const other = DECLARED[field]?.conflicts?.find((name) => fields.includes(name));
    if (other !== undefined) {
      throw conflict(`${field} and ${other}: cannot be used together; leave out one of them`);
    }
  }
}
