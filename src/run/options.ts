/** What decides how a run goes. */
import type { NetworkOptions } from '../http/network.ts';
import type { TlsOptions } from '../http/route.ts';
import type { CreatedAnimal } from '../known/recall.ts';
import { AGENT, type Terms } from '../reading/fill.ts';
import type { Profile } from './budget.ts';
import type { OnEvent } from './events.ts';

/** The options of a run, checked and completed. Times are in milliseconds. */
export interface RunOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly profile: Profile;
  readonly seed: number;
  /** The UTC date, `YYYY-MM-DD`. */
  readonly today: string;
  /** Patterns of requirements, such as `LIST-*`; `only` is empty for all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly readOnly: boolean;
  readonly failFast: boolean;
  readonly maxCreates: number | undefined;
  readonly categoryIds: readonly bigint[];
  readonly concurrency: number;
  readonly perSecond: number | undefined;
  readonly requestTimeoutMs: number;
  readonly maxTimeMs: number;
  readonly waitForMs: number;
  readonly settleMs: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly tls: TlsOptions;
  /** Animals that an earlier run created. */
  readonly remembered: readonly CreatedAnimal[];
  /** When aborted, nothing more is sent. The reason is the name of the signal, if one ends the run. */
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
}

/** The path of a base URL, without a slash at its end. */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '');

/** What readings and rules depend on besides the exchanges. */
export const termsOf = ({ baseUrl, token, categoryIds, today, settleMs }: RunOptions): Terms => ({
  basePath: basePathOf(baseUrl),
  key: token,
  agent: AGENT,
  categories: categoryIds,
  today,
  settleMs,
});

/** How to connect to the target. */
export const networkOptions = (options: RunOptions): NetworkOptions => ({
  baseUrl: options.baseUrl,
  connections: options.concurrency,
  requestTimeoutMs: options.requestTimeoutMs,
  perSecond: options.perSecond,
  endsAt: performance.now() + options.maxTimeMs,
  headers: options.headers,
  ...options.tls,
  signal: options.signal,
});
