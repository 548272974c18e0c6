import type { CatalogueRow } from './catalogue.ts';

import { loadCatalogue } from './read-catalogue.ts';

/** The rows of spec/requirements.yaml. */
export const REQUIREMENTS: readonly CatalogueRow[] = loadCatalogue();
