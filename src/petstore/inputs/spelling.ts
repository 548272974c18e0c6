import { isInt64 } from '../../contract/exact-integer.ts';
import { LIMIT } from '../contract-facts.ts';

/** How the text of a number is spelled, if unusually: `written with a leading zero`; undefined otherwise. */
export function spellingOf(text: string): string | undefined {
  if (text === '') return 'that is empty';
  if (!/^\s*[+-]?\d*(?:\.0+)?\s*$/.test(text)) return undefined;
  if (/\s/.test(text)) return 'written with blanks';
  if (text.startsWith('+')) return 'written with a plus sign';
  if (text.includes('.')) return 'written with a fraction of zero';
  if (text === '-0') return 'written as -0';
  return /^-?0\d/.test(text) ? 'written with a leading zero' : undefined;
}

/**
 * What is unusual about a limit that need not be honoured, in words: `above 100`. It distinguishes what services treat
 * differently, so that whatever is drawn of a kind is answered alike.
 */
export function limitInWords([text = '', ...others]: readonly string[]): string {
  const last = others.at(-1);
  if (last !== undefined) {
    const wrong = [...(isInRange(text) ? [] : ['first']), ...(isInRange(last) ? [] : ['last'])];
    return wrong.length === 0 ? 'given twice' : `given twice (the ${wrong.join(' and the ')} invalid)`;
  }
  const spelling = spellingOf(text);
  if (spelling !== undefined) return `${spelling}${isInRange(text) || text.trim() === '' ? '' : ' (out of range)'}`;
  if (/^-?\d+$/.test(text)) return outOfRange(BigInt(text));
  return `that is ${NO_INTEGERS.find(([, form]) => form.test(text))?.[0] ?? 'not an integer'}`;
}

const isInRange = (text: string): boolean =>
  text.trim() !== '' && Number(text) >= LIMIT.minimum && Number(text) <= LIMIT.maximum;

function outOfRange(value: bigint): string {
  const width = BigInt.asIntN(32, value) === value ? '' : isInt64(value) ? ' (beyond 32 bits)' : ' (beyond 64 bits)';
  const edge = value < 0n ? 'below 0' : value < LIMIT.minimum ? 'of 0' : `above ${LIMIT.maximum}`;
  return `${edge}${width}`;
}

/** In the order in which they are looked for. */
const NO_INTEGERS: readonly (readonly [words: string, form: RegExp])[] = [
  ['a fraction', /^-?\d+[.,]\d*$/],
  ['a number with an exponent', /^-?\d+e[+-]?\d+$/i],
  ['a number in another base', /^0[a-z][\da-f]+$/i],
  ['a word', /^[a-z]+$/i],
  ['digits before other characters', /^-?\d/],
  ['digits behind other characters', /\d/],
];
