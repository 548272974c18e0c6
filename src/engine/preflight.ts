import { parseJson } from '../contract/json.ts';
import { Client } from '../http/client.ts';
import { rightKey } from '../http/credential.ts';
import { type Exchange, headerOf, type WireRequest } from '../http/exchange.ts';
import { NotSent } from '../http/not-sent.ts';
import { patience } from '../http/pacing/patience.ts';
import { bytesOf, JSON_TYPE } from '../petstore/inputs/body.ts';
import type { Plan } from './plan.ts';

/** What a look at the target says: it can be judged, or why not, in one line with the mend. */
export type Preflight =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unjudgeable'; readonly code: string; readonly sentence: string };

const CANNOT_CONNECT: Readonly<Record<string, string>> = {
  'connection-refused': 'start the service or correct --base-url; --wait-for S waits for it',
  dns: 'correct the host in --base-url',
  unreachable: 'correct --base-url, or check the network',
  'connect-timeout': 'correct --base-url, or check the network and firewalls',
  'socket-missing': 'start the service or correct --unix-socket; --wait-for S waits for it',
  'socket-forbidden': 'let this user write to it, or correct --unix-socket',
  proxy: 'correct HTTP_PROXY or HTTPS_PROXY, or name the host in NO_PROXY',
  'tls-untrusted': 'give its certificate authority with --ca FILE, or pass --insecure',
  'tls-expired': 'renew the certificate or set the clock right, or pass --insecure',
  'tls-wrong-host': 'correct the host in --base-url, or pass --insecure',
  'tls-client-certificate': 'give a client certificate that it accepts with --cert FILE and --key FILE',
  'tls-handshake':
    'check the scheme and port in --base-url; where the service wants a client certificate, give --cert FILE and --key FILE',
};

/** The look itself takes no longer than this (ms), however often it is asked to slow down. */
const LONGEST_LOOK_MS = 60_000;

/** Requests that a look at a target takes which answers as it should. */
export const PREFLIGHT_REQUESTS = 1;

/** A large id that no service is likely to have given. */
const NOBODY = 2n ** 62n - 1n;
const POLL_MS = 250;

/**
 * Looks at the target with at most three requests that create nothing, before any check. Only what makes judging
 * pointless stops the run: nothing answers, the key is refused everywhere, or nothing looks like a Pet Store. A
 * service that merely answers wrongly is to be judged.
 */
export async function preflight(plan: Plan, waitForMs: number, stop: AbortSignal): Promise<Preflight> {
  const limit = patience(Math.min(plan.maxTimeMs, waitForMs + LONGEST_LOOK_MS), stop);
  const client = new Client({
    ...plan,
    concurrency: 3,
    rateLimit: { kind: 'none' },
    deadline: limit.signal,
    neverGivesUp: true,
  });
  try {
    const first = await reach(client, plan, performance.now() + waitForMs);
    if (first.answer.kind === 'no response') {
      const mend = CANNOT_CONNECT[first.answer.code];
      if (mend === undefined) return { kind: 'ready' };
      const sentence = `Cannot reach ${client.address.baseUrl}: ${first.answer.sentence}; ${mend}.`;
      return { kind: 'unjudgeable', code: first.answer.code, sentence };
    }
    if (looksRight(first)) return { kind: 'ready' };
    const others = plan.readOnly ? [request(plan, 'getPet')] : [request(plan, 'getPet'), request(plan, 'createPet')];
    return conclude([first, ...(await Promise.all(others.map((other) => client.send(other))))], client.address.baseUrl);
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
    const { baseUrl } = client.address;
    if (error.code === 'out-of-time' && client.pace.throttled > 0) {
      const sentence = `Cannot judge ${baseUrl}: it answers 429 to every request, however long it is waited for; try again later, or raise its limit for this key.`;
      return { kind: 'unjudgeable', code: 'throttled', sentence };
    }
    return { kind: 'unjudgeable', code: error.code, sentence: `Cannot judge ${baseUrl}: ${error.message}.` };
  } finally {
    limit.end();
    await client.close();
  }
}

async function reach(client: Client, plan: Plan, until: number): Promise<Exchange> {
  for (;;) {
    const exchange = await client.send(request(plan, 'listPets'));
    const { answer } = exchange;
    const notUp =
      answer.kind === 'no response'
        ? CANNOT_CONNECT[answer.code] !== undefined
        : [502, 503, 504].includes(answer.status);
    if (!notUp || performance.now() >= until) return exchange;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function request(plan: Plan, operation: WireRequest['operation']): WireRequest {
  const credential = rightKey(plan.token);
  switch (operation) {
    case 'listPets':
      return { operation, method: 'GET', path: '/pets?limit=1', credential };
    case 'getPet':
      return { operation, method: 'GET', path: `/pets/${NOBODY}`, credential };
    case 'createPet':
      // It lacks everything, so nothing can come of it.
      return { operation, method: 'POST', path: '/pets', credential, contentType: JSON_TYPE, body: bytesOf('{}') };
  }
}

const statusOf = ({ answer }: Exchange): number | undefined => (answer.kind === 'response' ? answer.status : undefined);

function jsonOf({ answer }: Exchange): unknown {
  if (answer.kind !== 'response') return undefined;
  const reading = parseJson(answer.body);
  return reading.kind === 'json' ? reading.value : undefined;
}

function looksRight(exchange: Exchange): boolean {
  return statusOf(exchange) === 200 && Array.isArray(jsonOf(exchange));
}

function claimsJson({ answer }: Exchange): boolean {
  return (
    answer.kind === 'response' && (headerOf(answer, 'content-type') ?? '').toLowerCase().startsWith('application/json')
  );
}

/** JSON under a success (or what claims to be), something like an Error, a 5xx or no answer at all: an answer that can be judged. */
function isJudgeable(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  if (status === undefined || status >= 500) return true;
  if (status < 300 && claimsJson(exchange)) return true;
  const value = jsonOf(exchange);
  if (typeof value !== 'object' || value === null) return false;
  if (status < 300) return true;
  return ['code', 'message', 'status'].filter((member) => member in value).length >= 2;
}

function conclude(exchanges: readonly Exchange[], baseUrl: string): Preflight {
  if (exchanges.every((exchange) => statusOf(exchange) === 401)) {
    const sentence = `${baseUrl} refuses the key on every operation (401); give the right one with --token, --token-env, --token-file or PETSTORE_API_KEY.`;
    return { kind: 'unjudgeable', code: 'key-refused', sentence };
  }
  if (exchanges.some(isJudgeable)) return { kind: 'ready' };
  const { answer } = exchanges[0] ?? {};
  const status = answer?.kind === 'response' ? answer.status : 0;
  const type = answer?.kind === 'response' ? (headerOf(answer, 'content-type') ?? 'no Content-Type') : '';
  const location = answer?.kind === 'response' ? headerOf(answer, 'location') : undefined;
  const mend =
    location === undefined
      ? 'correct --base-url, which must end in /v1'
      : `it redirects to ${location}, and redirects are not followed`;
  return {
    kind: 'unjudgeable',
    code: 'not-a-pet-store',
    sentence: `${baseUrl} is not a Pet Store (GET /pets answered ${status}, ${type}); ${mend}.`,
  };
}
