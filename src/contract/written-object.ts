import { LosslessNumber, parse } from 'lossless-json';
import { jsonLosses } from './json-losses.ts';

/** A member's value: a number stands for its literal, which says how it is written. */
export type WrittenValue = LosslessNumber | string | boolean | null | object | undefined;

/** A JSON object as it is written. */
interface WrittenObject {
  /**
   * Every value of a member that is given more than once with other values; a value that is given so deeper in the text,
   * under the same name, counts among them.
   */
  readonly members: ReadonlyMap<string, readonly WrittenValue[]>;
  /** Whether this object, or one in it, has a member more than once. */
  readonly repeatsMembers: boolean;
}

/** @returns undefined where the text is no JSON object */
export function writtenObject(text: string): WrittenObject | undefined {
  const earlier: (readonly [name: string, value: unknown])[] = [];
  const value = parsed(text, (name, one) => earlier.push([name, one]));
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof LosslessNumber) {
    return undefined;
  }
  const members = Object.entries(value).map(([name, last]): [string, readonly WrittenValue[]] => {
    const others = earlier.filter(([other]) => other === name).map(([, one]) => written(one));
    return [name, [...others, written(last)]];
  });
  return { members: new Map(members), repeatsMembers: jsonLosses(text).repeatsMembers };
}

/** What is too deep for the lossless parser is read without it. */
function parsed(text: string, onRepeated: (name: string, value: unknown) => void): unknown {
  try {
    return parse(text, null, {
      onDuplicateKey: ({ key, oldValue, newValue }) => {
        onRepeated(key, oldValue);
        return newValue;
      },
    });
  } catch (error) {
    if (!(error instanceof RangeError)) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function written(value: unknown): WrittenValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'object':
      return value;
    case 'number':
      return new LosslessNumber(`${value}`);
    default:
      return undefined;
  }
}

/** The literal of a number; undefined for any other value. */
export const literalOf = (value: WrittenValue): string | undefined =>
  value instanceof LosslessNumber ? value.value : undefined;
