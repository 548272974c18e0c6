import { fileURLToPath } from 'node:url';
import { createGenerator, type Schema } from 'ts-json-schema-generator';
import { expect, test } from 'vitest';

/** A definition in draft 2020-12: the generator writes draft 7, in which tuples have another keyword. */
function modern(definition: Schema | boolean) {
  if (typeof definition === 'boolean' || !Array.isArray(definition.items)) return definition;
  const { items, ...others } = definition;
  return { ...others, prefixItems: items, items: false };
}

test('the committed schema is that of the result type (`npm run schema` writes it)', async () => {
  const generator = createGenerator({
    path: fileURLToPath(new URL('model/result.ts', import.meta.url)),
    tsconfig: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)),
    type: 'RunResult',
    topRef: false,
    sortProps: false,
    skipTypeCheck: true,
  });
  const { definitions = {}, ...root } = generator.createSchema('RunResult');
  const schema = {
    ...root,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:petstore-conformance:result:1',
    title: 'Result of a conformance run',
    $defs: Object.fromEntries(Object.entries(definitions).map(([name, one]) => [name, modern(one)])),
  };
  const text = JSON.stringify(schema, null, 2).replaceAll('#/definitions/', '#/$defs/');
  await expect(`${text}\n`).toMatchFileSnapshot('../../spec/conformance.schema.json');
});
