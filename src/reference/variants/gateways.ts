import { changeResponse, choosing, combine, errorResponse, isSuccess, override, textOf } from '../changes.ts';
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

/** An id behind dot segments that lead back to it (`x/../5`). */
const resolvingDotSegments = override(
  'readPetId',
  (original) => (call) =>
    original({ ...call, petId: /^(?:[\w-]+\/\.\.\/|\.\/)+(-?\d+)$/.exec(call.petId ?? '')?.[1] ?? call.petId }),
);

/** A range of bytes from a number on, to another or to the end. */
const rangeOf = (call: Call): readonly [from: number, to: number] | undefined => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(call.header('range') ?? '') ?? [];
  return from === undefined ? undefined : [Number(from), to === '' ? Number.POSITIVE_INFINITY : Number(to)];
};

const answeringRanges = changeResponse(
  (response, call) => isSuccess(response, call) && call.incoming.method === 'GET' && rangeOf(call) !== undefined,
  (response, call) => {
    const body = Buffer.from(textOf(response));
    const [from, to] = rangeOf(call) ?? [0, 0];
    const last = Math.min(to, body.length - 1);
    const headers = { ...response.headers, 'Content-Range': `bytes ${from}-${last}/${body.length}` };
    return { status: 206, headers, body: body.subarray(from, last + 1) };
  },
);

/** Whether each type that a request accepts, apart from those that are not JSON, has parameters besides a weight. */
const acceptsWithParameters = (call: Call): boolean => {
  const ranges = call.header('accept')?.split(',') ?? ['*/*'];
  return !ranges.some((range) => /^\s*(application\/json|\*\/\*)\s*(;\s*q=[\d.]+\s*)?$/i.test(range));
};

const isUnboundedMultipart = (call: Call): boolean =>
  /^multipart\/(?!.*boundary=)/i.test(call.header('content-type') ?? '');

const hasControlInQuery = ({ incoming: { url = '' } }: Call): boolean => /\?.*%(?:[01][\da-f]|7f)/i.test(url);

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
    'accept-with-parameters-answered-406-with-a-page': [
      'A request that accepts `application/json` and `*/*` only with parameters, or not at all, is answered with 406 and a page of HTML.',
      answeringBefore(acceptsWithParameters, () => asPage(406))],
    'accept-of-ranges-answered-406-without-a-body': [
      'A request that accepts neither `application/json` nor `*/*` is answered with 406 and no body.',
      answeringBefore(acceptsNeither, () => withoutBody(406))],
  }),
  ...choosing('CREATE-13', {
    'multipart-without-boundary-answered-400-with-a-page': [
      'A body of `multipart/…` without a boundary is answered with 400 and a page of HTML, before its key is checked.',
      answeringBefore(isUnboundedMultipart, () => asPage(400))],
    'multipart-without-boundary-answered-422-without-a-body': [
      'A body of `multipart/…` without a boundary is answered with 422 and no body.',
      answeringBefore(isUnboundedMultipart, () => withoutBody(422))],
  }),
  ...choosing('LIST-11', {
    'control-characters-in-queries-answered-400-with-a-page': [
      'An escaped control character in a query is answered with 400 and a page of HTML, before it reaches the service.',
      answeringBefore(hasControlInQuery, () => asPage(400))],
    'control-characters-in-queries-answered-403-without-a-body': [
      'An escaped control character in a query is answered with 403 and no body.',
      answeringBefore(hasControlInQuery, () => withoutBody(403))],
  }),
  ...choosing('LIST-12', {
    'ranges-answered-206': ['A range of the bytes of a page or an animal is answered with 206 and that range.',
      answeringRanges],
  }),
  ...choosing('GET-5', {
    'dot-segments-resolved': ['Encoded dot segments that lead back to an id (`x%2F..%2F5`) are resolved.',
      resolvingDotSegments],
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
