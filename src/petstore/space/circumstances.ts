import type { LevelTable } from '../../engine/request-space.ts';

/** The factor's name: its first level, which costs nothing, stands wherever another one need not be covered. */
export const CONNECTION_FACTOR = 'connection';

/** The connection that a request is sent on, and what was sent there before. */
export const ALL_CONNECTIONS = [
  'on any connection',
  'on a new connection',
  'on a connection used by a good key',
  'on a connection used by a refusal',
] as const;

export type Connection = (typeof ALL_CONNECTIONS)[number];

/** The factor's name: its first level, which costs nothing, stands wherever another one need not be covered. */
export const CONCURRENCY_FACTOR = 'concurrency';

/** What else is under way when a request is sent. */
export const ALL_CONCURRENCIES = ['among others', 'at the same moment as seven others', 'alone'] as const;

export type Concurrency = (typeof ALL_CONCURRENCIES)[number];

export const ALONE: readonly Concurrency[] = ['alone'];
export const IN_COMPANY: readonly Concurrency[] = ALL_CONCURRENCIES.filter((level) => level !== 'alone');

/** Each level is its own one example. */
const named = <Level extends string>(levels: readonly Level[]): LevelTable<Level> =>
  Object.fromEntries(levels.map((level) => [level, { examples: [level] }]));

export const CONNECTIONS = named(ALL_CONNECTIONS);

/** A request that is to be alone is sent by a check that runs when nothing else is under way. */
export const CONCURRENCIES = named(ALL_CONCURRENCIES);

/** A request that makes a connection a used one is another one, and where levels are sent a few times, it tells little. */
export const SELDOM_USED = ALL_CONNECTIONS.slice(2).map((level) => ({
  factor: CONNECTION_FACTOR,
  level,
  most: { smoke: 3 },
}));

/** The factor's name: the first level stands wherever the other need not be covered. */
export const TIMES_FACTOR = 'times sent';

/** Whether a request is sent once, or again as soon as it was answered: an answer that was remembered shows. */
export const TIMES: LevelTable<1 | 2> = { once: { examples: [1] }, 'a second time': { examples: [2] } };

/** What is nothing special about a request's circumstances: the first level of each factor. */
export const USUAL_CIRCUMSTANCES = {
  [CONNECTION_FACTOR]: 'on any connection',
  [CONCURRENCY_FACTOR]: 'among others',
  [TIMES_FACTOR]: 'once',
};

/** A second time costs a request, and a request for something else tells more; which are sent twice, the seed decides. */
export const SELDOM_TWICE = { factor: TIMES_FACTOR, level: 'a second time', most: { smoke: 3, standard: 4 } } as const;

/**
 * On a service that takes its time, requests that are alone take most of a run. What a service does otherwise when it is
 * idle, a few of them show; which ones, the seed decides. One that takes others before or after it takes as long as two.
 */
export const SELDOM_ALONE = {
  factor: CONCURRENCY_FACTOR,
  level: 'alone',
  most: { smoke: 3, standard: 3 },
  dearerWith: { [CONNECTION_FACTOR]: ALL_CONNECTIONS.slice(2), [TIMES_FACTOR]: ['a second time'] },
} as const;
