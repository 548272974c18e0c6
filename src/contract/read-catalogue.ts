import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../package.ts';
import type { CatalogueRow } from './catalogue.ts';

const fileText = (path: string): string => readFileSync(new URL(path, PACKAGE_ROOT), 'utf8');

/** Reads the catalogue. @throws Error where a row is not as `spec/requirements.schema.json` says, or is there twice */
export function loadCatalogue(): readonly CatalogueRow[] {
  // YAML's failsafe schema reads every scalar as text: a reading such as `200` is words, not a number.
  const rows: unknown = parse(fileText('spec/requirements.yaml'), { schema: 'failsafe' });
  const ajv = new Ajv2020();
  const isCatalogue = ajv.compile<readonly CatalogueRow[]>(JSON.parse(fileText('spec/requirements.schema.json')));
  if (!isCatalogue(rows)) throw new Error(ajv.errorsText(isCatalogue.errors, { dataVar: 'spec/requirements.yaml' }));
  const ids = new Set<string>();
  for (const { id } of rows) {
    if (ids.has(id)) throw new Error(`spec/requirements.yaml has ${id} twice`);
    ids.add(id);
  }
  return rows;
}
