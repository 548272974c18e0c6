import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { UsageError } from '../cli/errors.ts';
import type { Catalogue } from './catalogue.ts';

/**
 * Reads a baseline: the requirements that are expected to be violated, as a list in YAML or JSON, or one id a line.
 *
 * @throws UsageError naming the file and the entry where it is no such list or names no requirement
 */
export function readBaseline(file: string, catalogue: Catalogue): readonly string[] {
  const wrong = (what: string): UsageError => new UsageError('value-invalid', `--expected-failures: ${file}: ${what}`);
  const text = readFileSync(file, 'utf8');
  let content: unknown;
  try {
    content = parse(text);
  } catch {
    throw wrong('is not YAML; write one requirement id a line');
  }
  if (content === null) return [];
  const entries: readonly unknown[] =
    typeof content === 'string' ? content.split(/\s+/) : Array.isArray(content) ? content : [undefined];
  return entries.map((entry) => {
    if (typeof entry !== 'string') throw wrong('is not a list of requirement ids; write one id a line');
    const requirement = catalogue.find(entry);
    if (requirement === undefined) throw wrong(`"${entry}" is not a requirement; npm test -- list shows them all`);
    return requirement.id;
  });
}
