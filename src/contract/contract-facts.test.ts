import { expect, test } from 'vitest';
import { contractFacts } from './contract-facts.ts';
import { DOCUMENT } from './document.prebuilt.ts';

type Schemas = Record<string, { properties?: Record<string, object>; enum?: string[] }>;

/** The facts of the contract with something of its schemas changed. */
function factsWith(change: (schemas: Schemas) => void): () => unknown {
  const document = structuredClone(DOCUMENT) as { components: { schemas: Schemas } };
  change(document.components.schemas);
  return () => contractFacts(document);
}

test('a bound of a name that no input knows is an error', () => {
  const name = { type: 'string', maxLength: 64 };
  const facts = factsWith((schemas) => Object.assign(schemas['NewPet']?.properties ?? {}, { name }));
  expect(facts).toThrow(/^spec\/openapi.yaml: NewPet.name has maxLength, which the bodies/);
});

test('other values of a status than those of PetStatus are an error', () => {
  const status = { type: 'string', enum: ['available'] };
  const facts = factsWith((schemas) => Object.assign(schemas['NewPet']?.properties ?? {}, { status }));
  expect(facts).toThrow(/^spec\/openapi.yaml: NewPet.status has enum, which the bodies/);
});

test('the statuses are those of the contract', () => {
  const added = factsWith((schemas) => {
    for (const name of ['NewPet', 'Pet']) {
      const { status } = schemas[name]?.properties ?? {};
      if (status !== undefined) Object.assign(status, { enum: ['available', 'pending', 'sold', 'lost'] });
    }
    Object.assign(schemas['PetStatus'] ?? {}, { enum: ['available', 'pending', 'sold', 'lost'] });
  });
  expect(added()).toMatchObject({ statuses: ['available', 'pending', 'sold', 'lost'] });
});
