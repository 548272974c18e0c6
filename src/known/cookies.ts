import type { Headers } from '../http/message.ts';

/** The cookies that responses have set. */
export class Cookies {
  readonly #byName = new Map<string, string>();

  /** As a client sends them back; undefined if none was set. */
  get text(): string | undefined {
    return this.#byName.size === 0 ? undefined : [...this.#byName.values()].join('; ');
  }

  learn(headers: Headers): void {
    for (const [name, value] of headers) {
      const [cookie = ''] = value.split(';', 1);
      if (name.toLowerCase() === 'set-cookie') this.#byName.set(cookie.split('=', 1)[0] ?? '', cookie);
    }
  }
}
