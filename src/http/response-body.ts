import { collectAfter } from './garbage.ts';

/** Most bytes of a response body, before and after decompression. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Bodies beyond this length are read a few at a time, so many bytes at once in all. */
const LARGE_BYTES = 256 * 1024;
const LARGE_BYTES_AT_ONCE = 8 * 1024 * 1024;
/** The garbage that smaller bodies leave is the engine's concern. */
const NOTICED_BYTES = 32 * 1024;
const FIRST_BUFFER_BYTES = 16 * 1024;

/**
 * Reads bodies whole, up to a bound. Only a few large ones are read at once and the others wait, unread, so that
 * memory stays bounded whatever a service sends on however many connections.
 */
export class BodyReader {
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = [];
  #reserved = 0;

  /**
   * @param announced the length that the service gave, in bytes; undefined where it gave none
   * @returns the bytes, or undefined where there are more than {@link MAX_BODY_BYTES}; the rest is not read
   */
  async read(
    body: AsyncIterable<unknown> & { destroy(): unknown },
    announced: number | undefined,
  ): Promise<Uint8Array | undefined> {
    let held: Uint8Array = new Uint8Array();
    let size = 0;
    let isOwn = false;
    let reserved = 0;
    try {
      for await (const chunk of body) {
        if (!(chunk instanceof Uint8Array)) continue;
        const needed = size + chunk.length;
        if (needed > MAX_BODY_BYTES) {
          body.destroy();
          return undefined;
        }
        if (reserved === 0 && needed > LARGE_BYTES) {
          reserved = Math.min(MAX_BODY_BYTES, Math.max(needed, announced ?? MAX_BODY_BYTES));
          await this.#reserve(reserved);
        }
        if (size === 0) held = chunk;
        else {
          // Collecting the chunks would cost far more than their bytes where a service sends one byte at a time.
          if (!isOwn || needed > held.length) held = grown(held, size, Math.max(needed, reserved));
          isOwn = true;
          held.set(chunk, size);
        }
        size = needed;
      }
      return size === held.length ? held : held.subarray(0, size);
    } finally {
      if (reserved > 0) this.#release(reserved);
      if (size > NOTICED_BYTES) collectAfter(size);
    }
  }

  #reserve(bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && this.#reserved + bytes <= LARGE_BYTES_AT_ONCE) {
      this.#reserved += bytes;
      return Promise.resolve();
    }
    return new Promise((enter) => this.#waiting.push({ bytes, enter }));
  }

  #release(bytes: number): void {
    this.#reserved -= bytes;
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#reserved + next.bytes > LARGE_BYTES_AT_ONCE) return;
      this.#waiting.shift();
      this.#reserved += next.bytes;
      next.enter();
    }
  }
}

/** A buffer for at least `needed` bytes that begins with the first `size` bytes of another. */
function grown(held: Uint8Array, size: number, needed: number): Uint8Array {
  const larger = new Uint8Array(Math.min(MAX_BODY_BYTES, Math.max(needed, size * 2, FIRST_BUFFER_BYTES)));
  larger.set(held.subarray(0, size));
  return larger;
}
