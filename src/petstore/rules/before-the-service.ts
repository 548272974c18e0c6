import type { Rule } from '../../engine/check.ts';
import { type HeadSize, type WireRequest, withQuery } from '../../http/exchange.ts';
import { decoded } from '../calls.ts';
import type { PetReply } from '../reply.ts';

/**
 * What stands before a service, such as a proxy, a router or its HTTP server, may answer in its stead where a request is
 * not valid HTTP, its head is long, or its path reads as another one. Every rule asks here, so that what is permitted
 * follows from the request as it was sent.
 */

/** Heads up to this size are read everywhere. Heads that are larger in some respect may be refused unread. */
export const SURELY_READ: HeadSize = { total: 4_000, requestLine: 4_000, longestField: 4_000, fields: 25 };

const RESPECTS = ['total', 'requestLine', 'longestField', 'fields'] as const;

/** The larger of two sizes in each respect. */
export function largest(one: HeadSize, other: HeadSize): HeadSize {
  const larger = (respect: (typeof RESPECTS)[number]): number => Math.max(one[respect], other[respect]);
  return {
    total: larger('total'),
    requestLine: larger('requestLine'),
    longestField: larger('longestField'),
    fields: larger('fields'),
  };
}

/**
 * Why a request need not reach the service, in a few words; undefined where it must.
 *
 * @param head its own
 * @param read the size, in each respect, up to which heads are read
 */
export function whyUnread(request: WireRequest, head: HeadSize, read: HeadSize): string | undefined {
  const target = withQuery(request.path, request.credential.query);
  const [path = ''] = target.split('?');
  if (decoded(target) === undefined) return 'malformed percent-encoding';
  if (/[\0-\x1f\x7f]/.test(decoded(path) ?? '')) return 'a control character in the path';
  if (request.credential.headers.some(([, value]) => /[^\t\x20-\x7e]/.test(value)))
    return 'bytes beyond ASCII in a header';
  const respect = RESPECTS.find((one) => head[one] > read[one]);
  if (respect === undefined) return readsAsAnotherPath(path) ? ANOTHER_PATH : undefined;
  return respect === 'fields'
    ? `more than ${SURELY_READ.fields} headers`
    : `a head of more than ${SURELY_READ.total} bytes`;
}

const ANOTHER_PATH = 'an encoded slash or dot segment in the path';

/** Whether a path is another one to those who decode it before they take it apart. */
function readsAsAnotherPath(path: string): boolean {
  return path.split('/').some((segment) => {
    const text = decoded(segment) ?? '';
    return text.includes('/') || text === '.' || text === '..';
  });
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** What a run knows of its requests. */
export interface Unread {
  /** Why the request of a reply need not have reached the service; undefined where it must have. */
  whyUnread(reply: PetReply): string | undefined;
}

/**
 * Whether an answer may come from what stands before the service: any 4xx, with any body or none. A 401 is about the key,
 * which only the service knows. A path that reads as another one is not found, refused or redirected.
 */
export function isFromBefore(reply: PetReply, run: Unread): boolean {
  const { status = 0 } = reply;
  const why = run.whyUnread(reply);
  if (why === ANOTHER_PATH) return status === 400 || status === 404 || isRedirect(status);
  return status >= 400 && status < 500 && status !== 401 && why !== undefined;
}

/** The same rule, which says nothing of such answers. */
export const ofTheService =
  <S extends Unread>(rule: Rule<PetReply, S>): Rule<PetReply, S> =>
  (reply, state) =>
    isFromBefore(reply, state) ? 'irrelevant' : rule(reply, state);

/** Who seems to have sent such an answer: what its Server header names, unless it is an Error that the contract documents. */
export function strangerIn(reply: PetReply, run: Unread): string | undefined {
  if (!isFromBefore(reply, run)) return undefined;
  const { status = 0, json, mediaType, schemaFaults, documentedStatuses } = reply;
  const isError = json.kind === 'json' && mediaType === 'application/json' && schemaFaults.length === 0;
  if (isError && documentedStatuses.includes(status)) return undefined;
  const server = reply.header('server')?.split(/[\s/]/)[0];
  const who = server === undefined || server === '' ? 'something that does not name itself' : server;
  const lack = isError || isRedirect(status) ? '' : ' without an Error';
  return `${run.whyUnread(reply)} is answered ${status}${lack}, by ${who}`;
}
