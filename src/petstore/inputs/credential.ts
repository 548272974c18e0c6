import type { Credential } from '../../http/credential.ts';
import type { Exchange } from '../../http/exchange.ts';
import { shellQuote } from '../../report/model/text.ts';

/** A credential of this service, and what the specification says of it. */
export interface KeyCredential extends Credential {
  /** The requirement that says what becomes of a request with it. */
  readonly requirement: KeyRequirement;
  /** True where the specification does not say whether it gives access. */
  readonly isOpen?: boolean;
  /** True where nobody knows whether it is right: what answers it may be owed to the key. */
  readonly isUnknown?: boolean;
  /** Where several things about it are unusual, each of them alone; where it may be valid, the right key. */
  readonly parts?: readonly KeyCredential[];
  /** The exchange that it was taken from, where it is not built from the key. */
  readonly source?: Exchange;
}

export type CredentialsByKind = Readonly<Record<string, readonly KeyCredential[]>>;

export type KeyRequirement = 'AUTH-1' | 'AUTH-2' | 'AUTH-3' | 'AUTH-4' | 'AUTH-5' | 'AUTH-8';

/** The environment variable that holds the API key, also in the curl lines of reports. */
export const KEY_VARIABLE = 'PETSTORE_API_KEY';

/**
 * A name, what is sent, and the same as a curl line has it between double quotes, where that is fixed text, or the key
 * in fixed text. All else is made of the key: a curl line gets it by its name, from the command `key`.
 */
export type Sent = readonly [name: string, value: string, plain?: string | undefined];

/** Whether bash leaves a text alone between double quotes, also where somebody types it, and it is short. */
const isPlain = (text: string): boolean => /^[ #%-[\]-_a-~]{0,300}$/.test(text);

/** Text that does not depend on the key. */
export const fixed = (name: string, text: string): Sent => [name, text, isPlain(text) ? text : undefined];

/** The key in fixed text, once or more. */
export function keyIn(key: string, name: string, write: (key: string) => string): Sent {
  // Beyond ASCII, the variable holds other bytes than are sent.
  if (!isPlain(write('')) || !/^[!-~]*$/.test(key)) return [name, write(key)];
  const withVariable = write(`\${${KEY_VARIABLE}}`);
  return [name, write(key), withVariable.replace(/\$\{(\w+)\}(?=[ ;]|$)/g, '$$$1')];
}

/** The key between two texts. */
export const around = (key: string, name: string, before: string, after = ''): Sent =>
  keyIn(key, name, (written) => before + written + after);

/** What the credential of a name sends, as a curl line has it between double quotes. */
export const byName = (name: string): string => `$(petstore-conformance key ${shellQuote(name)})`;

/** An invalid credential in a header, whose name is sent in lower case. */
export function inHeader(
  requirement: KeyRequirement,
  [name, value, plain]: Sent,
  header = 'Authorization',
): KeyCredential {
  const shown = value.startsWith(WITH_A_SCHEME) ? `${WITH_A_SCHEME}<${name}>` : `<${name}>`;
  return {
    name,
    valid: false,
    requirement,
    headers: [[header.toLowerCase(), value]],
    shown: [[header, plain ?? shown]],
    shell: [[header, plain ?? byName(name)]],
  };
}

/** A bearer token that is not the key. */
export const bearer = (requirement: KeyRequirement, [name, token, plain]: Sent): KeyCredential =>
  inHeader(requirement, [name, WITH_A_SCHEME + token, plain === undefined ? plain : WITH_A_SCHEME + plain]);

/** The valid credential of part 5 of the specification: `Authorization: Bearer <API_KEY>`. */
export const rightKey = (key: string): KeyCredential => ({
  ...underHeader('Authorization', inHeader('AUTH-1', around(key, 'the right key', WITH_A_SCHEME))),
  valid: true,
});

/** The same credential, its Authorization header under this name, which differs from that in its letter case. */
export function underHeader(header: string, credential: KeyCredential): KeyCredential {
  const renamed = ([name, value]: readonly [string, string]) =>
    [name.toLowerCase() === 'authorization' ? header : name, value] as const;
  const { headers, shown, shell } = credential;
  return { ...credential, headers: headers.map(renamed), shown: shown.map(renamed), shell: shell.map(renamed) };
}

export const WITH_A_SCHEME = 'Bearer ';

export const NO_KEY: KeyCredential = {
  name: 'no Authorization header',
  valid: false,
  requirement: 'AUTH-2',
  headers: [],
  shown: [],
  shell: [],
};
