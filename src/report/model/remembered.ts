/**
 * What a run keeps of what it added, so that a later one can see what became of it. `npm run schema` generates
 * spec/remembered.schema.json from these types and comments.
 */

/** Version of the format. A change that could break a reader raises the number. */
export const REMEMBERED_FORMAT = 'conformance-remembered/1';

/** Most entries that are kept, and most characters of one of their fields. */
export const MOST_REMEMBERED = 25;
export const LONGEST_REMEMBERED = 1_000;

/** The text of a field. @maxLength 1000 */
export type RememberedText = string;

/** Something that a run added, as the service described it then. */
export interface RememberedEntry {
  /** @pattern ^-?\d{1,19}$ */
  readonly id: string;
  /** Its other fields; numbers in decimal digits. */
  readonly fields: Readonly<Record<string, RememberedText>>;
  /** When it was added: ISO 8601 in UTC. @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$ */
  readonly addedAt: string;
}

/** What is kept, in the order of addition. */
export interface Remembered {
  readonly format: typeof REMEMBERED_FORMAT;
  /** The address of the target. */
  readonly target: string;
  /** @maxItems 25 */
  readonly entries: readonly RememberedEntry[];
}
