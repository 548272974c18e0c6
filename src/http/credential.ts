/**
 * What a request says of who sends it. The real header never leaves the client: evidence shows `shown`,
 * and a reproduction builds the header in the shell from $PETSTORE_API_KEY (`shell`).
 */
export interface Credential {
  /** A few words, such as "the right key" or "no key". */
  readonly name: string;
  readonly right: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Appended to the query, as it stands. */
  readonly query?: string;
  readonly shown: readonly (readonly [name: string, value: string])[];
  /** Header lines in double-quoted shell form. */
  readonly shell: readonly string[];
  /** The query in double-quoted shell form. */
  readonly shellQuery?: string;
}

/** The API key as part 5 of the specification wants it: `Authorization: Bearer <API_KEY>`. */
export function rightKey(key: string): Credential {
  return {
    name: 'the right key',
    right: true,
    headers: [['authorization', `Bearer ${key}`]],
    shown: [['Authorization', 'Bearer $PETSTORE_API_KEY']],
    shell: ['Authorization: Bearer $PETSTORE_API_KEY'],
  };
}
