import { expect, test } from 'vitest';
import { DOCUMENT } from '../contract/document.prebuilt.ts';
import { factsOf } from '../contract/document.ts';
import { contractFacts } from './contract-facts.ts';

type Schemas = Record<string, { properties?: Record<string, object>; enum?: string[] }>;

/** The facts of the contract with something of its schemas changed. */
function factsWith(change: (schemas: Schemas) => void): () => unknown {
  const document = structuredClone(DOCUMENT) as { components: { schemas: Schemas } };
  change(document.components.schemas);
  return () => contractFacts(factsOf(document));
}

test.each([
  ['of its own', { type: 'string', maxLength: 64 }],
  ['of the schema that it refers to', { $ref: '#/components/schemas/PetName' }],
])('a bound of a name, %s, that no input knows is an error', (_, name) => {
  const facts = factsWith((schemas) => {
    schemas['PetName'] = { type: 'string', maxLength: 64 } as object;
    Object.assign(schemas['NewPet']?.properties ?? {}, { name });
  });
  expect(facts).toThrow(/^spec\/openapi.yaml: NewPet.name has maxLength, which the bodies/);
});

test('another status than those that the code knows is an error', () => {
  expect(factsWith((schemas) => schemas['PetStatus']?.enum?.push('lost'))).toThrow(/PetStatus is .*"lost"/);
});
