import { isInt64 } from '../../contract/exact-integer.ts';
import type { Exchange } from '../http/exchange.ts';
import { excerpt } from '../report/text.ts';
import { get } from './call.ts';
import type { Collection, Own } from './collection.ts';
import type { Rule } from './requirement.ts';
import type { Script } from './script.ts';
import { differing, isWhole, type Seen, type Shown, shownMember } from './seen.ts';

const FORMAT = 'conformance-remembered/1';
const MOST = 25;
const LONGEST = 1_000;
/** Where so large a part is gone, somebody has emptied the collection. */
const NEARLY_ALL = 0.9;

/** An animal that a run created, as its 201 showed it; numbers in decimal digits. */
export interface RememberedEntry {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
  /** ISO 8601 in UTC. */
  readonly addedAt: string;
}

/** What a run keeps for the next one on the same target. */
export interface Remembered {
  readonly format: typeof FORMAT;
  readonly target: string;
  readonly entries: readonly RememberedEntry[];
}

/** Reads what a run has kept. @throws Error with one line where the text is damaged, or is about another target */
export function readRemembered(text: string, file: string, target: string): Remembered {
  const wrong = (what: string): Error => new Error(`--remember: ${JSON.stringify(file)} ${what}`);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw wrong('is damaged: it is not JSON; name another file, or remove it to start over');
  }
  if (!isRemembered(data)) throw wrong('was not written by a run with --remember, or is damaged; name another file');
  if (data.target === target) return data;
  throw wrong(`is about ${JSON.stringify(data.target)}, not ${JSON.stringify(target)}; use a separate file for each target`);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const isText = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value);
const INTEGER = /^-?\d{1,19}$/;

function isRemembered(data: unknown): data is Remembered {
  if (!isObject(data) || data['format'] !== FORMAT || typeof data['target'] !== 'string') return false;
  const { entries } = data;
  return (
    Array.isArray(entries) &&
    entries.length <= MOST &&
    entries.every(
      (one: unknown) =>
        isObject(one) &&
        isText(one['id'], INTEGER) &&
        isText(one['addedAt'], /^\d{4}-\d\d-\d\dT[\d:.]+Z$/) &&
        isObject(one['fields']) &&
        isText(one['fields']['categoryId'], INTEGER) &&
        Object.values(one['fields']).every((text) => typeof text === 'string'),
    )
  );
}

/** What the next run is to look at, of as many kinds as possible; undefined where this one has created nothing. */
export function toRemember({ own, tag, recall }: Collection, target: string, key: string): Remembered | undefined {
  const kinds = Map.groupBy(
    own.filter(({ name }) => name.includes(tag) && name.length <= LONGEST && !/\p{Surrogate}/u.test(name) && !name.includes(key)),
    ({ name, categoryId, status, isStatusOmitted }) =>
      `${status} ${isStatusOmitted} ${/^[\w ]+$/.test(name)} ${categoryId < 0n} ${categoryId > 2n ** 53n}`,
  );
  ...
}
