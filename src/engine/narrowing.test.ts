import { expect, test } from 'vitest';
import { Narrowing } from './narrowing.ts';
import { InconclusiveError } from './outcome-errors.ts';
import type { Call, Reply } from './reply.ts';
import { repliedWith, toyCall } from './toy-service.fixture.ts';
import { type Violation, violates, violatesByStatus } from './violation.ts';

const BOTH = toyCall({ equivalence: 'both' });
const ONE = toyCall({ equivalence: 'one' });
const OTHER = toyCall({ equivalence: 'other' });
const whole = repliedWith(1, 404, BOTH);
const byStatus = violatesByStatus(whole, 'status', 'wrong status', [200]);
const byContent = violates(whole, 'name', 'wrong name', 'a', 'b');

/** What is left of the violations of the whole, and what was sent, where each part is answered as this says. */
async function left(violations: Record<string, Violation>, answers: ReadonlyMap<Call, Violation | Error>) {
  const narrowing = new Narrowing<Reply>((call) => (call === BOTH ? [ONE, OTHER] : []));
  const sent: string[] = [];
  const send = async (part: Call): Promise<void> => {
    sent.push(part.equivalence);
    const answer = answers.get(part);
    if (answer instanceof Error) throw answer;
    narrowing.note(repliedWith(2, 200, part), new Map(answer === undefined ? [] : [['THING-3', answer]]));
  };
  narrowing.note(whole, new Map(Object.entries(violations)));
  const find = async () => [
    ...(await narrowing.unexplained(whole, new Map(Object.entries(violations)), send)).left.keys(),
  ];
  return { first: await find(), second: await find(), sent };
}

test('what a part alone is answered as wrongly is owed to that part, and the others are not asked', async () => {
  const found = await left({ 'THING-1': byStatus }, new Map([[ONE, byStatus]]));
  expect(found).toEqual({ first: [], second: [], sent: ['one'] });
});

test('what no part shows alone is owed to the whole, and no part is sent twice', async () => {
  const found = await left({ 'THING-1': byStatus }, new Map());
  expect(found).toEqual({ first: ['THING-1'], second: ['THING-1'], sent: ['one', 'other'] });
});

test('a part that is wrong in another respect explains nothing', async () => {
  const found = await left({ 'THING-1': byStatus, 'THING-2': byContent }, new Map([[OTHER, byContent]]));
  expect(found.first).toEqual(['THING-1']);
});

test('where a part cannot be sent, the whole is told', async () => {
  const found = await left({ 'THING-1': byStatus }, new Map([[ONE, new InconclusiveError('budget', 'used up')]]));
  expect(found.first).toEqual(['THING-1']);
});

test('a plain call explains itself', async () => {
  const narrowing = new Narrowing<Reply>(() => []);
  const { left: kept } = await narrowing.unexplained(whole, new Map([['THING-1', byStatus]]), async () => undefined);
  expect([...kept.keys()]).toEqual(['THING-1']);
});
