import { textAt } from '../contract/json-text.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Call, Reply } from './reply.ts';

/** What is wrong with an answer, and the exchanges that show it. */
export interface Violation {
  /** Stable code of what went wrong, such as `status` or `page-too-long`. */
  readonly code: string;
  /** What is wrong, in one sentence without a full stop. */
  readonly message: string;
  /** What would have been right, and what came instead, each in one phrase. */
  readonly expected: string;
  readonly actual: string;
  /** The last is judged, the others are its control or context. */
  readonly proof: readonly Exchange[];
  /** The call that was judged. */
  readonly call: Call;
  /** Judges the proof again, where it was a check's own expectation and not a rule that judged it. */
  readonly again?: (() => Judgement) | undefined;
  /** What of the answer is wrong, where it is not what its body says: its status, or the form in which it came. */
  readonly about?: 'status' | 'form';
  /** The statuses that would have been right, where the status alone is wrong and these are known. */
  readonly permitted?: readonly number[];
  /** Whether it is one of what the service held before the run added anything, and shows only there. */
  readonly asFound?: true;
  /** Of bodies in the proof, the part that is meant. */
  readonly excerpts?: readonly Excerpt[];
}

/** A part of the body of a response: where it stands, as a JSON pointer, and what it says, as JSON. */
export interface Excerpt {
  readonly exchange: Exchange;
  readonly pointer: string;
  readonly text: string;
}

/** A proof as it is shown: the control and context in the order in which they were sent, and last what is judged. */
export function asTold(proof: readonly Exchange[]): readonly Exchange[] {
  const before = proof.slice(0, -1).toSorted((one, other) => one.sentAt - other.sentAt);
  return [...before, ...proof.slice(-1)];
}

/** The violation with the part of a response's body that is meant; the whole of a body needs no excerpt. */
export function showing(violation: Violation, { exchange, json }: Reply, pointer: string): Violation {
  const text = pointer === '' || json.kind !== 'json' ? undefined : textAt(json, pointer);
  if (text === undefined) return violation;
  return { ...violation, excerpts: [...(violation.excerpts ?? []), { exchange, pointer, text }] };
}

/** What a rule says of one answer: nothing (it is not about such an answer), that it holds, or how it is violated. */
export type Judgement = 'irrelevant' | 'holds' | Violation;

/**
 * A violation that a lag, a replica or a cache may explain for a while. The same request is sent again until the
 * explanation has run out; only what is then still wrong is a violation.
 */
export interface Suspicion {
  readonly kind: 'suspicion';
  readonly violation: Violation;
  /** When the explanation has run out (milliseconds, monotonic). */
  readonly until: number;
}

/** The violation at once if the explanation had run out when its request was sent, and otherwise a suspicion. */
export function suspected(violation: Violation, until: number): Violation | Suspicion {
  const sentAt = violation.proof.at(-1)?.sentAt ?? 0;
  return sentAt >= until ? violation : { kind: 'suspicion', violation, until };
}

export const isSuspicion = (judgement: Judgement | Suspicion): judgement is Suspicion =>
  typeof judgement === 'object' && 'kind' in judgement;

/** What of an answer a violation is about; that there is none counts as a status. */
export const aboutOf = ({ about, proof }: Violation): 'status' | 'form' | 'content' =>
  proof.at(-1)?.answer.kind === 'response' ? (about ?? 'content') : 'status';

/** A violation by this reply. @param against an earlier exchange that it contradicts, or is compared with */
export function violates(
  { call, exchange }: Reply,
  code: string,
  message: string,
  expected: string,
  actual: string,
  against?: Exchange,
): Violation {
  return { code, message, expected, actual, proof: against === undefined ? [exchange] : [against, exchange], call };
}

/**
 * A violation by the status of this reply.
 *
 * @param permitted the statuses that would have been right; none where they are not known
 * @param expected the same in words
 */
export function violatesByStatus(
  reply: Reply,
  code: string,
  message: string,
  permitted: readonly number[],
  expected = permitted.join(' or '),
  against?: Exchange,
): Violation {
  const violation = violates(reply, code, message, expected, reply.statusText, against);
  return { ...violation, about: 'status', ...(permitted.length === 0 ? {} : { permitted }) };
}

/** Text from a service, quoted, and short enough for a sentence. */
export function quote(text: string, longest = 80): string {
  const quoted = JSON.stringify(text) ?? '';
  return quoted.length <= longest ? quoted : `${quoted.slice(0, longest)}… (${text.length} characters)`;
}
