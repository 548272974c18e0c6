/** Kinds of variants by their names, which those of several kinds at once join. */
export const KINDS = {
  'closes connections':
    /connections?-(above|closed|of-three)|eight-workers|close-connection|until-close|http-1-0|(old|modern)-proxy/,
  'closes each connection': /connection-closed(-unannounced)?$|until-close|http-1-0|old-proxy/,
  'cuts idle connections': /idle-connections|eight-workers/,
  lags: /replica|\blate-(on|by|without)|listed-after|lists-(renewed|cached)|-lags?$/,
  throttles: /throttled|locks-out/,
  'shortens pages': /pages-(of-(?!megabytes)|end|shorter)|window-(of|then)/,
  'caps pages': /pages-(of-(?!megabytes)|end|shorter)/,
  'caps pages at 20': /pages-(of-(1|3|5|7|10|15|20|600-bytes|2-kb|half)(?!\d)|of-a-busy|end-at-[12]-kb|shorter)/,
  'caps pages at 7': /pages-(of-(1|3|5|7|600-bytes|half)(?!\d)|of-a-busy|end-at-1-kb)/,
  'delays each response': /slow(-by-150-ms|-by-20-to-300-ms)?$/,
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
  /** The requirements and names of the faults, such as `LIST-2 limit-7-gives-8`. */
  readonly faults: RegExp;
  readonly because: string;
}

/** Which variants hide which faults from every client. */
export const HIDING: readonly Hiding[] = [
  {
    variants: ['caps pages'],
    faults: /^LIM-2 (?!limit-100-refused)|^LIST-\d+ .*(over-40|maximum)/,
    because: 'no page holds 100 animals',
  },
  {
    variants: ['caps pages at 20'],
    faults: /^LIST-3 |^LIST-4 (?!default-page)|^LIST-\d .*(one-too-many|rounded-up|gives-22)/,
    because: 'no page holds more than 20 animals',
  },
  {
    variants: ['caps pages at 7'],
    faults: /^LIST-2 limit-7-gives-8$/,
    because: 'no page holds more than seven animals',
  },
  {
    variants: ['holds thousands'],
    faults: /^(SERV|LIST)-\d .*(just-|one-more-than|few-match|filled-up|only-match)/,
    because: 'never as few animals match as a limit says',
  },
  {
    variants: ['closes each connection'],
    faults: /^AUTH-6 (?!long-list)| .*connection/,
    because: 'no connection has a second request',
  },
  {
    variants: ['delays each response'],
    faults: / .*for-(20|50)-ms$/,
    because: 'the fault is over before the next request is handled',
  },
];

/** Why a variant hides a fault; undefined if it does not. */
export const whyHidden = (breaks: string, fault: string, variant: string): string | undefined =>
  HIDING.find((row) => row.faults.test(`${breaks} ${fault}`) && isOfKind(variant, row.variants))?.because;
