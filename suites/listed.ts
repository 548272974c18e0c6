/** The run's own animals in lists, after all animals of tables were added. */

import type { Script } from '../src/check/script.ts';
import { PET_STATUSES } from '../src/contract/contract-facts.ts';
import { create, list } from '../src/reading/call.ts';

/** At least as large as what growing adds, so that pages of as many animals have as many bytes. */
const plainBody = (status: string): string => `{"name":"$NAME and room","categoryId":7,"status":"${status}"}`;
const calls = (...queries: readonly string[]) => queries.map((query) => ({ call: list(query) }));

const FULL_PAGES = PET_STATUSES.map((status) => `limit=100&status=${status}`);

/** Plain animals of each status, so that pages show whether they had room for what they left out before. */
export const ROOM: Script = {
  stages: ['listed', 'last'],
  run: async ({ together, known }) => {
    await together([...PET_STATUSES, ...PET_STATUSES].map((status) => ({ call: create(plainBody(status)) })));
    await together(calls(...new Set([...FULL_PAGES, ...known.omissions.queries])));
  },
};

/** An animal that is larger than many pages, and pages of which it may be the first. */
export const LARGEST: Script = {
  stages: ['listed'],
  isLong: true,
  run: async ({ send, together }) => {
    await send(create('{"name":"$NAME $TIMES:70000<n>","categoryId":7,"status":"available"}'));
    await together(calls('', 'limit=1', 'status=available'));
  },
};
