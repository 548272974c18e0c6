/** JSON pointers (RFC 6901): `''` is the whole text, `/3/count` a member of the fourth entry. */

/** The pointer of a member or item of what `parent` points at. */
export function childPointer(parent: string, token: string | number): string {
  const text = typeof token === 'number' ? String(token) : token.replaceAll('~', '~0').replaceAll('/', '~1');
  return `${parent}/${text}`;
}

/** The tokens of a pointer, unescaped; none for the whole text. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that a pointer names; undefined where there is none. Inherited members do not count. */
export function valueAt(value: unknown, pointer: string): unknown {
  let here = value;
  for (const token of pointerTokens(pointer)) {
    if (typeof here !== 'object' || here === null) return undefined;
    if (Array.isArray(here) && !/^(0|[1-9]\d*)$/.test(token)) return undefined;
    here = Object.getOwnPropertyDescriptor(here, token)?.value;
  }
  return here;
}
