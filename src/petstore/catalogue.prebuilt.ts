import type { CatalogueRow } from '../engine/outcomes.ts';
import { PARTS } from './description.ts';
import { loadCatalogue } from './read-catalogue.ts';

/** The rows of spec/requirements.yaml. */
export const REQUIREMENTS: readonly CatalogueRow[] = loadCatalogue(PARTS);
