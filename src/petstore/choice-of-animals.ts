import type { Created } from './reply.ts';

type Traits = Pick<Created, 'name' | 'categoryId' | 'status'>;

/** At most `most` of the animals, by name. */
export function spreadOver<T extends Traits>(animals: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, animals.length / most);
  return animals
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .filter((_, at) => Math.floor(at % step) === 0);
}

/** What formats give a meaning to counts for more than letters and marks of other scripts. */
const WEIGHT_OF_ASCII = 20;

/** What a service may write wrongly in an answer, with its weight: each mark, and each script of letters. */
function traitsOf({ name, categoryId, status }: Traits): ReadonlyMap<string, number> {
  const isLetter = (sign: string): boolean => /[\p{L}\p{N}]/u.test(sign);
  const block = (sign: string): string => `letters of block ${(sign.codePointAt(0) ?? 0) >> 8}`;
  const isAscii = (sign: string): boolean => sign < '\u0080';
  const signs = [...name].map((sign): [string, number] =>
    isLetter(sign) ? [block(sign), 1] : [sign, isAscii(sign) ? WEIGHT_OF_ASCII : 1],
  );
  const isNumber: [string, number][] = /^[+-]?[\d.]+$/.test(name) ? [['a number', WEIGHT_OF_ASCII]] : [];
  return new Map([...signs, ...isNumber, [`status ${status}`, 1], [`category of ${`${categoryId}`.length} digits`, 1]]);
}

/**
 * At most `most` of the animals, in such a way that as many different traits as possible are seen: each time the one
 * that has most of those which the ones before it do not have. Their order makes no difference.
 */
export function ofMostTraits<T extends Traits>(animals: readonly T[], most: number): readonly T[] {
  const known = new Set<string>();
  const left = animals
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((animal) => ({ animal, traits: traitsOf(animal) }));
  const newness = ({ traits }: { readonly traits: ReadonlyMap<string, number> }): number =>
    [...traits].reduce((sum, [trait, weight]) => sum + (known.has(trait) ? 0 : weight), 0);
  return Array.from({ length: Math.min(most, left.length) }).flatMap(() => {
    const values = left.map(newness);
    const chosen = left.splice(values.indexOf(Math.max(...values)), 1);
    for (const { traits } of chosen) for (const trait of traits.keys()) known.add(trait);
    return chosen.map(({ animal }) => animal);
  });
}
