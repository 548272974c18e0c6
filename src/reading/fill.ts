import { gzipSync } from 'node:zlib';
import type { WireRequest } from '../http/message.ts';
import type { Call } from './call.ts';
import { ID_FORMS } from './id-forms.ts';
import { KEY_FORMS } from './key-forms.ts';

/** The terms of a run: all that readings and rules depend on besides the exchanges. */
export interface Terms {
  /** The path of the base address, such as `/v1`. */
  readonly basePath: string;
  readonly key: string;
  /** The User-Agent. */
  readonly agent: string;
  /** The categories given with `--category-id`; empty for any. */
  readonly categories: readonly bigint[];
  /** The UTC date, `YYYY-MM-DD`. */
  readonly today: string;
  /** How long a new animal may be missing from lists (ms). */
  readonly settleMs: number;
}

/** What the names in the texts of a call stand for; the key is never among them. */
export type Names = Readonly<Record<string, string>>;

/** Whether a call names an animal of the run. */
export const needsId = (call: Call): boolean => /\$ID(?![A-Z])/.test(callText(call));
export const needsFree = (call: Call): boolean => /\$FREE(?![A-Z])/.test(callText(call));
/** Whether a call sends back the cookies that responses have set. */
export const needsCookie = (call: Call): boolean => /\$COOKIE(?![A-Z])/.test(callText(call));

const callText = ({ target, headers, body = '' }: Call): string => `${target} ${headers.join(' ')} ${body}`;

/** Some servers close the connection, without a byte, on a head of 16 KiB. */
const LONGEST_HEAD = 16_000;
/** What the connection adds to a head: the method, Host, Connection and Content-Length. */
const ADDED_BYTES = 120;

/** How many bytes the head of a request has. */
export const sizeOfHead = ({ headers, target }: Pick<WireRequest, 'headers' | 'target'>): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, target.length + ADDED_BYTES);

/**
 * The bytes of a call. Undefined if a form of the key or of the id does not exist, such as half of a key of one letter, if
 * a name has no value, or if the head is longer than any that is sent.
 */
export function fill(
  call: Call,
  names: Names,
  terms: Pick<Terms, 'basePath' | 'key' | 'agent'>,
): WireRequest | undefined {
  const bytes = (text: string): Buffer | undefined => {
    const named = replaceNames(text, names, terms);
    return named === undefined ? undefined : expand(named);
  };
  const target = bytes(call.target);
  const headers = call.headers.map(([name, value]) => [name, bytes(value)] as const);
  const body = call.body === undefined ? undefined : bytes(call.body);
  if (target === undefined || (call.body !== undefined && body === undefined)) return undefined;
  if (headers.some(([, value]) => value === undefined)) return undefined;
  const request: WireRequest = {
    method: call.method,
    target: terms.basePath + target.toString('latin1'),
    headers: headers.map(([name, value]) => [name, value?.toString('latin1') ?? '']),
    body,
    chunkBytes: call.chunkBytes,
  };
  return sizeOfHead(request) > LONGEST_HEAD ? undefined : request;
}

/** The texts of a call as evidence shows them: with all names filled in except the key and cookies, which may be secret. */
export function shownTexts(call: Call, names: Names): Pick<WireRequest, 'target' | 'headers' | 'body'> {
  const text = (one: string): Buffer => expand(replaceNames(one, names, { agent: AGENT }) ?? one);
  return {
    target: text(call.target).toString('latin1'),
    headers: call.headers.map(([name, value]) => [name, text(value).toString('utf8')]),
    ...(call.body !== undefined && { body: text(call.body) }),
  };
}

/** The User-Agent of every plain request. */
export const AGENT = 'petstore-conformance';

// Letters in lower case and digits may follow a name, as where a text was shortened.
const NAME = /\$(NAME|NUMBER|ID|FREE|COOKIE|KEY|AGENT)(?![A-Z])(?::([a-z0-9-]+))?/g;

/** Fills in names; without a key, `$KEY` and `$COOKIE` stay. Undefined if a name has no value. */
function replaceNames(
  text: string,
  names: Names,
  { key, agent }: { readonly key?: string; readonly agent: string },
): string | undefined {
  let isComplete = true;
  const replaced = text.replace(NAME, (whole, name: string, form?: string) => {
    if (key === undefined && (name === 'KEY' || name === 'COOKIE')) return whole;
    const value = name === 'KEY' ? key : name === 'AGENT' ? agent : names[name];
    const forms = name === 'KEY' ? KEY_FORMS : name === 'ID' ? ID_FORMS : {};
    const change = form === undefined ? undefined : forms[form];
    const rest = form === undefined || change !== undefined ? '' : `:${form}`;
    const changed = value === undefined || change === undefined ? value : change(value);
    if (changed === undefined) isComplete = false;
    return changed + rest;
  });
  return isComplete ? replaced : undefined;
}

const WRITTEN = /\$(?:BYTES:((?:[0-9a-f]{2})+)|TIMES:(\d+)<([^>]*)>|GZIP<([^>]*)>|UTF16LE<([^>]*)>)/g;

/** A text in UTF-8, with what is written as bytes, repeated or encoded. */
function expand(text: string): Buffer {
  const parts: Buffer[] = [];
  let end = 0;
  for (const match of text.matchAll(WRITTEN)) {
    const [whole, hex, times, repeated, gzip, utf16] = match;
    parts.push(Buffer.from(text.slice(end, match.index)));
    if (hex !== undefined) parts.push(Buffer.from(hex, 'hex'));
    else if (repeated !== undefined) parts.push(Buffer.from(repeated.repeat(Number(times))));
    else if (gzip !== undefined) parts.push(gzipSync(gzip));
    else parts.push(Buffer.from(utf16 ?? '', 'utf16le'));
    end = match.index + whole.length;
  }
  if (end === 0) return Buffer.from(text);
  return Buffer.concat([...parts, Buffer.from(text.slice(end))]);
}
