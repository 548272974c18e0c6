import type { Exchange } from '../reading/exchange.ts';
import { type Expected, shapeOf } from '../reading/expected.ts';
import type { Broken, Question } from './rule.ts';

/** A rule that an exchange breaks. */
export interface Violation extends Broken {
  readonly requirement: string;
  /** What the rule checks: that a response came, its status, its form, or its content. */
  readonly about: 'connection' | 'status' | 'message' | 'content';
  readonly earlier: readonly Exchange[];
}

/** What a service does at a point that the specification leaves open. */
export interface Recording {
  readonly requirement: string;
  readonly reading: string;
}

/** A rule that had something to check in a response: it holds or is broken there. */
export interface Tested {
  readonly requirement: string;
  /** The sentence of the rule; none for the status that the specification gives. */
  readonly rule: string | undefined;
  readonly holds: boolean;
}

/** A question of a rule. */
export interface OpenQuestion extends Question {
  readonly requirement: string;
}

/** The result of checking an exchange against every rule. */
export interface Checked {
  readonly exchange: Exchange;
  /** How the service may respond, by what was known when the request was sent. */
  readonly expected: Expected;
  readonly violations: readonly Violation[];
  readonly tested: readonly Tested[];
  readonly recorded: readonly Recording[];
  /** What must be asked again before it is a violation. */
  readonly questions: readonly OpenQuestion[];
}

/** Whether it is a valid request that was accepted. */
export function isControl({ exchange: { outcome }, expected }: Checked): boolean {
  if (outcome.kind === 'failure' || outcome.status >= 300) return false;
  return expected.mustBe === 'accepted' && shapeOf(expected.permitted, outcome.status) !== undefined;
}

/** What kind of request it is, such as that of valid pages: the same for all of one kind. */
export function requestKind({ exchange: { reading }, expected }: Pick<Checked, 'exchange' | 'expected'>): string {
  const { operation, key, kind, requirement } = reading;
  return `${operation} ${key.kind} ${kind} ${requirement} ${expected.mustBe}`;
}
