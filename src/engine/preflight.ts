import { Client } from '../http/client.ts';
import { CONNECTIONS } from '../http/connect/few-connections.ts';
import type { Address } from '../http/connect/route.ts';
import { evidenceOf } from '../http/evidence/evidence.ts';
import { trimExchange } from '../http/evidence/trim.ts';
import { type Answer, type Exchange, headerOf, type WireRequest } from '../http/exchange.ts';
import { NotSent } from '../http/not-sent.ts';
import { timeLimit } from '../http/pacing/time-limit.ts';
import type { ExchangeEvidence } from '../report/model/evidence.ts';
import { count } from '../report/model/text.ts';
import type { Plan } from './plan.ts';
import type { ServiceDefinition } from './service.ts';

interface Unjudgeable {
  readonly kind: 'unjudgeable';
  readonly code: string;
  readonly sentence: string;
  /** What was sent and what came back, where anything did. */
  readonly look?: readonly ExchangeEvidence[];
}

/** What a look at the target says: it can be judged, or why not, in one line with the next step. */
export type Preflight =
  | {
      readonly kind: 'ready';
      /** The time to an answer (ms), on a connection that is open already. */
      readonly latencyMs: number;
      /** Whether the service serves a few connections at a time, each until it is closed. */
      readonly servesFewConnections: boolean;
    }
  | Unjudgeable;

const unjudgeable = (code: string, sentence: string): Unjudgeable => ({ kind: 'unjudgeable', code, sentence });

type Service = Pick<ServiceDefinition<never, never, never>, 'description' | 'preflight'>;

const CANNOT_CONNECT: Readonly<Record<string, string>> = {
  'connection-refused': 'start the service or correct --base-url; --wait-for S waits for it',
  dns: 'correct the host in --base-url',
  unreachable: 'correct --base-url, or check the network',
  'connect-timeout': 'correct --base-url, or check the network and firewalls',
  'socket-missing': 'start the service or correct --unix-socket; --wait-for S waits for it',
  'socket-forbidden': 'give this user access to it, or correct --unix-socket',
  proxy: 'correct HTTP_PROXY or HTTPS_PROXY, or add the host to NO_PROXY',
  'tls-untrusted': 'pass its certificate authority with --ca FILE, or use --insecure',
  'tls-expired': 'renew the certificate or correct the clock, or use --insecure',
  'tls-wrong-host': 'correct the host in --base-url, or use --insecure',
  'tls-client-certificate': 'pass a client certificate that it accepts with --cert FILE and --key FILE',
  'tls-handshake':
    'check the scheme and port in --base-url; if the service requires a client certificate, pass --cert FILE and --key FILE',
};

const KEY_REFUSED = 'key-refused';

/** Longest time of the preflight itself (ms), however often it is asked to slow down. */
const LONGEST_MS = 60_000;
const POLL_MS = 250;

/** What is not answered for so long (ms, and many times the time to an answer) may wait for a connection to be closed. */
const LEAST_PATIENCE_MS = 500;
const PATIENCE = 4;
/** Where an answer takes so long (ms), that is not found out. */
const TOO_SLOW_MS = 1_000;

/** Requests that a preflight takes at a target that answers as it should. */
export const PREFLIGHT_REQUESTS = 1 + CONNECTIONS;

/**
 * Looks at the target with a few requests that create nothing, before any check. It is judged only if one of its answers
 * is one that only this service gives; a service that is down is not one that breaks rules. While there is no such answer,
 * the target is looked at again until `waitForMs` is over.
 *
 * @param onExchange called with every exchange: a service may create something of what it must refuse
 */
export async function preflight(
  service: Service,
  plan: Plan,
  waitForMs: number,
  stop: AbortSignal,
  onExchange: (exchange: Exchange) => void = () => {},
): Promise<Preflight> {
  const longestMs = Math.min(plan.maxTimeMs, waitForMs + LONGEST_MS);
  const endsAt = performance.now() + longestMs;
  const limit = timeLimit(longestMs, stop);
  const client = new Client({
    ...plan,
    variablePrefix: '',
    concurrency: 3,
    rateLimit: { kind: 'none' },
    deadline: limit.signal,
    endsAt,
    neverGivesUp: true,
  });
  client.onExchange = onExchange;
  const { baseUrl } = client.address;
  try {
    const until = performance.now() + waitForMs;
    for (;;) {
      const isLast = performance.now() >= until;
      const exchanges = await look(client, service, plan, isLast);
      if (service.preflight.showsService(exchanges)) {
        const latencyMs = await latencyOf(exchanges, client);
        const asksMany = plan.rateLimit.kind !== 'fixed' && latencyMs < TOO_SLOW_MS;
        const patienceMs = Math.max(LEAST_PATIENCE_MS, latencyMs * PATIENCE);
        const servesFewConnections =
          asksMany && (await client.servesFewConnections(service.preflight.first(plan.token), patienceMs));
        return { kind: 'ready', latencyMs, servesFewConnections };
      }
      const conclusion = conclude(service, exchanges, client.address, plan.unixSocket);
      if (isLast || conclusion.code === KEY_REFUSED) return conclusion;
      await client.pause(POLL_MS, limit.signal);
    }
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
    const isThrottled = error.code === 'throttled' || (error.code === 'out-of-time' && client.throttled > 0);
    if (!isThrottled) return unjudgeable(error.code, `Cannot judge ${baseUrl}: ${error.message}.`);
    const reason =
      error.code === 'throttled' ? error.message : 'it answers 429 to every request, however slowly it is asked';
    const nextStep = 'try again later, or raise the rate limit of this key';
    return unjudgeable('throttled', `Cannot judge ${baseUrl}: ${reason}; ${nextStep}.`);
  } finally {
    limit.end();
    await client.close();
  }
}

/** Sends one request, and others only while no answer shows the service. @param isLast whether it is not looked at again */
async function look(client: Client, { preflight: asks }: Service, plan: Plan, isLast: boolean) {
  const send = (requests: readonly WireRequest[]): Promise<readonly Exchange[]> =>
    Promise.all(requests.map((request) => client.send(request)));
  const [first] = await send([asks.first(plan.token)]);
  if (first === undefined) throw new Error('a request was sent and no exchange came of it');
  if (asks.showsService([first]) || cannotConnect(first.answer) !== undefined) return [first];
  const read = [first, ...(await send(asks.reads(plan.token)))];
  if (asks.showsService(read) || plan.readOnly || !isLast) return read;
  return [...read, ...(await send(asks.writes(plan.token)))];
}

/** A first answer as slow as this (ms) may be so for the connection, or because the service has just started. */
const SLOW_MS = 100;

/** The shortest time to an answer; only where the one answer there is was slow, its request is sent again. */
async function latencyOf(exchanges: readonly Exchange[], client: Client): Promise<number> {
  const shortest = Math.min(...exchanges.filter(isAnswered).map(({ answer }) => answer.milliseconds));
  const [only, ...others] = exchanges;
  if (only === undefined || others.length > 0 || shortest < SLOW_MS) return shortest;
  try {
    const { answer } = await client.send(only.request);
    return Math.min(shortest, answer.milliseconds);
  } catch (error) {
    if (error instanceof NotSent) return shortest;
    throw error;
  }
}

const isAnswered = ({ answer }: Exchange): boolean => answer.kind === 'response';
const hasStatus = (exchanges: readonly Exchange[], fits: (status: number) => boolean): boolean =>
  exchanges.every(({ answer }) => answer.kind === 'response' && fits(answer.status));

/** What to do about a target to which no connection can be made; undefined where one was. */
const cannotConnect = (answer: Answer): string | undefined =>
  answer.kind === 'no response' ? CANNOT_CONNECT[answer.code] : undefined;

function conclude(
  { preflight: asks, description }: Service,
  exchanges: readonly Exchange[],
  address: Address,
  unixSocket: string | undefined,
): Unjudgeable {
  const { baseUrl } = address;
  const [first] = exchanges;
  if (first?.answer.kind === 'no response') {
    const nextStep = cannotConnect(first.answer);
    if (nextStep !== undefined) {
      const { code, sentence } = first.answer;
      const socket = code.startsWith('socket-') ? ` (${unixSocket})` : '';
      return unjudgeable(code, `Cannot reach ${baseUrl}: ${sentence}${socket}; ${nextStep}.`);
    }
  }
  const seen = [...byAnswer(exchanges).values()].flatMap(([one]) =>
    one === undefined ? [] : evidenceOf(trimExchange(one), 'context', address),
  );
  if (hasStatus(exchanges, (status) => status === 401)) {
    const nextStep = `pass the right one with --token, --token-env, --token-file or ${description.keyVariable}`;
    const sentence = `${baseUrl} refuses the key on every operation (401); ${nextStep}.`;
    return { ...unjudgeable(KEY_REFUSED, sentence), look: seen };
  }
  const sentence = `${baseUrl} does not answer as a ${description.title} does: ${answersIn(exchanges, address)}. ${nextStepFor(exchanges)}.`;
  return { ...unjudgeable(asks.unknownTargetCode, sentence), look: seen };
}

/** The exchanges by what came back, each answer once. */
function byAnswer(exchanges: readonly Exchange[]): ReadonlyMap<string, readonly Exchange[]> {
  const groups = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const { answer } = exchange;
    const text =
      answer.kind === 'response'
        ? `${answer.status} ${headerOf(answer, 'content-type') ?? 'without a Content-Type'}`
        : answer.sentence;
    groups.set(text, [...(groups.get(text) ?? []), exchange]);
  }
  return groups;
}

function answersIn(exchanges: readonly Exchange[], { basePath }: Address): string {
  const sentences = [...byAnswer(exchanges)].map(([text, [first, ...others]]) => {
    const request = `${first?.request.method} ${basePath}${first?.request.path}`;
    return `${request}${others.length === 0 ? '' : ` and ${count(others.length, 'other request')}`} → ${text}`;
  });
  return sentences.join('; ');
}

function nextStepFor(exchanges: readonly Exchange[]): string {
  const location = exchanges.flatMap(({ answer }) =>
    answer.kind === 'response' ? (headerOf(answer, 'location') ?? []) : [],
  )[0];
  if (location !== undefined) return `Correct --base-url: it redirects to ${location}, and redirects are not followed`;
  if (hasStatus(exchanges, (status) => status === 403)) return 'Check what the key is allowed to do';
  if (exchanges.some((one) => isAnswered(one) && !hasStatus([one], (status) => status >= 500))) {
    return 'Check the path in --base-url, which must end in /v1, and whether a gateway in front of the service answers';
  }
  if (exchanges.some(isAnswered)) {
    return 'Check whether the service, and what it depends on, is up; --wait-for S waits for it';
  }
  return 'Check the scheme and the port in --base-url, and whether the service is up; --wait-for S waits for it';
}
