import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** A body after its content encoding was undone, or why that was not possible. */
export type Decoded =
  | { readonly kind: 'decoded'; readonly body: Uint8Array }
  | { readonly kind: 'undecodable'; readonly sentence: string };

type Decoder = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** Each coding costs a whole pass over the body. */
const MAX_CODINGS = 4;

/** RFC 9110 lets "deflate" be zlib-wrapped; many services send it raw. */
const inflateEither: Decoder = (body, options) => {
  try {
    return inflateSync(body, options);
  } catch {
    return inflateRawSync(body, options);
  }
};

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateEither,
  br: brotliDecompressSync,
};

/**
 * Undoes the codings of a `Content-Encoding` header, last applied first.
 *
 * @param limit most bytes that the result may have, so that a small body cannot become a huge one
 */
export function decodeContent(body: Uint8Array, header: string | undefined, limit: number): Decoded {
  const codings = (header ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  if (codings.length > MAX_CODINGS) {
    return { kind: 'undecodable', sentence: `the Content-Encoding names ${codings.length} codings, one on the other` };
  }
  let current = body;
  for (const coding of codings) {
    const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    if (decode === undefined) return { kind: 'undecodable', sentence: `the content encoding "${coding}" is not known` };
    try {
      current = decode(current, { maxOutputLength: limit });
    } catch {
      return {
        kind: 'undecodable',
        sentence: `the body is not what its Content-Encoding says (${coding}), or too large`,
      };
    }
  }
  return { kind: 'decoded', body: current };
}
