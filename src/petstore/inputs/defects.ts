import type { Values } from './template.ts';

/**
 * A body with a defect: what is wrong with it, its template (see `filled`; undefined for no body at all), values of members
 * that are not those of the pet, and, where it has several defects of a kind at once, each of them alone.
 */
export type Row = readonly [
  label: string,
  template: string | undefined,
  values?: Values | undefined,
  parts?: readonly Row[],
];

/** Defects of a kind. */
export interface Rows {
  readonly rows: readonly Row[];
  /** Every one is sent in every standard run, not only some of them. */
  readonly sendsAll?: boolean;
}

/** Members that are left out. */
export const without = (...members: readonly string[]): Values =>
  Object.fromEntries(members.map((member) => [member, undefined]));

/** A JSON value in a few words: a long one by its beginning. */
export function described(json: string): string {
  const short = json.length > 60 ? `${json.slice(0, 40)}… (${json.length} characters)` : json;
  return json.startsWith('"') ? `the string ${short}` : short;
}
