import { type Judgement, quote, type Suspicion, showing, suspected, violates } from '../../engine/violation.ts';
import { type Asking, asksFor, filterOf, type ListCall, limitOf, openPart } from '../calls.ts';
import type { CollectionModel, Measured } from '../collection-model.ts';
import { LIMIT } from '../contract-facts.ts';
import type { Created, Page, PetReply } from '../reply.ts';
import { type PetRule, readable } from './rule.ts';

type JudgePage = (page: Page, model: CollectionModel) => Judgement | Suspicion;

/** Every page, whatever was asked for. */
export function everyPage(judge: JudgePage): PetRule {
  return ({ page }, model) => (page === undefined ? 'irrelevant' : judge(page, model));
}

/** Every page that was asked for with valid parameters, present or absent as `asking` says. */
export function page(asking: Asking, judge: JudgePage): PetRule {
  return everyPage((seen, model) => (asksFor(seen.call, asking) ? judge(seen, model) : 'irrelevant'));
}

const animals = (count: number): string => (count === 1 ? '1 animal' : `${count} animals`);

/** It is no longer than the limit that was asked for, or than the default. */
export const holdsAtMostItsLimit: JudgePage = ({ reply, call, length }) => {
  const limit = limitOf(call);
  if (limit === undefined) return 'irrelevant';
  if (length <= limit) return 'holds';
  const asked = call.limit === undefined ? 'without a limit' : `with limit=${call.limit}`;
  const message = `a page asked for ${asked} holds ${animals(length)}`;
  return violates(reply, 'page-too-long', message, `at most ${animals(limit)}`, animals(length));
};

/** It is no longer than the largest limit, whatever was asked for. */
export const holdsAtMostTheMaximum: JudgePage = ({ reply, call, length }) => {
  if (length <= LIMIT.maximum) return 'holds';
  const message = `limit=${call.limit ?? '(none)'} gives ${animals(length)}`;
  return violates(reply, 'page-too-long', message, `at most ${LIMIT.maximum}`, animals(length));
};

/** Every animal on it has the status that it was filtered by. */
export const holdsOnlyItsStatus: JudgePage = ({ reply, call, animals: shown }) => {
  const filter = filterOf(call);
  if (filter === 'absent' || filter === 'invalid') return 'irrelevant';
  const stray = shown.find(({ status }) => status !== filter);
  if (stray === undefined) return 'holds';
  const actual = readable('status', stray);
  const message = `a page filtered by status=${filter} holds an animal with ${actual} (id ${stray.id ?? 'unknown'})`;
  const violation = violates(reply, 'filter', message, `only ${quote(filter)}`, actual);
  return showing(violation, reply, stray.source?.pointer ?? '');
};

/** It is not empty while an animal of the run's own matches it, and has had the time to be listed. */
export const showsMatchingAnimals: JudgePage = (seen, model) => {
  const match = model.matchFor(seen);
  if (match === undefined) return 'irrelevant';
  const { reply, length } = seen;
  if (length > 0) return 'holds';
  const { animal, settledAt } = match;
  const message = `the page is empty though animal ${animal.id} matches it`;
  const violation = violates(reply, 'empty-page', message, 'at least one animal', 'none', animal.exchange);
  const before = model.emptyBefore(animal, seen);
  // An answer that is kept from before the animal was added does not show without that answer.
  const proof = before === undefined ? violation.proof : [before, ...violation.proof];
  return suspected({ ...violation, proof }, settledAt);
};

/** A page is not empty where the list shows an animal that matches it. */
export function isNotEmptyBeside(listed: PetReply, filtered: PetReply): Judgement {
  const { call, page: empty } = filtered;
  const filter = call.operation === 'listPets' ? filterOf(call) : 'invalid';
  const match = listed.animals.find(({ status }) => filter === 'absent' || status === filter);
  if (empty?.length !== 0 || match === undefined) return 'holds';
  const message = `the page is empty though animal ${match.id ?? 'unknown'} matches it, which the list shows`;
  const violation = violates(filtered, 'empty-page', message, 'at least one animal', 'none', listed.exchange);
  return showing({ ...violation, asFound: true }, listed, match.source?.pointer ?? '');
}

/** It holds every id once. */
export const holdsEveryIdOnce: JudgePage = ({ reply, animals: shown }) => {
  const seen = new Set<bigint>();
  const again = shown.find(({ id }) => {
    if (id === undefined || seen.has(id)) return id !== undefined;
    seen.add(id);
    return false;
  });
  if (again === undefined) return 'holds';
  const { id, source } = again;
  const message = `the page holds the id ${id} twice`;
  const violation = violates(reply, 'id-twice-in-page', message, 'every id once', `${id} twice`);
  return showing(violation, reply, source?.pointer ?? '');
};

/** It holds exactly as many animals. */
export function holds(count: number, reply: PetReply): Judgement {
  const { call, pageLength: length = 0 } = reply;
  if (length === count || call.operation !== 'listPets') return 'holds';
  return violates(
    reply,
    'smallest-limit',
    `limit=${call.limit} gives ${animals(length)}`,
    animals(count),
    animals(length),
  );
}

const words = ({ request: { path } }: ListCall): string => path.slice(path.indexOf('?') + 1);

/**
 * A limit that is out of range, no integer, unusually spelled or given twice gives a page that is no longer than the
 * largest limit, not empty (but for 0) while animals match it, and filtered all the same.
 */
export const isUsablePage: JudgePage = (seen, model) => {
  const { call, reply, length } = seen;
  const { limit } = call.asked;
  if (openPart(call) !== 'limit' || limit.kind !== 'open') return 'irrelevant';
  if (length > limit.most) {
    const message = `${words(call)} gives ${animals(length)}`;
    return violates(reply, 'page-too-long', message, `at most ${limit.most}`, animals(length));
  }
  const filtered = holdsOnlyItsStatus(seen, model);
  return typeof filtered === 'object' ? filtered : showsMatchingAnimals(seen, model);
};

/** A status filter outside the enumeration gives an empty page; of two statuses, a page of these. */
export const holdsNothingElse: JudgePage = ({ call, reply, length, animals: shown }) => {
  const { status } = call.asked;
  if (status.kind === 'unknown') {
    if (length === 0) return 'holds';
    const message = `${words(call)} gives ${animals(length)}`;
    return violates(reply, 'filter', message, 'an empty page, or 400', animals(length));
  }
  const limit = limitOf(call);
  if (limit !== undefined && openPart(call) === 'status' && length > limit) {
    return violates(
      reply,
      'page-too-long',
      `${words(call)} gives ${animals(length)}`,
      `at most ${limit}`,
      animals(length),
    );
  }
  if (status.kind !== 'several') return 'irrelevant';
  const stray = shown.find((animal) => !status.values.some((value) => value === animal.status));
  if (stray === undefined) return 'holds';
  const actual = readable('status', stray);
  const expected = status.values.map((value) => quote(value)).join(' or ');
  const violation = violates(
    reply,
    'filter',
    `${words(call)} gives an animal with ${actual}`,
    `only ${expected}`,
    actual,
  );
  return showing(violation, reply, stray.source?.pointer ?? '');
};

/** Pages without a limit, with the default, and without one again: the middle one is as long as both of the others. */
export function haveTheDefaultSize(before: PetReply, after: PetReply, withDefault: PetReply): Judgement {
  // Others may add and remove animals: only between two pages of one size is a third comparable.
  const [size = 0, sizeAfter, length = 0] = [before, after, withDefault].map(({ pageLength }) => pageLength);
  if (size !== sizeAfter) return 'irrelevant';
  if (size === length) return 'holds';
  const message = `the default limit is not ${LIMIT.default}`;
  const expected = `${animals(size)} with limit=${LIMIT.default} as without`;
  const violation = violates(withDefault, 'default-limit', message, expected, animals(length), before.exchange);
  return { ...violation, proof: [before.exchange, after.exchange, withDefault.exchange] };
}

/** A page leaves out an animal of others that matches it, as getPet shows; a longer page, without it too, shows its room. */
export function leavesOutAnother(id: bigint, fetched: PetReply, page: PetReply, longer: PetReply): Judgement {
  const [animal] = fetched.animals;
  const shows = ({ animals: shown }: PetReply): boolean => shown.some((one) => one.id === id);
  if (animal?.id !== id || [page, longer].some(shows)) return 'holds';
  const filter = page.call.operation === 'listPets' ? filterOf(page.call) : 'invalid';
  if (filter !== 'absent' && animal.status !== filter) return 'irrelevant';
  if ((longer.pageLength ?? 0) <= (page.pageLength ?? 0)) return 'irrelevant';
  const more = animals(longer.pageLength ?? 0);
  const message = `the page leaves out animal ${id} (${readable('name', animal)}), which getPet finds, though it has room: the same query was answered with ${more}`;
  const expected = 'the animal in the list';
  const violation = violates(page, 'left-out', message, expected, 'a page without it', fetched.exchange);
  return { ...violation, proof: [longer.exchange, ...violation.proof], asFound: true };
}

/** The same of pages from before the run had added anything. */
export function hadTheDefaultSize(before: PetReply, after: PetReply, withDefault: PetReply): Judgement {
  const judgement = haveTheDefaultSize(before, after, withDefault);
  return typeof judgement === 'string' ? judgement : { ...judgement, asFound: true };
}

/** What is wrong where pages leave out an animal although the service has shown that there is room for it. */
export function leavesOut(animal: Created, reply: PetReply, longer: Measured): Judgement {
  if (reply.animals.some(({ id }) => id === animal.id)) return 'holds';
  const more = `${animals(longer.length)} in ${longer.bytes} bytes`;
  const message = `the page leaves out animal ${animal.id} (${quote(animal.name)}), though it has room: the same query was answered with ${more}`;
  const violation = violates(
    reply,
    'left-out',
    message,
    'the animal in the list',
    'a page without it',
    animal.exchange,
  );
  return { ...violation, proof: [longer.exchange, ...violation.proof] };
}
