import { headerOf } from '../http/exchange.ts';
import type { RecordedExchange } from '../http/recorded.ts';
import { KEY_VARIABLE, type KeyCredential, NO_KEY } from './inputs/credential.ts';
import { type Asked, isPrivate } from './recorded-call.ts';

/** When a key was accepted for an operation: answered first, and sent last (milliseconds, monotonic). */
interface Accepted {
  readonly first: number;
  readonly last: number;
}

const BEARER = /^bearer[ \t]+(?=\S)/i;
/** What recorders write in the place of a key. */
const HIDDEN =
  /^(?:\S+\s+)?(?:\W*(?:redacted|REDACTED|sanitized|removed|hidden)\W*|\*{3,}|\$\{?[A-Z_]+\}?|\{\{.*\}\})$/;
/** Parameters of a query in which clients send keys. */
const KEY_PARAMETER = /key|token|auth|secret|sig/i;
/** A shorter cookie is a flag, and no key. */
const SHORTEST_COOKIE = 6;

/**
 * What is known of the keys in traffic, by difference alone: a key that was accepted is a right one, and a request
 * without any lacks one. Of a key that was never accepted nobody knows whether it is right. One that was accepted may
 * have come into force later, or have expired: where it is refused, it is right only if it was accepted before and after.
 */
export class RecordedKeys {
  /** Every key and cookie that was read: none may leave the process. */
  readonly secrets = new Set<string>();
  readonly #accepted = new Map<string, Accepted>();
  /** Which sources record keys: some recorders leave them out. */
  readonly #sources: Set<string>;

  /** @param sources those that are known to record keys */
  constructor(sources: readonly string[] = []) {
    this.#sources = new Set(sources);
  }

  /** Learns from an exchange, whoever it was with. @param asked undefined where it is not with the service */
  learn(recorded: RecordedExchange, asked: Asked | undefined): void {
    this.#learnSecrets(recorded);
    const { source, answer, sentAt } = recorded;
    // Of a key that was hidden it is still recorded that there was one.
    if (asked !== undefined && headerOf(recorded, 'authorization') !== undefined) this.#sources.add(source);
    const token = tokenIn(keyIn(recorded));
    if (token === undefined || asked === undefined || !isAccepted(recorded)) return;
    const answeredAt = sentAt + answer.milliseconds;
    for (const key of [keyOf(asked.baseUrl, token), keyOf(asked.baseUrl, token, asked.operation)]) {
      const { first = answeredAt, last = sentAt }: Partial<Accepted> = this.#accepted.get(key) ?? {};
      this.#accepted.set(key, { first: Math.min(first, answeredAt), last: Math.max(last, sentAt) });
    }
  }

  #learnSecrets({ headers, url, answer }: RecordedExchange): void {
    const set = answer.kind === 'response' ? answer.headers : [];
    for (const [name, value] of [...headers, ...set]) {
      if (/authorization$/i.test(name)) this.#hide(value.replace(/^\S+\s+(?=\S)/, ''));
      if (!/^(set-)?cookie$/i.test(name)) continue;
      const pairs = /^set/i.test(name) ? value.split(';').slice(0, 1) : value.split(';');
      for (const pair of pairs) this.#hide(pair.slice(pair.indexOf('=') + 1), SHORTEST_COOKIE);
    }
    for (const [name, value] of new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])) {
      if (KEY_PARAMETER.test(name)) this.#hide(value);
    }
  }

  #hide(secret: string, shortest = 0): void {
    if (secret.length >= shortest && !HIDDEN.test(secret)) this.secrets.add(secret.trim());
  }

  /** The credential of a request with the service. */
  credentialOf(recorded: RecordedExchange, { baseUrl, operation }: Asked): KeyCredential {
    const { source, answer, sentAt } = recorded;
    const isRefused = answer.kind === 'response' && answer.status === 401;
    const headers = recorded.headers.filter(([name]) => isPrivate(name));
    const value = keyIn(recorded);
    const isRecorded = this.#sources.has(source);
    const written = headerOf(recorded, 'authorization');
    // A recorder has left the key out, or hidden it. What is not a 401 would be wrong for a wrong key too.
    if (!isRecorded || (value === undefined && written !== undefined && !hasAnotherScheme(written))) {
      return isRefused ? unknownKey(headers) : rightKey(headers);
    }
    if (written === undefined || /^(bearer)?\s*$/i.test(written)) return { ...NO_KEY, headers };
    const token = tokenIn(value);
    if (token === undefined)
      return { ...NO_KEY, name: 'a key that is no bearer token', requirement: 'AUTH-5', headers };
    const accepted = this.#accepted.get(isRefused ? keyOf(baseUrl, token, operation) : keyOf(baseUrl, token));
    const isInForce =
      accepted !== undefined && accepted.first <= sentAt && accepted.last >= sentAt + answer.milliseconds;
    if (accepted === undefined || (isRefused && !isInForce)) return unknownKey(headers);
    if (value?.startsWith('Bearer ') === true && !/^Bearer\s\s/.test(value)) return rightKey(headers);
    return {
      ...unknownKey(headers),
      name: 'the scheme in another form',
      isUnknown: false,
      isOpen: true,
      requirement: 'AUTH-8',
    };
  }
}

/** The Authorization header; undefined where there is none, or a recorder has hidden it. */
function keyIn(recorded: RecordedExchange): string | undefined {
  const value = headerOf(recorded, 'authorization');
  return value === undefined || HIDDEN.test(value) ? undefined : value;
}

const hasAnotherScheme = (written: string): boolean => /^\S+\s+\S/.test(written) && !BEARER.test(written);

const tokenIn = (value: string | undefined): string | undefined =>
  value !== undefined && BEARER.test(value) ? value.replace(BEARER, '').trim() : undefined;

const keyOf = (baseUrl: string, token: string, operation = ''): string => `${baseUrl} ${operation} ${token}`;

const isAccepted = ({ answer }: RecordedExchange): boolean =>
  answer.kind === 'response' && answer.status >= 200 && answer.status < 300;

const SENT: Pick<KeyCredential, 'shown' | 'shell'> = {
  shown: [['Authorization', `Bearer $${KEY_VARIABLE}`]],
  shell: [['Authorization', `Bearer $${KEY_VARIABLE}`]],
};

/** A key of which nobody knows whether it is right. */
const unknownKey = (headers: KeyCredential['headers']): KeyCredential => ({
  ...NO_KEY,
  ...SENT,
  name: 'a key that may be wrong',
  isUnknown: true,
  headers,
});

const rightKey = (headers: KeyCredential['headers']): KeyCredential => ({
  ...NO_KEY,
  ...SENT,
  name: 'the right key',
  valid: true,
  requirement: 'AUTH-1',
  headers,
});
