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

test('another status than those that the code knows is an error', () => {
  expect(factsWith((schemas) => schemas['PetStatus']?.enum?.push('lost'))).toThrow(/PetStatus is .*"lost"/);
});
