import { type Catalogue, catalogueOf } from '../engine/catalogue.ts';
import { REQUIREMENTS } from './catalogue.prebuilt.ts';

/** The catalogue of this service, as spec/requirements.yaml has it. */
export const CATALOGUE: Catalogue = catalogueOf(REQUIREMENTS);
