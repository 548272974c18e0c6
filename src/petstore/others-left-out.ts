import type { Api } from './api.ts';
import { getPet } from './calls.ts';
import type { CollectionModel } from './collection-model.ts';
import type { PetStatus } from './contract-facts.ts';
import type { Animal, Page, PetReply } from './reply.ts';

/** An animal of others that getPet finds, and the page that leaves it out, again and again. */
export interface LeftOutOther {
  readonly id: bigint;
  readonly page: Page;
  readonly fetched: PetReply;
}

/** A page with a filter, or without one, and where it may be found what it leaves out. */
export interface Looked {
  readonly limit: number;
  readonly status: PetStatus | undefined;
  readonly page: Page;
  readonly beside: readonly Page[];
}

/** The id that most services give first. */
const FIRST_ID = 1n;

/**
 * An animal of others that a page is without although it is not full: one that a page beside it shows, or where it has no
 * filter, one that it showed before anything was added, or the one that was probably added first. It may have been
 * removed or changed, the page may be late, or show nothing that is as old and never have done so: only what stays is
 * told.
 *
 * @throws InconclusiveError where a request was not sent
 */
export async function otherLeftOut(
  api: Api,
  model: CollectionModel,
  { limit, status, page: first, beside }: Looked,
): Promise<LeftOutOther | undefined> {
  const isFull = ({ length }: Page): boolean => length >= limit;
  const shows = ({ animals }: Page, id: bigint): boolean => animals.some((animal) => animal.id === id);
  if (isFull(first) || model.getPetMayBeGone) return undefined;
  const matches = (animal: Animal): boolean => status === undefined || animal.status === status;
  const finds = async (id: bigint): Promise<PetReply | undefined> => {
    const reply = await api.send(getPet(id, api.key));
    return reply.animals[0]?.id === id && reply.animals.every(matches) ? reply : undefined;
  };
  const ids = beside.flatMap(({ animals }) => animals.filter(matches).map(({ id }) => id));
  if (status === undefined) ids.push(...model.allAtStart, FIRST_ID);
  const id = ids.find((one) => one !== undefined && model.find(one) === undefined && !shows(first, one));
  if (id === undefined || (await finds(id)) === undefined) return undefined;
  const reachesBack = ({ animals }: Page): boolean => animals.some((animal) => model.wasThereAtFirst(animal.id));
  const showedIt = status === undefined && model.allAtStart.has(id);
  let leftOut: LeftOutOther | undefined;
  const isExplained = async (): Promise<boolean> => {
    const before = await finds(id);
    const page = await api.list({ limit, status });
    const fetched = await finds(id);
    const isOpen = isFull(page) || shows(page, id) || !(showedIt || reachesBack(page));
    leftOut = isOpen || before === undefined || fetched === undefined ? undefined : { id, page, fetched };
    return leftOut === undefined;
  };
  await api.eventually(isExplained, (explained) => explained);
  return leftOut;
}
