import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { parse as parseYaml } from 'yaml';
import { PACKAGE_ROOT } from '../package.ts';
import type { RequirementKind } from '../report/model/result.ts';
import { patternToRegExp } from './pattern.ts';

/** A part of the specification. */
export interface Part {
  /** Its number, such as `4.1`. */
  readonly part: string;
  readonly title: string;
  /** What the ids of its requirements start with: `LIST` of `LIST-2`. */
  readonly prefix: string;
}

/** A row of the catalogue as it is written: a statement of the specification, or a point that it leaves open. */
interface Row {
  readonly id: string;
  /** Where the specification says it, such as `4.1 rule 2`. */
  readonly source: readonly string[];
  readonly kind: RequirementKind;
  readonly says: string;
  /** The one step that leads from what is stated to this; on derived rows only. */
  readonly because?: string;
  /** What an implementation may do; on open rows only. */
  readonly readings?: readonly string[];
  /** Why no check can judge it. */
  readonly untestable?: string;
}

const TEXT = { type: 'string', pattern: '\\S', description: 'text' };
const TEXTS = { type: 'array', minItems: 1, items: TEXT, description: 'a list of texts' };
const KINDS: readonly RequirementKind[] = ['stated', 'derived', 'open'];

/** The shape of a {@link Row}. Errors quote the descriptions. */
const ROW = {
  type: 'object',
  required: ['id', 'source', 'kind', 'says'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^[A-Z]+-\\d+$', description: 'an id such as LIST-2' },
    source: TEXTS,
    kind: { enum: KINDS, description: `one of ${KINDS.join(', ')}` },
    says: TEXT,
    because: TEXT,
    readings: TEXTS,
    untestable: TEXT,
  },
  allOf: [onlyIf('derived', 'because'), onlyIf('open', 'readings')],
  description: 'a mapping with id, source, kind and says',
};

/** Requires a member on rows of one kind, and forbids it on all others. */
function onlyIf(kind: RequirementKind, member: string): object {
  return {
    if: { properties: { kind: { const: kind } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: [member] },
    else: { properties: { [member]: false } },
  };
}

const isRow = new Ajv2020({ strictRequired: false, verbose: true }).compile<Row>(ROW);

/** One requirement: a row of the catalogue with the part that it belongs to. */
export interface Requirement extends Row {
  /** The part of the specification that the id belongs to. */
  readonly part: string;
}

export interface Catalogue {
  /** In the order of the file. */
  readonly requirements: readonly Requirement[];
  find(id: string): Requirement | undefined;
  /** The requirements whose id matches a pattern such as `LIST-*`, in any letter case. */
  matching(pattern: string): readonly Requirement[];
}

/** The catalogue is broken. The fault is the suite's; the message names the row and what is wrong with it. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  readonly code = 'catalogue-invalid';
}

/**
 * Reads and checks a catalogue, `spec/requirements.yaml` by default, of a specification with these parts. Throws a
 * {@link CatalogueError} on the first bad row.
 */
export function loadCatalogue(
  parts: readonly Part[],
  file: URL = new URL('spec/requirements.yaml', PACKAGE_ROOT),
): Catalogue {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CatalogueError(`The catalogue cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
  return parseCatalogue(parts, text);
}

/** As {@link loadCatalogue}, from the text of the file. */
export function parseCatalogue(parts: readonly Part[], text: string): Catalogue {
  let rows: unknown;
  try {
    // YAML's failsafe schema reads every scalar as text: a reading such as `200` is words, not a number.
    rows = parseYaml(text, { schema: 'failsafe' });
  } catch (error) {
    throw new CatalogueError(`The catalogue is not valid YAML: ${reasonOf(error)}`, { cause: error });
  }
  if (!Array.isArray(rows) || rows.length === 0) throw new CatalogueError('The catalogue must be a list of rows.');
  const byId = new Map<string, Requirement>();
  for (const [index, row] of rows.entries()) {
    const requirement = readRow(row, index + 1, parts);
    if (byId.has(requirement.id)) throw new CatalogueError(`Row ${requirement.id} is in the catalogue twice.`);
    byId.set(requirement.id, requirement);
  }
  const requirements = [...byId.values()];
  return {
    requirements,
    find: (id) => byId.get(id),
    matching(pattern) {
      const matches = patternToRegExp(pattern.trim());
      return requirements.filter(({ id }) => matches.test(id));
    },
  };
}

function readRow(row: unknown, number: number, parts: readonly Part[]): Requirement {
  if (!isRow(row)) throw new CatalogueError(describe(row, number, isRow.errors?.[0]));
  const { id, source, ...others } = row;
  const part = parts.find(({ prefix }) => id.startsWith(`${prefix}-`))?.part;
  if (part === undefined) {
    const known = parts.map(({ prefix }) => prefix).join(', ');
    throw new CatalogueError(`Row ${id} of the catalogue has an id that belongs to no part (known: ${known}).`);
  }
  const stray = source.find((place) => !isPlace(place, parts));
  if (stray !== undefined) {
    const cites = `cites ${JSON.stringify(stray)}, which is no part or rule of the specification`;
    throw new CatalogueError(`Row ${id} of the catalogue ${cites}.`);
  }
  return { id, part, source, ...others };
}

/** Whether text names a part, what contains one (`4` contains `4.1`), or a rule in either. */
function isPlace(text: string, parts: readonly Part[]): boolean {
  const [, place] = /^([\d.]*\d)( rule [1-9])?$/.exec(text) ?? [];
  return place !== undefined && parts.some(({ part }) => `${part}.`.startsWith(`${place}.`));
}

/** Describes a row that does not have the shape of a {@link Row}. */
function describe(row: unknown, number: number, error: ErrorObject | undefined): string {
  const { id, kind }: Record<string, unknown> = { ...Object(row) };
  const { keyword, params = {}, instancePath = '', schemaPath = '', parentSchema } = error ?? {};
  const name = typeof id === 'string' && instancePath !== '/id' ? id : `number ${number}`;
  const where = `Row ${name} of the catalogue`;
  const member = instancePath.slice(1);
  const expected: unknown = parentSchema?.['description'];
  switch (keyword) {
    case 'required':
      // Under `then`, the member is one that rows of this kind must have.
      return `${where} ${schemaPath.includes('/then/') ? `is ${kind} and ` : ''}has no \`${params['missingProperty']}\`.`;
    case 'additionalProperties':
      return `${where} has an unknown member \`${params['additionalProperty']}\`.`;
    case 'false schema':
      return `${where} is ${kind} and must not have \`${member}\`.`;
    default:
      return member === '' ? `${where} must be ${expected}.` : `${where}: \`${member}\` must be ${expected}.`;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
