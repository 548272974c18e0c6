/** The specification, one file a part. */
import { type Part, part } from '../src/check/requirement.ts';
import { REQUIREMENTS } from '../src/contract/catalogue.prebuilt.ts';
import { PET_STATUSES } from '../src/contract/contract-facts.ts';
import { service } from './1-service.ts';
import { resources } from './2-resources.ts';
import { states } from './3-states.ts';
import { listPets } from './4.1-list-pets.ts';
import { createPet } from './4.2-create-pet.ts';
import { getPet } from './4.3-get-pet.ts';
import { authentication } from './5-authentication.ts';
import { errors } from './7-errors.ts';
import { limits } from './8-limits.ts';
import { versioning } from './9-versioning.ts';

/** Each part with the file that tests it, if anything of it can be tested. */
export const PARTS: readonly (Part & { readonly file?: string })[] = [
  { ...service, file: 'suites/1-service.ts' },
  { ...resources, file: 'suites/2-resources.ts' },
  { ...states, file: 'suites/3-states.ts' },
  { ...listPets, file: 'suites/4.1-list-pets.ts' },
  { ...createPet, file: 'suites/4.2-create-pet.ts' },
  { ...getPet, file: 'suites/4.3-get-pet.ts' },
  part('4.4', 'Other operations', 'OTHER', []),
  { ...authentication, file: 'suites/5-authentication.ts' },
  part('6', 'Events', 'EVENT', []),
  { ...errors, file: 'suites/7-errors.ts' },
  { ...limits, file: 'suites/8-limits.ts' },
  { ...versioning, file: 'suites/9-versioning.ts' },
];

/** The number of the part that a requirement belongs to. */
export const partOf = (id: string): string => PARTS.find(({ prefix }) => id.startsWith(`${prefix}-`))?.number ?? '';

// Nothing starts where catalogue and suites differ: a row that nothing tests would only ever be "not tested".
const tested = PARTS.flatMap(({ requirements }) => requirements.map(({ id }) => id));
const testable = REQUIREMENTS.filter(({ untestable }) => untestable === undefined).map(({ id }) => id);
const [untested] = testable.filter((id) => !tested.includes(id));
const [unlisted] = tested.filter((id) => !testable.includes(id));
const toldOnly = REQUIREMENTS.find(({ id, kind }) => {
  const rules = PARTS.flatMap(({ requirements }) => requirements.filter((one) => one.id === id));
  return (
    kind !== 'open' &&
    rules.length > 0 &&
    rules.every(({ records, broken }) => records !== undefined && broken === undefined)
  );
});
if (toldOnly !== undefined)
  throw new Error(
    `suites/ only records what ${toldOnly.id} says, which spec/requirements.yaml calls ${toldOnly.kind}; add what is \`broken\``,
  );
if (untested !== undefined)
  throw new Error(
    `no suite tests ${untested}; add requirement('${untested}', …) to suites/, or say in its row why it is untestable`,
  );
if (unlisted !== undefined)
  throw new Error(`suites/ has ${unlisted}, which is no testable row of spec/requirements.yaml; add the row`);

// Nor where the contract has a status that no row sends: it would only ever be read.
const rows = PARTS.flatMap(({ requirements }) => requirements.flatMap(({ sends }) => sends));
for (const status of PET_STATUSES) {
  const isFilter = rows.some(({ calls }) => calls.some(({ target }) => target.endsWith(`?status=${status}`)));
  const isInBody = rows.some(
    ({ calls, isValid }) => isValid === true && calls.some(({ body }) => body?.includes(`"status":"${status}"`)),
  );
  if (!isFilter || !isInBody)
    throw new Error(
      `no ${isFilter ? 'valid body' : 'filter'} has the status "${status}" of spec/openapi.yaml; add it to ${isFilter ? 'VALID.animals in src/inputs/valid-bodies.ts' : 'QUERIES.statuses in src/inputs/queries.ts'}`,
    );
}
