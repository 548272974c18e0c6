import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';
import { expect, test } from 'vitest';

/** Converts tuples from draft 7, which the generator writes, to draft 2020-12. */
const modern = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('items' in value) || !Array.isArray(value.items)) return value;
  const { items, ...others } = value;
  return { ...others, prefixItems: items, items: false };
};

test('the committed schema is that of the type (`npm run schema` writes it)', async () => {
  const generator = createGenerator({
    path: fileURLToPath(new URL('result.ts', import.meta.url)),
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
    $id: 'urn:petstore-conformance:conformance:3',
    title: 'Result of a conformance run',
    $defs: definitions,
  };
  const text = JSON.stringify(JSON.parse(JSON.stringify(schema), modern), null, 2).replaceAll(
    '#/definitions/',
    '#/$defs/',
  );
  await expect(`${text}\n`).toMatchFileSnapshot('../../spec/conformance.schema.json');
});
