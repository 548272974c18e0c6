import { combine, variant } from '../changes.ts';
import type { Variant } from '../steps.ts';
import { bodyVariants } from './bodies.ts';
import { choiceVariants } from './choices.ts';
import { collectionVariants } from './collections.ts';
import { messageVariants } from './messages.ts';
import { otherCallersVariants } from './others.ts';
import { pageVariants } from './pages.ts';
import { queryVariants } from './queries.ts';
import { replicaVariants } from './replicas.ts';
import { transportVariants } from './transport.ts';

const SINGLE: readonly Variant[] = [
  ...bodyVariants,
  ...choiceVariants,
  ...collectionVariants,
  ...messageVariants,
  ...otherCallersVariants,
  ...pageVariants,
  ...queryVariants,
  ...replicaVariants,
  ...transportVariants,
];

/** Several variants at once, by their names, one after the other. */
const together = (name: string, chooses: string, says: string, ...names: readonly string[]): Variant =>
  variant(
    name,
    chooses,
    says,
    combine(
      ...names.map((single) => {
        const found = SINGLE.find((other) => other.name === single);
        if (found === undefined) throw new Error(`No variant is called ${single}`);
        return found.change;
      }),
    ),
  );

/** Choices that are often made together. */
export const combinedVariants: readonly Variant[] = [
  together(
    'readings-of-typed-parameters',
    'LIST-10',
    'Parameters are read into types: signs and zeros are allowed, an empty status is none, words are refused, and the media type is required.',
    'limits-in-other-spellings-read',
    'status-empty-as-absent',
    'ids-with-sign-or-zeros-read-words-refused',
    'media-type-required',
    'last-duplicate-wins',
    'omitted-status-pending',
  ),
  together(
    'readings-of-untyped-parameters',
    'LIST-11',
    'Whatever can be read as a number is, an unknown status gives nothing, and bodies are read whatever their media type and bytes.',
    'limits-as-doubles',
    'unknown-status-filter-gives-nothing',
    'ids-in-other-spellings-read',
    'not-utf8-replaced',
    'last-duplicate-wins',
    'media-type-ignored',
    'unknown-members-echoed',
    'omitted-status-absent',
  ),
  together(
    'everything-ignored-or-clamped',
    'LIST-10',
    'Odd limits are clamped, empty parameters are as good as none, and the smallest of several limits counts.',
    'status-and-limit-empty-as-absent',
    'limit-twice-smallest-counts',
    'media-type-any-json',
    'names-lose-lone-surrogates',
  ),
  together(
    'validated-before-key',
    'AUTH-9',
    'Addresses, parameters, ids and bodies are all validated before the key is checked, and chunks and long keys refused.',
    'chunked-bodies-answered-411',
    'body-before-key',
    'parameters-before-key',
    'ids-not-int64-refused-before-key',
    'unknown-parameters-refused-before-key',
    'malformed-encoding-refused-before-key',
    'keys-of-8-kb-answered-431',
  ),
  together(
    'window-then-filter-on-replicas',
    'LIST-12',
    'A page comes from as many animals as the limit says, filtered afterwards, on replicas that are 0 and 1 second behind; ids are random.',
    'ids-random',
    'window-of-limit-then-filter',
    'replicas-of-0-and-1-s-in-turn',
  ),
  together(
    'by-chance-on-uneven-replicas',
    'LIST-13',
    'Lists are random selections from two replicas that changes reach after up to 1.5 seconds; ids are scattered.',
    'ids-scattered',
    'by-chance',
    'replicas-of-uneven-lag',
  ),
  together(
    'short-pages-of-a-busy-store-on-replicas',
    'LIST-13',
    'Other callers add, change and remove animals, lists come from lagging replicas, and a page has at most seven animals.',
    'others-remove-at-random',
    'pages-of-7',
    'replicas-of-100-ms-700-ms-1900-ms-by-chance',
  ),
  together(
    'empty-busy-store-on-replicas',
    'LIST-7',
    'The store is empty at first; others come and go, and one of five replicas lags.',
    'others-come-and-go-in-an-empty-store',
    'one-of-five-replicas-lags',
  ),
  together(
    '3000-animals-in-pages-of-4-kb',
    'LIST-12',
    'The store holds 3,000 animals at first, ids count down, and a page has at most 4,096 bytes.',
    'ids-descending',
    '3000-animals-at-start',
    'pages-of-4-kb',
  ),
  together(
    '3000-animals-by-chance',
    'LIST-12',
    'The store holds 3,000 animals at first, and every list is a random selection.',
    '3000-animals-at-start',
    'by-chance',
  ),
  together(
    'decimals-and-more-members',
    'RES-9',
    'Integers are written with exponents, animals and Errors have additional members, all in reverse order.',
    'animals-with-more-members',
    'errors-with-more-members',
    'members-in-other-order',
    'integers-without-zeros-at-end',
  ),
  together(
    'fractions-written-spaciously',
    'SERV-3',
    'Integers are written with a fraction of zero, and JSON over several lines in ASCII.',
    'json-spacious',
    'integers-with-fraction-zero',
  ),
  together(
    'old-proxy',
    'SERV-5',
    'Responses are sent as HTTP/1.0 until the connection closes, header names in capitals and ISO-8859-1 as the charset.',
    'charset-label-latin1',
    'header-names-in-capitals',
    'http-1-0-until-close',
  ),
  together(
    'modern-proxy',
    'SERV-5',
    'Responses are compressed as asked, follow early hints, overtake one another, and connections close after three requests.',
    'uneven',
    'coding-as-asked',
    'many-headers',
    'connections-of-three-requests',
    'early-hints',
  ),
  together(
    'throttled-busy-and-slow',
    'LIM-3',
    'At most 150 requests a second, some of which take a second, while other callers change the collection every millisecond.',
    'very-busy',
    'slow-now-and-then',
    'throttled-seconds',
  ),
  together(
    'empty-pages-of-1-served-in-turn',
    'LIST-12',
    'The store is empty at first, requests are served one at a time, and a page has at most one animal.',
    'empty-at-start',
    'pages-of-1',
    'serial',
  ),
  together(
    'deep-and-compressed',
    'SERV-3',
    'Animals have a member nested 3,000 deep, and bodies are compressed as asked.',
    'animals-nested-3000-deep',
    'coding-as-asked',
  ),
];
