import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { constants, createGunzip } from 'node:zlib';
import type { Response } from '../../http/exchange.ts';
import type { RecordedExchange } from '../../http/recorded.ts';
import { UsageError } from '../errors.ts';
import { EntryScanner } from './entry-scanner.ts';

/**
 * The exchanges of an HTTP archive (HAR 1.2, gzip'd or not), one by one. What is damaged is left out.
 *
 * @param onDamage gets a line for each thing that was left out
 * @throws UsageError where the file cannot be read, or is no archive
 */
export async function* exchangesIn(file: string, onDamage: (line: string) => void): AsyncGenerator<RecordedExchange> {
  const scanner = new EntryScanner();
  const unreadable = (why: string): UsageError =>
    new UsageError('file-unreadable', `judge: cannot read ${file}: ${why}`);
  try {
    for await (const chunk of bytesOf(file)) {
      for (const { number, at, json } of scanner.push(chunk)) {
        const read = json === undefined ? 'it is longer than 32 MiB' : exchangeIn(json, file);
        if (typeof read === 'string') onDamage(`${file}: entry ${number} (byte ${at}) is left out: ${read}`);
        else if (read !== undefined) yield read;
      }
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? `${error.code}` : '';
    if (!scanner.hasEntries && /^E[A-Z]+$/.test(code)) throw unreadable(code === 'ENOENT' ? 'file not found' : code);
    if (!/^(Z_|E[A-Z]+$)/.test(code)) throw error;
    onDamage(`${file}: damaged at ${scanner.place} (${code}); what comes before is judged`);
    return;
  }
  if (!scanner.hasEntries) throw unreadable('it holds no log.entries; give an HTTP archive (HAR 1.2)');
  if (!scanner.isComplete) onDamage(`${file}: cut off at ${scanner.place}; what comes before is judged`);
}

/** A head of more bytes may be too long for what stands before a service. */
const USUAL_HEADERS_SIZE = 4_000;

/** The bytes of a file, unpacked where it is gzip'd; one that is cut off ends where it does. */
async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
  const source = createReadStream(file, { highWaterMark: 256 * 1024 });
  const isPacked = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 256 * 1024 });
  const bytes: AsyncIterable<unknown> = isPacked
    ? source.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
    : source;
  for await (const chunk of bytes) if (Buffer.isBuffer(chunk)) yield chunk;
}

/** Reads an entry; undefined for one without a response, and why where it cannot be read. */
function exchangeIn(json: Buffer, source: string): RecordedExchange | string | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(json.toString('utf8'));
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 120) : 'it is no JSON';
  }
  const [request, response] = [member(entry, 'request'), member(entry, 'response')];
  const [method, url, status] = [text(request, 'method'), text(request, 'url'), number(response, 'status')];
  if (method === undefined || url === undefined || status === undefined) return 'it lacks a method, a URL or a status';
  const sent = Date.parse(text(entry, 'startedDateTime') ?? '');
  if (Number.isNaN(sent)) return 'its startedDateTime is no date';
  // A request that the client gave up, or that something on its way has stopped, says nothing of the service.
  if (status === 0) return undefined;
  // So does a refusal of a head that is longer than what is shown of it: it may come from before the service.
  const isLong = (number(request, 'headersSize') ?? 0) > USUAL_HEADERS_SIZE;
  if (isLong && status >= 400 && status < 500) return undefined;
  const headers = headersIn(response);
  return {
    source,
    method,
    url,
    headers: requestHeadersIn(request),
    body: requestBodyIn(request),
    sentAt: sent - performance.timeOrigin,
    answer: {
      kind: 'response',
      status,
      headers,
      encodingFault: undefined,
      milliseconds: Math.max(0, number(entry, 'time') ?? 0),
      ...responseBodyIn(member(response, 'content'), headers),
    },
  };
}

function requestHeadersIn(request: unknown): Response['headers'] {
  const headers = headersIn(request);
  const type = text(member(request, 'postData'), 'mimeType') ?? '';
  const isNamed = type === '' || headers.some(([name]) => name.toLowerCase() === 'content-type');
  return isNamed ? headers : [...headers, ['content-type', type]];
}

function requestBodyIn(request: unknown): RecordedExchange['body'] {
  const postData = member(request, 'postData');
  const written = text(postData, 'text');
  const size = number(request, 'bodySize') ?? -1;
  if (written === undefined || written === '') {
    const length = headersIn(request).find(([name]) => name.toLowerCase() === 'content-length')?.[1];
    return size === 0 || length === '0' ? undefined : 'not recorded';
  }
  // Memory of its own: a small buffer keeps the larger one alive that it is a part of.
  const body = new TextEncoder().encode(written);
  const isWhole = text(postData, 'comment') === undefined && isAsLong(written, body.length, size);
  return isWhole ? body : 'not recorded';
}

function responseBodyIn(content: unknown, headers: Response['headers']): Pick<Response, 'body' | 'unknownBody'> {
  const written = text(content, 'text');
  const size = number(content, 'size') ?? -1;
  const isEmpty = headers.some(([name, value]) => name.toLowerCase() === 'content-length' && value === '0');
  if (isEmpty || (written === '' && size <= 0)) return { body: new Uint8Array() };
  const body = Buffer.from(written ?? '', text(content, 'encoding') === 'base64' ? 'base64' : 'utf8');
  const isWhole = text(content, 'comment') === undefined && isAsLong(written ?? '', body.length, size);
  if (written !== undefined && written !== '' && isWhole) return { body };
  return { body: new Uint8Array(), unknownBody: 'the body was not recorded' };
}

/**
 * Whether a text is as long as its body was, as far as the archive says: it may have been cut, or read in another
 * encoding. Some recorders give the length of a body as it was compressed; then it is the longer one.
 */
function isAsLong(written: string, length: number, size: number): boolean {
  if (written.includes('\ufffd')) return false;
  return size <= 0 || length === size || (length > size && /^[\0-\x7f]*$/.test(written));
}

/** The headers of a message, without what HTTP/2 has in the place of a first line. */
function headersIn(message: unknown): Response['headers'] {
  const all = member(message, 'headers');
  if (!Array.isArray(all)) return [];
  return all.flatMap((header): Response['headers'] => {
    const [name, value] = [text(header, 'name'), text(header, 'value')];
    return name === undefined || value === undefined || name.startsWith(':') ? [] : [[name, value]];
  });
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

function text(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}

function number(value: unknown, name: string): number | undefined {
  const found = member(value, name);
  return typeof found === 'number' ? found : undefined;
}
