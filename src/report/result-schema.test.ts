import { fileURLToPath } from 'node:url';
import { createGenerator, type Schema } from 'ts-json-schema-generator';
import { expect, test } from 'vitest';

/** A definition in draft 2020-12: the generator writes draft 7, in which tuples have another keyword. */
function modern(definition: Schema | boolean) {
  if (typeof definition === 'boolean' || !Array.isArray(definition.items)) return definition;
  const { items, ...others } = definition;
  return { ...others, prefixItems: items, items: false };
}

const SCHEMAS = [
  ['model/result.ts', 'RunResult', 'conformance', 'result', 'Result of a conformance run'],
  ['model/run-record.ts', 'RunRecord', 'history', 'history', 'A line of a history of conformance runs'],
  [
    'model/remembered.ts',
    'Remembered',
    'remembered',
    'remembered',
    'What a conformance run remembers for the next one',
  ],
] as const;

test.each(SCHEMAS)('the committed schema is that of the type (`npm run schema` writes it): %s', async (...parts) => {
  const [source, type, file, name, title] = parts;
  const generator = createGenerator({
    path: fileURLToPath(new URL(source, import.meta.url)),
    tsconfig: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)),
    type,
    topRef: false,
    sortProps: false,
    skipTypeCheck: true,
  });
  const { definitions = {}, ...root } = generator.createSchema(type);
  const schema = {
    ...root,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:petstore-conformance:${name}:1`,
    title,
    $defs: Object.fromEntries(Object.entries(definitions).map(([key, one]) => [key, modern(one)])),
  };
  const text = JSON.stringify(schema, null, 2).replaceAll('#/definitions/', '#/$defs/');
  await expect(`${text}\n`).toMatchFileSnapshot(`../../spec/${file}.schema.json`);
});
