/** What the request spaces of createPet send: every body is what it claims to be, and no two requests share a name. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Contract, loadContract } from '../../contract/contract.ts';
import { integerAt, parseJson } from '../../contract/json.ts';
import { type RequestSpace, rowsOf } from '../../engine/request-space.ts';
import { createPet } from '../calls.ts';
import { MEMBERS } from '../contract-facts.ts';
import { verifyCall } from '../definition.ts';
import { bytesOf, type InvalidBody, type NewPet } from '../inputs/body.ts';
import { rightKey } from '../inputs/credential.ts';
import { DEFECTIVE_KINDS, MALFORMED_KINDS } from '../inputs/invalid-bodies.ts';
import { writtenAs } from '../inputs/valid-forms.ts';
import { memberOf } from '../reply.ts';
import { NEW_PETS, only, petOf, WRITTEN_FORMS } from './new-pets.ts';
import { DEFECTIVE_BODIES, defectsOf, MALFORMED_BODIES, REFUSED_MEDIA, refusedBody } from './refused-bodies.ts';

const KEY = rightKey('Key-For-Tests');
const PROFILES = ['smoke', 'standard', 'thorough'] as const;

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract();
});

const basePets = (): (() => NewPet) => {
  let serial = 0;
  return () => {
    serial += 1;
    return { name: `conformance 7-abcd CREATE-2 ${serial}`, categoryId: 1n, status: 'available' };
  };
};

function drawn<T>(space: RequestSpace<T>, profile: (typeof PROFILES)[number]) {
  return rowsOf(space, profile, 7).flatMap((row, seed) =>
    fc.sample(space.sample(row), { seed, numRuns: 1 }).map((value) => ({ row, value })),
  );
}

describe.each(PROFILES)('in the profile %s', (profile) => {
  test.each([MALFORMED_BODIES, DEFECTIVE_BODIES, REFUSED_MEDIA])('$name have the defects that they claim', (space) => {
    const aPet = basePets();
    for (const { value } of drawn(space, profile)) {
      for (const known of [[], [5n, 6n]]) {
        const body = refusedBody(value, aPet(), known);
        expect(verifyCall(createPet(body, KEY, value.form), contract)).toBeUndefined();
        expect(body.requirement).toBe(value.defect.requirement);
      }
    }
  });

  test.each([NEW_PETS, WRITTEN_FORMS])('$name are valid, and say their pet', (space) => {
    const aPet = basePets();
    for (const { value } of drawn(space, profile)) {
      for (const known of [[], [5n, 6n]]) {
        const pet = petOf(value, aPet(), known);
        const json = parseJson(bytesOf(writtenAs(pet, value.writing)), MEMBERS);
        if (json.kind !== 'json') throw new Error(json.sentence);
        expect(contract.validateRequest('createPet', json)).toEqual([]);
        expect(memberOf(json.value, 'name')).toBe(pet.name);
        expect(memberOf(json.value, 'status')).toBe(pet.status);
        expect(integerAt(json, '/categoryId')).toBe(pet.categoryId);
        if (known.length > 0) expect(known).toContain(pet.categoryId);
      }
    }
  });
});

describe('a standard run', () => {
  const bodies = (): readonly InvalidBody[] => {
    const aPet = basePets();
    return [MALFORMED_BODIES, DEFECTIVE_BODIES, REFUSED_MEDIA].flatMap((space) =>
      drawn(space, 'standard').map(({ value }) => refusedBody(value, aPet(), [])),
    );
  };

  test('tells nearly every animal that is made of a refused body, each by a trace of its own', () => {
    const all = bodies();
    const traces = all.map(({ traces: { name, categoryId } }) => name ?? categoryId);
    const told = traces.filter((trace) => trace !== undefined);
    expect(new Set(told).size).toBe(told.length);
    const held = all.filter(({ bytes }) => new TextDecoder().decode(bytes).includes('conformance'));
    expect(
      held.filter(
        ({ failsAs, traces: { name, categoryId } }) => failsAs === 'schema' && (name ?? categoryId) === undefined,
      ),
    ).toEqual([]);
    expect(told.length).toBeGreaterThan(all.length * 0.7);
  });

  test('sends every kind of defect, twice by itself and once beside something else', () => {
    const levels = drawn(DEFECTIVE_BODIES, 'standard').map(({ row }) => row.level('defect'));
    for (const kind of Object.keys(DEFECTIVE_KINDS)) {
      expect(levels.filter((level) => level === kind).length, kind).toBeGreaterThanOrEqual(3);
    }
    expect(new Set(drawn(MALFORMED_BODIES, 'standard').map(({ row }) => row.level('defect')))).toEqual(
      new Set(Object.keys(MALFORMED_KINDS)),
    );
  });

  test('sends every unusual size and depth, and none of them beside another defect', () => {
    const rows = [MALFORMED_BODIES, DEFECTIVE_BODIES].flatMap((space) => drawn(space, 'standard'));
    const sent = new Set(rows.map(({ value }) => value.defect.label));
    const kinds = { ...MALFORMED_KINDS, ...DEFECTIVE_KINDS };
    const sized = Object.entries(kinds).filter(([kind]) => /unusual size|^deep|^long/.test(kind));
    expect(sized).toHaveLength(8);
    for (const { label } of sized.flatMap(([, { examples }]) => examples)) expect(sent, label).toContain(label);
    const names = new Set(sized.map(([kind]) => kind));
    const aPet = basePets();
    const others = rows.filter(({ row }) => !names.has(row.level('defect')));
    const lengths = others.map(({ value }) => refusedBody(value, aPet(), []).bytes?.length ?? 0);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(65_536);
  });

  test('draws the last body of a kind that has more than fit', () => {
    const labels = (seed: number): readonly string[] =>
      rowsOf(DEFECTIVE_BODIES, 'standard', seed).flatMap((row) =>
        fc.sample(DEFECTIVE_BODIES.sample(row), { seed, numRuns: 1 }).map(({ defect: { label } }) => label),
      );
    const first = new Set(labels(7));
    expect(labels(8).filter((label) => !first.has(label)).length).toBeGreaterThan(15);
  });

  test('keeps to its share of the requests and creations', () => {
    expect(bodies().length).toBeLessThanOrEqual(300);
    expect(drawn(NEW_PETS, 'standard').length).toBeLessThanOrEqual(50);
  });

  test('sends each level of a valid body, and no name twice', () => {
    const rows = drawn(NEW_PETS, 'standard');
    for (const [factor, levels] of Object.entries(NEW_PETS.factors)) {
      expect(new Set(rows.map(({ row }) => row.level(factor)))).toEqual(new Set(Object.keys(levels)));
    }
    const aPet = basePets();
    const names = rows.map(({ value }) => petOf(value, aPet(), []).name);
    expect(new Set(names).size).toBe(names.length);
  });
});

test('a defect is its own requirement’s, whichever check sends it', () => {
  for (const space of [MALFORMED_BODIES, DEFECTIVE_BODIES, REFUSED_MEDIA]) {
    for (const { row, value } of drawn(space, 'standard')) {
      const isMixed = /^(two members|malformed and)/.test(row.level('defect'));
      const [part] = defectsOf(value.defect.requirement).filter((one) => one.space === space);
      if (!isMixed) expect(part?.where['defect'], value.defect.label).toContain(row.level('defect'));
    }
  }
});

test('one part of an addition leaves the others as they usually are', () => {
  const rows = drawn(NEW_PETS, 'standard');
  for (const { value } of rows) {
    const alone = only(value, 'name');
    expect(alone).toMatchObject({ categoryId: undefined, status: 'available', chunked: false });
    expect(alone.name).toBe(value.name);
    expect(Object.keys(alone.unusual)).toEqual(['name']);
  }
});
