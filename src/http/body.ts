import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

const FIRST_BYTES = 16 * 1024;
/** Every coding costs a pass over the whole body. */
const MOST_CODINGS = 4;

/** A body as it is received, kept up to a bound; beyond that, bytes are only counted. */
export class Body {
  readonly #most: number;
  #buffer = new Uint8Array();
  /** How many bytes were received. */
  size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Uint8Array): void {
    const needed = this.size + chunk.length;
    if (needed > this.#most) this.#buffer = new Uint8Array();
    else {
      // A list of chunks would cost far more than their bytes if a service sends one byte at a time.
      if (needed > this.#buffer.length) {
        const larger = new Uint8Array(Math.max(needed, this.size === 0 ? 0 : Math.max(FIRST_BYTES, this.size * 2)));
        larger.set(this.#buffer.subarray(0, this.size));
        this.#buffer = larger;
      }
      this.#buffer.set(chunk, this.size);
    }
    this.size = needed;
  }

  /** What was received; undefined if it exceeds the bound. */
  get bytes(): Uint8Array | undefined {
    return this.size > this.#most ? undefined : this.#buffer.subarray(0, this.size);
  }
}

/** Lets one large body be read at a time, so that those of many connections do not fill the memory. */
export class LargeBodies {
  readonly #waiting: { readonly body: Body; readonly resume: () => void }[] = [];
  #reading: Body | undefined;

  /** Whether reading a body may continue now; if not, `resume` is called when it may. */
  mayGoOn(body: Body, resume: () => void): boolean {
    this.#reading ??= body;
    if (this.#reading !== body) this.#waiting.push({ body, resume });
    return this.#reading === body;
  }

  isWaiting(body: Body): boolean {
    return this.#waiting.some((entry) => entry.body === body);
  }

  /** A body has ended, or is no longer read. */
  ended(body: Body): void {
    const at = this.#waiting.findIndex((entry) => entry.body === body);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (this.#reading !== body) return;
    const next = this.#waiting.shift();
    this.#reading = next?.body;
    next?.resume();
  }
}

type Decoder = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** RFC 9110 says that "deflate" has a zlib wrapper; many services send it without. */
const inflateEither: Decoder = (body, options) => {
  try {
    return inflateSync(body, options);
  } catch {
    return inflateRawSync(body, options);
  }
};

const DECODERS = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', brotliDecompressSync],
]);

/** All content codings that are registered (RFC 9110, 16.6.1). Another name, such as of a charset, names none. */
const REGISTERED = new Set(
  'aes128gcm br compress dcb dcz deflate exi gzip pack200-gzip x-compress x-gzip zstd'.split(' '),
);

/** The codings of a body, in the order in which they were applied. */
export const codingsOf = (header: string | undefined): string[] =>
  (header ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => REGISTERED.has(coding));

/**
 * Decodes a body by its `Content-Encoding` header, the last coding first.
 *
 * @param most the most bytes that the result may have, so that a small body cannot become a huge one
 * @returns the decoded body, or why it could not be decoded
 */
export function decoded(body: Uint8Array, header: string | undefined, most: number): Uint8Array | string {
  const applied = codingsOf(header);
  if (applied.length > MOST_CODINGS) return `Content-Encoding lists ${applied.length} codings`;
  let plain = body;
  for (const coding of applied.reverse()) {
    const decode = DECODERS.get(coding);
    if (decode === undefined) return `a content coding cannot be decoded: "${coding}"`;
    try {
      plain = decode(plain, { maxOutputLength: most });
    } catch {
      return `the body is not valid for its Content-Encoding (${coding}), or too large`;
    }
  }
  return plain;
}
