import { count } from '../report/model/text.ts';

/** Of longer stretches only the first is shown: their text is shown anyway, and may be one that must not be. */
const CODE_POINTS_SHOWN = 4;

/**
 * Where a text came back changed, and by which code points, since many look alike or cannot be seen:
 * `at character 3: U+00E9 sent, U+0065 U+0301 stored`. Characters are code points, counted from 1.
 */
export function differenceOf(sent: string, stored: string): string {
  const [one, other] = [[...sent], [...stored]];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let ending = 0;
  while (ending < shorter - start && one.at(-1 - ending) === other.at(-1 - ending)) ending += 1;
  const stretches = [one.slice(start, one.length - ending), other.slice(start, other.length - ending)] as const;
  const areShort = stretches.every(({ length }) => length <= CODE_POINTS_SHOWN);
  const [was, is] = stretches.map((stretch) => shown(stretch, areShort));
  return `at character ${start + 1}: ${was} sent, ${is} stored`;
}

function shown(stretch: readonly string[], inFull: boolean): string {
  if (stretch.length === 0) return 'nothing';
  if (inFull) return stretch.map(codePoint).join(' ');
  const first = codePoint(stretch[0] ?? '');
  return stretch.length === 1 ? first : `${first} and ${count(stretch.length - 1, 'more character')}`;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
