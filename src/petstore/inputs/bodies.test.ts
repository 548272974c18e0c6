import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Contract, loadContract } from '../../contract/contract.ts';
import { integerAt, parseJson } from '../../contract/json.ts';
import { type Body, type BrokenBody, type SoundBody, soundBody } from './body.ts';
import { anyWrongMember, lackingMembers, missingBodies, notAnObject, wrongMembers } from './defects.ts';
import { INT64_EDGES, INT64_MAX, INT64_MIN, int64s } from './int64.ts';
import { anyMalformed, malformedBodies } from './malformed.ts';
import { TRICKY_NAMES } from './names.ts';
import { membersOf, type NewPet, objectText, PET_STATUSES } from './new-pet.ts';
import { type Mark, newPets, plainPets } from './new-pets.ts';
import { escapedNames, writtenForms } from './written-forms.ts';

const MARK: Mark = { tag: 'conformance seed RES-6', categories: [] };
const BASE: NewPet = { name: 'conformance seed CREATE-2 1', categoryId: 1n, status: 'available' };
const SEED = 1729;

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract();
});

/** What the suite finds when it reads the bytes again. */
function found({ bytes }: Body): 'none' | 'syntax' | 'schema' {
  const reading = parseJson(bytes ?? new Uint8Array());
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

function expectSaysItsPet(body: SoundBody): void {
  expect(found(body), body.label).toBe('none');
  const reading = parseJson(body.bytes);
  if (reading.kind !== 'json') throw new Error(body.label);
  const members = membersIn(body);
  expect(members.get('name'), body.label).toBe(body.pet.name);
  expect(integerAt(reading, '/categoryId'), body.label).toBe(body.pet.categoryId);
  expect(members.get('status'), body.label).toBe(body.pet.status);
}

describe('sound bodies', () => {
  test('are valid as they are sent, and say what they are labelled to say', () => {
    const pets = [
      ...sample(newPets(MARK), 400),
      ...sample(plainPets(MARK), 50),
      ...TRICKY_NAMES.map((name) => ({ ...BASE, name })),
      ...INT64_EDGES.map((categoryId) => ({ ...BASE, categoryId })),
    ];
    for (const pet of pets) expectSaysItsPet(soundBody(pet));
  });

  test('are valid in every written form, and no two forms are the same bytes', () => {
    const forms = [...writtenForms({ ...BASE, status: 'pending' }, 'CREATE-12'), ...escapedNames(BASE, 'CREATE-12')];
    for (const form of forms) expectSaysItsPet(form);
    const sent = forms.map((form) => `${form.contentType} ${textOf(form)}`);
    expect(new Set(sent).size).toBe(forms.length);
    expect(sent).not.toContain(`application/json ${objectText(membersOf({ ...BASE, status: 'pending' }))}`);
  });

  test('have every status and none, categories over all of int64, and names that a person can tell', () => {
    const pets = sample(newPets(MARK), 400);
    expect(new Set(pets.map(({ status }) => status))).toEqual(new Set([...PET_STATUSES, undefined]));
    expect(pets.every(({ name }) => name.includes(MARK.tag))).toBe(true);
    expect(pets.every(({ categoryId }) => categoryId >= INT64_MIN && categoryId <= INT64_MAX)).toBe(true);
    for (const edge of [INT64_MIN, INT64_MAX]) expect(sample(int64s(), 600)).toContain(edge);
    expect(pets.filter(({ categoryId }) => !Number.isSafeInteger(Number(categoryId))).length).toBeGreaterThan(100);
  });

  test('name only known categories where the user named them', () => {
    const categories = [7n, INT64_MAX];
    const pets = sample(newPets({ ...MARK, categories }), 50);
    expect(new Set(pets.map(({ categoryId }) => categoryId))).toEqual(new Set(categories));
  });

  test('shrink to a plain name around the tag', () => {
    let pet: NewPet | undefined;
    const property = fc.property(newPets(MARK), (drawn) => {
      pet = drawn;
      return false;
    });
    fc.check(property, { seed: SEED });
    expect(pet?.name).toMatch(new RegExp(`^${MARK.tag} [0-9a-z]{1,6}$`));
    expect([undefined, 'available']).toContain(pet?.status);
  });
});

/** Every broken body by the requirement that refuses it. */
const BROKEN: readonly (readonly [label: string, bodies: readonly BrokenBody[]])[] = [
  ['lacking a member', lackingMembers(BASE)],
  ['missing', missingBodies()],
  ['malformed', [...malformedBodies(BASE), ...sample(anyMalformed(BASE), 300)]],
  ['with a wrong name', [...wrongMembers(BASE, 'name'), ...sample(anyWrongMember(BASE, 'name'), 300)]],
  ['with a wrong category', [...wrongMembers(BASE, 'categoryId'), ...sample(anyWrongMember(BASE, 'categoryId'), 300)]],
  ['with a wrong status', [...wrongMembers(BASE, 'status'), ...sample(anyWrongMember(BASE, 'status'), 300)]],
  ['that are no object', notAnObject(BASE)],
];

describe.each(BROKEN)('bodies %s', (_label, bodies) => {
  test('are broken as they are sent, in the way that they are labelled', () => {
    for (const body of bodies) expect(found(body), `${body.label}: ${String(body.bytes)}`).toBe(body.fails);
  });

  test('are named by their one defect', () => {
    for (const body of bodies) expect(body.defect).not.toBe('');
    const hands = bodies.slice(0, 9).map(({ label }) => label);
    expect(new Set(hands).size).toBe(hands.length);
  });
});

describe('a body with one defect', () => {
  const control = membersIn(soundBody(BASE));

  /** The members in which a body differs from its control. */
  const differing = (body: Body): readonly string[] => {
    const members = membersIn(body);
    const names = new Set([...control.keys(), ...members.keys()]);
    return [...names].filter(
      (name) => members.has(name) !== control.has(name) || !Object.is(members.get(name), control.get(name)),
    );
  };

  test.each(['name', 'categoryId', 'status'] as const)('differs from its control in the %s alone', (member) => {
    for (const body of [...wrongMembers(BASE, member), ...sample(anyWrongMember(BASE, member), 300)]) {
      expect(differing(body), textOf(body)).toEqual([member]);
      expect(membersIn(body).size).toBe(3);
      expect(body.defect).toContain(member);
      expect(body.contentType).toBe('application/json');
    }
  });

  test.each(['name', 'categoryId', 'status'] as const)('tries the %s with every JSON type that is wrong', (member) => {
    const typeOf = (value: unknown): string =>
      value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    const bodies = [wrongMembers(BASE, member), sample(anyWrongMember(BASE, member), 300)];
    for (const some of bodies) {
      const types = new Set(some.map((body) => typeOf(membersIn(body).get(member))));
      for (const type of ['null', 'boolean', 'array', 'object']) expect(types, type).toContain(type);
      expect(types.has('string')).toBe(member !== 'name');
      expect(types.has('number')).toBe(true);
    }
  });

  test('lacks a required member and has the others as they were', () => {
    for (const body of lackingMembers(BASE)) {
      const members = membersIn(body);
      const lacking = ['name', 'categoryId'].filter((name) => !members.has(name));
      expect(lacking.length, body.label).toBeGreaterThan(0);
      for (const name of ['name', 'categoryId', 'status']) {
        if (members.has(name)) expect(members.get(name)).toEqual(control.get(name));
      }
      for (const name of lacking) expect(body.defect === 'an empty object' || body.defect.includes(name)).toBe(true);
    }
  });

  test('leaves a trace by which an animal made of it is told, wherever it holds the name', () => {
    for (const body of [
      ...lackingMembers(BASE),
      ...wrongMembers(BASE, 'status'),
      ...wrongMembers(BASE, 'categoryId'),
    ]) {
      const isWrapped = body.label.includes('an object with both');
      expect(body.traces.name).toBe(isWrapped ? BASE.name : membersIn(body).get('name'));
    }
    for (const body of wrongMembers(BASE, 'name')) expect(body.traces.name).toBeUndefined();
  });

  test('no body is sent in two ways, under a Content-Type, so that nothing else is wrong', () => {
    expect(missingBodies().map(({ bytes, contentType }) => [bytes?.length, contentType])).toEqual([
      [undefined, 'application/json'],
      [0, 'application/json'],
    ]);
  });
});

test.each([
  ['malformed', anyMalformed(BASE)],
  ['with a wrong name', anyWrongMember(BASE, 'name')],
  ['with a wrong category', anyWrongMember(BASE, 'categoryId')],
  ['with a wrong status', anyWrongMember(BASE, 'status')],
])('whatever shrinking makes of a body %s is as it is labelled', (_label, kind) => {
  const wrong: string[] = [];
  let seen = 0;
  for (let seed = 0; seed < 30; seed += 1) {
    const property = fc.property(kind, (body) => {
      seen += 1;
      if (found(body) !== body.fails) wrong.push(textOf(body));
      // Two of three fail, so that the search goes down and looks aside.
      return seen % 3 === 0;
    });
    fc.check(property, { seed, numRuns: 10 });
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(60);
});

test('the same seed gives the same bodies, another one others', () => {
  const drawn = (seed: number) => fc.sample(newPets(MARK), { seed, numRuns: 30 });
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
});
