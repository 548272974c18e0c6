import type { TimeLimit } from './pacing/time-limit.ts';

/** Most bytes of a response body that are kept, before and after decompression. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** A body of this many bytes counts as one that never ends. */
export const ENDLESS_BYTES = 2 * MAX_BODY_BYTES;
/** Bodies longer than this share a budget of bytes that are read at once. */
const LARGE_BYTES = 256 * 1024;
/** What a large body may take of that budget; one that needs more waits until no other does. */
const USUAL_LARGE_BYTES = 4 * 1024 * 1024;
const LARGE_BYTES_AT_ONCE = 2 * USUAL_LARGE_BYTES;
const FIRST_BUFFER_BYTES = 16 * 1024;

/** Limits how many bytes are read at a time, first come, first served. */
class Budget {
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  #available: number;

  constructor(bytes: number) {
    this.#available = bytes;
  }

  async reserve(bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && bytes <= this.#available) this.#available -= bytes;
    else await new Promise<void>((start) => this.#waiting.push({ bytes, start }));
  }

  release(bytes: number): void {
    this.#available += bytes;
    for (let next = this.#waiting[0]; next !== undefined && next.bytes <= this.#available; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#available -= next.bytes;
      next.start();
    }
  }
}

/** A body as far as it was read: its bytes, or too many to be kept, with or without an end in sight. */
export type ReadBody = Uint8Array | 'too large' | 'endless';

/** Reads bodies up to a bound. Only a few large ones are read at once, so that memory is bounded. */
export class BodyReader {
  readonly #large = new Budget(LARGE_BYTES_AT_ONCE);
  readonly #huge = new Budget(MAX_BODY_BYTES);
  /** The one body that is longer than usual is read into it: a buffer of its own for each would wait to be collected. */
  #hugeBuffer = new Uint8Array();

  /**
   * @param announced the length that the service announced, in bytes; undefined without one
   * @param limit its clock stands still while the body waits for others
   */
  async read(
    body: AsyncIterable<unknown> & { destroy(): unknown; bytes(): Promise<Uint8Array> },
    announced: number | undefined,
    limit: Pick<TimeLimit, 'while'>,
  ): Promise<ReadBody> {
    // undici reads no further than the announced length, and costs less than iterating.
    if (announced !== undefined && announced <= LARGE_BYTES) return body.bytes();
    // A list of chunks would cost far more than their bytes where a service sends one byte at a time.
    let buffer = new Uint8Array();
    let size = 0;
    let large = 0;
    let huge = 0;
    if (announced !== undefined && announced > MAX_BODY_BYTES) {
      body.destroy();
      return 'too large';
    }
    try {
      for await (const chunk of body) {
        if (!(chunk instanceof Uint8Array)) continue;
        const needed = size + chunk.length;
        if (needed > ENDLESS_BYTES) {
          body.destroy();
          return 'endless';
        }
        if (needed > MAX_BODY_BYTES) {
          // Only the end is of interest from here on.
          buffer = new Uint8Array();
          size = needed;
          continue;
        }
        if (large === 0 && needed > LARGE_BYTES) {
          large = Math.min(USUAL_LARGE_BYTES, Math.max(needed, announced ?? USUAL_LARGE_BYTES));
          await limit.while(this.#large.reserve(large));
        }
        if (huge === 0 && needed > USUAL_LARGE_BYTES) {
          huge = MAX_BODY_BYTES;
          await limit.while(this.#huge.reserve(huge));
          if (this.#hugeBuffer.length === 0) this.#hugeBuffer = new Uint8Array(MAX_BODY_BYTES);
          this.#hugeBuffer.set(buffer.subarray(0, size));
          buffer = this.#hugeBuffer;
        }
        if (needed > buffer.length) {
          const capacity = Math.max(needed, large, size === 0 ? 0 : Math.max(FIRST_BUFFER_BYTES, size * 2));
          const larger = new Uint8Array(capacity);
          larger.set(buffer.subarray(0, size));
          buffer = larger;
        }
        buffer.set(chunk, size);
        size = needed;
      }
      if (size > MAX_BODY_BYTES) return 'too large';
      return huge > 0 ? buffer.slice(0, size) : buffer.subarray(0, size);
    } finally {
      this.#large.release(large);
      this.#huge.release(huge);
    }
  }
}
