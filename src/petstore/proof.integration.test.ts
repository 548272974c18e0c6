import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import {
  changeResponse,
  changeText,
  combine,
  everyResponse,
  fault,
  override,
  responsesOf,
  type StepsChange,
} from '../reference/changes.ts';
import { type Fault, findFault, startReference } from '../reference/index.ts';
import type { ExchangeEvidence } from '../report/model/evidence.ts';
import { type Recorded, startRecorder } from './recorder.fixture.ts';
import { judgeBy, KEY, testPlan } from './rig.fixture.ts';

/** Numbers the answers, so that two with the same body can be told apart. */
function numbering(): StepsChange {
  let count = 0;
  return changeResponse(everyResponse, (response) => {
    count += 1;
    return { ...response, headers: { ...response.headers, 'x-answer': `${count}` } };
  });
}

function numbered(name: string): Fault {
  const known = findFault(name);
  if (known === undefined) throw new Error(`no fault ${name}`);
  return { ...known, change: combine(known.change, numbering()) };
}

const numberOf = ({ answer }: ExchangeEvidence): number => {
  const headers = answer.kind === 'response' ? answer.headers : [];
  return Number(headers.find(([header]) => header.toLowerCase() === 'x-answer')?.[1]);
};

const answeredBody = ({ answer }: ExchangeEvidence): unknown => {
  if (answer.kind !== 'response' || answer.body.encoding !== 'text') throw new Error('no text was answered');
  return JSON.parse(answer.body.text);
};

/** The exchanges that show the first violation of a check, and everything that was sent. */
async function proofOf(id: string, broken: Fault) {
  const service = await startReference({ token: KEY, faults: [broken] });
  const recorder = await startRecorder(service.baseUrl);
  try {
    const [judged] = await judgeBy(
      CHECKS.filter((check) => check.id === id),
      testPlan(recorder.baseUrl),
    );
    const outcome = judged?.result.outcome;
    if (outcome?.kind !== 'failed') throw new Error(`${id} did not fail: ${JSON.stringify(outcome)}`);
    return { violation: outcome.violations[0], sent: recorder.requests };
  } finally {
    await recorder.stop();
    await service.stop();
  }
}

test('that the same body gave the same animal twice is shown by both requests, the first one first', async () => {
  const { violation, sent } = await proofOf('CREATE-10', numbered('same-body-same-animal'));
  expect(violation?.code).toBe('one-animal');
  const [first, second, ...others] = violation?.exchanges ?? [];
  if (first === undefined || second === undefined) throw new Error('fewer than two exchanges');
  expect(others).toEqual([]);
  expect([first.role, second.role]).toEqual(['control', 'judged']);

  // One body and one animal, and yet two requests with two answers.
  expect(second.request).toEqual(first.request);
  expect(answeredBody(second)).toEqual(answeredBody(first));
  expect(numberOf(first)).toBeLessThan(numberOf(second));

  // They are two of those that were sent with this body, the earliest first: two came at one moment later.
  const text = first.request.body?.encoding === 'text' ? first.request.body.text : '';
  const withThisBody = sent.filter(({ method, body }) => method === 'POST' && body === text);
  const numbers = withThisBody.map(({ answerHeaders }: Recorded) => Number(answerHeaders['x-answer']));
  expect(numbers).toHaveLength(3);
  expect(numbers.indexOf(numberOf(first))).toBe(0);
  expect(numbers).toContain(numberOf(second));
});

test('a page that was empty at first and looked at again is shown around the animal that it leaves out, before the one that is judged', async () => {
  const empty = fault(
    'sold-never-listed',
    'LIST-7',
    'A page of sold animals is always empty; the store starts empty.',
    combine(
      override('populate', () => () => {}),
      override('selectPage', (usual) => (page, call) => (page.status === 'sold' ? [] : usual(page, call))),
    ),
  );
  const { violation } = await proofOf('LIST-7', { ...empty, change: combine(empty.change, numbering()) });
  expect(violation?.code).toBe('empty-page');
  const exchanges = violation?.exchanges ?? [];
  expect(exchanges.map(({ role, request }) => `${role} ${request.method}`)).toEqual([
    'control GET',
    'control POST',
    'control GET',
    'judged GET',
  ]);
  const numbers = exchanges.map(numberOf);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
});

test('a name that comes back in another normal form is told by its code points, and shrunk only where it got smaller', async () => {
  const { violation } = await proofOf('RES-6', numbered('name-composed'));
  expect(violation?.code).toBe('name-changed');
  const points = 'U\\+[0-9A-F]{4,6}(?: U\\+[0-9A-F]{4,6})*(?: and \\d+ more characters?)?';
  expect(violation?.message).toMatch(
    new RegExp(`^the name came back changed at character \\d+: ${points} sent, ${points} stored$`),
  );
  const { from, to } = violation?.shrunk ?? { from: 'a', to: 'b' };
  expect(from).not.toBe(to);
});

test('an animal whose 201 gave the id of another one is proven with the 201s of both', async () => {
  const shared = new Map<string, string>();
  const broken = fault(
    'shows-the-id-before',
    'CREATE-11',
    'Every second 201 shows the id of the animal before.',
    changeText(responsesOf('createPet', 201), (text) => {
      const before = shared.get('id');
      shared.clear();
      if (before !== undefined) return text.replace(/"id":\d+/, before);
      shared.set('id', /"id":\d+/.exec(text)?.[0] ?? '');
      return text;
    }),
  );
  const { violation } = await proofOf('RES-9', broken);
  expect(violation?.code).toBe('other-id');
  expect(violation?.exchanges.map(({ role }) => role)).toEqual(['control', 'control', 'judged']);
});
