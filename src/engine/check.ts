import type { RunPhase } from '../report/model/progress.ts';
import type { Profile } from '../report/model/result.ts';
import type { SpacePart } from './request-space.ts';
import { isSuspicion, type Judgement, type Suspicion } from './violation.ts';

/** The stages of a run, in order, named for what is true of what the service holds. */
export const STAGES = ['initial', 'first entries', 'few entries', 'growing', 'full', 'alone', 'aged'] as const;

/**
 * When a check sends its requests: a stage begins when the one before has ended.
 * `initial`: hardly anything has been added yet; one check at a time.
 * `first entries`: little has been added, so that new entries can be seen in the list; checks run side by side.
 * `few entries`: everything still fits on a page; one check at a time.
 * `growing`: checks run side by side, and add what they need.
 * `full`: there is more than a page, and hardly anything is added any more; checks run side by side.
 * `alone`: nothing else is in flight; one check at a time.
 * `aged`: the first entries are old enough to see what became of them; checks run side by side.
 */
export type Stage = (typeof STAGES)[number];

/** Whether the checks of a stage run one at a time, so that nothing else is in flight. */
export const isOneAtATime = (stage: Stage): boolean =>
  stage === 'initial' || stage === 'few entries' || stage === 'alone';

/** What events call each stage: callers rely on these names. */
export const PHASE_OF = {
  initial: 'found',
  'first entries': 'fresh',
  'few entries': 'early',
  growing: 'main',
  full: 'still',
  alone: 'quiet',
  aged: 'end',
} as const satisfies Readonly<Record<Stage, RunPhase>>;

/** What holds of every answer of the whole run, whichever check sent the request. It must not change the state. */
export type Rule<R, S> = (reply: R, state: S) => Judgement | Suspicion;

/** A check of a requirement, of a service with replies `R`, state `S` and vocabulary `V`. */
export interface Check<R, S, V> {
  /** A requirement's id, with a suffix where the requirement has several checks (`THING-2.list`). */
  readonly id: string;
  readonly requirement: string;
  /** One sentence. */
  readonly title: string;
  readonly stage: Stage;
  readonly everyAnswer: Rule<R, S> | undefined;
  /** Sends what is needed to judge the requirement; throws one of the outcome errors where it does not hold. */
  readonly exercise: ((vocabulary: V) => Promise<void>) | undefined;
  /** The parts of request spaces that it sends. */
  readonly covers: readonly SpacePart[];
  /** It only sends again what others have sent: the first to be left out where time is short. */
  readonly repeats: boolean;
  /** About how many requests it sends beside those of its rows, where they are many. */
  readonly requests: Readonly<Partial<Record<Profile, number>>>;
  /** It judges what its run has left behind. */
  readonly looksBack: boolean;
  /** It judges what an earlier run has left behind, and is of use only where that is remembered. */
  readonly recalls: boolean;
}

export interface CheckParts<R, S, V> {
  /** Of several rules the first that is violated counts. */
  readonly everyAnswer?: Rule<R, S> | readonly Rule<R, S>[];
  readonly exercise?: (vocabulary: V) => Promise<void>;
  readonly covers?: readonly SpacePart[];
  readonly stage?: Stage;
  readonly repeats?: boolean;
  readonly requests?: Readonly<Partial<Record<Profile, number>>>;
  readonly looksBack?: boolean;
  readonly recalls?: boolean;
}

export function defineCheck<R, S, V>(id: string, title: string, parts: CheckParts<R, S, V>): Check<R, S, V> {
  const { everyAnswer, exercise, covers = [], stage = 'growing', repeats = false } = parts;
  const { requests = {}, looksBack = false, recalls = false } = parts;
  const rule = everyAnswer === undefined || typeof everyAnswer === 'function' ? everyAnswer : allOf(...everyAnswer);
  return {
    id,
    requirement: id.split('.')[0] ?? id,
    title,
    stage,
    everyAnswer: rule,
    exercise,
    covers,
    repeats,
    requests,
    looksBack,
    recalls,
  };
}

/** Several rules as one: the first violation counts, and it holds where any of them holds. */
export function allOf<R, S>(...rules: readonly Rule<R, S>[]): Rule<R, S> {
  return (reply, state) => overall(rules, (rule) => rule(reply, state));
}

/** The judgement of all of the items: the first violation, or else the first suspicion, or whether any of them holds. */
export function overall<T>(items: Iterable<T>, judge: (item: T) => Judgement | Suspicion): Judgement | Suspicion {
  let result: Judgement | Suspicion = 'irrelevant';
  for (const item of items) {
    const judgement = judge(item);
    if (typeof judgement === 'object' && !isSuspicion(judgement)) return judgement;
    if (result === 'irrelevant' || (result === 'holds' && judgement !== 'irrelevant')) result = judgement;
  }
  return result;
}
