/**
 * What a request says of who sends it. The real header never leaves the client: evidence shows `shown`, and a curl line
 * has `shell`.
 */
export interface Credential {
  /** A few words, such as "the right key" or "no key". */
  readonly name: string;
  readonly valid: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Appended to the query, verbatim. */
  readonly query?: string;
  readonly shown: readonly (readonly [name: string, value: string])[];
  readonly shownQuery?: string;
  /** The headers, each value as bash reads it between double quotes; without the key. */
  readonly shell: readonly (readonly [name: string, value: string])[];
  /** The query, complete, as bash reads it between double quotes. */
  readonly shellQuery?: string;
}
