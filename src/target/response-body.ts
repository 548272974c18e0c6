/** Most bytes of a response body, before and after decompression. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Bodies beyond this length are read a few at a time. */
const LARGE_BYTES = 256 * 1024;
const LARGE_AT_ONCE = 8;
const FIRST_BUFFER_BYTES = 16 * 1024;

/**
 * Reads bodies whole, up to a bound. Only a few large ones are read at once and the others wait, unread, so that
 * memory stays bounded whatever a service sends on however many connections.
 */
export class BodyReader {
  readonly #waiting: (() => void)[] = [];
  #large = 0;

  /** @returns the bytes, or undefined where there are more than {@link MAX_BODY_BYTES}; the rest is not read */
  async read(body: AsyncIterable<unknown> & { destroy(): unknown }): Promise<Uint8Array | undefined> {
    let held: Uint8Array = new Uint8Array();
    let size = 0;
    let isOwn = false;
    let isLarge = false;
    try {
      for await (const chunk of body) {
        if (!(chunk instanceof Uint8Array)) continue;
        const needed = size + chunk.length;
        if (needed > MAX_BODY_BYTES) {
          body.destroy();
          return undefined;
        }
        if (!isLarge && needed > LARGE_BYTES) {
          await this.#enter();
          isLarge = true;
        }
        if (size === 0) held = chunk;
        else {
          // Collecting the chunks would cost far more than their bytes where a service sends one byte at a time.
          if (!isOwn || needed > held.length) held = grown(held, size, needed);
          isOwn = true;
          held.set(chunk, size);
        }
        size = needed;
      }
      return size === held.length ? held : held.slice(0, size);
    } finally {
      if (isLarge) this.#leave();
    }
  }

  #enter(): Promise<void> {
    this.#large += 1;
    if (this.#large <= LARGE_AT_ONCE) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    this.#large -= 1;
    this.#waiting.shift()?.();
  }
}

/** A buffer for at least `needed` bytes that begins with the first `size` bytes of another. */
function grown(held: Uint8Array, size: number, needed: number): Uint8Array {
  const larger = new Uint8Array(Math.min(MAX_BODY_BYTES, Math.max(needed, size * 2, FIRST_BUFFER_BYTES)));
  larger.set(held.subarray(0, size));
  return larger;
}
