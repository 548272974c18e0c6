import { UsageError } from './errors.ts';
import { quoted } from './quoted.ts';

/**
 * The base address of a target (parts 1 and 9 of the specification): http or https, ending in `/v1`.
 * A credential in it counts as a secret, so it is refused and never repeated.
 * @param source the option or the variable that it came from
 * @returns the address without a trailing slash
 * @throws UsageError
 */
export function readBaseUrl(source: string, text: string): string {
  const wrong = (what: string): UsageError => new UsageError('value-invalid', `${source}: ${what}`);

  if (text.trim() === '') throw wrong('the address is empty; give one such as https://staging.example/v1');
  if (text.includes('@')) {
    throw wrong('an address with a user name, a password or an @ in it is not taken; give the key with --token or -H');
  }
  // Whatever follows a question mark may be a key: it is not repeated.
  const shown = text.split(/[?#]/, 1)[0] ?? '';
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const mended = `https://${shown}`;
    const hint = URL.canParse(mended) && /^[\w.:[\]-]+(\/|$)/.test(shown) ? `; did you mean ${quoted(mended)}?` : '';
    throw wrong(`${quoted(shown)} does not begin with http:// or https://${hint}`);
  }
  if (!URL.canParse(text) || /[\s\\]/.test(text)) {
    throw wrong(`${quoted(shown)} is not an address; write one such as https://staging.example/v1`);
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw wrong(`${quoted(shown)} has the scheme ${quoted(url.protocol)}; only http:// and https:// are taken`);
  }
  if (text !== shown)
    throw wrong(`${quoted(shown)} is followed by a query or a fragment; leave out the ? or # and the rest`);
  const path = url.pathname.replace(/\/$/, '');
  if (!path.endsWith('/v1')) {
    const base = `${url.origin}${path.replace(/\/pets(\/[^/]*)?$/, '').replace(/\/+$/, '')}`;
    const mended = base.endsWith('/v1') ? base : `${base}/v1`;
    throw wrong(`${quoted(shown)} does not end in /v1, the version segment; did you mean ${quoted(mended)}?`);
  }
  return `${url.origin}${path}`;
}
