import type { Api } from './api.ts';
import { getPet } from './calls.ts';
import type { CollectionModel } from './collection-model.ts';
import type { Page, PetReply } from './reply.ts';

/** An animal of others that getPet finds, and the page of all animals that leaves it out, again and again. */
export interface LeftOutOther {
  readonly id: bigint;
  readonly page: Page;
  readonly fetched: PetReply;
}

/** The id that most services give first. */
const FIRST_ID = 1n;

/**
 * An animal of others that a page of all animals is without although it is not full: one that another page shows, or
 * showed before anything was added, or the one that was probably added first. It may have been removed, the page may be
 * late, or show nothing that is as old and never have done so: only what stays is told.
 *
 * @param limit that of the page
 * @param whole a page of all animals
 * @param others pages that were asked for at the same time
 * @throws InconclusiveError where a request was not sent
 */
export async function otherLeftOut(
  api: Api,
  model: CollectionModel,
  limit: number,
  whole: Page,
  others: readonly Page[],
): Promise<LeftOutOther | undefined> {
  const isFull = ({ length }: Page): boolean => length >= limit;
  const shows = ({ animals }: Page, id: bigint): boolean => animals.some((animal) => animal.id === id);
  if (isFull(whole) || model.getPetMayBeGone) return undefined;
  const finds = async (id: bigint): Promise<PetReply | undefined> => {
    const reply = await api.send(getPet(id, api.key));
    return reply.animals[0]?.id === id ? reply : undefined;
  };
  const ids = [...others.flatMap(({ animals }) => animals.map(({ id }) => id)), ...model.allAtStart, FIRST_ID];
  const id = ids.find((one) => one !== undefined && model.find(one) === undefined && !shows(whole, one));
  if (id === undefined || (await finds(id)) === undefined) return undefined;
  const reachesBack = ({ animals }: Page): boolean => animals.some((animal) => model.wasThereAtFirst(animal.id));
  let leftOut: LeftOutOther | undefined;
  const isExplained = async (): Promise<boolean> => {
    const before = await finds(id);
    const page = await api.list({ limit });
    const fetched = await finds(id);
    const isOpen = isFull(page) || shows(page, id) || !(model.allAtStart.has(id) || reachesBack(page));
    leftOut = isOpen || before === undefined || fetched === undefined ? undefined : { id, page, fetched };
    return leftOut === undefined;
  };
  await api.eventually(isExplained, (explained) => explained);
  return leftOut;
}
