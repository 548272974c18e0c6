/**
 * What a request says of who sends it. The real header never leaves the client: evidence shows `shown`,
 * and a reproduction builds the header in the shell from the variable that holds the key (`shell`).
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
  /** Header lines in double-quoted shell form. */
  readonly shell: readonly string[];
  /** The query in double-quoted shell form, complete. */
  readonly shellQuery?: string;
}
