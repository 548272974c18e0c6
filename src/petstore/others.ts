import type { Api } from './api.ts';
import { getPet } from './calls.ts';
import { ofMostTraits } from './choice-of-animals.ts';
import type { CollectionModel, Listed } from './collection-model.ts';
import { PET_STATUSES, type PetStatus } from './contract-facts.ts';
import { isOfARun } from './inputs/new-pets.ts';
import { type Animal, isSameAnimal, type Page, type PetReply } from './reply.ts';
import { isFetchedAsListed, isFoundAsListed } from './rules/animals.ts';

/** A page that shows an animal of others, and what getPet says of it: another thing, and that again and again. */
export interface Disagreement {
  readonly id: bigint;
  readonly page: PetReply;
  readonly fetched: PetReply;
}

/** How much of a name (UTF-16 code units) shows its kind. */
const MOST_OF_A_NAME = 200;

/** The longest page of all animals, and of each status. */
export const everyLongestPage = (api: Api): Promise<readonly Page[]> =>
  Promise.all([undefined, ...PET_STATUSES].map((status) => api.longestPage(status)));

/**
 * Animals on the longest pages that neither this run nor another has added: at most `most`. Those that two pages show
 * differently, or that another page of the run has, come first, as each shows them; then those that have most unlike
 * names, categories and statuses, and others, spread over all of them by ascending id.
 *
 * @param asked ids that come last, as they were asked for before
 * @throws InconclusiveError where a request was not sent
 */
export async function othersListed(
  api: Api,
  model: CollectionModel,
  most: number,
  asked: ReadonlySet<bigint> = new Set(),
): Promise<readonly Listed[]> {
  const byId = new Map<bigint, Listed[]>();
  const add = ({ id, ...animal }: Animal, page: Page): void => {
    // Some of the run's own animals bear names that anybody's may.
    if (id === undefined || isOfARun(animal.name) || model.find(id) !== undefined) return;
    const known = byId.get(id) ?? [];
    if (known.some((listed) => isSameAnimal(listed.animal, { id, ...animal }))) return;
    byId.set(id, [...known, { animal: { id, ...animal }, page }]);
  };
  for (const page of await everyLongestPage(api)) for (const animal of page.animals) add(animal, page);
  for (const { animal, page } of model.othersThatDiffered.values()) add(animal, page);
  const others = [...byId].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const differing = others.filter(([, { length }]) => length > 1);
  const unasked = others.filter(([id]) => !asked.has(id));
  const revealing = ofMostTraits(unasked.map(withTraits), Math.ceil(most / 2)).map(({ listed }) => listed);
  const left = unasked.filter((one) => !revealing.includes(one));
  const known = others.filter(([id]) => asked.has(id));
  const chosen = [...differing, ...revealing, ...spread(left, most - revealing.length), ...spread(known, most)];
  return [...new Set(chosen.flatMap(([, listed]) => listed))].slice(0, most);
}

const withTraits = (listed: readonly [bigint, readonly Listed[]]) => {
  const { name = '', categoryId = 0n, status } = listed[1][0]?.animal ?? {};
  return { listed, name: name.slice(0, MOST_OF_A_NAME), categoryId, status };
};

/** At most `most` of them at equal distances, the first and the last among them. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  const count = Math.min(most, all.length);
  const places = Array.from({ length: count }, (_, at) => Math.round((at * (all.length - 1)) / Math.max(1, count - 1)));
  return all.filter((_, at) => places.includes(at));
}

/**
 * What getPet says of animals of others that the list shows, where the two disagree and keep doing so: an animal may be
 * changed or deleted in the meantime, and the list is then soon without it, or shows it as it is.
 *
 * @param most how many animals are fetched
 * @param asked ids that were asked for before, which come last; those that are asked for now are added
 * @throws InconclusiveError where a request was not sent
 */
export async function othersAsListed(
  api: Api,
  model: CollectionModel,
  most: number,
  asked: Set<bigint>,
): Promise<readonly Disagreement[]> {
  const others = await othersListed(api, model, most, asked);
  for (const { animal } of others) asked.add(animal.id);
  const found = await Promise.all(others.map(({ animal: { id }, page }) => disagreementOn(api, id, page)));
  return found.filter((one) => one !== undefined);
}

async function disagreementOn(api: Api, id: bigint, first: Page): Promise<Disagreement | undefined> {
  let seen: { readonly page: Page; readonly before?: PetReply } = { page: first };
  let disagreement: Disagreement | undefined;
  const agree = async (): Promise<boolean> => {
    const { page, before } = seen;
    const fetched = await api.send(getPet(id, api.key));
    disagreement = undefined;
    const isListed = page.animals.some((animal) => animal.id === id);
    if (!isListed || agreesWith(page.reply, id, fetched)) return true;
    seen = { page: await api.listAgain(page.call), before: fetched };
    // Only where the animal was the same before the page and after it, the page says something else of it.
    const isSame = before?.status === fetched.status && isSameAnimal(before?.animals[0], fetched.animals[0]);
    if (isSame) disagreement = { id, page: page.reply, fetched };
    return false;
  };
  await api.eventually(agree, (isAgreed) => isAgreed);
  return disagreement;
}

const agreesWith = (page: PetReply, id: bigint, fetched: PetReply): boolean =>
  [isFoundAsListed, isFetchedAsListed].every((judge) => typeof judge(id, page, fetched) === 'string');

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
 * filter, one that an earlier run added, one that it showed before anything was added, or the one that was probably added first. It may have been
 * removed or changed, the page may be late, or show nothing that is as old and never have done so: only what stays is
 * reported.
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
  if (status === undefined) ids.push(...model.recalled, ...model.allAtStart, FIRST_ID);
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
