import { describe, expect, test } from 'vitest';
import { addressOf } from '../http/connect/route.ts';
import { defineCheck } from './check.ts';
import { EveryAnswer } from './every-answer.ts';
import { History } from './history.ts';
import { type OutcomeParts, outcomeOf } from './outcome.ts';
import {
  InconclusiveError,
  NotApplicableError,
  SuiteError,
  type ViolationDetails,
  ViolationError,
} from './outcome-errors.ts';
import type { Reply } from './reply.ts';
import {
  judge,
  repliedWith,
  ToyState,
  type ToyTools,
  toyCall,
  toyExchange,
  toyService,
} from './toy-service.fixture.ts';
import { violates } from './violation.ts';

const NONE = { judged: 0, irrelevant: 0 };
const OUT_OF_TIME = new InconclusiveError('out-of-time', 'the time was over');

const violation = (code: string, number: number) => violates(repliedWith(number, 500), code, 'it failed', '200', '500');

/** What every answer of a run was, by the rule of one check: its status tells whether it holds. */
function everyAnswerOf(...statuses: readonly (number | undefined)[]): EveryAnswer<Reply, ToyState> {
  const check = defineCheck<Reply, ToyState, ToyTools>('THING-1', 'a check', {
    everyAnswer: (reply) => {
      if (reply.status === undefined) return 'irrelevant';
      return reply.status < 300 ? 'holds' : violates(reply, 'seen', 'it failed', '200', '500');
    },
  });
  const everyAnswer = new EveryAnswer([check], new ToyState());
  for (const [at, status] of statuses.entries()) judge(everyAnswer, repliedWith(at + 1, status));
  return everyAnswer;
}

const concluded = (parts: Partial<OutcomeParts<Reply, ToyState>> = {}) =>
  outcomeOf({
    checkId: 'THING-1',
    error: undefined,
    hasExercise: true,
    hasRule: true,
    proofFault: () => undefined,
    expectations: { judged: 0, irrelevant: 0 },
    everyAnswer: everyAnswerOf(200),
    cutShort: undefined,
    address: addressOf('http://a.example/v1'),
    recorder: { history: new History(), format: toyService().replay, sourceOf: () => undefined },
    ...parts,
  });

describe('without an error', () => {
  test('a check with a rule passes where the rule judged an answer, and one without where its exercise ended', () => {
    expect(concluded().outcome).toEqual({ kind: 'passed' });
    expect(concluded({ hasExercise: false }).outcome).toEqual({ kind: 'passed' });
    expect(concluded({ hasRule: false, everyAnswer: everyAnswerOf() }).outcome).toEqual({ kind: 'passed' });
  });

  test.each([true, false])('a rule that no answer was about is inconclusive (with an exercise: %s)', (hasExercise) => {
    for (const everyAnswer of [everyAnswerOf(undefined), everyAnswerOf()]) {
      expect(concluded({ hasExercise, everyAnswer }).outcome).toEqual({
        kind: 'inconclusive',
        code: 'nothing-to-judge',
        reason: 'no response in this run was covered by the rule',
        byOption: false,
      });
    }
  });

  test('a rule that only suspected is inconclusive for another reason', () => {
    const everyAnswer = everyAnswerOf();
    everyAnswer.tally('THING-1').undecided = 2;
    expect(concluded({ everyAnswer }).outcome).toMatchObject({
      kind: 'inconclusive',
      code: 'undecided',
      reason: expect.stringContaining('(2 responses)'),
    });
  });

  test('what ended the exercise is told rather than that nothing was judged', () => {
    const everyAnswer = everyAnswerOf();
    expect(concluded({ everyAnswer, error: OUT_OF_TIME }).outcome).toMatchObject({ code: 'out-of-time' });
  });

  test('but what was judged before the service locked wrong keys out counts', () => {
    const error = new InconclusiveError('locked-out', 'it answered 429');
    expect(concluded({ everyAnswer: everyAnswerOf(200), error }).outcome).toEqual({ kind: 'passed' });
    for (const expectations of [NONE, { judged: 0, irrelevant: 1 }]) {
      const nothing = { everyAnswer: everyAnswerOf(), error, expectations };
      expect(concluded({ ...nothing, hasRule: true }).outcome).toMatchObject({ code: 'locked-out' });
      expect(concluded({ ...nothing, hasRule: false }).outcome).toMatchObject({ code: 'locked-out' });
    }
  });

  test('a rule alone is inconclusive where the run did not reach its end, though not a check that did', () => {
    expect(concluded({ hasExercise: false, cutShort: OUT_OF_TIME }).outcome).toMatchObject({
      kind: 'inconclusive',
      code: 'out-of-time',
    });
    expect(concluded({ cutShort: OUT_OF_TIME }).outcome).toEqual({ kind: 'passed' });
  });
});

describe('an error', () => {
  test.each([
    [new InconclusiveError('control-failed', 'no', { see: 'THING-2' }), { kind: 'inconclusive', see: 'THING-2' }],
    [new InconclusiveError('read-only', 'no', { byOption: true }), { kind: 'inconclusive', byOption: true }],
    [new NotApplicableError('it is gone'), { kind: 'not applicable', reason: 'it is gone' }],
    [new SuiteError('it contradicts itself'), { kind: 'harness error', message: 'it contradicts itself' }],
    [new TypeError('undefined is not a function'), { kind: 'harness error', stack: expect.stringContaining('Type') }],
    ['a text', { kind: 'harness error', message: 'a text' }],
  ])('%s', (error, outcome) => {
    expect(concluded({ error })).toMatchObject({ outcome, replay: undefined });
  });

  test('a violation that the rule saw counts whatever else happened, unless the suite contradicted itself', () => {
    const everyAnswer = everyAnswerOf(200, 500, 200);
    for (const error of [OUT_OF_TIME, new NotApplicableError('gone'), new TypeError('oops')]) {
      expect(concluded({ error, everyAnswer }).outcome).toMatchObject({
        kind: 'failed',
        violations: [{ code: 'seen' }],
      });
    }
    expect(concluded({ error: new SuiteError('no'), everyAnswer }).outcome).toMatchObject({ kind: 'harness error' });
  });
});

describe('a violation', () => {
  const toldOf = (outcome: ReturnType<typeof concluded>['outcome']) =>
    outcome.kind !== 'failed'
      ? []
      : outcome.violations.map(({ exchanges }) =>
          exchanges.map(({ role, answer }) => `${role} ${answer.kind === 'response' ? answer.status : ''}`),
        );

  test('shows its control and context in the order in which they were sent, and last what is judged', () => {
    const proof = [toyExchange(4, 200), toyExchange(1, 201), toyExchange(5, 202), toyExchange(3, 404)];
    const compared = { ...violation('lost', 3), proof };
    const { outcome } = concluded({ error: new ViolationError(compared) });
    expect(toldOf(outcome)).toEqual([['control 201', 'control 200', 'control 202', 'judged 404']]);
  });

  test('of the exercise comes first, then what the rule saw of other codes', () => {
    const { outcome } = concluded({
      error: new ViolationError(violation('own', 9)),
      everyAnswer: everyAnswerOf(500, 200),
    });
    expect(outcome).toMatchObject({ kind: 'failed', violations: [{ code: 'own' }, { code: 'seen' }] });
  });

  test('tells what was shrunk, unless it reads the same as before', () => {
    const shrunkTo = (to: string) => {
      const error = new ViolationError(violation('own', 9), { shrunk: { from: 'limit=70', to, requests: 6 } });
      const { outcome } = concluded({ error });
      return outcome.kind === 'failed' ? outcome.violations[0]?.shrunk : undefined;
    };
    expect(shrunkTo('limit=7')).toEqual({ from: 'limit=70', to: 'limit=7', requests: 6 });
    expect(shrunkTo('limit=70')).toBeUndefined();
  });

  test('tells how often its rule was violated in this way, and of what the exercise alone finds how many samples', () => {
    const frequencyWith = (code: string, ...statuses: readonly number[]) => {
      const error = new ViolationError(violation(code, 9), { frequency: { violated: 3, judged: 20 } });
      const { outcome } = concluded({ error, everyAnswer: everyAnswerOf(...statuses) });
      return outcome.kind === 'failed' ? outcome.violations[0]?.frequency : undefined;
    };
    expect(frequencyWith('own', 200, 500)).toEqual({ violated: 3, judged: 20, of: 'samples' });
    expect(frequencyWith('seen', 404, 200, 200)).toMatchObject({ violated: 1, judged: 3 });
    expect(frequencyWith('seen', 404, 404)).not.toHaveProperty('intermittent');
  });

  test('is replayed by its whole check, or by the sample that failed', () => {
    const targetOf = (details: ViolationDetails) =>
      concluded({ error: new ViolationError(violation('own', 1), details) }).replay?.target;
    const place = { property: 1, path: '3:0' };
    expect(targetOf({})).toEqual({ kind: 'check' });
    expect(targetOf({ place })).toEqual({ kind: 'sample', place });
  });

  test('is recorded with how often it was seen, and by whom', () => {
    const recorded = concluded({ everyAnswer: everyAnswerOf(500, 200, 200) }).replay?.violation;
    expect(recorded).toMatchObject({ code: 'seen', byRule: true, violated: 1, judged: 3, intermittent: true });
    const own = violation('own', 1);
    const error = new ViolationError({ ...own, again: () => own });
    expect(concluded({ error }).replay?.violation).toMatchObject({ code: 'own', byRule: false, violated: 1 });
  });
});

test('a requirement is shown by the simplest request that violates it, whichever a check of its own came upon', () => {
  const everyAnswer = everyAnswerOf(200, 404);
  const odd = repliedWith(3, 404, toyCall({ description: 'list with five odd headers' }));
  const own = violates(odd, 'seen', 'it failed, oddly', '200', '404');
  const { outcome } = concluded({ everyAnswer, error: new ViolationError(own) });
  expect(outcome).toMatchObject({ kind: 'failed', violations: [{ message: 'it failed' }] });
  const only = concluded({ everyAnswer: everyAnswerOf(200), error: new ViolationError(own) });
  expect(only.outcome).toMatchObject({ kind: 'failed', violations: [{ message: 'it failed, oddly' }] });
});
