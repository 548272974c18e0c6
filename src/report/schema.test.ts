import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';
import { expect, test } from 'vitest';

/** Converts tuples from draft 7, which the generator writes, to draft 2020-12. */
const modern = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('items' in value) || !Array.isArray(value.items)) return value;
  const { items, ...others } = value;
  return { ...others, prefixItems: items, items: false };
};

const SCHEMAS = [
  ['../run/result.ts', 'RunResult', 'conformance', 2, 'Result of a conformance run'],
  ['../check/remember.ts', 'Remembered', 'remembered', 1, 'What a conformance run keeps for the next one'],
  ['finding.ts', 'RecordedFailure', 'replay', 2, 'A failure that a conformance run has recorded'],
] as const;

test.each(SCHEMAS)('the committed schema is that of the type (`npm run schema` writes it): %s', async (...parts) => {
  const [source, type, name, version, title] = parts;
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
    $id: `urn:petstore-conformance:${name}:${version}`,
    title,
    $defs: definitions,
  };
  const text = JSON.stringify(JSON.parse(JSON.stringify(schema), modern), null, 2).replaceAll(
    '#/definitions/',
    '#/$defs/',
  );
  await expect(`${text}\n`).toMatchFileSnapshot(`../../spec/${name}.schema.json`);
});
