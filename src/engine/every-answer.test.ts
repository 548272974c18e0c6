import { expect, test } from 'vitest';
import { type Check, defineCheck } from './check.ts';
import { EveryAnswer } from './every-answer.ts';
import type { Reply } from './reply.ts';
import {
  judge,
  repliedWith,
  sentAlone,
  ToyState,
  type ToyTools,
  toyCall,
  toyExchange,
  toyReply,
} from './toy-service.fixture.ts';
import { type Judgement, violates } from './violation.ts';

type ToyCheck = Check<Reply, ToyState, ToyTools>;

const rule = (id: string, everyAnswer: (reply: Reply, state: ToyState) => Judgement): ToyCheck =>
  defineCheck(id, `the check ${id}`, { everyAnswer });

const isSuccess = (reply: Reply): Judgement => {
  const { status } = reply;
  if (status === undefined) return 'irrelevant';
  return status < 300 ? 'holds' : violates(reply, `is-${status}`, 'it failed', '200', `${status}`);
};

test('rules judge by what was known before the answer; then the run learns from it', () => {
  const known: (readonly number[])[] = [];
  const everyAnswer = new EveryAnswer(
    [
      rule('THING-1', (_, state) => {
        known.push([...state.learned]);
        return 'holds';
      }),
    ],
    new ToyState(),
  );
  judge(everyAnswer, repliedWith(1, 200));
  judge(everyAnswer, repliedWith(2, 200));
  expect(known).toEqual([[], [1]]);
  expect(everyAnswer.state.learned).toEqual([1, 2]);
});

test('the run learns from an answer that violates a rule too', () => {
  const everyAnswer = new EveryAnswer([rule('THING-1', isSuccess)], new ToyState());
  expect(everyAnswer.receive(sentAlone(repliedWith(1, 500))).violations.get('THING-1')).toMatchObject({
    code: 'is-500',
  });
  expect(everyAnswer.state.learned).toEqual([1]);
});

test('a violation belongs to the check that owns the rule, whichever check sent the request', () => {
  const everyAnswer = new EveryAnswer([rule('THING-1', isSuccess), rule('THING-2', () => 'holds')], new ToyState());
  judge(everyAnswer, repliedWith(1, 500));
  expect(everyAnswer.tally('THING-1').violations).toMatchObject([{ code: 'is-500' }]);
  expect(everyAnswer.tally('THING-2').violations).toEqual([]);
});

test('an answer that a rule is not about is not counted', () => {
  const everyAnswer = new EveryAnswer([rule('THING-1', isSuccess)], new ToyState());
  for (const status of [undefined, 200, 500, 200]) judge(everyAnswer, repliedWith(1, status));
  expect(everyAnswer.tally('THING-1')).toMatchObject({ judged: 3, violated: 1 });
  expect(everyAnswer.tally('THING-2')).toMatchObject({ judged: 0, violated: 0 });
});

test('the violation with the shortest request comes first, and then one of each other code', () => {
  const everyAnswer = new EveryAnswer([rule('THING-1', isSuccess)], new ToyState());
  const asking = (path: string) => toyCall({ request: { ...toyCall().request, path } });
  judge(everyAnswer, repliedWith(1, 500, asking('/things?limit=1')));
  judge(everyAnswer, repliedWith(2, 404, asking('/things?limit=2')));
  judge(everyAnswer, repliedWith(3, 500, asking('/things')));
  const numbers = everyAnswer.tally('THING-1').violations.map(({ code, proof }) => [code, proof.at(-1)?.number]);
  expect(numbers).toEqual([
    ['is-500', 3],
    ['is-404', 2],
  ]);
});

test('intermittent is what an equivalent call was answered rightly after it was answered wrongly', () => {
  const fares = (...answers: readonly (readonly [equivalence: string, status: number])[]): boolean => {
    const everyAnswer = new EveryAnswer([rule('THING-1', isSuccess)], new ToyState());
    for (const [at, [equivalence, status]] of answers.entries()) {
      judge(everyAnswer, repliedWith(at, status, toyCall({ equivalence })));
    }
    const [violation] = everyAnswer.tally('THING-1').violations;
    return violation !== undefined && everyAnswer.tally('THING-1').frequencyOf(violation)?.intermittent === true;
  };
  expect(fares(['a', 500], ['a', 200])).toBe(true);
  expect(fares(['a', 500], ['b', 200])).toBe(false);
  // What begins later, as the collection grows, does not come and go.
  expect(fares(['a', 200], ['a', 500])).toBe(false);
});

test('a rate is that of one failure, and a failing server is told apart by what it was asked and what it said', () => {
  const everyAnswer = new EveryAnswer([rule('THING-1', isSuccess)], new ToyState());
  const failing = (number: number, kind: string, path: string) => {
    const { request } = toyCall();
    judge(everyAnswer, repliedWith(number, 500, toyCall({ kind, request: { ...request, path } })));
  };
  failing(1, 'long', '/things?name=longer');
  failing(2, 'long', '/things?name=l');
  failing(3, 'negative', '/things?limit=-1');
  judge(everyAnswer, repliedWith(4, 404));
  judge(everyAnswer, repliedWith(5, 200, toyCall({ equivalence: 'another' })));
  const told = everyAnswer.tally('THING-1').violations.map((violation) => ({
    number: violation.proof.at(-1)?.number,
    ...everyAnswer.tally('THING-1').frequencyOf(violation),
  }));
  expect(told).toEqual([
    { number: 4, violated: 1, judged: 5 },
    { number: 2, violated: 2, judged: 5, operation: 'list' },
    { number: 3, violated: 1, judged: 5, operation: 'list' },
  ]);
});

test('each failing input is listed once, with what came back and how often, the simplest first', () => {
  const everyAnswer = new EveryAnswer([rule('THING-1', isSuccess)], new ToyState());
  const asking = (path: string, number: number, status: number) => {
    const request = { ...toyCall().request, path };
    const exchange = { ...toyExchange(number, status), request };
    judge(everyAnswer, toyReply(toyCall({ equivalence: path, request }), exchange));
  };
  asking('/things?limit=2', 1, 404);
  asking('/things', 2, 404);
  asking('/things?limit=2', 3, 404);
  asking('/things?limit=3', 4, 200);
  expect(everyAnswer.tally('THING-1').wrong.inputs).toMatchObject([
    { path: '/things', answered: '404 · []', times: 1 },
    { path: '/things?limit=2', answered: '404 · []', times: 2 },
  ]);
});

test('intermittent is what was answered both ways; what was answered wrongly each time is told apart, and first', () => {
  const everyAnswer = new EveryAnswer([rule('THING-1', isSuccess)], new ToyState());
  const asking = (path: string) => toyCall({ equivalence: path, request: { ...toyCall().request, path } });
  const crashes = asking('/things?limit=abc');
  for (const number of [1, 3, 5, 7]) judge(everyAnswer, repliedWith(number, 500, crashes));
  judge(everyAnswer, repliedWith(2, 500, asking('/things')));
  judge(everyAnswer, repliedWith(4, 500, asking('/things/1')));
  judge(everyAnswer, repliedWith(6, 200, asking('/things')));
  const tally = everyAnswer.tally('THING-1');
  expect(tally.violations.map(({ call: { equivalence } }) => equivalence)).toEqual(['/things?limit=abc', '/things']);
  const [always, atTimes] = tally.violations.map((violation) => tally.frequencyOf(violation));
  expect(always).toEqual({ violated: 4, judged: 7 });
  expect(atTimes).toEqual({ violated: 2, judged: 7, intermittent: true });
  expect(tally.unsettled?.others.map(({ number }) => number)).toEqual([4]);
});
