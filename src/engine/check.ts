import type { Profile } from '../report/model/result.ts';
import type { SpacePart } from './request-space.ts';
import { isSuspicion, type Judgement, type Suspicion } from './violation.ts';

/** The phases of a run, in order. */
export const PHASES = ['found', 'fresh', 'early', 'main', 'still', 'quiet', 'end'] as const;

/**
 * When a check sends its requests.
 * `found`: first of all, one at a time, while the collection is as it was found: hardly anything is added.
 * `fresh`: next, while the collection is as short as it was found, so that new entries can be seen in the list.
 * `early`: next, one at a time, while the collection still fits on a page. `main`: side by side with all others.
 * `still`: then, when no other check adds anything any more: side by side with others that hardly do more than read.
 * `quiet`: then, one at a time, when nothing else is under way.
 * `end`: last, side by side: what the run has left behind.
 */
export type Phase = (typeof PHASES)[number];

/** Whether the checks of a phase are exercised one at a time, so that nothing else is under way. */
export const isOneAtATime = (phase: Phase): boolean => phase === 'found' || phase === 'early' || phase === 'quiet';

/** What holds of every answer of the whole run, whichever check sent the request. It must not change the state. */
export type Rule<R, S> = (reply: R, state: S) => Judgement | Suspicion;

/** A check of a requirement, of a service with replies `R`, state `S` and vocabulary `V`. */
export interface Check<R, S, V> {
  /** A requirement's id, with a suffix where the requirement has several checks (`THING-2.list`). */
  readonly id: string;
  readonly requirement: string;
  /** One sentence. */
  readonly title: string;
  readonly phase: Phase;
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
}

export interface CheckParts<R, S, V> {
  /** Of several rules the first that is violated counts. */
  readonly everyAnswer?: Rule<R, S> | readonly Rule<R, S>[];
  readonly exercise?: (vocabulary: V) => Promise<void>;
  readonly covers?: readonly SpacePart[];
  readonly phase?: Phase;
  readonly repeats?: boolean;
  readonly requests?: Readonly<Partial<Record<Profile, number>>>;
  readonly looksBack?: boolean;
}

export function defineCheck<R, S, V>(id: string, title: string, parts: CheckParts<R, S, V>): Check<R, S, V> {
  const { everyAnswer, exercise, covers = [], phase = 'main', repeats = false } = parts;
  const { requests = {}, looksBack = false } = parts;
  const rule = everyAnswer === undefined || typeof everyAnswer === 'function' ? everyAnswer : allOf(...everyAnswer);
  return {
    id,
    requirement: id.split('.')[0] ?? id,
    title,
    phase,
    everyAnswer: rule,
    exercise,
    covers,
    repeats,
    requests,
    looksBack,
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
