import type { Knowledge } from '../petstore/knowledge.ts';
import type { Reply } from '../petstore/reply.ts';
import type { Judgement } from './breach.ts';
import type { CheckContext } from './context.ts';

/**
 * When a check does its part.
 * `fresh`: first, while the collection is as short as it was found, so that new animals can be seen in the list.
 * `main`: side by side with all the others. `quiet`: last, one at a time, when nothing else of the run is under way.
 */
export type Phase = 'fresh' | 'main' | 'quiet';

/** A rule that every reply of the whole run is held against, whatever check it came of. */
export type Rule = (reply: Reply, known: Knowledge) => Judgement;

/** Sends what it takes to judge a requirement; returns where it holds, and throws a signal where it does not. */
export type Provoke = (context: CheckContext) => Promise<void>;

export interface Check {
  /** A requirement's id, with a suffix where the requirement has several checks (`AUTH-2.createPet`). */
  readonly id: string;
  readonly requirement: string;
  readonly title: string;
  readonly phase: Phase;
  readonly always: Rule | undefined;
  readonly provoke: Provoke | undefined;
}

interface Parts {
  readonly always?: Rule;
  readonly provoke?: Provoke;
  readonly phase?: Phase;
}

/**
 * One check: the id of the requirement that it judges, one sentence, and either a function that provokes the
 * behaviour or a rule that holds of every reply, or both.
 */
export function check(id: string, title: string, parts: Provoke | Parts): Check {
  const { always, provoke, phase = 'main' }: Parts = typeof parts === 'function' ? { provoke: parts } : parts;
  return { id, requirement: id.split('.')[0] ?? id, title, phase, always, provoke };
}
