import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

type Decoder = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** Every coding costs a pass over the whole body. */
const MAX_CODINGS = 4;

/** By RFC 9110 "deflate" has a zlib wrapper; many services send it without. */
const inflateEither: Decoder = (body, options) => {
  try {
    return inflateSync(body, options);
  } catch {
    return inflateRawSync(body, options);
  }
};

const DECODERS = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', brotliDecompressSync],
]);

/** The codings of a `Content-Encoding` header, in the order in which they were applied, by their usual names. */
export function codingsOf(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((coding) => codingNamed(coding))
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/** The usual name of a coding: case and blanks make no difference, and `x-gzip` is another word for gzip (RFC 9110, 8.4.1.3). */
export function codingNamed(text: string): string {
  const name = text.trim().toLowerCase();
  return name === 'x-gzip' ? 'gzip' : name;
}

/**
 * Decodes a body by its `Content-Encoding` header, the last coding first.
 *
 * @param limit most bytes that the result may have, so that a small body cannot become a huge one
 * @returns the decoded body, or why it could not be decoded
 */
export function decodeContent(body: Uint8Array, header: string | undefined, limit: number): Uint8Array | string {
  const codings = codingsOf(header);
  if (codings.length > MAX_CODINGS) return `Content-Encoding lists ${codings.length} codings`;
  let decoded = body;
  for (const coding of codings.reverse()) {
    const decode = DECODERS.get(coding);
    if (decode === undefined) return `the content encoding "${coding}" is unknown`;
    try {
      decoded = decode(decoded, { maxOutputLength: limit });
    } catch {
      return `the body is not valid for its Content-Encoding (${coding}), or too large`;
    }
  }
  return decoded;
}
