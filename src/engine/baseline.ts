import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { COMMAND } from '../package.ts';
import type { Catalogue } from './catalogue.ts';

/** The baseline is not a list of requirements. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
  readonly code = 'baseline-invalid';
}

/**
 * Reads a baseline: the requirements that are expected to be violated, as a list in YAML or JSON, or one id a line.
 *
 * @throws BaselineError naming the file and the entry where it is no such list or names no requirement
 */
export function readBaseline(file: string, catalogue: Catalogue): readonly string[] {
  const wrong = (what: string): BaselineError => new BaselineError(`${file} ${what}`);
  const text = readFileSync(file, 'utf8');
  let content: unknown;
  try {
    // An empty file, or one of comments alone, holds no document.
    [content = null] = loadAll(text);
  } catch {
    throw wrong('is not YAML; write one requirement id a line');
  }
  if (content === null) return [];
  const entries: readonly unknown[] =
    typeof content === 'string' ? content.split(/\s+/) : Array.isArray(content) ? content : [undefined];
  return entries.map((entry) => {
    if (typeof entry !== 'string') throw wrong('is not a list of requirement ids; write one id a line');
    const requirement = catalogue.find(entry);
    if (requirement === undefined)
      throw wrong(`lists "${entry}", which is not a requirement; ${COMMAND} list shows all`);
    return requirement.id;
  });
}
