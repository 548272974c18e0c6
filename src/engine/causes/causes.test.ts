import { expect, test } from 'vitest';
import type { AnswerNote } from '../history.ts';
import { toyCall, toyExchange } from '../toy-service.fixture.ts';
import type { Finding } from '../wrong-answers.ts';
import { causesOf } from './causes.ts';
import type { FailedCheck } from './grouping.ts';
import { firstSeenAfter } from './sentence.ts';

const note = (number: number, changes: Partial<AnswerNote> = {}): AnswerNote => ({
  number,
  operation: 'list',
  kind: '',
  equivalence: `call ${number}`,
  description: `call ${number}`,
  effect: 'reads',
  status: 200,
  isDocumented: true,
  mediaType: 'application/json',
  fault: undefined,
  changed: [],
  said: '',
  sentAt: number,
  answeredAt: number + 0.5,
  ...changes,
});

const notes = (from: number, to: number, changes: Partial<AnswerNote> = {}): readonly AnswerNote[] =>
  Array.from({ length: to - from + 1 }, (_, at) => note(from + at, changes));

function finding(check: string, wrong: readonly AnswerNote[], changes: Partial<Finding> = {}): Finding {
  const [like = note(0)] = wrong;
  const call = toyCall();
  return {
    check,
    code: 'status',
    like,
    isByRule: true,
    about: 'status',
    judged: new Set(wrong.map(({ number }) => number)),
    before: new Map(),
    simplest: {
      code: 'status',
      message: `${check} is wrong`,
      expected: '400',
      permitted: [400],
      actual: '500',
      proof: [toyExchange(like.number, like.status)],
      call,
    },
    ...changes,
  };
}

function failed(id: string, findings: readonly Finding[], changes: Partial<FailedCheck> = {}): FailedCheck {
  return {
    id,
    requirement: id.split('.')[0] ?? id,
    kind: 'stated',
    blocks: [],
    findings,
    series: [],
    ...changes,
  };
}

const ADDING = { operation: 'add', effect: 'may create', status: 201 } as const;

test('every answer of a class that is wrong in the same way is one cause, with all that it violates', () => {
  const right = notes(1, 9);
  const lists = notes(10, 12, { status: 422, isDocumented: false, mediaType: 'text/plain', fault: 'not-json' });
  const additions = notes(13, 16, { ...lists[0], number: 0, operation: 'add' }).map((one, at) => ({
    ...one,
    number: 13 + at,
  }));
  const [cause, ...others] = causesOf(
    [
      failed('LIST-1', [finding('LIST-1', lists)]),
      failed('ADD-1', [finding('ADD-1', additions.slice(0, 2))]),
      failed('ADD-2', [finding('ADD-2', additions.slice(2))]),
      failed('ERR-1', [finding('ERR-1', lists, { code: 'shape', about: 'content' })]),
    ],
    [...right, ...lists, ...additions],
  );
  expect(others).toEqual([]);
  expect(cause).toMatchObject({ says: 'every refusal is 422 text/plain' });
  expect(cause?.requirements.toSorted()).toEqual(['ADD-1', 'ADD-2', 'ERR-1', 'LIST-1']);
});

test('"every" is said only of what was seen; otherwise how many', () => {
  const wrong = notes(4, 5, { status: 404 });
  const checks = [failed('LIST-1', [finding('LIST-1', wrong)]), failed('LIST-2', [finding('LIST-2', wrong)])];
  const says = (...others: readonly AnswerNote[]) => causesOf(checks, [...others, ...wrong])[0]?.says;
  expect(says(...notes(1, 3))).toBe(
    'list answers 404 where 400 is right (2 of 5 answers of list), for example to a list',
  );
  expect(says(note(3, { status: 404 }))).toBe('every answer is 404');
  expect(says(note(3, { status: 404 }), note(1, ADDING))).toBe('every refusal is 404');
  expect(says(note(3, { status: 404 }), note(1, { status: 401, operation: 'add' }))).toBe(
    'every answer of list is 404',
  );
});

test('answers that are alike in no other respect are told by their statuses', () => {
  const statuses = [404, 404, 400, 415, 422];
  const wrong = statuses.map((status, at) => note(at + 1, { status, mediaType: `text/${status}` }));
  const right = notes(6, 40, ADDING);
  const says = (some: readonly AnswerNote[]) =>
    causesOf(
      [failed('SERV-2', [finding('SERV-2', some, { code: 'media-type', about: 'form' })])],
      [...wrong, ...right],
    )[0]?.says;
  expect(says(wrong)).toMatch(/404, 400, 415 or 422/);
  expect(says([...wrong.slice(0, 4)])).toMatch(/404, 400 or 415/);
});

test('what is right is what all of the expectations permit', () => {
  const wrong = notes(4, 5);
  const expecting = (check: string, permitted: readonly number[], at: number) => {
    const one = finding(check, wrong.slice(at, at + 1));
    return failed(check, [{ ...one, simplest: { ...one.simplest, permitted } }]);
  };
  const says = (...expected: readonly (readonly number[])[]) =>
    causesOf(
      expected.map((permitted, at) => expecting(`KEY-${at}`, permitted, at)),
      [...notes(1, 3), ...wrong],
    )[0]?.says;
  expect(says([401, 431], [401])).toBe(
    'list answers 200 where 401 is right (2 of 5 answers of list), for example to a list',
  );
  expect(says([401], [400])).toBe('list answers 200 (2 of 5 answers of list), for example to a list');
});

test('a service that stops working is one cause, and from when', () => {
  const down = notes(4, 9, { status: 503, said: 'down' });
  const [cause, ...others] = causesOf(
    [
      failed('SERV-4', [finding('SERV-4', down, { code: 'server-error' })]),
      failed('LIST-1', [finding('LIST-1', down.slice(0, 1))]),
    ],
    [...notes(1, 3), ...down],
  );
  expect(others).toEqual([]);
  expect(cause?.says).toMatch(/^every answer from \d\d:\d\d:\d\d UTC on is 503$/);
});

test('what is wrong by comparison with a wrong answer comes after what is wrong there', () => {
  const wrongIds = notes(1, 3, ADDING);
  const fetched = notes(4, 6, { operation: 'get' });
  const [cause, ...others] = causesOf(
    [
      failed('GET-1', [
        finding('GET-1', fetched, {
          code: 'other',
          about: 'content',
          before: new Map([
            [1, 1],
            [2, 1],
            [3, 1],
          ]),
        }),
      ]),
      failed('ADD-1', [finding('ADD-1', wrongIds, { code: 'id-twice', about: 'content' })], { kind: 'derived' }),
    ],
    [...wrongIds, ...fetched],
  );
  expect(others).toEqual([]);
  expect(cause).toMatchObject({ says: 'ADD-1 is wrong (3 of 3 answers of add)', requirements: ['ADD-1', 'GET-1'] });
});

test('a member that comes back changed is one cause, whatever the requests were about', () => {
  const changed = { ...ADDING, changed: ['name'] };
  const [cause] = causesOf(
    [
      failed('ADD-3', [finding('ADD-3', [note(1, changed)], { code: 'open', about: 'content' })], { kind: 'open' }),
      failed('ADD-2', [finding('ADD-2', [note(2, changed)], { code: 'name', about: 'content' })]),
    ],
    [note(1, changed), note(2, changed), note(3, ADDING)],
  );
  expect(cause).toMatchObject({
    says: 'add gives another name than was sent (2 of 3 answers of add)',
    requirements: ['ADD-2', 'ADD-3'],
  });
});

test('how answers are sent does not explain what they say', () => {
  const all = notes(1, 6, { mediaType: 'text/html' });
  const causes = causesOf(
    [
      failed('SERV-2', [finding('SERV-2', all, { code: 'media-type', about: 'form' })]),
      failed('LIST-2', [finding('LIST-2', all.slice(0, 1), { code: 'page-too-long', about: 'content' })]),
    ],
    all,
  );
  expect(causes.map(({ requirements }) => requirements)).toEqual([['SERV-2'], ['LIST-2']]);
  expect(causes[0]?.says).toBe('every answer is 200 text/html');
});

test('the owner comes first: what a rule found, and what is stated', () => {
  const wrong = notes(1, 4, { status: 404 });
  const of = (id: string, kind: FailedCheck['kind'], isByRule = true) =>
    failed(id, [finding(id, wrong, { isByRule })], { kind });
  const [cause] = causesOf(
    [of('VERS-1', 'stated', false), of('LIST-3', 'open'), of('LIST-2', 'derived'), of('LIST-1', 'stated')],
    wrong,
  );
  expect(cause?.requirements).toEqual(['LIST-1', 'LIST-2', 'LIST-3', 'VERS-1']);
});

test('two bugs of a server that fails are two causes, and so are two operations', () => {
  const failing = (number: number, said: string, operation = 'add') => note(number, { status: 500, said, operation });
  const answers = [failing(1, 'null'), failing(2, 'null'), failing(3, 'overflow'), failing(4, 'null', 'list'), note(5)];
  const own = answers.slice(0, 4).map((one) => finding('SERV-4', [one], { code: 'server-error' }));
  const causes = causesOf([failed('SERV-4', own)], answers);
  expect(causes).toHaveLength(3);
});

test('a change for the worse is dated by the odd request that was accepted just before it', () => {
  const harmless = { ...ADDING, equivalence: 'plain' };
  const series = {
    right: 5,
    once: new Map([['call 14', 10]]),
    turned: 3,
    wrong: new Set(['call 14']),
    rightAfter: 0,
    rightAgain: 0,
    firstWrong: note(14),
  };
  const before = [note(1, harmless), ...notes(5, 9)];
  const odd = note(12, { ...ADDING, description: 'an addition with the id "abc"' });
  const answers = [...before, note(11, harmless), odd, ...notes(14, 16)];
  expect(firstSeenAfter(series, answers)).toBe(odd);
  // Not where some answers were right afterwards, where too few were seen, or where two could be the one.
  expect(firstSeenAfter({ ...series, rightAgain: 1 }, answers)).toBeUndefined();
  expect(firstSeenAfter({ ...series, right: 4 }, answers)).toBeUndefined();
  expect(firstSeenAfter({ ...series, turned: 2 }, answers)).toBeUndefined();
  const other = note(13, { ...ADDING });
  expect(firstSeenAfter(series, [...answers, other])).toBeUndefined();
  const wrongly = note(13, { ...ADDING, effect: 'must not create' });
  expect(firstSeenAfter(series, [...answers, wrongly])).toBe(wrongly);
});
