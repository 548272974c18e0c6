import { describe, expect, test } from 'vitest';
import { type Body, bytesOf, JSON_TYPE, textOf, validBody } from './inputs/body.ts';
import { DEFECTIVE_KINDS, MALFORMED_KINDS, withDefect } from './inputs/invalid-bodies.ts';
import { NAME_TAG } from './inputs/new-pets.ts';
import { SEVERAL_DEFECTS } from './inputs/non-objects.ts';
import { everyOpenBody } from './inputs/open-bodies.fixture.ts';
import { readBody } from './read-body.ts';

const PET = { name: `Rex "the" ${NAME_TAG} 1-abcd 🐾`, categoryId: 9223372036854775807n, status: 'sold' } as const;
const read = ({ bytes, contentType, label }: Body): Body => readBody(bytes, contentType, label);

describe('a body that the suite builds is read as what it was built to be', () => {
  test('valid', () => {
    for (const pet of [PET, { name: 'x', categoryId: -1n }, { name: 'x'.repeat(1_000), categoryId: 0n }]) {
      expect(read(validBody(pet))).toEqual(validBody(pet));
    }
  });

  test('invalid, by the requirement that says so', () => {
    for (const [kind, { examples }] of Object.entries({ ...MALFORMED_KINDS, ...DEFECTIVE_KINDS })) {
      for (const body of examples.map((defect) => withDefect(PET, defect))) {
        const { requirement, failsAs } = body;
        // Of several defects, any may be the one that is named.
        const named = kind in SEVERAL_DEFECTS ? {} : { requirement };
        expect(read(body), body.label).toMatchObject({ kind: 'invalid', failsAs, ...named });
      }
    }
  });

  test('open, with what an animal made of it must hold', () => {
    for (const body of everyOpenBody({ ...PET, status: 'available' })) {
      const found = read(body);
      if (found.kind !== 'open') throw new Error(`${body.label} was read as ${found.kind}`);
      expect(found.requirement, body.label).toBe(body.requirement);
      expect(found.readings, body.label).toEqual(body.readings);
      expect(found.clientId, body.label).toBe(body.clientId);
      expect(found.oneOf?.values.toSorted(), body.label).toEqual(body.oneOf?.values.toSorted());
      for (const field of ['name', 'categoryId', 'status'] as const) {
        const [built, seen] = [body.pet[field], found.pet[field]];
        if (built !== undefined && seen !== undefined) expect(seen, `${body.label}: ${field}`).toBe(built);
      }
    }
  });
});

test('a category that the service need not know is open where the user has named those that it knows', () => {
  const { bytes, contentType, label } = validBody(PET);
  expect(readBody(bytes, contentType, label, [1n])).toMatchObject({ kind: 'open', requirement: 'RES-14' });
  expect(readBody(bytes, contentType, label, [1n, PET.categoryId])).toMatchObject({ kind: 'valid' });
});

test('the name by which an animal is told that was made of a refused body', () => {
  const traces = (text: string) => {
    const body = readBody(bytesOf(text), JSON_TYPE, 'a body');
    return body.kind === 'invalid' ? body.traces : undefined;
  };
  expect(traces(textOf(PET).slice(0, -1))).toEqual({ name: PET.name });
  expect(traces('{"name":"Rex"')).toEqual({});
});
