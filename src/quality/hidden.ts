/** Kinds of variants by their names, which those of several kinds at once join. */
export const KINDS = {
  'closes connections':
    /connections?-(above|closed|of-three)|eight-workers|close-connection|until-close|http-1-0|-proxy$/,
  'cuts idle connections': /idle-connections|eight-workers/,
  lags: /replica|\blate-(on|by|without)|listed-after|lists-(renewed|cached)|-lag$|-lags$/,
  throttles: /throttled|locks-out/,
  'shortens pages': /pages-(of|end|shorter)-(?!megabytes)|window-(of|then)/,
  'holds thousands': /big-collection|3000-animals|crowd-of-5000/,
} as const satisfies Readonly<Record<string, RegExp>>;

type Kind = keyof typeof KINDS;

const isOfKind = (variant: string, kinds: readonly Kind[]): boolean => kinds.some((kind) => KINDS[kind].test(variant));

/** Kinds behind which faults are hard to see: half of the variants are drawn from these. */
const HARD: readonly Kind[] = [
  'closes connections',
  'cuts idle connections',
  'lags',
  'throttles',
  'shortens pages',
  'holds thousands',
];

export const isHard = (variant: string): boolean => isOfKind(variant, HARD);

interface Hiding {
  readonly variants: readonly Kind[];
  /** The requirements that the faults break. */
  readonly breaks: RegExp;
  readonly because: string;
}

/** Which variants hide which faults by nature: no request shows the fault, or the variant is permitted what it does. */
const HIDING: readonly Hiding[] = [];

/** Why a variant hides faults that break this requirement; undefined if it does not. */
export const whyHidden = (breaks: string, variant: string): string | undefined =>
  HIDING.find((row) => row.breaks.test(breaks) && isOfKind(variant, row.variants))?.because;
