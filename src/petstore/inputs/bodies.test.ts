import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Contract, loadContract } from '../../contract/contract.ts';
import { INT64_MAX, INT64_MIN } from '../../contract/exact-integer.ts';
import { integerAt, parseJson } from '../../contract/json.ts';
import type { LevelTable } from '../../engine/request-space.ts';
import { MEMBERS, PET_STATUSES } from '../contract-facts.ts';
import {
  type Body,
  type InvalidBody,
  JSON_TYPE,
  membersOf,
  type NewPet,
  objectText,
  type ValidBody,
  validBody,
  validBodyFrom,
} from './body.ts';
import { INT64_EDGES, int64s } from './int64.ts';
import {
  anyMalformed,
  DEFECTIVE_KINDS,
  type Defect,
  type Defects,
  MALFORMED_KINDS,
  missing,
  nameless,
  withDefect,
  wrong,
} from './invalid-bodies.ts';
import { nameFrom } from './name-template.ts';
import { NAMES } from './names.ts';
import { type Naming, newPets, ownCategory, plainPets } from './new-pets.ts';
import {
  duplicateMembers,
  largeUnknownMembers,
  otherEncodings,
  unknownCategories,
  unknownMembers,
} from './open-bodies.ts';
import { ESCAPES, MEDIA_TYPES, ORDERS, SPACING, type Writing, writtenAs } from './valid-forms.ts';

const NAMING: Naming = { tag: 'conformance seed RES-6', categories: [] };
const BASE: NewPet = { name: 'conformance seed CREATE-2 1', categoryId: 1n, status: 'available' };
const SEED = 1729;

const everyName = (plain: string): readonly string[] =>
  Object.values(NAMES).flatMap((kind) => kind.map((name) => nameFrom(name, plain)));

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract();
});

/** What the suite finds when it reads the bytes again. */
function found({ bytes }: Body): 'none' | 'syntax' | 'schema' {
  const reading = parseJson(bytes ?? new Uint8Array(), MEMBERS);
  if (reading.kind !== 'json') return 'syntax';
  return contract.validateRequest('createPet', reading).length === 0 ? 'none' : 'schema';
}

const textOf = ({ bytes }: Body): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** The members of an object as JSON text, in the order in which they stand. */
function membersIn(body: Body): ReadonlyMap<string, unknown> {
  const value: unknown = JSON.parse(textOf(body));
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] => fc.sample(arbitrary, { seed: SEED, numRuns });

function expectSaysItsPet(body: ValidBody): void {
  expect(found(body), body.label).toBe('none');
  const reading = parseJson(body.bytes);
  if (reading.kind !== 'json') throw new Error(body.label);
  const members = membersIn(body);
  expect(members.get('name'), body.label).toBe(body.pet.name);
  expect(integerAt(reading, '/categoryId'), body.label).toBe(body.pet.categoryId);
  expect(members.get('status'), body.label).toBe(body.pet.status);
}

describe('valid bodies', () => {
  test('are valid as sent, and say what they are labelled to say', () => {
    const pets = [
      ...sample(newPets(NAMING), 400),
      ...sample(plainPets(NAMING), 50),
      ...everyName(BASE.name).map((name) => ({ ...BASE, name })),
      ...INT64_EDGES.map((categoryId) => ({ ...BASE, categoryId })),
    ];
    for (const pet of pets) expectSaysItsPet(validBody(pet));
  });

  const plainly = {
    order: ['name', 'categoryId', 'status'],
    spacing: {},
    escapes: {},
    contentType: JSON_TYPE,
  } as const;
  const examplesOf = <T>(table: LevelTable<T>): readonly T[] =>
    Object.values(table).flatMap(({ examples }) => examples);
  const forms: readonly Writing[] = [
    ...examplesOf(ORDERS).map((order) => ({ ...plainly, order })),
    ...examplesOf(SPACING).map((spacing) => ({ ...plainly, spacing })),
    ...examplesOf(ESCAPES).map((escapes) => ({ ...plainly, escapes })),
    ...examplesOf(SPACING).flatMap((spacing) =>
      examplesOf(ESCAPES).map((escapes) => ({ ...plainly, spacing, escapes })),
    ),
  ];

  test('are valid in every written form, whatever the name', () => {
    const names = [BASE.name, 'a/b\\c"d\\" é \u2028 🐾 {a,b:[c]}', ...everyName(BASE.name)];
    for (const [at, writing] of forms.entries()) {
      // Each form with a few of the names, all names in turn.
      const some = names.filter((_, nth) => nth < 2 || nth % 12 === at % 12);
      for (const pet of some.map((name) => ({ ...BASE, name, status: 'pending' as const }))) {
        expectSaysItsPet(validBodyFrom(writtenAs(pet, writing), pet, 'CREATE-12', JSON.stringify(writing)));
      }
    }
  });

  test('are written in as many ways as there are forms', () => {
    const pet = { ...BASE, name: `${BASE.name} "a/é\\ 🐾`, status: 'pending' } as const;
    const texts = [...new Set(forms)].map((writing) => writtenAs(pet, writing));
    // The usual form stands among the orders, the white space, the escapes and their combinations.
    expect(new Set(texts).size).toBeGreaterThan(90);
    expect(writtenAs(pet, plainly)).toBe(objectText(membersOf(pet)));
    const { status: _, ...without } = pet;
    expect(writtenAs(without, plainly)).toBe(objectText(membersOf(without)));
  });

  test('are sent under the media type of JSON, with no parameter but the charset', () => {
    for (const type of examplesOf(MEDIA_TYPES)) {
      expect(type).toMatch(/^application\/json(?:\s*;\s*charset=(?:utf-8|"utf-8"))?$/i);
      expect(type.startsWith(JSON_TYPE)).toBe(true);
    }
  });

  test('have every status and none, categories over all of int64, and names that a person can tell', () => {
    const pets = sample(newPets(NAMING), 400);
    expect(new Set(pets.map(({ status }) => status))).toEqual(new Set([...PET_STATUSES, undefined]));
    expect(pets.every(({ name }) => name.includes(NAMING.tag))).toBe(true);
    expect(pets.every(({ categoryId }) => categoryId >= INT64_MIN && categoryId <= INT64_MAX)).toBe(true);
    for (const edge of [INT64_MIN, INT64_MAX]) expect(sample(int64s(), 600)).toContain(edge);
    expect(pets.filter(({ categoryId }) => !Number.isSafeInteger(Number(categoryId))).length).toBeGreaterThan(100);
  });

  test('name only known categories where the user named them', () => {
    const categories = [7n, INT64_MAX];
    const pets = sample(newPets({ ...NAMING, categories }), 50);
    expect(new Set(pets.map(({ categoryId }) => categoryId))).toEqual(new Set(categories));
  });

  test('shrink to a plain name around the tag', () => {
    let pet: NewPet | undefined;
    const property = fc.property(newPets(NAMING), (drawn) => {
      pet = drawn;
      return false;
    });
    fc.check(property, { seed: SEED });
    expect(pet?.name).toMatch(new RegExp(`^${NAMING.tag} [0-9a-z]{1,6}$`));
    expect([undefined, 'available']).toContain(pet?.status);
  });
});

const KINDS: readonly (readonly [kind: string, defects: Defects])[] = Object.entries({
  ...MALFORMED_KINDS,
  ...DEFECTIVE_KINDS,
});
const bodyWith = (defect: Defect): InvalidBody => withDefect(BASE, defect);

/** Of the kinds that a test is about: the bodies that are always sent, and some of any others. */
function bodiesOf(isMeant: (requirement: string, kind: string) => boolean): readonly InvalidBody[] {
  const meant = KINDS.filter(([kind, { examples }]) => examples.some(({ requirement }) => isMeant(requirement, kind)));
  return meant.flatMap(([, { examples, others }]) => [
    ...examples.map(bodyWith),
    ...(others === undefined ? [] : sample(others, 60).map(bodyWith)),
  ]);
}

const wrongIn = (member: string) => bodiesOf((_, kind) => kind.startsWith(`${member} is `));
const LACKING = bodiesOf((requirement, kind) => requirement === 'CREATE-2' && !kind.startsWith('one member'));

/** Every invalid body, by its kind. */
const INVALID: readonly (readonly [label: string, bodies: readonly InvalidBody[]])[] = [
  ...KINDS.map(([kind]) => [kind, bodiesOf((_, other) => other === kind)] as const),
  ['malformed anywhere', sample(anyMalformed(BASE), 300)],
];

describe.each(INVALID)('bodies of the kind: %s', (_label, bodies) => {
  test('are invalid as sent, in the way that they are labelled', () => {
    for (const body of bodies) expect(found(body), `${body.label}: ${String(body.bytes)}`).toBe(body.failsAs);
  });

  test('are labelled with their one defect', () => {
    for (const { label } of bodies) expect(label).not.toBe('');
  });
});

test('no place of a template is left as it stands', () => {
  const bases = () => BASE;
  const open = [unknownMembers(bases, 7n), largeUnknownMembers(bases), duplicateMembers(bases), otherEncodings(bases)];
  for (const { bytes, label } of [...INVALID.flatMap(([, bodies]) => bodies), ...open.flat()]) {
    expect(/%[a-z][a-z ]*%/i.exec(Buffer.from(bytes ?? []).toString('latin1')), label).toBeNull();
  }
});

describe('a body with one defect', () => {
  const control = membersIn(validBody(BASE));

  /** The members in which a body differs from its control. */
  const differing = (body: Body): readonly string[] => {
    const members = membersIn(body);
    const names = new Set([...control.keys(), ...members.keys()]);
    return [...names].filter(
      (name) => members.has(name) !== control.has(name) || !Object.is(members.get(name), control.get(name)),
    );
  };

  test.each(['name', 'categoryId', 'status'] as const)('differs from its control in the %s alone', (member) => {
    for (const body of wrongIn(member)) {
      expect(differing(body), textOf(body)).toEqual([member]);
      expect(membersIn(body).size).toBe(3);
      expect(body.label).toContain(member);
      expect(body.contentType).toBe('application/json');
    }
  });

  test.each(['name', 'categoryId', 'status'] as const)('tries the %s with every JSON type that is wrong', (member) => {
    const typeOf = (value: unknown): string =>
      value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    const types = new Set(wrongIn(member).map((body) => typeOf(membersIn(body).get(member))));
    for (const type of ['null', 'boolean', 'array', 'object', 'number']) expect(types, type).toContain(type);
    expect(types.has('string')).toBe(member !== 'name');
  });

  test('lacks a required member and has the others as they were', () => {
    for (const body of LACKING) {
      const members = membersIn(body);
      const lacking = ['name', 'categoryId'].filter((name) => !members.has(name));
      expect(lacking.length, body.label).toBeGreaterThan(0);
      for (const name of ['name', 'categoryId', 'status']) {
        if (members.has(name)) expect(members.get(name)).toEqual(control.get(name));
      }
      for (const name of lacking)
        expect(body.label.startsWith('an ') || body.label.includes(name), body.label).toBe(true);
    }
  });

  test('leaves a trace by which an animal made of it is told, wherever it holds the name', () => {
    for (const body of [...LACKING, ...wrongIn('status'), ...wrongIn('categoryId')]) {
      // It stands in the text, at its place or in some other.
      const expected = textOf(body).includes(JSON.stringify(BASE.name)) ? BASE.name : undefined;
      expect(body.traces.name, body.label).toBe(expected);
      if (membersIn(body).get('name') !== undefined) expect(expected, body.label).toBe(BASE.name);
    }
    for (const body of wrongIn('name')) expect(body.traces.name).toBeUndefined();
  });

  test('no body is sent in two ways, under a Content-Type, so that nothing else is wrong', () => {
    const none = bodiesOf((requirement) => requirement === 'CREATE-3');
    expect(none.map(({ bytes, contentType }) => [bytes?.length, contentType])).toEqual([
      [undefined, 'application/json'],
      [0, 'application/json'],
    ]);
  });
});

const DRAWN: readonly (readonly [label: string, bodies: fc.Arbitrary<InvalidBody>])[] = [
  ['anywhere', anyMalformed(BASE)],
  ...KINDS.flatMap(([kind, { others }]) => (others === undefined ? [] : [[kind, others.map(bodyWith)] as const])),
];

test.each(DRAWN)('whatever shrinking makes of a body is as it is labelled: %s', (_label, kind) => {
  const mislabelled: string[] = [];
  let seen = 0;
  for (let seed = 0; seed < 30; seed += 1) {
    const property = fc.property(kind, (body) => {
      seen += 1;
      if (found(body) !== body.failsAs) mislabelled.push(textOf(body));
      // Two of three fail, so that the search goes down and looks aside.
      return seen % 3 === 0;
    });
    fc.check(property, { seed, numRuns: 10 });
  }
  expect(mislabelled).toEqual([]);
  expect(seen).toBeGreaterThan(60);
});

test('a value is labelled by its text, and a string as such', () => {
  expect(wrong(BASE, 'status', '"x"').label).toBe('status is the string "x"');
  expect(wrong(BASE, 'status', '7').label).toBe('status is 7');
});

test('a body that lacks a member holds the others', () => {
  expect(textOf(missing(BASE, 'name'))).toBe('{"categoryId":1,"status":"available"}');
  expect(textOf(missing(BASE, 'name', 'categoryId'))).toBe('{"status":"available"}');
});

test('bodies without a name are told by categories of their own', () => {
  const bodies = nameless(BASE);
  const first = ownCategory(BASE.name);
  expect(bodies.map(({ traces }) => traces.categoryId)).toEqual([first, first + 1n, first + 2n]);
  for (const body of bodies) {
    expect(found(body)).toBe('schema');
    expect(BigInt(Number(membersIn(body).get('categoryId')))).toBe(body.traces.categoryId);
  }
  const names = Array.from({ length: 2_000 }, (_, at) => `${BASE.name}${at}`);
  expect(new Set(names.map(ownCategory)).size).toBe(names.length);
  expect(names.map((name) => Number(ownCategory(name))).every(Number.isSafeInteger)).toBe(true);
});

test('the body of a category that may be unknown says that category to the last digit', () => {
  for (const { bytes, pet, label } of unknownCategories(() => BASE, [1n])) {
    expect(bytes, label).toEqual(validBody({ ...BASE, ...pet }).bytes);
    expect(label).toBe(`the categoryId ${pet.categoryId}`);
  }
});

test('the same seed gives the same bodies, another one others', () => {
  const drawn = (seed: number) => fc.sample(newPets(NAMING), { seed, numRuns: 30 });
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
});
