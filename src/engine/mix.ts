/** A number of 31 bits that depends on all of its parts; the same parts always give the same number. */
export function mix(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const letter of parts.join('\u0000')) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) & 0x7fffffff;
}
