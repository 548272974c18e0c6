import { type Judgement, type Violation, violates } from '../../engine/violation.ts';
import { type Asking, asksFor, filterOf, limitOf } from '../calls.ts';
import type { CollectionModel } from '../collection-model.ts';
import { LIMIT } from '../contract-facts.ts';
import type { Created, Page, PetReply } from '../reply.ts';
import type { PetRule } from './rule.ts';

type JudgePage = (page: Page, model: CollectionModel) => Judgement;

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
  const actual = stray.statusJson ?? 'no status';
  const message = `a page filtered by status=${filter} holds an animal with ${actual} (id ${stray.id})`;
  return violates(reply, 'filter', message, `only ${filter}`, actual);
};

/** It is not empty while an animal of the run's own matches it. */
export const isNotEmptyInVain: JudgePage = (seen, model) => {
  if (seen.call.status !== undefined && !asksFor(seen.call, { status: 'valid' })) return 'irrelevant';
  const match = model.settledMatch(seen);
  return match === undefined ? 'irrelevant' : isNotEmptyBeside(match, seen);
};

/** It is not empty although this animal matches it. */
export function isNotEmptyBeside(match: Created, { reply, length }: Page): Judgement {
  if (length > 0) return 'holds';
  const message = `the page is empty though animal ${match.id} matches it`;
  return violates(reply, 'empty-page', message, 'at least one animal', 'none', match.exchange);
}

/** It holds every id once. */
export const holdsEveryIdOnce: JudgePage = ({ reply, animals: shown }) => {
  const ids = shown.flatMap(({ id }) => id ?? []);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice === undefined) return 'holds';
  const message = `the page holds the id ${twice} twice`;
  return violates(reply, 'id-twice-in-page', message, 'every id once', `${twice} twice`);
};

/** It holds just so many animals. */
export function holds(count: number, { reply, call, length }: Page): Judgement {
  if (length === count) return 'holds';
  return violates(
    reply,
    'smallest-limit',
    `limit=${call.limit} gives ${animals(length)}`,
    animals(count),
    animals(length),
  );
}

/** A limit that is out of range or no integer gives a page that is neither empty nor too long, if it gives one. */
export function isUsablePage({ page: seen }: PetReply): Judgement {
  if (seen === undefined) return 'irrelevant';
  const { reply, call, length } = seen;
  if (length > 0 && length <= LIMIT.maximum) return 'holds';
  const code = length === 0 ? 'empty-page' : 'page-too-long';
  const expected = `${LIMIT.minimum} to ${LIMIT.maximum}`;
  return violates(reply, code, `limit=${call.limit} gives ${animals(length)}`, expected, `${length}`);
}

/** A status filter outside the enumeration gives an empty page, if it gives one. */
export function isEmptyPage({ page: seen }: PetReply): Judgement {
  if (seen === undefined || seen.length === 0) return 'holds';
  const { reply, call, length } = seen;
  const message = `status=${call.status} gives ${animals(length)}`;
  return violates(reply, 'filter', message, 'an empty page, or 400', animals(length));
}

/** Pages without a limit, with the default, and without one again: the middle one is as long as both of the others. */
export function haveTheDefaultSize(before: Page, withDefault: Page, after: Page): Judgement {
  // Others may add and remove animals: only between two pages of one size is a third comparable.
  if (before.length !== after.length) return 'irrelevant';
  if (before.length === withDefault.length) return 'holds';
  const { reply, length } = withDefault;
  const message = `the default limit is not ${LIMIT.default}`;
  const expected = `${animals(before.length)} with limit=${LIMIT.default} as without`;
  return violates(reply, 'default-limit', message, expected, animals(length), before.reply.exchange);
}

/** What is wrong where the list leaves out an animal although its page has room for it. */
export function leavesOut(animal: Created, { reply }: Page): Violation {
  const message = `the list never shows animal ${animal.id}, though the page has room for it`;
  return violates(reply, 'left-out', message, 'the animal in the list', 'a page without it', animal.exchange);
}
