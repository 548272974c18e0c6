import { choosing, combine } from '../changes.ts';
import type { Variant } from '../steps.ts';
import { among } from './builders.ts';
import { collectionVariants } from './collections.ts';
import { combinedVariants } from './combined.ts';
import { crowdVariants } from './crowds.ts';
import { gatewayVariants } from './gateways.ts';
import { lateListVariants } from './late-lists.ts';
import { messageVariants } from './messages.ts';
import { otherCallersVariants } from './others.ts';
import { shortPageVariants } from './short-pages.ts';
import { throttlingVariants } from './throttling.ts';
import { transportVariants } from './transport.ts';

const single = among([
  ...collectionVariants,
  ...combinedVariants,
  ...crowdVariants,
  ...gatewayVariants,
  ...lateListVariants,
  ...messageVariants,
  ...otherCallersVariants,
  ...shortPageVariants,
  ...throttlingVariants,
  ...transportVariants,
]);

/**
 * Each kind of short page, late list, rate, wire, id, gateway, pace, crowd and rigour meets each other kind. The second
 * change is made around the first, so a crowd comes before what copies the store, and an order before what cuts pages.
 */
const PAIRS: readonly (readonly [first: string, second: string])[] = [
  ['pages-end-at-1-kb', 'pages-of-15'],
  ['window-of-50-newest-first', 'pages-of-10'],
  ['pages-of-10-by-chance', 'late-on-every-second-list'],
  ['pages-of-30-oldest-first', 'late-on-one-replica-of-five'],
  ['pages-of-5-oldest-first', 'throttled-to-30-for-a-second'],
  ['pages-of-20-by-chance', 'http-1-0'],
  ['pages-of-15', 'ids-random-of-19-digits'],
  ['pages-of-30', 'zeros-before-ids-ignored'],
  ['pages-of-15-oldest-first', 'slow-by-150-ms'],
  ['crowd-of-500-every-20-ms', 'pages-of-20-by-chance'],
  ['pages-of-5-by-chance', 'refuses-with-400-whatever-it-may'],

  ['window-of-20-newest-first', 'pages-end-at-1-kb'],
  ['pages-end-at-2-kb', 'late-on-three-replicas-in-turn'],
  ['pages-end-at-3-kb-oldest-first', 'throttled-to-40-without-word'],
  ['pages-end-at-4-kb', 'http-1-0-without-connection-header'],
  ['pages-end-at-1-kb-oldest-first', 'ids-at-both-ends-in-turn'],
  ['pages-end-at-2-kb-oldest-first', 'slashes-beside-ids-merged'],
  ['pages-end-at-1-kb', 'slow-by-20-to-300-ms'],
  ['crowd-of-5000-every-50-ms', 'pages-end-at-4-kb'],
  ['crowd-of-500-every-20-ms', 'pages-end-at-2-kb-oldest-first'],
  ['pages-end-at-3-kb', 'accepts-whatever-it-may'],

  ['window-of-limit-newest-first', 'late-by-chance'],
  ['window-of-20-newest-first', 'late-on-three-replicas-in-turn'],
  ['window-of-20-newest-first', 'throttled-to-60-without-word'],
  ['window-of-50-newest-first', 'http-1-0-until-close'],
  ['window-of-limit-newest-first', 'ids-descending'],
  ['window-of-20-newest-first', 'accept-of-ranges-answered-406'],
  ['window-of-50-newest-first', 'slow-by-150-ms'],
  ['crowd-of-500-every-20-ms', 'window-of-20-newest-first'],
  ['window-of-limit-newest-first', 'refuses-with-400-whatever-it-may'],

  ['late-on-two-replicas-in-turn', 'throttled-to-20-without-word'],
  ['late-on-one-replica', 'http-1-0-until-close'],
  ['late-by-uneven-times', 'ids-at-both-ends-in-turn'],
  ['late-without-filter', 'slashes-beside-ids-redirected'],
  ['late-on-one-replica-of-five', 'slow-by-20-to-300-ms'],
  ['crowd-of-60-every-5-ms', 'late-on-one-replica'],
  ['crowd-of-5000-every-5-ms-oldest-first', 'late-by-chance'],
  ['late-on-every-second-list', 'accepts-whatever-it-may'],

  ['http-1-0', 'throttled-to-40-for-a-second'],
  ['ids-random-of-19-digits', 'throttled-to-20-for-a-second'],
  ['tabs-in-headers-answered-400-with-a-page', 'throttled-to-60-for-a-second'],
  ['throttled-to-30-without-word', 'slow-by-150-ms'],
  ['crowd-of-5000-every-20-ms-by-chance', 'throttled-to-20-without-word'],
  ['refuses-with-400-whatever-it-may', 'throttled-to-60-without-word'],
  ['accepts-whatever-it-may', 'throttled-to-40-without-word'],

  ['ids-from-int64-min', 'http-1-0-without-connection-header'],
  ['slashes-beside-ids-redirected-without-a-body', 'http-1-0-until-close'],
  ['http-1-0', 'slow-by-20-to-300-ms'],
  ['crowd-of-500-every-50-ms-oldest-first', 'http-1-0-without-connection-header'],
  ['accepts-whatever-it-may', 'http-1-0-until-close'],

  ['ids-random-of-19-digits', 'slashes-and-zeros-beside-ids-ignored'],
  ['ids-from-int64-min', 'slow-by-20-to-300-ms'],
  ['ids-at-both-ends-in-turn', 'crowd-of-60-every-50-ms-by-chance'],
  ['ids-descending', 'refuses-with-400-whatever-it-may'],

  ['accept-of-ranges-answered-406-without-a-body', 'slow-by-150-ms'],
  ['crowd-of-60-every-20-ms-oldest-first', 'tabs-in-headers-answered-400-with-a-page'],
  ['accepts-whatever-it-may', 'accept-of-ranges-answered-406'],
  ['refuses-with-400-whatever-it-may', 'slashes-beside-ids-redirected'],

  ['crowd-of-500-every-5-ms-by-chance', 'slow-by-150-ms'],
  ['accepts-whatever-it-may', 'slow-by-20-to-300-ms'],

  ['crowd-of-60-every-5-ms', 'refuses-with-400-whatever-it-may'],
];

/** Two variants at once, under both names and with both sentences. */
function pairOf(first: Variant, second: Variant): readonly Variant[] {
  const says = `${first.says.slice(0, -1)}; ${second.says.charAt(0).toLowerCase()}${second.says.slice(1)}`;
  const change = combine(first.change, second.change);
  return choosing(first.chooses, { [`${first.name}-plus-${second.name}`]: [says, change] });
}

export const pairVariants: readonly Variant[] = PAIRS.flatMap(([first, second]) =>
  pairOf(single(first), single(second)),
);
