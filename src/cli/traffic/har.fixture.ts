/** What a test writes of an exchange; the rest is usual. */
export interface WrittenEntry {
  readonly method?: string;
  readonly path?: string;
  readonly base?: string;
  /** The Authorization header; undefined for none. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sent?: unknown;
  readonly status?: number;
  readonly answer?: unknown;
  /** Seconds after the first. */
  readonly at?: number;
}

export const REX = { name: 'Rex', categoryId: 1, status: 'sold' };
export const RIGHT = 'Bearer Right-Key-1234';

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** An HTTP archive with these exchanges. */
export function archiveOf(entries: readonly WrittenEntry[]): string {
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'test', version: '1' }, entries: entries.map(entryOf) },
  });
}

function entryOf(written: WrittenEntry, place: number) {
  const {
    method = 'GET',
    path = '/pets',
    base = 'https://shop.example/v1',
    headers = {},
    sent,
    status = 200,
  } = written;
  const { answer = [], at = place } = written;
  const key = 'key' in written ? written.key : RIGHT;
  const [body, text] = [JSON.stringify(sent), JSON.stringify(answer)];
  return {
    startedDateTime: new Date(Date.UTC(2026, 10, 26, 10) + at * 1_000).toISOString(),
    time: 20,
    request: {
      method,
      url: base + path,
      headers: pairs({ ...(key === undefined ? {} : { authorization: key }), ...headers }),
      bodySize: body?.length ?? 0,
      ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status,
      headers: pairs({ 'content-type': 'application/json' }),
      content: { size: Buffer.byteLength(text), text },
    },
  };
}
