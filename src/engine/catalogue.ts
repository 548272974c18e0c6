import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import type { RequirementKind } from '../report/model/result.ts';

/** One row of the catalogue: a statement of the specification, or a point that it leaves open. */
export interface Requirement {
  readonly id: string;
  /** The part of the specification that the id belongs to: `1` to `9`, with `4.1` to `4.4`. */
  readonly part: string;
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

export interface Catalogue {
  /** In the order of the file, which is the order of the specification. */
  readonly requirements: readonly Requirement[];
  find(id: string): Requirement | undefined;
  /** The rows whose id fits a pattern such as `LIST-*`, in any letter case; none where nothing fits. */
  matching(pattern: string): readonly Requirement[];
}

/** The parts of the specification in their order, with short titles for reports. */
export const PARTS: readonly {
  readonly part: string;
  readonly title: string;
  readonly prefix: string;
}[] = [
  { part: '1', title: 'Service', prefix: 'SERV' },
  { part: '2', title: 'Resources', prefix: 'RES' },
  { part: '3', title: 'States', prefix: 'STATE' },
  { part: '4.1', title: 'listPets', prefix: 'LIST' },
  { part: '4.2', title: 'createPet', prefix: 'CREATE' },
  { part: '4.3', title: 'getPet', prefix: 'GET' },
  { part: '4.4', title: 'Other operations', prefix: 'OTHER' },
  { part: '5', title: 'Authentication', prefix: 'AUTH' },
  { part: '6', title: 'Events', prefix: 'EVENT' },
  { part: '7', title: 'Errors', prefix: 'ERR' },
  { part: '8', title: 'Limits', prefix: 'LIM' },
  { part: '9', title: 'Versioning', prefix: 'VERS' },
];

/** The catalogue is broken: a fault of the suite. The message names the row and what is wrong with it. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  readonly code = 'catalogue-invalid';
}

const CATALOGUE_FILE = new URL('../../spec/requirements.yaml', import.meta.url);

/** Reads and checks `spec/requirements.yaml` (or another file). Throws a {@link CatalogueError} on the first bad row. */
export function loadCatalogue(file: URL = CATALOGUE_FILE): Catalogue {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CatalogueError(`The catalogue cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
  return parseCatalogue(text);
}

/** Reads and checks the text of a catalogue, which is YAML. */
export function parseCatalogue(text: string): Catalogue {
  let rows: unknown;
  try {
    // The plain schema of YAML takes every scalar as text: a reading such as `200` is words, not a number.
    rows = parseYaml(text, { schema: 'failsafe' });
  } catch (error) {
    throw new CatalogueError(`The catalogue is not valid YAML: ${reasonOf(error)}`, { cause: error });
  }
  if (!Array.isArray(rows) || rows.length === 0) throw new CatalogueError('The catalogue must be a list of rows.');
  const byId = new Map<string, Requirement>();
  for (const [index, row] of rows.entries()) {
    const requirement = readRow(row, index + 1);
    if (byId.has(requirement.id)) throw new CatalogueError(`Row ${requirement.id} stands twice in the catalogue.`);
    byId.set(requirement.id, requirement);
  }
  const requirements = [...byId.values()];
  return {
    requirements,
    find: (id) => byId.get(id),
    matching(pattern) {
      const fits = patternOf(pattern);
      return requirements.filter((requirement) => fits.test(requirement.id));
    },
  };
}

const MEMBERS: ReadonlySet<string> = new Set(['id', 'source', 'kind', 'says', 'because', 'readings', 'untestable']);

const KINDS: readonly RequirementKind[] = ['stated', 'derived', 'open'];

/** A part of the specification, or a rule in one. */
const SOURCE = /^([1-35-9]|4(\.[1-4])?)( rule [1-9])?$/;

function readRow(row: unknown, number: number): Requirement {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw new CatalogueError(`Row number ${number} of the catalogue must be a mapping with id, source, kind and says.`);
  }
  const members = new Map<string, unknown>(Object.entries(row));
  const id = members.get('id');
  if (typeof id !== 'string' || !/^[A-Z]+-\d+$/.test(id)) {
    throw new CatalogueError(`Row number ${number} of the catalogue must have an id such as LIST-2.`);
  }
  const wrong = (what: string): CatalogueError => new CatalogueError(`Row ${id} of the catalogue ${what}.`);

  for (const name of members.keys()) {
    if (!MEMBERS.has(name)) throw wrong(`has a member ${JSON.stringify(name)} that no row has`);
  }
  const text = (name: string): string | undefined => {
    const value = members.get(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value.trim() === '') throw wrong(`must have text in \`${name}\``);
    return value;
  };
  const texts = (name: string): readonly string[] | undefined => {
    const value = members.get(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || value.length === 0 || !value.every(isText)) {
      throw wrong(`must have a list of texts in \`${name}\``);
    }
    return value;
  };

  const prefix = id.slice(0, id.indexOf('-'));
  const part = PARTS.find((candidate) => candidate.prefix === prefix)?.part;
  if (part === undefined)
    throw wrong(`has an id that belongs to no part (known: ${PARTS.map((p) => p.prefix).join(', ')})`);
  const source = texts('source');
  if (source === undefined) throw wrong('lacks `source`');
  const strange = source.find((place) => !SOURCE.test(place));
  if (strange !== undefined)
    throw wrong(`cites ${JSON.stringify(strange)}, which is no part or rule of the specification`);
  const kind = KINDS.find((known) => known === members.get('kind'));
  if (kind === undefined) throw wrong(`must have a kind: ${KINDS.join(', ')}`);
  const says = text('says');
  if (says === undefined) throw wrong('lacks `says`');
  const because = text('because');
  const readings = texts('readings');
  const untestable = text('untestable');
  if (kind === 'derived' && because === undefined) throw wrong('is derived and lacks `because`');
  if (kind !== 'derived' && because !== undefined) throw wrong(`is ${kind} and must not have \`because\``);
  if (kind === 'open' && readings === undefined) throw wrong('is open and lacks `readings`');
  if (kind !== 'open' && readings !== undefined) throw wrong(`is ${kind} and must not have \`readings\``);

  return {
    id,
    part,
    source,
    kind,
    says,
    ...(because === undefined ? {} : { because }),
    ...(readings === undefined ? {} : { readings }),
    ...(untestable === undefined ? {} : { untestable }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function patternOf(pattern: string): RegExp {
  const pieces = pattern.trim().split(/\*+/);
  return new RegExp(`^${pieces.map((piece) => piece.replace(/[^\w-]/g, '\\$&')).join('.*')}$`, 'i');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
