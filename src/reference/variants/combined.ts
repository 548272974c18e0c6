import { choosing, combine, override, type StepsChange } from '../changes.ts';
import { isPetStatus } from '../collection.ts';
import { ApiError } from '../errors.ts';
import type { Call, Variant } from '../steps.ts';
import { bodyVariants } from './bodies.ts';
import { among, clampedLimit, lenientInteger, readingLimits } from './builders.ts';
import { choiceVariants } from './choices.ts';
import { collectionVariants } from './collections.ts';
import { gatewayVariants } from './gateways.ts';
import { messageVariants } from './messages.ts';
import { otherCallersVariants } from './others.ts';
import { pageVariants } from './pages.ts';
import { NOTHING, queryVariants, readingFilters } from './queries.ts';
import { replicaVariants } from './replicas.ts';
import { transportVariants } from './transport.ts';

const SINGLE: readonly Variant[] = [
  ...bodyVariants,
  ...choiceVariants,
  ...collectionVariants,
  ...gatewayVariants,
  ...messageVariants,
  ...otherCallersVariants,
  ...pageVariants,
  ...queryVariants,
  ...replicaVariants,
  ...transportVariants,
];

const single = among(SINGLE);

/** Several variants at once, by their names, one after the other. */
const together = (...names: readonly string[]): StepsChange => combine(...names.map((name) => single(name).change));

/** Whether a body is said to be uncompressed JSON in UTF-8, without liberties in how that is written. */
function isExactlyJson(call: Call): boolean {
  const [type, ...parameters] = (call.header('content-type') ?? '').split(';');
  const isUtf8 = !/charset=(?!"?utf-8)/i.test(parameters.join(';'));
  return type === 'application/json' && isUtf8 && call.header('content-encoding') === undefined;
}

/** Choices that are often made together. */
// biome-ignore format: one table
export const combinedVariants: readonly Variant[] = [
  ...choosing('LIST-10', {
    'readings-of-typed-parameters': [
      'Parameters are read into types: signs and zeros are allowed, an empty status is none, words are refused, and the media type is required.',
      together('limits-in-other-spellings-read', 'status-empty-as-absent', 'ids-with-sign-or-zeros-read-words-refused',
        'media-type-required', 'last-duplicate-wins', 'omitted-status-pending')],
    'everything-ignored-or-clamped': [
      'Unusual limits are clamped, empty parameters count as none, and the smallest of several limits counts.',
      together('status-and-limit-empty-as-absent', 'limit-twice-smallest-counts', 'media-type-any-json',
        'names-lose-lone-surrogates')],
    'accepts-whatever-it-may': [
      'Whatever may be accepted is: limits and ids in any spelling, filters and bodies of any form, and every media type.',
      combine(
        together('most-lenient-of-all', 'ids-in-other-spellings-read', 'slashes-and-zeros-beside-ids-ignored'),
        readingLimits(([first = '']) => {
          const limit = lenientInteger(first);
          return limit === undefined ? undefined : clampedLimit(limit);
        }),
        readingFilters((texts) =>
          texts.length === 1 && texts[0] === '' ? undefined : (texts.find(isPetStatus) ?? NOTHING)),
      )],
  }),
  ...choosing('LIST-11', {
    'readings-of-untyped-parameters': [
      'Whatever can be read as a number is, an unknown status gives nothing, and bodies are read whatever their media type and bytes.',
      together('limits-as-doubles', 'unknown-status-filter-gives-nothing', 'ids-in-other-spellings-read',
        'not-utf8-replaced', 'last-duplicate-wins', 'media-type-ignored', 'unknown-members-echoed',
        'omitted-status-absent')],
  }),
  ...choosing('AUTH-9', {
    'validated-before-key': [
      'Addresses, parameters, ids and bodies are all validated before the key is checked, and chunks and long keys refused.',
      together('chunked-bodies-answered-411', 'body-before-key', 'parameters-before-key',
        'ids-not-int64-refused-before-key', 'unknown-parameters-refused-before-key',
        'malformed-encoding-refused-before-key', 'keys-of-8-kb-answered-431')],
    'refuses-with-400-whatever-it-may': [
      'Whatever may be answered with 400 is, if need be before the key is checked: limits, filters, ids, bodies and media types.',
      combine(
        together('strictest-of-all', 'names-with-c1-controls-refused', 'names-over-1000-units-refused',
          'duplicates-refused-even-if-equal', 'limit-twice-refused', 'status-twice-refused', 'ids-not-int64-answered-400'),
        override('checkMediaType', () => (call) => {
          if (!isExactlyJson(call)) throw new ApiError(400, 'media_type', 'Send the animal as application/json.');
        }),
        together('empty-pieces-of-queries-refused', 'malformed-encoding-refused-before-key', 'parameters-before-key',
          'unknown-parameters-refused-before-key', 'ids-not-int64-refused-before-key', 'body-before-key'),
      )],
  }),
  ...choosing('LIST-12', {
    'window-then-filter-on-replicas': [
      'A page comes from as many animals as the limit says, filtered afterwards, on replicas that are 0 and 1 second behind; ids are random.',
      together('ids-random', 'window-of-limit-then-filter', 'replicas-of-0-and-1-s-in-turn')],
    '3000-animals-in-pages-of-4-kb': [
      'The store holds 3,000 animals at first, ids count down, and a page has at most 4,096 bytes.',
      together('ids-descending', '3000-animals-at-start', 'pages-of-4-kb')],
    '3000-animals-by-chance': ['The store holds 3,000 animals at first, and every list is a random selection.',
      together('3000-animals-at-start', 'by-chance')],
    'empty-pages-of-1-served-in-turn': [
      'The store is empty at first, requests are served one at a time, and a page has at most one animal.',
      together('empty-at-start', 'pages-of-1', 'serial')],
  }),
  ...choosing('LIST-13', {
    'by-chance-on-uneven-replicas': [
      'Lists are random selections from two replicas that changes reach after up to 1.5 seconds; ids are scattered.',
      together('ids-scattered', 'by-chance', 'replicas-of-uneven-lag')],
    'short-pages-of-a-busy-store-on-replicas': [
      'Other callers add, change and remove animals, lists come from lagging replicas, and a page has at most seven animals.',
      together('others-remove-at-random', 'pages-of-7', 'replicas-of-100-ms-700-ms-1900-ms-by-chance')],
  }),
  ...choosing('LIST-7', {
    'empty-busy-store-on-replicas': ['The store is empty at first; others come and go, and one of five replicas lags.',
      together('others-come-and-go-in-an-empty-store', 'one-of-five-replicas-lags')],
  }),
  ...choosing('RES-9', {
    'decimals-and-more-members': [
      'Integers are written with exponents, animals and Errors have additional members, all in reverse order.',
      together('animals-with-more-members', 'errors-with-more-members', 'members-in-other-order',
        'integers-without-zeros-at-end')],
  }),
  ...choosing('SERV-3', {
    'fractions-written-spaciously': [
      'Integers are written with a fraction of zero, and JSON over several lines in ASCII.',
      together('json-spacious', 'integers-with-fraction-zero')],
    'deep-and-compressed': ['Animals have a member nested 3,000 deep, and bodies are compressed as asked.',
      together('animals-nested-3000-deep', 'coding-as-asked')],
  }),
  ...choosing('SERV-5', {
    'old-proxy': [
      'Responses are sent as HTTP/1.0 until the connection closes, header names in capitals and ISO-8859-1 as the charset.',
      together('charset-label-latin1', 'header-names-in-capitals', 'http-1-0-until-close')],
    'modern-proxy': [
      'Responses are compressed as asked, follow early hints, overtake one another, and connections close after three requests.',
      together('uneven', 'coding-as-asked', 'many-headers', 'connections-of-three-requests', 'early-hints')],
  }),
  ...choosing('LIM-3', {
    'throttled-busy-and-slow': [
      'At most 150 requests a second, some of which take a second, while other callers change the collection every millisecond.',
      together('very-busy', 'slow-now-and-then', 'throttled-seconds')],
  }),
];
