/**
 * A name made around a plain one that no other animal of the run has: `%plain%` stands for it. A bare name, which would
 * lose its point beside others, leaves it out: no other request of the run sends it. Or the plain name, filled up.
 */
export type NameTemplate = string | Filled;

/** The plain name, or where it is too long the end of it, filled up to a length in UTF-16 code units. */
interface Filled {
  readonly length: number;
  readonly filling: string;
  /** A letter of its own at the end, after a blank behind the plain name. */
  readonly end?: string;
}

/** The name that a template makes of a plain one. */
export function nameFrom(template: NameTemplate, plain: string): string {
  if (typeof template === 'string') return template.replace('%plain%', () => plain);
  const { length, filling, end } = template;
  return end === undefined ? filled(plain, length, filling) : filled(`${plain} `, length - end.length, filling) + end;
}

/** Whether a template leaves the plain name out. */
export const isBare = (template: NameTemplate): boolean =>
  typeof template === 'string' && !template.includes('%plain%');

function filled(plain: string, length: number, filling: string): string {
  const kept = plain.length <= length ? plain : plain.slice(-length).replace(/^ /, '-');
  const missing = length - kept.length;
  const text = filling.repeat(Math.ceil(missing / filling.length));
  // A filling of pairs leaves one unit over where the rest is odd.
  const isCut = text.length > missing && filling.length > 1;
  return kept + (isCut ? `x${filling.repeat(Math.floor((missing - 1) / filling.length))}` : text.slice(0, missing));
}
