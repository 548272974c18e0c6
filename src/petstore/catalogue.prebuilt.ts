import type { Requirement } from '../engine/catalogue.ts';
import { loadCatalogue } from '../engine/read-catalogue.ts';
import { PARTS } from './description.ts';

/** The rows of spec/requirements.yaml. */
export const REQUIREMENTS: readonly Requirement[] = loadCatalogue(PARTS).requirements;
