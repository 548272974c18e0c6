import { Client } from '../http/client.ts';
import { evidenceOf } from '../http/evidence/evidence.ts';
import { trimExchange } from '../http/evidence/trim.ts';
import { type Exchange, headerOf } from '../http/exchange.ts';
import { NotSent } from '../http/not-sent.ts';
import { timeLimit } from '../http/pacing/time-limit.ts';
import type { ExchangeEvidence } from '../report/model/result.ts';
import type { Plan } from './plan.ts';
import type { ServiceDefinition } from './service.ts';

/** What a look at the target says: it can be judged, or why not, in one line with the next step. */
export type Preflight =
  | {
      readonly kind: 'ready';
      /** Time to an answer (ms), on a connection that is open already; undefined where none came. */
      readonly latencyMs?: number;
    }
  | {
      readonly kind: 'unjudgeable';
      readonly code: string;
      readonly sentence: string;
      /** What was sent and what came back, where anything did. */
      readonly look?: readonly ExchangeEvidence[];
    };

const unjudgeable = (code: string, sentence: string): Preflight => ({ kind: 'unjudgeable', code, sentence });

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

/** Longest time of the preflight itself (ms), however often it is asked to slow down. */
const LONGEST_MS = 60_000;
const POLL_MS = 250;

/** Requests that a preflight takes at a target that answers as it should. */
export const PREFLIGHT_REQUESTS = 1;

/**
 * Looks at the target with a few requests that create nothing, before any check. The run stops only where nothing
 * answers, the key is refused everywhere, or nothing looks like the service; one that answers wrongly is to be judged.
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
    const first = await reach(client, service, plan, performance.now() + waitForMs);
    if (first.answer.kind === 'no response') {
      const { code, sentence } = first.answer;
      const nextStep = CANNOT_CONNECT[code];
      if (nextStep === undefined) return { kind: 'ready' };
      const socket = code.startsWith('socket-') ? ` (${plan.unixSocket})` : '';
      return unjudgeable(code, `Cannot reach ${baseUrl}: ${sentence}${socket}; ${nextStep}.`);
    }
    if (service.preflight.isRight(first)) return { kind: 'ready', latencyMs: await latencyOf(first, client) };
    const others = service.preflight.others(plan.token, plan.readOnly);
    const exchanges = [first, ...(await Promise.all(others.map((other) => client.send(other))))];
    const conclusion = conclude(service, exchanges, baseUrl);
    if (conclusion.kind === 'ready') return conclusion;
    return { ...conclusion, look: exchanges.map((one) => evidenceOf(trimExchange(one), 'context', client.address)) };
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

/** A first answer as slow as this (ms) may be so for the connection, or because the service has just started. */
const SLOW_MS = 100;

/** The shortest time to an answer; only where the first was slow, the request is sent again. */
async function latencyOf({ request, answer }: Exchange, client: Client): Promise<number> {
  if (answer.milliseconds < SLOW_MS) return answer.milliseconds;
  try {
    const { answer: second } = await client.send(request);
    return Math.min(answer.milliseconds, second.milliseconds);
  } catch (error) {
    if (error instanceof NotSent) return answer.milliseconds;
    throw error;
  }
}

/** Sends the first request, again and again while the target is not up, until the moment `until` (ms, monotonic). */
async function reach(client: Client, service: Service, plan: Plan, until: number): Promise<Exchange> {
  for (;;) {
    const exchange = await client.send(service.preflight.first(plan.token));
    const { answer } = exchange;
    const isDown =
      answer.kind === 'no response'
        ? CANNOT_CONNECT[answer.code] !== undefined
        : [502, 503, 504].includes(answer.status);
    if (!isDown || performance.now() >= until) return exchange;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function conclude(service: Service, exchanges: readonly Exchange[], baseUrl: string): Preflight {
  if (exchanges.every(({ answer }) => answer.kind === 'response' && answer.status === 401)) {
    const nextStep = `pass the right one with --token, --token-env, --token-file or ${service.description.keyVariable}`;
    return unjudgeable('key-refused', `${baseUrl} refuses the key on every operation (401); ${nextStep}.`);
  }
  if (exchanges.some(service.preflight.isPlausible)) return { kind: 'ready' };
  const { request, answer } = exchanges[0] ?? {};
  const response = answer?.kind === 'response' ? answer : { status: 0, headers: [] };
  const location = headerOf(response, 'location');
  const nextStep =
    location === undefined
      ? 'correct --base-url, which must end in /v1'
      : `it redirects to ${location}, and redirects are not followed`;
  const [path] = (request?.path ?? '').split('?');
  const seen = `${request?.method} ${path} answered ${response.status}, ${headerOf(response, 'content-type') ?? 'no Content-Type'}`;
  const sentence = `${baseUrl} is not a ${service.description.title} (${seen}); ${nextStep}.`;
  return unjudgeable(service.preflight.unknownTargetCode, sentence);
}
