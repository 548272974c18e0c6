import { beforeAll, describe, expect, test } from 'vitest';
import { type Contract, loadContract } from '../contract/contract.ts';
import type { Exchange } from '../http/exchange.ts';
import { createPet, getPet, type ListQuery, listPets, type PetCall } from './calls.ts';
import { CollectionModel } from './collection-model.ts';
import { bytesOf, JSON_TYPE, validBody } from './inputs/body.ts';
import { NO_KEY, rightKey } from './inputs/credential.ts';
import { missing } from './inputs/invalid-bodies.ts';
import { NAME_TAG } from './inputs/new-pets.ts';
import { type Animal, type Created, type Page, PetReply } from './reply.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract();
});

const KEY = rightKey('key');
const named = (name: string) => validBody({ name, categoryId: 1n });

let now = 0;
function reply(call: PetCall, status: number | undefined, body = '', resent = false): PetReply {
  now += 10;
  const answer: Exchange['answer'] =
    status === undefined
      ? { kind: 'no response', code: 'timeout', sentence: 'no response came', milliseconds: 1 }
      : {
          kind: 'response',
          status,
          headers: [['content-type', JSON_TYPE]],
          body: bytesOf(body),
          encodingFault: undefined,
          milliseconds: 1,
        };
  return new PetReply(
    call,
    { number: now, request: call.request, answer, sentAt: now, answeredAt: now + 1, resent },
    contract,
  );
}

const json = (id: bigint, name: string, status?: ListQuery['status']): string =>
  `{"id":${id},${JSON.stringify({ name, categoryId: 1, status }).slice(1)}`;
const adding = (name: string): PetCall => createPet(named(name), KEY);
const created = (id: bigint, name = `animal ${id}`): PetReply => reply(adding(name), 201, json(id, name));
const animal = (id: bigint, name: string): Animal => ({
  id,
  name,
  categoryId: 1n,
  status: undefined,
});
const SENT_BY = { baseUrl: 'http://localhost/v1', userAgent: 'test', headers: [] };
const newModel = (): CollectionModel => new CollectionModel({ settleMs: 100, today: '2027-01-01', ...SENT_BY });

describe('the animals of the run', () => {
  test('are kept in the order of their creation, told apart beyond the integers of a double', () => {
    const model = newModel();
    const ids = [2n ** 63n - 1n, 2n ** 53n + 1n, 2n ** 53n];
    for (const id of ids) model.learn(created(id));
    expect(model.created.map(({ id }) => id)).toEqual(ids);
    expect(model.find(2n ** 53n)?.name).toBe(`animal ${2n ** 53n}`);
    expect([model.find(1n), model.find(undefined)]).toEqual([undefined, undefined]);
  });

  test('keep an id that is given twice with its first animal, and an unreadable 201 adds none', () => {
    const model = newModel();
    model.learn(created(1n, 'first'));
    model.learn(created(1n, 'second'));
    model.learn(reply(adding('third'), 201, '{'));
    expect(model.find(1n)?.name).toBe('first');
    expect(model.created).toHaveLength(1);
  });
});

describe('the length of a page', () => {
  const twoPages = (model: CollectionModel): void => {
    model.learn(reply(listPets({ limit: 100 }, KEY), 200, `[${json(1n, 'a')},${json(2n, 'b')}]`));
    model.learn(reply(listPets({ limit: 100, status: 'sold' }, KEY), 200, `[${json(2n, 'b', 'sold')}]`));
  };

  test('is known of the very query that was asked', () => {
    const model = newModel();
    twoPages(model);
    expect([model.lengthNow({ limit: 100 }), model.lengthNow({ limit: 100, status: 'sold' })]).toEqual([2, 1]);
    expect([model.lengthNow({ limit: 99 }), model.lengthNow({ limit: 100, status: 'pending' })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('is not known once an animal was added, until it is asked for again', () => {
    const model = newModel();
    twoPages(model);
    model.learn(created(3n));
    expect(model.lengthNow({ limit: 100 })).toBeUndefined();
    twoPages(model);
    expect(model.lengthNow({ limit: 100 })).toBe(2);
  });

  test('is of the page that was asked for last, whichever is answered last', () => {
    const model = newModel();
    const early = reply(listPets({ limit: 100 }, KEY), 200, '[]');
    twoPages(model);
    model.learn(early);
    expect(model.lengthNow({ limit: 100 })).toBe(2);
  });
});

test('an animal counts as added after all refusals only where it was sent after the last of them', () => {
  const model = newModel();
  expect(model.hasAddedSinceRefusals).toBe(false);
  model.learn(created(1n));
  expect(model.hasAddedSinceRefusals).toBe(true);
  const sentBefore = created(2n);
  model.learn(reply(createPet(missing({ name: 'NA', categoryId: 1n }, 'categoryId'), KEY), 400, '{}'));
  model.learn(sentBefore);
  expect(model.hasAddedSinceRefusals).toBe(false);
  model.learn(created(3n));
  expect(model.hasAddedSinceRefusals).toBe(true);
});

describe('an animal under another id than its 201 said', () => {
  const RUN = `${NAME_TAG} 7-abcd `;
  const name = `${RUN}Rex`;
  const modelOfRun = (): CollectionModel => {
    const model = newModel();
    model.runTag = RUN;
    return model;
  };

  test('is told by its name', () => {
    const model = modelOfRun();
    model.begin(adding(name));
    model.learn(created(1n, name));
    expect(model.createdUnderOtherId(animal(2n, name))?.id).toBe(1n);
    expect(model.createdUnderOtherId(animal(1n, name))).toBeUndefined();
  });

  test.each([
    ['another creation of that name is under way', () => []],
    ['the answer to another creation was lost', () => [reply(adding(name), undefined)]],
    ['another creation was sent twice', () => [reply(adding(name), 201, json(3n, name), true)]],
  ])('cannot be told while %s', (_what, answers) => {
    const model = modelOfRun();
    model.begin(adding(name));
    model.learn(created(1n, name));
    model.begin(adding(name));
    for (const one of answers()) model.learn(one);
    expect(model.createdUnderOtherId(animal(2n, name))).toBeUndefined();
  });

  test('has the same name where answers are kept cut: a creation that was sent twice, and a refusal, are known by it', () => {
    const long = `${RUN}${'x'.repeat(20_000)}`;
    const shown = reply(getPet('4', KEY), 200, json(4n, long)).animals[0] ?? animal(4n, '');
    const model = modelOfRun();
    model.begin(adding(long));
    model.learn(reply(adding(long), 201, json(3n, long), true));
    expect(model.createdUnderOtherId(shown)).toBeUndefined();
    const refused = newModel();
    refused.learn(reply(createPet(named(long), NO_KEY), 401, '{"code":"a","message":"b","status":401}'));
    expect(refused.refusalOf(shown)?.because).toBe('key');
  });

  test('is none of this run where its name is of another one', () => {
    const model = modelOfRun();
    model.learn(created(1n, `${NAME_TAG} 7-wxyz Rex`));
    expect(model.createdUnderOtherId(animal(2n, `${NAME_TAG} 7-wxyz Rex`))).toBeUndefined();
  });
});

/** Only a name with the mark of a run is nobody else's. */
const REX = 'conformance Rex';

test("an animal whose name may be anybody's is told of no refusal", () => {
  const model = newModel();
  model.learn(reply(createPet(missing({ name: 'NA', categoryId: 1n }, 'categoryId'), KEY), 400, '{}'));
  expect(model.refusalOf(animal(5n, 'NA'))).toBeUndefined();
});

test.each([
  ['body', createPet(missing({ name: REX, categoryId: 1n }, 'categoryId'), KEY)],
  ['key', createPet(named(REX), NO_KEY)],
] as const)('an animal that was made of a request with a refused %s is told', (because, call) => {
  const model = newModel();
  const refusal = reply(call, because === 'key' ? 401 : 400, '{"code":"a","message":"b","status":400}');
  model.learn(refusal);
  expect(model.refusalOf(animal(5n, REX))).toEqual({ because, exchange: refusal.exchange });
  expect(model.refusalOf(animal(5n, 'Max'))).toBeUndefined();
  expect([...model.refusals.because]).toEqual([because]);
});

test('an animal of the run that bears the name of a refused body was changed by it', () => {
  const model = newModel();
  model.learn(created(5n, 'Max'));
  const refusal = reply(createPet(missing({ name: REX, categoryId: 1n }, 'categoryId'), KEY), 400, '{}');
  model.learn(refusal);
  expect(model.refusalOf(animal(5n, REX))).toEqual({ because: 'body', exchange: refusal.exchange });
  expect(model.refusalOf(animal(5n, 'Max'))).toBeUndefined();
  model.learn(created(6n, REX));
  expect(model.refusalOf(animal(6n, REX))).toBeUndefined();
});

test('an animal that bears the start of a refused name, too long to be certain, was made of it', () => {
  const model = newModel();
  const long = `${REX} ${'n'.repeat(1_000)}`;
  const refusal = reply(createPet(named(long), NO_KEY), 401, '{}');
  model.learn(refusal);
  expect(model.refusalOf(animal(5n, long.slice(0, 255)))).toEqual({ because: 'key', exchange: refusal.exchange });
  expect(model.refusalOf(animal(5n, long.slice(0, 20)))).toBeUndefined();
  expect(model.refusalOf(animal(5n, `${REX} ${'n'.repeat(200)}x`))).toBeUndefined();
});

test.each([
  ['accepted, whatever was answered', 200],
  ['answered with a 5xx', 500],
  ['not answered', undefined],
])("an animal is nobody's fault where the refused request was also %s", (_, status) => {
  const model = newModel();
  const call = createPet(missing({ name: REX, categoryId: 7n }, 'categoryId'), KEY);
  model.learn(reply(call, 400, '{"code":"a","message":"b","status":400}'));
  model.learn(reply(call, status));
  expect(model.refusalOf(animal(5n, REX))).toBeUndefined();
});

test('a 5xx is no refusal', () => {
  const model = newModel();
  model.learn(reply(createPet(missing({ name: REX, categoryId: 7n }, 'categoryId'), KEY), 500));
  expect(model.refusalOf(animal(5n, REX))).toBeUndefined();
  expect([...model.refusals.because]).toEqual([]);
});

test('a valid request that was refused leaves no trace', () => {
  const model = newModel();
  model.learn(reply(adding(REX), 400, '{}'));
  expect(model.refusalOf(animal(5n, REX))).toBeUndefined();
});

test('an animal counts as seen after the answer that showed it, and its own 201 shows it to nobody', () => {
  const model = newModel();
  model.learn(created(1n));
  expect(model.seenBefore(1n, now + 1_000)).toBeUndefined();
  const page = reply(listPets({}, KEY), 200, `[${json(2n, 'Rex')}]`);
  model.learn(page);
  const fetched = reply(getPet(3n, KEY), 200, json(3n, 'Max'));
  model.learn(fetched);
  const { answeredAt } = page.exchange;
  expect(model.seenBefore(2n, answeredAt)).toBeUndefined();
  expect(model.seenBefore(2n, answeredAt + 1)).toBe(page.exchange);
  expect(model.seenBefore(3n, now + 1_000)).toBe(fetched.exchange);
});

test('an animal of others that a page shows otherwise than before is remembered with that page', () => {
  const model = newModel();
  model.learn(created(9n, 'own'));
  const pages = ['Rex', 'Rex', 'Max'].map((name) =>
    reply(listPets({}, KEY), 200, `[${json(2n, name)},${json(9n, `${name} 9`)}]`),
  );
  for (const page of pages.slice(0, 2)) model.learn(page);
  expect([...model.othersThatDiffered]).toEqual([]);
  model.learn(pages[2] ?? reply(listPets({}, KEY), 200, '[]'));
  expect([...model.othersThatDiffered.keys()]).toEqual([2n]);
  expect(model.othersThatDiffered.get(2n)).toMatchObject({ animal: { id: 2n, name: 'Max' }, page: pages[2]?.page });
});

describe('a page has room for an animal', () => {
  const pageOf = (ids: readonly bigint[], query: ListQuery = { limit: 50 }, end = ''): Page => {
    const text = `[${ids.map((id) => json(id, `animal ${id}`, query.status)).join(',')}]${end}`;
    const { page } = reply(listPets(query, KEY), 200, text);
    if (page === undefined) throw new Error('not a page');
    return page;
  };
  /** Blanks that make a page as large as one more animal and a comma would. */
  const wide = ' '.repeat(3);

  /** A model of three animals, added one after the other. */
  function modelOfThree(name = 'animal 2'): { model: CollectionModel; animals: readonly Created[] } {
    const model = newModel();
    model.learn(created(1n));
    model.learn(created(2n, name));
    model.learn(created(3n));
    return { model, animals: model.created };
  }

  const roomFor = (
    { model, animals }: ReturnType<typeof modelOfThree>,
    at: number,
    longer: Page,
    page: Page,
  ): number | undefined => {
    model.learn(longer.reply);
    const animal = animals[at];
    return animal && model.roomFor(animal, page)?.length;
  };

  test('where the same query was answered with more animals in as many bytes', () => {
    expect(roomFor(modelOfThree(), 1, pageOf([1n, 2n, 3n], { limit: 50 }, wide), pageOf([1n, 3n]))).toBe(3);
  });

  test('but not where it would have more bytes than that page', () => {
    const model = modelOfThree('2'.repeat(100));
    expect(roomFor(model, 1, pageOf([1n, 2n, 3n], { limit: 50 }, wide), pageOf([1n, 3n]))).toBeUndefined();
  });

  test('nor where only another query was, or one that need not be honoured', () => {
    const longer = pageOf([1n, 2n, 3n], { limit: 100 }, wide);
    expect(roomFor(modelOfThree(), 1, longer, pageOf([1n, 3n]))).toBeUndefined();
    const odd = pageOf([1n, 2n, 3n], { limit: '050' }, wide);
    expect(roomFor(modelOfThree(), 1, odd, pageOf([1n, 3n], { limit: '050' }))).toBeUndefined();
  });

  test('nor where a window over the newest animals explains that the oldest is missing', () => {
    const model = modelOfThree();
    const longer = pageOf([1n, 2n, 3n], { limit: 50 }, wide);
    expect(roomFor(model, 0, longer, pageOf([2n, 3n]))).toBeUndefined();
  });

  test('nor where a window over the oldest animals explains that the newest is missing', () => {
    const model = modelOfThree();
    const page = pageOf([1n, 2n]);
    const others = [11n, 12n, 13n];
    expect(roomFor(model, 2, pageOf(others, { limit: 50 }, wide), page)).toBeUndefined();
  });

  test('nor for an animal that was shown with another status, in a page filtered by the old one', () => {
    const query = { limit: 50, status: 'sold' } as const;
    const model = newModel();
    model.learn(created(1n));
    model.learn(reply(adding('animal 2'), 201, json(2n, 'animal 2', 'sold')));
    model.learn(created(3n));
    const longer = pageOf([1n, 2n, 3n], query, wide);
    const rex = { model, animals: model.created };
    expect(model.matching('sold').map(({ id }) => id)).toEqual([2n]);
    expect(roomFor(rex, 1, longer, pageOf([1n, 3n], query))).toBe(3);
    model.learn(reply(getPet('2', KEY), 200, json(2n, 'animal 2', 'pending')));
    expect(model.matching('sold')).toEqual([]);
    expect(roomFor(rex, 1, longer, pageOf([1n, 3n], query))).toBeUndefined();
  });

  test('where a later page holds all that it held, and the animal, though it is no larger than both', () => {
    const model = modelOfThree();
    const page = pageOf([1n, 2n]);
    expect(roomFor(model, 2, pageOf([1n, 2n, 3n]), page)).toBe(3);
  });

  test('but no window moves back: what a later page still shows, an earlier one had room for', () => {
    const model = modelOfThree();
    const page = pageOf([2n, 3n]);
    expect(roomFor(model, 0, pageOf([1n, 2n, 3n, 4n], { limit: 50 }, wide), page)).toBe(4);
  });
});

test.each([
  ['2030-12-04', false],
  ['2030-12-05', true],
])('on %s, getPet may be gone: %s', (today, expected) => {
  expect(new CollectionModel({ settleMs: 0, today, ...SENT_BY }).getPetMayBeGone).toBe(expected);
});
