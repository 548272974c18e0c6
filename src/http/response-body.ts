/** Most bytes of a response body, before and after decompression. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Bodies longer than this share a budget of bytes that are read at once. */
const LARGE_BYTES = 256 * 1024;
const LARGE_BYTES_AT_ONCE = 2 * MAX_BODY_BYTES;
const FIRST_BUFFER_BYTES = 16 * 1024;

/** Reads bodies up to a bound. Only a few large ones are read at once, so that memory is bounded. */
export class BodyReader {
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  #available = LARGE_BYTES_AT_ONCE;

  /**
   * @param announced the length that the service announced, in bytes; undefined without one
   * @returns the bytes, or undefined where there are more than {@link MAX_BODY_BYTES}; the rest is not read
   */
  async read(
    body: AsyncIterable<unknown> & { destroy(): unknown },
    announced: number | undefined,
  ): Promise<Uint8Array | undefined> {
    // A list of chunks would cost far more than their bytes where a service sends one byte at a time.
    let buffer = new Uint8Array();
    let size = 0;
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
        if (needed > buffer.length) {
          const capacity = Math.max(needed, reserved, size === 0 ? 0 : Math.max(FIRST_BUFFER_BYTES, size * 2));
          const larger = new Uint8Array(Math.min(MAX_BODY_BYTES, capacity));
          larger.set(buffer.subarray(0, size));
          buffer = larger;
        }
        buffer.set(chunk, size);
        size = needed;
      }
      return buffer.subarray(0, size);
    } finally {
      this.#release(reserved);
    }
  }

  async #reserve(bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && bytes <= this.#available) this.#available -= bytes;
    else await new Promise<void>((start) => this.#waiting.push({ bytes, start }));
  }

  #release(bytes: number): void {
    this.#available += bytes;
    for (let next = this.#waiting[0]; next !== undefined && next.bytes <= this.#available; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#available -= next.bytes;
      next.start();
    }
  }
}
