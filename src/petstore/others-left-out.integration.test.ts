/** When the list must show an animal of others. */
import { expect, test } from 'vitest';
import { override } from '../reference/changes.ts';
import { endingOf } from './rig.fixture.ts';

/** What a list without a filter, or any, leaves out of the animals that were there at the start: 1 to 5. */
interface Leaving {
  readonly ids: readonly bigint[];
  /** Not before an animal was added. */
  readonly onceAdded?: boolean;
  readonly alsoFiltered?: boolean;
  /** How many lists without a filter do so once an animal was added. */
  readonly lists?: number;
}

const AT_START = 5;

/** How SERV-1 ends on a service whose lists leave something out. */
function ending({
  ids,
  onceAdded = false,
  alsoFiltered = false,
  lists = Number.POSITIVE_INFINITY,
}: Leaving): Promise<string | undefined> {
  let asked = 0;
  const change = override('selectPage', (usual) => (page, call) => {
    const shown = usual(page, call);
    const hasAdded = call.service.collection.oldestFirst(undefined).length > AT_START;
    if (onceAdded && !hasAdded) return shown;
    if (page.status !== undefined) return alsoFiltered ? shown.filter(({ id }) => !ids.includes(id)) : shown;
    asked += hasAdded ? 1 : 0;
    return asked > lists ? shown : shown.filter(({ id }) => !ids.includes(id));
  });
  return endingOf('SERV-1', change);
}

test.each<[string, Leaving]>([
  ['filtered lists show', { ids: [2n] }],
  ['getPet alone finds', { ids: [1n], alsoFiltered: true }],
  [
    'lists showed at first, as all that are as old,',
    { ids: [1n, 2n, 3n, 4n, 5n], onceAdded: true, alsoFiltered: true },
  ],
  ['lists without a filter show', { ids: [1n], onceAdded: true, alsoFiltered: true, lists: 0 }],
])('an animal that %s may not be missing from a list with room for it', async (_what, leaving) => {
  expect(await ending(leaving)).toBe('failed');
});

test.each<[string, Leaving]>([
  ['is late', { ids: [2n], lists: 2 }],
  ['shows nothing that is as old', { ids: [1n, 2n, 3n, 4n, 5n] }],
  ['shows nothing that is as old under a filter', { ids: [1n, 4n], onceAdded: true, alsoFiltered: true, lists: 0 }],
])('it may where the list %s', async (_what, leaving) => {
  expect(await ending(leaving)).toBe('passed');
});
