/**
 * A pattern such as `LIST-*` as a regular expression that matches a whole name, in any letter case; `*` stands for any
 * number of characters, and everything else for itself.
 */
export function patternToRegExp(pattern: string): RegExp {
  const literal = pattern.split(/\*+/).map((part) => part.replace(/[.\\+?^${}()|[\]/-]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 'i');
}
