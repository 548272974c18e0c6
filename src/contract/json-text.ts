import type { Json } from './json.ts';
import { childPointer, valueAt } from './json-pointer.ts';

const LONGEST_TEXT = 2_000;
const DEEPEST = 20;

/**
 * The value at a pointer as JSON text, each integer to its last digit; what is long or deep is cut with an ellipsis.
 * Undefined where there is no value.
 */
export function textAt(json: Json, pointer: string): string | undefined {
  const value = valueAt(json.value, pointer);
  if (value === undefined) return undefined;
  const text = written(value, pointer, json.exact, 0);
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
}

function written(value: unknown, pointer: string, exact: Json['exact'], depth: number): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'a number beyond a double';
    return `${exact.get(pointer) ?? JSON.stringify(value)}`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const [opening, closing] = Array.isArray(value) ? '[]' : '{}';
  if (depth === DEEPEST) return `${opening}…${closing}`;
  const parts: string[] = [];
  let length = 0;
  for (const [name, member] of Object.entries(value)) {
    if (length > LONGEST_TEXT) break;
    const text = written(member, childPointer(pointer, name), exact, depth + 1);
    parts.push(Array.isArray(value) ? text : `${JSON.stringify(name)}:${text}`);
    length += text.length + name.length;
  }
  return `${opening}${parts.join(',')}${closing}`;
}
