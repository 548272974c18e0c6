import { describe, expect, test } from 'vitest';
import type { Checked, OpenQuestion, Tested, Violation } from '../check/checked.ts';
import { Checker } from '../check/checker.ts';
import { requirement } from '../check/requirement.ts';
import type { RowStage } from '../check/stages.ts';
import type { Connection } from '../http/network.ts';
import { Collection } from '../known/collection.ts';
import { type Call, create, get, list, operationOf } from '../reading/call.ts';
import { type Exchange, filled } from '../reading/exchange.ts';
import type { Expected } from '../reading/expected.ts';
import type { Reading } from '../reading/reading.ts';
import { outcomesOf, type TestedRun } from '../result/outcomes.ts';
import { askAgain } from './ask-again.ts';
import { Budget } from './budget.ts';
import { type Group, groupFindings, requirementsOf } from './findings.ts';
import { Narrowing, type NarrowingLimits } from './narrowing.ts';
import { planRows, type Table } from './plan.ts';
import { rowOf } from './planned-rows.ts';
import { RowNames } from './row-names.ts';
import { idOf, Session } from './session.ts';

const call = (target: string, operation: Call['operation'] = 'listPets'): Call => ({
  operation,
  method: operationOf({ operation }).method,
  target,
  headers: [],
});

const TERMS = { basePath: '', key: 'key', agent: 'agent', categories: [], today: '2026-01-01', settleMs: 0 };
const { reading } = filled(list(), {}, TERMS) ?? expect.unreachable('a list has no names');
const query = reading.query ?? expect.unreachable('a list has a query');

const NAMES = ['listPets', 'createPet', 'getPet'] as const;

type MustBe = Expected['mustBe'];

interface Facts extends Partial<Pick<Checked, 'violations' | 'tested' | 'recorded'>> {
  readonly operation?: Call['operation'];
  readonly requirement?: string;
  readonly mustBe?: MustBe;
  readonly wrongKey?: string;
  readonly isKeyOpen?: boolean;
  readonly unusual?: readonly string[];
}

/** What an exchange shows; a status of 0 is no response. */
function checked(target: string, status: number, facts: Facts = {}): Checked {
  const {
    operation = 'listPets',
    requirement: id = '',
    mustBe = 'rejected',
    isKeyOpen,
    wrongKey,
    unusual = [],
  } = facts;
  const made = target === '/pets' ? list() : call(target, operation);
  const outcome: Exchange['outcome'] =
    status === 0
      ? { kind: 'failure', code: 'reset', sentence: 'the connection was reset', reached: true }
      : { kind: 'answer', status, headers: [], body: Buffer.from(`${Math.random()}`) };
  const request = { method: made.method, target, headers: [] };
  const times = { sentAt: 0, answeredAt: 1, connection: 1, place: 0, times: 1 };
  const read: Reading = {
    ...reading,
    operation,
    query: { ...query, requirement: id },
    key: { ...reading.key, wrongKey, kind: isKeyOpen === true ? 'open' : reading.key.kind },
    unusual,
  };
  const { violations = [], tested = [], recorded = [] } = facts;
  return {
    exchange: { number: 1, call: made, names: {}, request, reading: read, outcome, ...times },
    expected: { permitted: [{ from: 200, to: 201, shape: 'page' }], requirement: id || 'A-1', mustBe },
    violations,
    tested,
    recorded,
    questions: [],
  };
}

const held = (id: string): Tested => ({ requirement: id, rule: undefined, holds: true });

let said = 0;
const broken = (requirement: string, about: Violation['about'] = 'status', member?: string): Violation => ({
  requirement,
  about,
  says: `something else each time: ${said++}`,
  member,
  earlier: [],
});

describe('the plan', () => {
  const table = (requirement: string, stage: RowStage, count: number, more: Partial<Table> = {}): Table => ({
    requirement,
    stage,
    calls: Array.from({ length: count }, (_, at) => call(`/${requirement}${at}`)),
    atLeast: 0,
    isValid: false,
    ...more,
  });
  const tables = [table('a', 'rows', 60), table('b', 'rows', 10, { atLeast: 5 }), table('a', 'full', 1)];
  const half = { share: 0.5, minRows: 3 };
  const counter = () => {
    let number = 0;
    return () => ({ number: ++number, adds: false, names: false });
  };
  const texts = (seed: number, stage: RowStage = 'rows', of = tables) =>
    planRows(of, stage, half, seed, counter()).map(({ call: one }) => one.target);

  test('the same seed sends the same rows in the same order, another one others', () => {
    expect(planRows(tables, 'rows', half, 7, counter())).toEqual(planRows(tables, 'rows', half, 7, counter()));
    expect(texts(7)).not.toEqual(texts(8));
    expect(texts(7).toSorted()).toEqual(texts(8).toSorted());
  });

  test('a new table does not change the order of the others', () => {
    const withNew = texts(7, 'rows', [table('new', 'rows', 20), ...tables]);
    expect(withNew.filter((text) => !text.startsWith('/new'))).toEqual(texts(7));
  });

  test('a row is what its own call is, whatever else is in its table; a run that adds nothing sends only what it can', () => {
    const calls = [list(), get(), create('{"name":"$NAME","categoryId":7}'), create('{')];
    const facts = (isReadOnly: boolean) =>
      calls.map((one) => {
        const row = rowOf(one, TERMS, () => 1, isReadOnly);
        return row && [row.adds, row.names];
      });
    expect(facts(false)).toEqual([
      [false, false],
      [false, true],
      [true, false],
      [false, false],
    ]);
    expect(facts(true)).toEqual([[false, false], undefined, undefined, undefined]);
  });

  test('the first rows of each table are sent', () => {
    expect(
      texts(7)
        .filter((text) => text.startsWith('/a'))
        .toSorted(),
    ).toEqual(Array.from({ length: 30 }, (_, at) => `/a${at}`).toSorted());
    expect(texts(7).filter((text) => text.startsWith('/b'))).toHaveLength(5);
    expect(texts(7, 'full')).toEqual(['/a0']);
  });

  test('tables are interleaved', () => {
    const all = texts(7);
    const places = (start: string) => all.flatMap((text, at) => (text.startsWith(start) ? at / all.length : []));
    expect(Math.min(...places('/b'))).toBeLessThan(0.5);
    expect(Math.min(...places('/a'))).toBeLessThan(0.1);
    expect(Math.max(...places('/a').map((place, at, every) => place - (every[at - 1] ?? 0)))).toBeLessThan(0.25);
  });
});

/** A service that answers at once: which statuses, a function of the request says; 0 for none. */
function rig(
  answers: (target: string) => number,
  limits = { creations: 100 },
  questions: readonly OpenQuestion[] = [],
  takesMs = 1,
) {
  const sent: string[] = [];
  let now = 0;
  const rules = questions.map((one, at) => requirement(one.requirement, '', { broken: () => questions[at] ?? one }));
  const known = new Collection({ settleMs: TERMS.settleMs, tag: 'abcde' });
  const names = new RowNames(known, '1234');
  const connection: Connection = {
    send: async ({ target }) => {
      sent.push(target);
      const status = answers(target);
      const outcome: Exchange['outcome'] =
        status === 0
          ? { kind: 'failure', code: 'timeout', sentence: 'no response came in time', reached: true }
          : { kind: 'answer', status, headers: [], body: new Uint8Array() };
      const sentAt = now;
      now += takesMs;
      return { outcome, sentAt, answeredAt: now, connection: 1, place: sent.length, times: 1 };
    },
    close: async () => {},
    renew: async () => {},
  };
  const session = new Session({
    checker: new Checker(rules, TERMS, known),
    names,
    terms: TERMS,
    budget: new Budget(limits),
    network: { sentAlone: () => {}, mayBeCrowded: true, closesIdle: false, isOutOfReach: false },
    onEvent: () => {},
  });
  return { session, connection, sent };
}

describe('bounds', () => {
  test('no more things are added than a budget has, and why is told', async () => {
    const { session, connection, sent } = rig(() => 201, { creations: 2 });
    for (let at = 0; at < 4; at += 1) await session.send(connection, create('{'), {});
    for (let at = 0; at < 4; at += 1) await session.send(connection, list(), {});
    expect(sent).toHaveLength(6);
    expect(session.budget.creations).toBe(2);
    expect([...session.unsent]).toEqual([['the run may create no more (at most 2; --max-creates changes it)', 2]]);
  });

  test('what is under way counts, a rejection adds nothing, and what got no response may have been carried out', () => {
    const budget = new Budget({ creations: 3 });
    expect([1, 2, 3, 4].map(() => budget.begin())).toEqual([true, true, true, false]);
    budget.end('rejected');
    expect(budget.room).toBe(1);
    budget.end('accepted');
    budget.end('unknown');
    expect(budget.room).toBe(1);
  });

  test('what is kept back for evidence is added only then', () => {
    const budget = new Budget({ creations: 100 });
    for (let at = 0; at < 95; at += 1) expect(budget.begin()).toBe(true);
    expect(budget.begin()).toBe(false);
    budget.openForEvidence();
    expect(budget.begin()).toBe(true);
  });

  test('after six time-outs in a row no more of an operation is sent', async () => {
    const { session, connection, sent } = rig((target) => (target === '/pets/1' ? 0 : 200));
    for (let at = 0; at < 20; at += 1) {
      await session.send(connection, get('1'), {});
      await session.send(connection, list(), {});
    }
    expect(sent.filter((target) => target === '/pets/1')).toHaveLength(6);
    expect(sent.filter((target) => target === '/pets')).toHaveLength(20);
    expect([...session.unsent]).toEqual([['getPet has stopped responding', 14]]);
  });

  test('after a minute of waiting in all, what has never ended is not sent any more, and the rest is', async () => {
    const { session, connection, sent } = rig(
      (target) => (target === '/pets?limit=0' ? 0 : 200),
      undefined,
      [],
      10_000,
    );
    for (let at = 0; at < 20; at += 1) {
      await session.send(connection, list('limit=0'), {});
      await session.send(connection, list(), {});
    }
    expect(sent.filter((target) => target === '/pets?limit=0')).toHaveLength(6);
    expect(sent.filter((target) => target === '/pets')).toHaveLength(20);
    expect([...session.unsent.keys()].join()).toMatch(/waited 60 s in all/);
  });
});

describe('findings', () => {
  const failedIn = (group: Group | undefined) => group && requirementsOf(group.members);
  const keysOf = (...all: readonly Checked[]) => groupFindings(all).map(({ key }) => key);
  const five = (target: string, requirement: string, operation: Call['operation'] = 'createPet') =>
    checked(target, 500, { operation, requirement, violations: [broken(requirement), broken('SERV')] });

  test('(a) a 5xx, or no response, is one finding of an operation, whatever it was to be and whatever it says', () => {
    const [group, ...others] = groupFindings([five('/long', 'A-1'), five('/x', 'A-2'), five('/x', 'A-1')]);
    expect(others).toEqual([]);
    expect(failedIn(group)).toEqual(['A-2', 'SERV', 'A-1']);
    expect(group?.members.map((one) => one.checked.exchange.call.target)).toEqual(['/x', '/x', '/long']);
    expect(
      keysOf(
        five('/', 'A-1'),
        five('/', 'A-1', 'listPets'),
        checked('/', 503, { operation: 'createPet', violations: [broken('A-1')] }),
      ),
    ).toHaveLength(3);
  });

  test('(a) 5xx to every valid request from some moment on are one finding, which says since when', () => {
    const each = (status: number, count: number) =>
      Array.from({ length: count }, (_, at) => {
        const violations = status < 500 ? [] : [broken('SERV')];
        return checked('/', status, { operation: NAMES[at % 3] ?? 'listPets', mustBe: 'accepted', violations });
      });
    const [group, ...others] = groupFindings([...each(200, 3), ...each(500, 12), five('/', 'B-1')]);
    expect([group?.key, group?.members.length, group?.since, others]).toEqual(['listPets 500', 13, 1, []]);
    expect(groupFindings([...each(500, 12), ...each(200, 3)])).toHaveLength(3);
    expect(groupFindings([...each(200, 3), ...each(500, 2)])).toHaveLength(2);
  });

  test('(a) no response: by what was sent, or of an operation that never responds, or responds at times', () => {
    const silent = (requirement: string, target = '/') =>
      checked(target, 0, { requirement, violations: [broken('SERV', 'connection')] });
    const fine = (requirement: string) => checked('/', 200, { requirement });
    expect(keysOf(silent('A-1'), silent('A-1', '/a'), silent('A-2'))).toEqual(['listPets closed']);
    expect(keysOf(fine('A-3'), silent('A-1'), silent('A-1', '/a'), silent('A-2'))).toHaveLength(2);
    expect(keysOf(fine('A-1'), fine('A-2'), silent('A-1'), silent('A-2'))).toEqual(['listPets closed']);
  });

  test('what the specification states stands before what it leaves open', () => {
    const [group] = groupFindings([checked('/', 500, { violations: [broken('RES-10'), broken('LIST-2')] })]);
    expect(failedIn(group)).toEqual(['LIST-2', 'RES-10']);
  });

  test('(b) a wrong key that is accepted is one finding over all operations', () => {
    const accepted = (operation: Call['operation'], requirement: string) =>
      checked('/', 200, { operation, requirement, wrongKey: 'no key', violations: [broken(requirement)] });
    expect(keysOf(accepted('listPets', 'K-1'), accepted('createPet', 'K-2'), accepted('getPet', 'K-3'))).toHaveLength(
      1,
    );
  });

  test('(b) so is one that is rejected with another status than 401, as is a key in a spelling that may be rejected', () => {
    const rejected = (operation: Call['operation'], more: Facts) =>
      checked('/', 403, { operation, violations: [broken('K-1')], ...more });
    const open = { isKeyOpen: true, mustBe: 'either' } as const;
    expect(
      keysOf(
        rejected('listPets', { wrongKey: 'no key' }),
        rejected('createPet', { wrongKey: 'a' }),
        rejected('getPet', open),
      ),
    ).toEqual(['403 for a wrong key']);
  });

  test('(c) another wrong status: by operation, status and what was right; accepted faults by requirement', () => {
    const wrong = (status: number, right: MustBe, requirement: string, operation: Call['operation'] = 'createPet') =>
      checked('/', status, { operation, mustBe: right, requirement, violations: [broken(requirement)] });
    expect(
      keysOf(wrong(201, 'rejected', 'A-1'), wrong(201, 'rejected', 'A-2'), wrong(201, 'rejected', 'A-3')),
    ).toHaveLength(3);
    expect(keysOf(wrong(422, 'rejected', 'A-1'), wrong(422, 'rejected', 'A-2'))).toHaveLength(1);
    expect(
      keysOf(wrong(404, 'rejected', 'A-1'), wrong(404, 'accepted', 'A-1'), wrong(404, 'either', 'A-1')),
    ).toHaveLength(3);
    expect(keysOf(wrong(422, 'rejected', 'A-1'), wrong(422, 'rejected', 'A-1', 'listPets'))).toHaveLength(2);
  });

  test('(c) a status that is right for no request is one finding of an operation if the plain call gets it too', () => {
    const redirected = (right: MustBe, more: Facts = {}, status = 307, target = '/') =>
      checked(target, status, { mustBe: right, violations: [broken(right)], ...more });
    const plain = redirected('accepted', {}, 307, '/pets');
    expect(keysOf(plain, redirected('rejected'), redirected('either'))).toEqual(['listPets 307']);
    expect(keysOf(redirected('accepted'), redirected('rejected'))).toHaveLength(2);
    expect(keysOf(plain, redirected('rejected'), redirected('either', { violations: [] }))).toHaveLength(2);
    const key = { wrongKey: 'no key' };
    expect(keysOf(redirected('accepted', {}, 403, '/pets'), redirected('rejected', key, 403))).toHaveLength(2);
  });

  test('(d) of a broken message the first rule counts, over all operations; the later ones are named with it', () => {
    const html = (operation: Call['operation']) =>
      checked('/', 200, { operation, violations: [broken('TYPE', 'message'), broken('JSON', 'message')] });
    const [group, ...others] = groupFindings([html('listPets'), html('createPet'), html('getPet')]);
    expect([others.length, failedIn(group)]).toEqual([0, ['TYPE', 'JSON']]);
    const shape = (member: string) => checked('/', 200, { violations: [broken('SHAPE', 'message', member)] });
    expect(keysOf(shape('a'), shape('b'))).toHaveLength(2);
  });

  test('(e) what is said wrongly is one finding of an operation and a member, whatever the requirement', () => {
    const rounded = (requirement: string, operation: Call['operation'] = 'createPet') =>
      checked('/', 201, { operation, violations: [broken(requirement, 'content', 'number')] });
    expect(keysOf(rounded('A-1'), rounded('A-2'), rounded('A-3'))).toHaveLength(1);
    expect(keysOf(rounded('A-1'), rounded('A-1', 'listPets'))).toHaveLength(2);
  });

  test('two requirements of one exchange are one finding, and counts are of exchanges', () => {
    const page = checked('/', 200, {
      tested: [held('L-1')],
      violations: [broken('L-1', 'content'), broken('L-2', 'content')],
    });
    const fine = checked('/', 200, { tested: [held('L-1')] });
    const all = groupFindings([page, fine, fine]);
    expect(all).toHaveLength(1);
    expect([all[0]?.checked, failedIn(all[0])]).toEqual([3, ['L-1', 'L-2']]);
  });
});

describe('narrowing', () => {
  /** A finding that `/needed` in a target shows; a simpler call lacks one of its letters behind it. */
  async function narrowed(
    shows: (target: string, nth: number) => boolean,
    limits?: NarrowingLimits,
    start = '/needed&a&b&c',
  ) {
    const { session, connection } = rig(() => 200);
    const sent: string[] = [];
    const answer = (target: string): Checked =>
      checked(target, 500, {
        violations: shows(target, sent.length) ? [broken('A-1')] : [],
        unusual: target.includes('?') ? ['?'] : [],
      });
    const send = async (_: Connection, { target }: Call): Promise<Checked> => {
      sent.push(target);
      return answer(target);
    };
    const simpler = ({ target }: Call): readonly Call[] =>
      [
        '/',
        '/?',
        ...[...target.matchAll(/&/g)].map(({ index }) => target.slice(0, index) + target.slice(index + 2)),
      ].map((text) => call(text));
    const [group] = groupFindings([checked(start, 500, { violations: [broken('A-1')] })]);
    if (group === undefined) throw new Error('no finding');
    const result = await new Narrowing(session, [simpler], { fresh: (work) => work(connection) }, send, limits).narrow(
      group,
    );
    return { ...result, target: result.member.checked.exchange.call.target, sent };
  }

  test('ends with what is needed, and is no more unusual', async () => {
    const { target, again } = await narrowed((text) => text.includes('/needed') || text.includes('?'));
    expect([target, again]).toEqual(['/needed', 'fails']);
  });

  test('what passes each time it is sent again is shown as it was seen, and not called intermittent', async () => {
    const { target, again, sent } = await narrowed(() => false);
    expect([target, again, sent.length]).toEqual(['/needed&a&b&c', 'passes', 5]);
  });

  test('what passes and fails while nothing else changes is intermittent', async () => {
    expect((await narrowed((_, nth) => nth === 2)).again).toBe('fails at times');
  });

  test('what can be sent no more is not intermittent', async () => {
    const { session, connection } = rig(() => 200);
    const [group] = groupFindings([checked('/', 500, { violations: [broken('A-1')] })]);
    const none = new Narrowing(session, [], { fresh: (work) => work(connection) }, async () => undefined);
    expect(group && (await none.narrow(group)).again).toBe('not sent');
  });

  test('a service that changes its mind does not make it wrong or endless', async () => {
    const { target, sent } = await narrowed((_, nth) => nth % 2 === 1);
    expect(target).toContain('/needed');
    expect(sent.length).toBeLessThanOrEqual(18);
  });

  test('tries are bounded: 18 for a finding, and those of the run', async () => {
    const long = `/needed${'&a'.repeat(100)}`;
    expect((await narrowed((text) => text.includes('/needed'), undefined, long)).sent.length).toBeLessThanOrEqual(18);
    expect((await narrowed(() => true, { requests: 3, milliseconds: 10_000, creations: 20 }, long)).sent).toHaveLength(
      3,
    );
    expect((await narrowed(() => true, { requests: 0, milliseconds: 10_000, creations: 20 })).sent).toEqual([]);
    expect((await narrowed(() => true, { requests: 9, milliseconds: -1, creations: 20 })).sent).toEqual([]);
  });
});

describe('what may be wrong', () => {
  const question = (key: string): OpenQuestion => ({
    requirement: key,
    says: '',
    key,
    again: [{ call: list(key), names: {} }],
  });

  /** Asks again what is never answered. */
  async function asked(count: number, settleMs: number) {
    const many = Array.from({ length: count }, (_, at) => question(`${at}`));
    const { session, connection, sent } = rig(() => 200, { creations: 1 }, many);
    for (const one of many) session.questions.set(idOf(one), { ...one, connection });
    const pauses: number[] = [];
    await askAgain(session, settleMs, async (milliseconds) => void pauses.push(milliseconds));
    return { session, sent, pauses };
  }

  test('is asked again over the settle time, all questions together', async () => {
    const { sent, pauses, session } = await asked(3, 5_000);
    expect(sent.slice(0, 6)).toEqual(['0', '1', '2', '0', '1', '2'].map((key) => `/pets?${key}`));
    expect(Math.max(...pauses)).toBeGreaterThan(4_900);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5_000);
    expect(session.questions.size).toBe(0);
  });

  test('is asked once for all requirements that ask the same, and is open for each of them', async () => {
    const both = ['A', 'B'].map((one) => ({ ...question('k'), requirement: one }));
    const { session, connection, sent } = rig(() => 200, { creations: 1 }, both);
    await session.send(connection, list(), {});
    expect([...session.questions.keys()]).toEqual(['A k', 'B k']);
    await askAgain(session, 60_000, async () => {});
    expect([sent.length, session.questions.size]).toEqual([1 + 6, 0]);
    expect(session.checked.at(-1)?.violations.map((one) => one.requirement)).toEqual(['A', 'B']);
  });

  test('is a suspicion as soon as a rule says so, though it was none before', async () => {
    const moot = { ...question('k'), isMoot: true };
    const said: OpenQuestion[] = [moot];
    const { session, connection } = rig(() => 200, { creations: 1 }, said);
    await session.send(connection, list(), {});
    said[0] = question('k');
    await session.send(connection, list(), {});
    expect([...session.questions.values()].map(({ isMoot }) => isMoot)).toEqual([undefined]);
  });

  test('is not asked without end, however much it is', async () => {
    expect((await asked(100, 60_000)).sent.length).toBeLessThanOrEqual(12 * 9);
  });

  test('is not asked again once it was answered otherwise', async () => {
    const { session, connection, sent } = rig(() => 200);
    session.questions.set(idOf(question('a')), { ...question('a'), connection });
    await askAgain(session, 5_000, async () => {});
    expect(sent).toEqual(['/pets?a']);
  });
});

describe('outcomes', () => {
  const row = (id: string) => ({ id, source: [], kind: 'stated' as const, says: id });
  const options = { only: [], skip: [], readOnly: false, maxCreates: undefined, today: '2026-01-01' };
  const tested: TestedRun = {
    requirements: [
      requirement('R', '', { isAboutListed: true }),
      requirement('K', '', { isAboutConnection: true }),
      requirement('T', 'one'),
      requirement('T', 'two', { broken: () => undefined }),
      requirement('D', '', { from: '2030-12-05' }),
    ],
    options,
    checked: [],
    unsent: new Map(),
    isSpent: false,
    questions: [],
    animals: { created: 10, unlisted: 9 },
  };
  const control = checked('/', 200, {
    mustBe: 'accepted',
    requirement: 'PLAIN',
    tested: [held('PLAIN')],
  });
  const reject = checked('/', 400, { tested: [held('A')], requirement: 'A' });
  const outcome = (id: string, more: Partial<TestedRun>) => {
    const [{ outcome: is, reason, reasonOf } = { outcome: undefined, reason: undefined }] = outcomesOf([row(id)], {
      ...tested,
      ...more,
    });
    return [is, reason, reasonOf].filter((one) => one !== undefined).join(', ');
  };

  // biome-ignore format: one table
  test.each<readonly [string, string, Partial<TestedRun>, string]>([
    ['a rejection beside an accepted plain call', 'A', { checked: [control, reject] }, 'passed'],
    ['a rejection where nothing was accepted', 'A', { checked: [reject] }, 'not tested, listPets answered no valid request as it must, service'],
    ['a rejection where another operation was accepted', 'A', { checked: [reject, { ...control, exchange: { ...control.exchange, call: call('/', 'createPet') } }] }, 'not tested, listPets answered no valid request as it must, service'],
    ['a violation', 'A', { checked: [checked('/', 500, { tested: [held('A')], violations: [broken('A')] })] }, 'failed'],
    ['a violation, once among many', 'A', { checked: [control, reject, checked('/', 201, { violations: [broken('A')] }), reject] }, 'failed'],
    ['a rule that looked', 'L', { checked: [checked('/', 200, { tested: [held('L')] })] }, 'passed'],
    ['a reading', 'O', { checked: [checked('/', 200, { recorded: [{ requirement: 'O', reading: 'does so' }] })] }, 'passed'],
    ['a rejection, of which few rows were sent', 'A', { checked: [control, reject], rows: { done: 90, planned: 100, byRequirement: new Map([['A', { done: 1, planned: 9 }]]) } }, 'passed, 1 of 9 requests planned for it were sent: the run ended, service'],
    ['nothing', 'A', {}, 'not tested, no response exercised this requirement, service'],
    ['nothing, as it was throttled', 'A', { unsent: new Map([['the service throttled it', 3]]) }, 'not tested, the service throttled it, surroundings'],
    ['nothing, as time was over', 'A', { ended: { reason: 'time', reasonOf: 'surroundings' } }, 'not tested, time, surroundings'],
    ['a rule that had nothing to check', 'T', { checked: [control, { ...control, tested: [held('T')] }] }, 'passed, no response exercised "two", service'],
    ['what looked wrong and was not asked to the end', 'A', { checked: [control, reject], questions: [{ requirement: 'A', says: 'one is missing', key: 'k', again: [] }], ended: { reason: 'time', reasonOf: 'surroundings' } }, 'not tested, one is missing, but this could not be checked again: time, surroundings'],
    ['what nothing has shown to be wrong', 'A', { checked: [control, reject], questions: [{ requirement: 'A', says: 'one is missing', key: 'k', again: [], isMoot: true }] }, 'passed'],
    ['nothing, as lists do not show new animals', 'R', {}, 'not tested, 9 new animals never appeared on a page, collection'],
    ['one connection for each response', 'K', { checked: [control, control] }, 'not applicable, the service closes each connection after one response'],
    ['what the user does not allow', 'W', { options: { ...options, readOnly: true } }, 'not tested, --read-only sends GET requests only, user'],
    ['what is not selected', 'A', { options: { ...options, only: ['B'] }, checked: [control, reject] }, 'not selected'],
    ['what does not apply', 'D', { checked: [control, reject] }, 'not applicable, it applies from 2030-12-05 on'],
  ])('%s', (_, id, more, says) => {
    expect(outcome(id, more)).toBe(says);
  });
});
