import { expect, test } from 'vitest';
import type { Rule } from './check.ts';
import { History } from './history.ts';
import { Proofs } from './proof.ts';
import type { Reply } from './reply.ts';
import { repliedWith, sentAlone, ToyState, toyCall, toyContract, toyService } from './toy-service.fixture.ts';
import { isSuspicion, type Judgement, type Suspicion, type Violation, violates } from './violation.ts';

const newProofs = (...replies: readonly Reply[]): Proofs<Reply, ToyState> => {
  const history = new History();
  for (const reply of replies) history.append(sentAlone(reply));
  return new Proofs<Reply, ToyState>(toyService(), toyContract, history, () => new ToyState());
};

const isNo500 = (reply: Reply): Judgement =>
  reply.status === 500 ? violates(reply, 'failed', 'it failed', '200', '500') : 'holds';

/** Every answer but the first is one too many. */
const isTheFirst: Rule<Reply, ToyState> = (reply, { learned }) =>
  learned.length === 0 ? 'holds' : violates(reply, 'second', 'a second answer', 'one', 'two');

function violationOf(judgement: Judgement | Suspicion): Violation {
  if (typeof judgement === 'string' || isSuspicion(judgement)) throw new Error('no violation');
  return judgement;
}

test('a proof that shows the violation by the rule itself is sound', () => {
  const failed = repliedWith(1, 500);
  expect(newProofs(failed).faultOf(violationOf(isNo500(failed)), isNo500)).toBeUndefined();
});

test('a rule that compares sees the exchanges of the proof and nothing else of the run', () => {
  const [first, second] = [repliedWith(1, 200), repliedWith(2, 200)];
  const state = new ToyState();
  state.learn(first);
  const violation = violationOf(isTheFirst(second, state));
  const proofs = newProofs(first, second);
  expect(proofs.faultOf({ ...violation, proof: [first.exchange, second.exchange] }, isTheFirst)).toBeUndefined();
  expect(proofs.faultOf(violation, isTheFirst)).toBe('judged again, it shows nothing wrong');
});

test('a proof that ends with another request, or holds an exchange of no reply, is unsound', () => {
  const [failed, other] = [repliedWith(1, 500), repliedWith(2, 500, toyCall())];
  const violation = violationOf(isNo500(failed));
  const proofs = newProofs(failed, other);
  expect(proofs.faultOf({ ...violation, proof: [other.exchange] }, isNo500)).toMatch(/another request/);
  expect(proofs.faultOf({ ...violation, proof: [repliedWith(3, 200).exchange, failed.exchange] }, isNo500)).toMatch(
    /not of this run/,
  );
});

test('a proof that shows something else is unsound', () => {
  const failed = repliedWith(1, 500);
  const violation = { ...violationOf(isNo500(failed)), code: 'late' };
  expect(newProofs(failed).faultOf(violation, isNo500)).toBe('judged again, it shows "failed" instead of "late"');
});

test("a check's own expectation is judged again by itself", () => {
  const failed = repliedWith(1, 500);
  const proofs = newProofs(failed);
  const violation = violationOf(isNo500(failed));
  const again = () => isNo500(proofs.readAgain(failed));
  expect(proofs.faultOf({ ...violation, again }, undefined)).toBeUndefined();
  expect(proofs.faultOf({ ...violation, again: () => 'holds' }, isNo500)).toBe('judged again, it shows nothing wrong');
});
