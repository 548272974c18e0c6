import type { LevelTable } from '../../engine/request-space.ts';

/** What else is under way when a request is sent, and what was sent before on its connection. */
export const ALL_CIRCUMSTANCES = [
  'among others',
  'at the same moment as seven others',
  'alone',
  'on a new connection',
  'on a connection used by a good key',
  'on a connection used by a refusal',
] as const;

export type Circumstances = (typeof ALL_CIRCUMSTANCES)[number];

/** The factor's name: its first level, which costs nothing, stands wherever another one need not be covered. */
export const CIRCUMSTANCES_FACTOR = 'circumstances';

/** A request that is to be alone is sent by a check that runs when nothing else is under way. */
export const CIRCUMSTANCES: LevelTable<Circumstances> = {
  'among others': { examples: ['among others'] },
  'at the same moment': { examples: ['at the same moment as seven others'] },
  alone: { examples: ['alone'] },
  'on another connection': {
    examples: ['on a connection used by a good key', 'on a connection used by a refusal', 'on a new connection'],
  },
};

/**
 * On a service that takes its time, requests that are alone take most of a run. What a service does otherwise when it is
 * idle, a few of them show; which ones, the seed decides.
 */
export const SELDOM_ALONE = { factor: CIRCUMSTANCES_FACTOR, level: 'alone', most: { smoke: 3, standard: 3 } } as const;

/** The factor's name: the first level stands wherever the other need not be covered. */
export const TIMES_FACTOR = 'times sent';

/** Whether a request is sent once, or again as soon as it was answered: an answer that was remembered shows. */
export const TIMES: LevelTable<1 | 2> = { once: { examples: [1] }, 'a second time': { examples: [2] } };

/** A second time costs a request, and where levels are sent only a few times, another request tells more. */
export const SELDOM_TWICE = { factor: TIMES_FACTOR, level: 'a second time', most: { smoke: 3 } } as const;
