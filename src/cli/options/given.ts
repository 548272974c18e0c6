/** Options that a program gives: read and checked as the command line does. */
import { invalid, quoted, UsageError } from '../errors.ts';
import { didYouMean } from '../suggestions.ts';
import { type Declared, longFlag, type Options, type Values } from './option.ts';

/**
 * The values of a table of options: those that are given, else the defaults. An undefined one counts as not given.
 * @param without fields that only the command line has
 * @throws UsageError with the codes of the command line
 */
export function readGiven<Table extends Options>(
  table: Table,
  given: object,
  without: readonly string[],
): Values<Table>;
export function readGiven(table: Options, given: object, without: readonly string[]): object {
  const values = new Map(Object.entries(table).map(([field, { initial }]) => [field, initial]));
  for (const [field, value] of Object.entries(given).filter(([, one]) => one !== undefined)) {
    const declared = without.includes(field) ? undefined : table[field];
    if (declared === undefined) {
      const known = Object.keys(table).filter((name) => !without.includes(name));
      throw new UsageError('option-unknown', `${quoted(field)}: unknown option${didYouMean(field, known)}`);
    }
    const other = declared.conflicts?.find((name) => isGiven(Reflect.get(given, name)));
    if (isGiven(value) && other !== undefined) {
      throw new UsageError('option-conflict', `${field} and ${other}: cannot be used together; leave out one of them`);
    }
    values.set(field, readValue(value, declared, `${field} (${longFlag(declared.flags)})`));
  }
  return Object.fromEntries(values);
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== false;

function readValue(value: unknown, { add, isList, write = String }: Declared<unknown>, source: string): unknown {
  if (add === undefined) {
    if (typeof value === 'boolean') return value;
    throw invalid(source, 'neither true nor false');
  }
  if (Array.isArray(value) !== isList) {
    throw invalid(source, isList ? 'not an array; write [ ] around the value' : 'an array; give a single value');
  }
  const items: readonly unknown[] = isList && Array.isArray(value) ? value : [value];
  const read = items.reduce<unknown>((before, item) => {
    if (item === null || item === undefined) throw invalid(source, `${item} is not a value of this option`);
    return add(write(item), before, source);
  }, undefined);
  return read ?? [];
}
