import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import type { CatalogueRow } from '../engine/outcomes.ts';
import { PACKAGE_ROOT } from '../package.ts';
import { KINDS } from '../report/result.ts';
import type { Part } from './description.ts';

const text = (pattern: string, description: string): object => ({ type: 'string', pattern, description });
const TEXT = text('\\S', 'text');
const TEXTS = { type: 'array', minItems: 1, items: TEXT, description: 'a list of texts' };

type Row = Omit<CatalogueRow, 'part'>;

/** The JSON schema of a row of the catalogue. Errors quote the descriptions. */
function rowSchema(parts: readonly Part[]): object {
  const prefixes = parts.map(({ prefix }) => prefix);
  // A part such as 4.1 is in a part 4, which can be cited too.
  const places = parts
    .flatMap(({ part }) => [part, part.replace(/\..*/, '')])
    .map((place) => place.replace('.', '\\.'));
  return {
    type: 'object',
    required: ['id', 'source', 'kind', 'says'],
    additionalProperties: false,
    properties: {
      id: text(
        `^(${prefixes.join('|')})-\\d+$`,
        `a part and a number, such as ${prefixes[0]}-1 (parts: ${prefixes.join(', ')})`,
      ),
      source: {
        ...TEXTS,
        items: text(`^(${places.join('|')})( rule [1-9])?$`, 'a part of the specification, or a rule in one'),
      },
      kind: { enum: KINDS, description: `one of ${KINDS.join(', ')}` },
      says: TEXT,
      because: TEXT,
      readings: TEXTS,
      untestable: TEXT,
      cause: TEXT,
    },
    // A member that rows of one kind must have, and other rows must not.
    allOf: Object.entries({ derived: 'because', open: 'readings' }).map(([kind, member]) => ({
      if: { required: ['kind'], properties: { kind: { const: kind } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: [member] },
      else: { properties: { [member]: false } },
    })),
    description: 'a mapping with id, source, kind and says',
  };
}

/** The catalogue is invalid; the message names the row and what is wrong with it. */
class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  readonly code = 'catalogue-invalid';
}

/**
 * Reads and checks the catalogue of a specification with these parts.
 *
 * @throws CatalogueError on the first bad row
 */
export function loadCatalogue(
  parts: readonly Part[],
  file: URL = new URL('spec/requirements.yaml', PACKAGE_ROOT),
): readonly CatalogueRow[] {
  try {
    return parseCatalogue(parts, readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof CatalogueError) throw error;
    throw new CatalogueError(`The catalogue cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

/** As {@link loadCatalogue}, from the text of the file. */
function parseCatalogue(parts: readonly Part[], yaml: string): readonly CatalogueRow[] {
  let rows: unknown;
  try {
    // YAML's failsafe schema reads every scalar as text: a reading such as `200` is words, not a number.
    rows = load(yaml, { schema: FAILSAFE_SCHEMA });
  } catch (error) {
    throw new CatalogueError(`The catalogue is not valid YAML: ${reasonOf(error)}.`, { cause: error });
  }
  if (!Array.isArray(rows) || rows.length === 0) throw new CatalogueError('The catalogue must be a list of rows.');
  // Strict mode rejects unknown keywords anyway; compiling the meta-schema takes longer than all the rest.
  const isRow = new Ajv2020({ verbose: true, meta: false, validateSchema: false }).compile<Row>(rowSchema(parts));
  const byId = new Map<string, CatalogueRow>();
  for (const [index, row] of rows.entries()) {
    if (!isRow(row)) throw new CatalogueError(describe(row, index + 1, isRow.errors?.[0]));
    const { id, ...others } = row;
    if (byId.has(id)) throw new CatalogueError(`Row ${id} is in the catalogue twice.`);
    const part = parts.find(({ prefix }) => id.startsWith(`${prefix}-`))?.part ?? '';
    byId.set(id, { id, part, ...others });
  }
  return [...byId.values()];
}

/** What is wrong with a row. */
function describe(row: unknown, number: number, error: ErrorObject | undefined): string {
  const { id, kind }: Record<string, unknown> = { ...Object(row) };
  const { keyword, params = {}, instancePath = '', schemaPath = '', parentSchema, data } = error ?? {};
  const where = `Row ${typeof id === 'string' ? id : `number ${number}`} of the catalogue`;
  const member = instancePath === '' ? '' : `: \`${instancePath.slice(1)}\``;
  switch (keyword) {
    case 'required':
      // `then` requires the member of this kind.
      return `${where} ${schemaPath.includes('/then/') ? `is ${kind} and ` : ''}has no \`${params['missingProperty']}\`.`;
    case 'additionalProperties':
      return `${where} has an unknown member \`${params['additionalProperty']}\`.`;
    case 'false schema':
      return `${where} is ${kind} and must not have \`${instancePath.slice(1)}\`.`;
    default:
      return `${where}${member} must be ${parentSchema?.['description']} and is ${inspect(data, { breakLength: Infinity })}.`;
  }
}

/** The first line of an error's message: the YAML parser adds an excerpt of the file below it. */
function reasonOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error).replace(/:?\n.*/s, '');
}
