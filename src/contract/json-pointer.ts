/** JSON pointers (RFC 6901): `''` is the whole text, `/3/count` a member of the fourth entry. */

/** The pointer of a member or entry of what `parent` points at. */
export function childPointer(parent: string, token: string): string {
  return `${parent}/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keys of a pointer. */
export const tokensOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value at a pointer; undefined if there is none. Inherited members do not count. */
export function valueAt(value: unknown, pointer: string): unknown {
  return tokensOf(pointer).reduce((here, token) => {
    if (typeof here !== 'object' || here === null) return undefined;
    if (Array.isArray(here) && !/^(0|[1-9]\d*)$/.test(token)) return undefined;
    return Object.getOwnPropertyDescriptor(here, token)?.value;
  }, value);
}
