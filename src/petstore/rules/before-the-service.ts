import type { Rule } from '../../engine/check.ts';
import { isSuspicion, type Judgement, type Violation } from '../../engine/violation.ts';
import { type Exchange, type HeadSize, type WireRequest, withQuery } from '../../http/exchange.ts';
import { headSize, type SentBy } from '../../http/message.ts';
import { grouped } from '../../report/model/text.ts';
import { decoded } from '../calls.ts';
import { isInAnotherFormat } from '../inputs/body.ts';
import type { PetReply } from '../reply.ts';

/** Heads up to this size are read everywhere. Heads that are larger in some respect may be refused unread. */
const SURELY_READ: HeadSize = { total: 4_000, requestLine: 4_000, longestField: 4_000, fields: 25 };

const RESPECTS = ['total', 'requestLine', 'longestField', 'fields'] as const;

/** An answer, and why its request need not have reached the service. */
interface Read {
  /** In a few words; undefined where it must have. */
  readonly why: string | undefined;
  /** Where its head is larger than all are read, successes of requests with heads as large. */
  readonly controls: readonly Exchange[];
}

/**
 * What stands before a service, such as a proxy, a router or its HTTP server, may answer in its stead where a request is
 * not valid HTTP, its head is large, or its path reads as another one. Every rule asks here, so that what is permitted
 * follows from the request as it was sent.
 */
export class Heads {
  readonly #sentBy: SentBy;
  /** In each respect, the largest head that was read, as a success has shown. */
  readonly #largest = new Map<(typeof RESPECTS)[number], { readonly size: number; readonly exchange: Exchange }>();
  /** By what was known when an answer was first judged. */
  readonly #known = new WeakMap<PetReply, Read>();

  constructor(sentBy: SentBy) {
    this.#sentBy = sentBy;
  }

  learn({ call, exchange, status }: PetReply): void {
    if (status === undefined || status >= 300) return;
    const head = headSize(call.request, this.#sentBy);
    for (const respect of RESPECTS) {
      const size = head[respect];
      if (size > (this.#largest.get(respect)?.size ?? SURELY_READ[respect]))
        this.#largest.set(respect, { size, exchange });
    }
  }

  /** Why a request need not have reached the service, in a few words; undefined where it must have. */
  whyUnread(reply: PetReply): string | undefined {
    return this.#read(reply).why;
  }

  /**
   * Whether an answer may come from what stands before the service: any 4xx, with any body or none. A 401 is about the
   * key, which only the service knows. A path that reads as another one is not found, refused or redirected.
   */
  mayHaveRefused(reply: PetReply): boolean {
    return this.whyRefused(reply) !== undefined;
  }

  /** Why an answer need not be the service's, in a few words; undefined where it must be. */
  whyRefused(reply: PetReply): string | undefined {
    const { status = 0 } = reply;
    const why = this.whyUnread(reply);
    const isOfAPath = status === 400 || status === 404 || isRedirect(status);
    if (why === ANOTHER_PATH && isOfAPath) return why;
    return isRefusal(reply) && why !== undefined && why !== ANOTHER_PATH ? why : whyRefusedAsSent(reply);
  }

  /** A judgement of a reply; where that must have reached the service as others did, these belong to the proof. */
  judged(reply: PetReply, judge: () => Judgement): Judgement {
    if (this.mayHaveRefused(reply)) return 'irrelevant';
    const judgement = judge();
    return typeof judgement === 'string' ? judgement : this.proven(judgement, reply);
  }

  /** A violation, and the successes without which it would be none. */
  proven(violation: Violation, reply: PetReply): Violation {
    if (reply.status !== undefined && !isRefusal(reply)) return violation;
    const others = this.#read(reply).controls.filter((control) => !violation.proof.includes(control));
    return others.length === 0 ? violation : { ...violation, proof: [...others, ...violation.proof] };
  }

  /** Such a refusal in words, with who seems to have sent it; undefined for one that the service sends for other requests too. */
  strangerIn(reply: PetReply): string | undefined {
    if (!this.mayHaveRefused(reply)) return undefined;
    const { status = 0, json, mediaType, schemaFaults } = reply;
    const isError = json.kind === 'json' && mediaType === 'application/json' && schemaFaults.length === 0;
    if (isError && (status === 400 || status === 404 || this.whyUnread(reply) === undefined)) return undefined;
    const [server = ''] = reply.header('server')?.split(/[\s/]/) ?? [];
    const who = server === '' ? 'a server that does not name itself' : server;
    const lack = isError || isRedirect(status) ? '' : ' without an Error';
    return `${who} answers ${status}${lack} to ${this.whyRefused(reply)}`;
  }

  #read(reply: PetReply): Read {
    const known = this.#known.get(reply) ?? this.#compare(reply.call.request);
    this.#known.set(reply, known);
    return known;
  }

  #compare(request: WireRequest): Read {
    const invalid = whyInvalid(request);
    if (invalid !== undefined) return { why: invalid, controls: [] };
    const head = headSize(request, this.#sentBy);
    const large = RESPECTS.filter((respect) => head[respect] > SURELY_READ[respect]);
    const [unread] = large.filter((respect) => head[respect] > (this.#largest.get(respect)?.size ?? 0));
    const controls = new Set(large.flatMap((respect) => this.#largest.get(respect)?.exchange ?? []));
    if (unread === undefined) {
      return { why: readsAsAnotherPath(request.path) ? ANOTHER_PATH : undefined, controls: [...controls] };
    }
    const { fields, total } = SURELY_READ;
    const why = unread === 'fields' ? `more than ${fields} headers` : `a head of more than ${grouped(total)} bytes`;
    return { why, controls: [] };
  }
}

/** Bodies of more bytes than this may be too large for a service, or for what stands before it. */
const CERTAINLY_READ = 65_536;

const JSON_IS_ACCEPTED = /(?:^|[,\s])(?:application\/json|application\/\*|\*\/\*)\s*(?:[,;]|$)/i;

/** What gateways refuse in a path. */
const REFUSED_IN_A_PATH = /[;:&]|%(?:25|3b|23|3f|5c|00)/i;

/** Why a request may be refused with the status that it got, with any body or none; undefined where it may not. */
function whyRefusedAsSent(reply: PetReply): string | undefined {
  const { call, status = 0 } = reply;
  const header = (wanted: string): string | undefined =>
    call.request.headers?.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const accept = header('accept');
  if (status === 403 && header('origin') !== undefined) return 'an Origin header';
  if (status === 406 && accept !== undefined && !JSON_IS_ACCEPTED.test(accept)) return 'an Accept header without JSON';
  if (!isRefusal(reply)) return undefined;
  if (call.operation === 'getPet') {
    if (REFUSED_IN_A_PATH.test(call.petId)) return 'a character that gateways refuse in a path';
    const segments = decoded(call.petId)?.split('/') ?? [];
    return segments.includes('.') || segments.includes('..') ? ANOTHER_PATH : undefined;
  }
  if (call.operation !== 'createPet') return undefined;
  if (status === 411 && call.form.chunked === true) return 'a body in chunks';
  if (status === 413 && (call.body.bytes?.length ?? 0) > CERTAINLY_READ) return 'a body of more than 64 KiB';
  if (header('content-encoding') !== undefined) return 'a Content-Encoding';
  const isOfAFormat = status === 400 || status === 415;
  return isOfAFormat && isInAnotherFormat(call.body.bytes, call.body.contentType)
    ? 'a body in another format'
    : undefined;
}

const ANOTHER_PATH = 'an encoded slash or dot segment in the path';

/** Whether a path is another one to those who decode it before they take it apart. */
function readsAsAnotherPath(pathAndQuery: string): boolean {
  const [path = ''] = pathAndQuery.split('?');
  return path.split('/').some((segment) => {
    const text = decoded(segment) ?? '';
    return text.includes('/') || text === '.' || text === '..';
  });
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

const isRefusal = ({ status = 0 }: PetReply): boolean => status >= 400 && status < 500 && status !== 401;

/** What is invalid about a request as URI or HTTP, so that others than the service may refuse it. */
function whyInvalid({ path: pathAndQuery, credential }: WireRequest): string | undefined {
  const target = withQuery(pathAndQuery, credential.query);
  const [path = ''] = target.split('?');
  if (decoded(target) === undefined) return 'malformed percent-encoding';
  if (/[\0-\x1f\x7f]/.test(decoded(path) ?? '')) return 'a control character in the path';
  const isPlain = credential.headers.every(([, value]) => /^[\t\x20-\x7e]*$/.test(value));
  return isPlain ? undefined : 'bytes beyond ASCII in a header';
}

/** What judges by the heads of a run. */
export interface WithHeads {
  readonly heads: Heads;
}

/** The same rule, which says nothing of what may have been refused before it reached the service. */
export const ofTheService =
  <S extends WithHeads>(rule: Rule<PetReply, S>): Rule<PetReply, S> =>
  (reply, state) => {
    const { heads } = state;
    if (heads.mayHaveRefused(reply)) return 'irrelevant';
    const judgement = rule(reply, state);
    if (typeof judgement === 'string') return judgement;
    if (isSuspicion(judgement)) return { ...judgement, violation: heads.proven(judgement.violation, reply) };
    return heads.proven(judgement, reply);
  };
