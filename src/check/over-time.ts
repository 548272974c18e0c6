/** Rules about what lag, a cache or another client may explain: unsure until it was said again and again. */

import { LIMIT } from '../contract/contract-facts.ts';
import type { Collection } from '../known/collection.ts';
import { hasRoom } from '../known/pages.ts';
import { differingMember, differingTexts, isComplete, type Seen, type ShownAnimal } from '../known/seen.ts';
import { get } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';
import { count, quote } from '../text.ts';
import type { Unsure } from './checked.ts';
import type { Broken, Rule, RuleResult } from './requirement.ts';

/** Unsure, until it was said in answer to the same question for the whole settle time. */
function onceLasting(known: Collection, unsure: Unsure, broken: (times: string) => Broken): RuleResult {
  const said = known.repeated.lasting(unsure.key);
  const { earlier = [], ...verdict } = broken(count((said?.length ?? 0) + 1, 'response'));
  return said === undefined
    ? { ...verdict, earlier, unsure }
    : { ...verdict, earlier: [...earlier, ...said.flat()], unsure, isLasting: true };
}

const again = ({ call, names }: Exchange) => ({ call, names });

/** Whether a page has fewer animals than permitted, but some. */
const isShort = ({ reading: { query }, shape, length = 0 }: Seen): boolean =>
  query !== undefined && shape === 'page' && query.kind === 'valid' && length > 0 && length < query.atMost;

/**
 * A page leaves out no animal of the run that it has room for. The same query shows the room: it returned more animals,
 * and in no fewer bytes than this page has together with the largest animal that it leaves out.
 */
export const omitsNone =
  (applies: (isStatusOmitted: boolean) => boolean): Rule =>
  (seen, known) => {
    const { query } = seen.reading;
    if (query === undefined || !isShort(seen)) return undefined;
    for (const own of known.leftOutOf(seen)) {
      if (!applies(own.isStatusOmitted)) continue;
      const unsure = { key: `${query.text} ${own.id}`, again: [again(seen.exchange)] };
      const omission = `the list omits animal ${own.id} (${quote(own.name)})`;
      const room = known.roomFor(own.id, own.exchange, seen, known.repeated.lasting(unsure.key)?.flat());
      if (room !== undefined)
        return onceLasting(known, unsure, (times) => ({
          says: `${omission} in ${times} in a row, although it has room: the same query returned ${count(room.larger.length, 'animal')}`,
          earlier: [own.exchange, room.smaller.exchange, room.larger.exchange],
        }));
      if (seen.exchange.again === unsure.key) return { says: omission, unsure };
    }
    return undefined;
  };

/** A page is not empty if an animal of the run matches whose settle time is over. */
export const isNotEmpty: Rule = (seen, known) => {
  const { query } = seen.reading;
  const [own] = known.missingFrom(seen);
  if (query === undefined || seen.length !== 0 || query.mayBeEmpty || own === undefined) return undefined;
  const says = `the page is empty although animal ${own.id} matches`;
  if (own.exchange.answeredAt + known.settleMs <= seen.exchange.sentAt)
    return { says: `${says}, and its settle time is over`, member: 'length', earlier: [own.exchange] };
  const unsure = { key: `empty ${query.text}`, again: [again(seen.exchange)] };
  return { says, member: 'length', earlier: [own.exchange], unsure };
};

/** A page may leave out an animal of another client. Whether it is still there, getPet shows before and after the page. */
export const mayOmitOther =
  (isEmpty: boolean): Rule =>
  (seen, known) => {
    const { query } = seen.reading;
    if (query === undefined || query.mayBeEmpty || (isEmpty ? seen.length !== 0 : !isWhole(seen))) return undefined;
    for (const { animal, first } of known.missingOfOtherClients(seen)) {
      if (animal.id === undefined) continue;
      const key = `${query.text} ${animal.id}`;
      const said = known.repeated.lasting(key);
      const room = isEmpty ? undefined : known.roomFor(animal.id, first, seen, said?.flat());
      if (isEmpty ? said !== undefined : room === undefined) continue;
      const fetch = { call: get(), names: { ID: `${animal.id}` } };
      const says = `the list omits animal ${animal.id} of another client, which getPet finds`;
      const unsure = { key, again: [fetch, again(seen.exchange), fetch] };
      // The pages before this one left it out again and again; this one shows that they had room.
      return said === undefined
        ? { says, unsure }
        : { says, earlier: [first, ...said.flat(), ...(room === undefined ? [] : [room.larger.exchange])] };
    }
    return undefined;
  };

/** Pages that are filtered may come from a window of animals, so only the others show room. */
const isWhole = (seen: Seen): boolean => isShort(seen) && seen.reading.query?.status === 'absent';

/** A page leaves out an animal of another client that getPet finds, unchanged, before and after it. */
export const omitsOther =
  (isEmpty: boolean): Rule =>
  (seen, known) => {
    const { id, page, animal } = known.pageBetweenFetches(seen) ?? {};
    const query = page?.reading.query;
    if (animal === undefined || page === undefined || query === undefined) return undefined;
    if ((page.length === 0) !== isEmpty || (isEmpty && query.mayBeEmpty)) return undefined;
    const matches = query.statuses?.includes(animal.status ?? '') ?? true;
    if (!matches || page.animals.some((one) => one.id === id)) return undefined;
    const unsure = { key: `${query.text} ${id}`, again: known.sequence(seen, 3).map(again) };
    const larger = known.largestPage(query.text);
    const bytes = Math.max(known.pageOf(page).bytesLeftOut, seen.bytes);
    // Where room is not shown yet, a later page may show it.
    if (!isEmpty && !hasRoom(known.pageOf(page), larger, bytes))
      return seen.exchange.again === unsure.key && { says: 'the list may omit it', unsure };
    return onceLasting(known, unsure, (times) => ({
      says: isEmpty
        ? `the page is empty although animal ${id} matches, in ${times} in a row`
        : `the list omits animal ${id} (${quote(animal.name ?? '')}) in ${times} in a row, although it has room`,
      member: isEmpty ? 'length' : undefined,
      earlier: [...(isEmpty || larger === undefined ? [] : [larger.exchange]), ...known.sequence(seen, 3).slice(0, -1)],
      operation: 'listPets',
    }));
  };

/** A list and the getPet before and after it, which agree, show an animal of another client differently. */
export const differsFromList: Rule = (seen, known) => {
  const around = known.pageBetweenFetches(seen);
  const [now] = seen.animals;
  if (around === undefined)
    return mayDifferFromList(seen, known, (listed) => now && isComplete(listed) && differingMember(now, listed));
  const { id, page, animal } = around;
  const listed = page.animals.find((one) => one.id === id);
  if (animal === undefined || listed === undefined || !isComplete(listed)) return undefined;
  const member = differingMember(listed, animal);
  const unsure = { key: `${id} ${member}`, again: known.sequence(seen, 3).map(again) };
  return (
    member &&
    onceLasting(known, unsure, (times) => ({
      says: `the list shows the ${member} ${differingTexts(listed[member], animal[member]).join(` of animal ${id} where getPet shows `)}, in ${times} in a row`,
      member,
      operation: 'listPets',
      earlier: known.sequence(seen, 3).slice(0, -1),
    }))
  );
};

const NOT_FOUND = 'not found';

/** A list shows an animal of another client that the getPet before and after it do not find. */
export const isListedButNotFound: Rule = (seen, known) => {
  const around = known.pageBetweenFetches(seen);
  if (around === undefined) return mayDifferFromList(seen, known, () => seen.status === 404 && NOT_FOUND);
  const { id, page, animal } = around;
  if (animal !== undefined || !page.animals.some((one) => one.id === id)) return undefined;
  const unsure = { key: `${id} ${NOT_FOUND}`, again: known.sequence(seen, 3).map(again) };
  return onceLasting(known, unsure, (times) => ({
    says: `animal ${id} is listed but not found, in ${times} in a row`,
    earlier: known.sequence(seen, 3).slice(0, -1),
  }));
};

/**
 * The latest list that showed an animal of another client showed it otherwise, perhaps before it was changed. Each way in
 * which it may is a question of its own: an animal that is changed and then removed is neither for long.
 */
function mayDifferFromList(
  seen: Seen,
  known: Collection,
  howItDiffers: (listed: ShownAnimal) => string | false | undefined,
): RuleResult {
  const { id } = seen.reading;
  const listed = id?.kind === 'valid' ? known.ofOtherClients(id.id)?.listed : undefined;
  if (listed === undefined || seen.shape === undefined || seen.exchange.again !== undefined) return undefined;
  const how = howItDiffers(listed.animal);
  const unsure = { key: `${id?.id} ${how}`, again: [seen.exchange, listed.exchange, seen.exchange].map(again) };
  if (how === undefined || how === false || known.repeated.lasting(unsure.key) !== undefined) return undefined;
  return { says: `getPet and the list differ on animal ${id?.id}`, unsure };
}

/** Without limit, with limit=20 and without again: three pages of one filter on one connection. */
export function isDefaultsTriple(seen: Seen, known: Collection): boolean {
  const { query } = seen.reading;
  const [one, other] = known
    .previous(seen.exchange)
    .slice(-2)
    .map((before) => before.reading.query);
  if (query?.limit !== 'absent' || query.kind !== 'valid' || one?.text !== query.text || other?.limit !== 'valid')
    return false;
  return other.atMost === LIMIT.default && `${other.statuses}` === `${query.statuses}`;
}

/** Of such three pages, the middle one is as long as the others. Other clients may add and remove animals meanwhile. */
export const hasDefaultLength: Rule = (seen, known) => {
  const [first, middle] = known.previous(seen.exchange).slice(-2);
  if (!isDefaultsTriple(seen, known) || first?.length !== seen.length || middle?.length === seen.length)
    return undefined;
  const sequence = known.sequence(seen, 3);
  const unsure = { key: `defaults ${seen.reading.query?.text}`, again: sequence.map(again) };
  return onceLasting(known, unsure, (times) => ({
    says: `limit=${LIMIT.default} gives ${count(middle?.length ?? 0, 'animal')} where no limit gives ${count(seen.length ?? 0, 'animal')}, in ${times} in a row`,
    member: 'length',
    earlier: sequence.slice(0, -1),
  }));
};
