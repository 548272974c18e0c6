/** Reads what the command line or a program gives for options into one typed object, and writes it as a user would. */
import { shellWord } from '../../text.ts';
import { conflict, didYouMean, invalid, quoted, UsageError } from '../errors.ts';
import type { Option, Options, Values } from './option.ts';
import { COMMAND_ONLY, RUN_OPTIONS, type RunValues, UNREPORTED } from './tables.ts';

/** The texts of each option that is given; a switch has none. */
export type Given = Readonly<Record<string, readonly string[]>>;

const nameInApi = (field: string, flag?: string): string => `${field} (${flag})`;

/** The values of a table of options: those given, otherwise the defaults. @throws UsageError */
export function readOptions<Table extends Options>(
  table: Table,
  given: Given,
  nameOf?: typeof nameInApi,
): Values<Table>;
export function readOptions(
  table: Options,
  given: Given,
  nameOf = (_field: string, flag = ''): string => flag,
): object {
  const named = (field: string): string => nameOf(field, table[field]?.long);
  for (const field of Object.keys(given)) {
    const other = table[field]?.conflicts?.find((name) => given[name] !== undefined);
    if (other === undefined) continue;
    throw conflict(`${named(field)} and ${named(other)}: cannot be used together; leave out one of them`);
  }
  const values = Object.entries(table).map(([field, { initial, read }]) => {
    const texts = given[field];
    return [field, texts === undefined ? initial : read(texts, named(field))];
  });
  return Object.fromEntries(values);
}

/** Reads the options that a program gives for a run. Undefined counts as not given. @throws UsageError */
export function readGiven(given: object): RunValues {
  const table: Options = RUN_OPTIONS;
  const known = Object.keys(table).filter((field) => !COMMAND_ONLY.some((name) => name === field));
  const texts = Object.entries(given).flatMap(([field, value]) => {
    const option = known.includes(field) ? table[field] : undefined;
    if (value === undefined || (option?.takes === 'nothing' && value === option.initial)) return [];
    if (option !== undefined) return [[field, textsOf(value, option, nameInApi(field, option.long))]];
    throw new UsageError('option-unknown', `${quoted(field)}: unknown option${didYouMean(field, known)}`);
  });
  return readOptions(RUN_OPTIONS, Object.fromEntries(texts), nameInApi);
}

/** Converts a value of the API to the texts that a user would type. @throws UsageError */
function textsOf(value: unknown, { takes, write = String }: Option<unknown>, source: string): readonly string[] {
  if (takes === 'nothing') {
    if (typeof value === 'boolean') return [];
    throw invalid(source, 'must be true or false');
  }
  if (takes === 'values' && !Array.isArray(value))
    throw invalid(source, 'must be an array; write [ ] around the value');
  if (takes === 'one value' && Array.isArray(value)) throw invalid(source, 'must be a single value, not an array');
  const items: readonly unknown[] = [value].flat();
  return items.map((item) => {
    if (item === null || item === undefined) throw invalid(source, `${item} is not a value of this option`);
    return write(item);
  });
}

/** The options of a run that are not at their default, each with its values; a switch has none. */
const inForce = (values: object) =>
  Object.entries<Option<unknown>>(RUN_OPTIONS).flatMap(([field, option]) => {
    const value: unknown = Reflect.get(values, field);
    const isDefault = value === undefined || value === option.initial || (Array.isArray(value) && value.length === 0);
    const items: readonly unknown[] = option.takes === 'nothing' ? [] : [value].flat();
    return isDefault ? [] : [{ ...option, field, items }];
  });

/** The arguments that a user would type for the options of a program, which were read before. The key is not among them. */
export const argumentsOf = (given: object): readonly string[] =>
  inForce(given).flatMap(({ long, takes, items, write = String }) =>
    takes === 'nothing' ? long : items.map((item) => `${long}=${write(item)}`),
  );

/** The options in force that reports repeat, as a user would type them. */
export const typedOptions = (values: object): readonly string[] =>
  inForce(values).flatMap(({ field, long, usage, takes, items, write = String, show }) => {
    if (UNREPORTED.includes(field)) return [];
    if (show !== undefined) return items.map(show);
    const words = items.map((item) => shellWord(write(item)));
    const isTogether = takes === 'nothing' || usage.includes('...');
    return isTogether ? [long, ...words].join(' ') : words.map((word) => `${long} ${word}`);
  });
