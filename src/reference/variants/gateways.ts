import { choosing, combine, errorResponse, override } from '../changes.ts';
import type { Call, Variant } from '../steps.ts';
import { answeringBefore, asPage, withoutBody } from './builders.ts';
import { acceptsNone } from './gates.ts';

const hasTab = ({ incoming: { rawHeaders } }: Call): boolean => rawHeaders.some((text) => text.includes('\t'));

const acceptsNeither = acceptsNone('application/json', '*/*');

/** The number beside one encoded slash, before or after it. */
const besideSlash = ({ petId = '' }: Call): string | undefined => {
  const [, after, before] = /^\/(-?\d+)$|^(-?\d+)\/$/.exec(petId) ?? [];
  return after ?? before;
};

const isBesideSlash = (call: Call): boolean => besideSlash(call) !== undefined;

/** Merges the slash with the one before the id, or drops it. */
const mergingSlashes = override(
  'readPetId',
  (original) => (call) => original({ ...call, petId: besideSlash(call) ?? call.petId }),
);

const locationOf = (call: Call) => ({ Location: `${call.service.basePath}/pets/${besideSlash(call)}` });

const strippingZeros = override(
  'readPetId',
  (original) => (call) => original({ ...call, petId: call.petId?.replace(/^(-?)0+(?=\d)/, '$1') }),
);

/** What stands before a service, and changes or refuses requests. */
// biome-ignore format: one table
export const gatewayVariants: readonly Variant[] = [
  ...choosing('ERR-3', {
    'tabs-in-headers-answered-400-with-a-page': [
      'A tab within a header is answered with 400 and a page of HTML, before it reaches the service.',
      answeringBefore(hasTab, () => asPage(400))],
    'accept-of-ranges-answered-406': [
      'A request that accepts neither `application/json` nor `*/*` is answered with 406 and an Error.',
      answeringBefore(acceptsNeither, () => errorResponse(406))],
    'accept-of-ranges-answered-406-without-a-body': [
      'A request that accepts neither `application/json` nor `*/*` is answered with 406 and no body.',
      answeringBefore(acceptsNeither, () => withoutBody(406))],
  }),
  ...choosing('GET-5', {
    'slashes-beside-ids-merged': ['An encoded slash before or after an id is merged with the one of the path, or dropped.',
      mergingSlashes],
    'slashes-beside-ids-redirected': [
      'An encoded slash before or after an id is answered with 308, the address without it, and a page of HTML.',
      answeringBefore(isBesideSlash, (call) => {
        const page = asPage(308);
        return { ...page, headers: { ...page.headers, ...locationOf(call) } };
      })],
    'slashes-beside-ids-redirected-without-a-body': [
      'An encoded slash before or after an id is answered with 302, the address without it, and no body.',
      answeringBefore(isBesideSlash, (call) => ({ ...withoutBody(302), headers: locationOf(call) }))],
    'zeros-before-ids-ignored': ['Zeros before an id are ignored, however many.', strippingZeros],
    'slashes-and-zeros-beside-ids-ignored': [
      'An encoded slash before or after an id is ignored, and zeros before it are, however many.',
      combine(strippingZeros, mergingSlashes)],
  }),
];
