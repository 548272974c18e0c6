/** Reads the options given on the command line or by a program into one typed object. */
import { conflict, didYouMean, invalid, quoted, UsageError } from '../errors.ts';
import { type Declared, longFlag, type Options, type Values } from './option.ts';
import { COMMAND_ONLY, RUN_OPTIONS, type RunValues } from './tables.ts';

/** The texts given for an option, or the state of a switch; undefined if it is not given. */
type Given = readonly string[] | boolean | undefined;

type AllGiven = Readonly<Record<string, Given>>;

/** How messages name an option. */
type Naming = (field: string, flag: string) => string;

/** The values of a table of options: those given, otherwise the defaults. @throws UsageError */
export function readOptions<Table extends Options>(table: Table, given: AllGiven, nameOf: Naming): Values<Table>;
export function readOptions(table: Options, given: AllGiven, nameOf: Naming): object {
  const isGiven = (field: string): boolean => (given[field] ?? table[field]?.initial) !== table[field]?.initial;
  const named = (field: string): string => nameOf(field, longFlag(table[field]?.flags ?? ''));
  for (const [field, { conflicts = [] }] of Object.entries(table)) {
    const other = isGiven(field) ? conflicts.find(isGiven) : undefined;
    if (other === undefined) continue;
    throw conflict(`${named(field)} and ${named(other)}: cannot be used together; leave out one of them`);
  }
  const values = Object.entries(table).map(([field, { initial, read }]) => {
    const texts = given[field];
    if (typeof texts === 'boolean') return [field, texts];
    return [field, texts === undefined ? initial : read?.(texts, named(field))];
  });
  return Object.fromEntries(values);
}

/** Reads the options that a program gives for a run. Undefined counts as not given. @throws UsageError */
export function readGiven(given: object): RunValues {
  const table: Options = RUN_OPTIONS;
  const known = Object.keys(table).filter((field) => !COMMAND_ONLY.some((name) => name === field));
  const nameOf: Naming = (field, flag) => `${field} (${flag})`;
  const texts = Object.entries(given).flatMap(([field, value]) => {
    const declared = known.includes(field) ? table[field] : undefined;
    if (value === undefined) return [];
    if (declared !== undefined) return [[field, textsOf(value, declared, nameOf(field, longFlag(declared.flags)))]];
    throw new UsageError('option-unknown', `${quoted(field)}: unknown option${didYouMean(field, known)}`);
  });
  return readOptions(RUN_OPTIONS, Object.fromEntries(texts), nameOf);
}

/** The arguments that a user would type for the options of a program, which were read before. The key is not among them. */
export function argumentsOf(given: object): readonly string[] {
  const table: Options = RUN_OPTIONS;
  return Object.entries(given).flatMap(([field, value]) => {
    const declared = table[field];
    if (value === undefined || declared === undefined) return [];
    const name = longFlag(declared.flags);
    const texts = textsOf(value, declared, name);
    return typeof texts === 'boolean' ? (texts ? [name] : []) : (texts ?? []).map((text) => `${name}=${text}`);
  });
}

/** Converts a value of the API to the texts that a user would type. */
function textsOf(value: unknown, { read, isList, write = String }: Declared<unknown>, source: string): Given {
  if (read === undefined) {
    if (typeof value === 'boolean') return value;
    throw invalid(source, 'must be true or false');
  }
  if (Array.isArray(value) !== isList) {
    throw invalid(
      source,
      isList ? 'must be an array; write [ ] around the value' : 'must be a single value, not an array',
    );
  }
  const items: readonly unknown[] = isList && Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (item === null || item === undefined) throw invalid(source, `${item} is not a value of this option`);
    return write(item);
  });
}
