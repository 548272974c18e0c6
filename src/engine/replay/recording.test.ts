import { expect, test } from 'vitest';
import type { Exchange } from '../../http/exchange.ts';
import { History } from '../history.ts';
import type { Call, Reply } from '../reply.ts';
import type { ReplayFormat } from '../service.ts';
import { addToy, toyCall, toyExchange, toyReply } from '../toy-service.fixture.ts';
import { violates } from '../violation.ts';
import { type Found, type Recorder, recordingOf } from './recording.ts';

/** Calls are told by their descriptions; "get 7" names the id 7, and an addition gives the one that its body says. */
const format: ReplayFormat<Reply> = {
  schema: {},
  names: ({ description }) => /^get (\d+)$/.exec(description)?.[1],
  given: ({ json }) => (json.kind === 'json' && typeof json.value === 'number' ? `${json.value}` : undefined),
  record: ({ description }, bound) => ({ what: bound === undefined ? description : description.replace(bound, '*') }),
  restore: () => toyCall(),
};

const FOUND: Found = { place: undefined, byRule: true, violated: 1, judged: 4, intermittent: false };
const get = (id: number): Call => toyCall({ description: `get ${id}` });

function recorderOf(sources: Readonly<Record<string, Exchange>> = {}) {
  const history = new History();
  const reply = (call: Call, number: number, body = '[]', others: readonly Call[] = []): Reply => {
    const made = toyReply(call, toyExchange(number, 200, body));
    const together = others.length === 0 ? undefined : ('at one moment' as const);
    history.append({ reply: made, calls: [...others, call], at: others.length, together, created: number * 10 });
    return made;
  };
  const recorder: Recorder<Reply> = { history, format, sourceOf: ({ description }) => sources[description] };
  return { recorder, reply };
}

test('the exchanges of a proof are recorded in the order in which they were sent, with what the run had created', () => {
  const { recorder, reply } = recorderOf();
  const [later, earlier] = [reply(toyCall({ description: 'second' }), 9), reply(toyCall({ description: 'first' }), 3)];
  const violation = violates(earlier, 'late', 'It is late.', 'a', 'b', later.exchange);
  expect(recordingOf(violation, FOUND, recorder)).toEqual({
    violation: { code: 'late', expected: 'a', byRule: true, violated: 1, judged: 4, intermittent: false },
    steps: [
      { calls: [{ call: { what: 'first' } }], at: 0, judged: true, status: 200, created: 30, after: 0 },
      { calls: [{ call: { what: 'second' } }], at: 0, judged: false, status: 200, created: 90, after: 5 },
    ],
    target: { kind: 'check' },
  });
});

test('what was sent together is recorded together', () => {
  const { recorder, reply } = recorderOf();
  const judged = reply(get(1), 1, '[]', [toyCall({ description: 'beside it' })]);
  const { steps } = recordingOf(violates(judged, 'x', 'x', 'x', 'x'), FOUND, recorder);
  expect(steps).toMatchObject([
    { together: 'at one moment', calls: [{ call: { what: 'beside it' } }, { call: { what: 'get 1' } }], at: 1 },
  ]);
});

test('an id is bound to the exchange that gave it, which is recorded too where the proof is without it', () => {
  const first = recorderOf();
  const created = first.reply(addToy(), 1, '7');
  const { recorder, reply } = { ...first, recorder: { ...first.recorder, sourceOf: () => created.exchange } };
  const { steps } = recordingOf(violates(reply(get(7), 2), 'x', 'x', 'x', 'x'), FOUND, recorder);
  expect(steps.map(({ calls }) => calls)).toEqual([
    [{ call: { what: 'an addition' } }],
    [{ call: { what: 'get *' }, idOf: 0 }],
  ]);
});

test('statuses are compared only where what is named will be there', () => {
  const { recorder, reply } = recorderOf();
  const permittedIn = (judged: Reply) =>
    recordingOf({ ...violates(judged, 'status', 'x', '200', '404'), permitted: [200] }, FOUND, recorder).violation
      .permitted;
  expect(permittedIn(reply(toyCall(), 1))).toEqual([200]);
  expect(permittedIn(reply(get(7), 2))).toBeUndefined();
});

test('a proof with an exchange that nobody knows is not recorded', () => {
  const { recorder, reply } = recorderOf();
  const violation = violates(reply(toyCall(), 1), 'x', 'x', 'x', 'x', toyExchange(5, 200));
  expect(recordingOf(violation, FOUND, recorder).steps).toEqual([]);
});
