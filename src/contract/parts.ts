/** A part of the specification. */
export interface Part {
  /** Its number, such as `4.1`. */
  readonly part: string;
  readonly title: string;
  /** What the ids of its requirements start with: `LIST` of `LIST-2`. */
  readonly prefix: string;
  /** The file that tests it. */
  readonly file?: string;
}

/** The parts of the Pet Store's specification in its order, with short titles and files for reports. */
export const PARTS: readonly Part[] = [
  { part: '1', title: 'Service', prefix: 'SERV', file: 'suites/1-service.ts' },
  { part: '2', title: 'Fields', prefix: 'RES', file: 'suites/2-resources.ts' },
  { part: '3', title: 'States', prefix: 'STATE', file: 'suites/3-states.ts' },
  { part: '4.1', title: 'listPets', prefix: 'LIST', file: 'suites/4.1-list-pets.ts' },
  { part: '4.2', title: 'createPet', prefix: 'CREATE', file: 'suites/4.2-create-pet.ts' },
  { part: '4.3', title: 'getPet', prefix: 'GET', file: 'suites/4.3-get-pet.ts' },
  { part: '4.4', title: 'Other operations', prefix: 'OTHER' },
  { part: '5', title: 'Authentication', prefix: 'AUTH', file: 'suites/5-authentication.ts' },
  { part: '6', title: 'Events', prefix: 'EVENT' },
  { part: '7', title: 'Errors', prefix: 'ERR', file: 'suites/7-errors.ts' },
  { part: '8', title: 'Limits', prefix: 'LIM', file: 'suites/8-limits.ts' },
  { part: '9', title: 'Versioning', prefix: 'VERS', file: 'suites/9-versioning.ts' },
];
