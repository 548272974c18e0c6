/** How the text of a number is spelled, where that is odd: `written with a leading zero`; undefined where it is not. */
export function spellingOf(text: string): string | undefined {
  if (text === '') return 'that is empty';
  if (!/^\s*[+-]?\d*(?:\.0+)?\s*$/.test(text)) return undefined;
  if (/\s/.test(text)) return 'written with blanks';
  if (text.startsWith('+')) return 'written with a plus sign';
  if (text.includes('.')) return 'written with a fraction of zero';
  return /^-?0\d/.test(text) || text === '-0' ? 'written with a leading zero' : undefined;
}
