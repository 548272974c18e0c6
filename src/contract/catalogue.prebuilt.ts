import type { CatalogueRow } from './catalogue.ts';

import { PARTS } from './parts.ts';
import { loadCatalogue } from './read-catalogue.ts';

/** The rows of spec/requirements.yaml. */
export const REQUIREMENTS: readonly CatalogueRow[] = loadCatalogue(PARTS);
