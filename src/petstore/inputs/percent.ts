/** A text with every byte of it percent-encoded, which means the same in a URI. */
export const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');

/** A text of which the first character is percent-encoded, and of the others those that must be. */
export function percentFirst(text: string): string {
  const [first = '', ...rest] = text;
  return percent(first) + encodeURIComponent(rest.join(''));
}
