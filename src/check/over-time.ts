/** Rules about what lag, a cache or another client may explain: questions, until the same was said again and again. */

import { LIMIT } from '../contract/contract-facts.ts';
import type { Collection } from '../known/collection.ts';
import { isShortPage } from '../known/pages.ts';
import { differingMember, differingTexts, isComplete, type Seen, type ShownAnimal } from '../known/seen.ts';
import { get } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';
import { count, quote } from '../text.ts';
import type { Question, Rule, RuleResult } from './rule.ts';

const again = ({ call, names }: Exchange) => ({ call, names });

/**
 * A page leaves out no animal of the run that it has room for. Room is shown by the same query, before or after: it returned
 * more animals, in no fewer bytes than this page has together with the largest animal that it leaves out.
 */
export const omitsNone =
  (applies: (isStatusOmitted: boolean) => boolean): Rule =>
  (seen, known) => {
    const { query } = seen.reading;
    if (query === undefined || seen.shape !== 'page' || query.kind !== 'valid') return undefined;
    const lasting = known.omissions.lasting(query.text);
    const missing = isShortPage(seen) ? known.leftOutOf(seen).map(({ id }) => id) : [];
    let question: Question | undefined;
    for (const id of new Set([...missing, ...lasting.keys()])) {
      const own = known.ownById(id);
      if (own === undefined || !applies(own.isStatusOmitted)) continue;
      const pages = lasting.get(id);
      const room = known.roomFor(id, own.exchange, seen, pages);
      const omission = `the list omits animal ${id} (${quote(own.name)})`;
      if (room !== undefined && pages !== undefined)
        return {
          says: `${omission} each time it is requested, although it has room: the same query returned ${count(room.larger.length, 'animal')}`,
          earlier: [
            own.exchange,
            ...room.smaller.endShownBy,
            ...pages.map(({ exchange }) => exchange),
            room.larger.exchange,
          ],
        };
      if (pages === undefined && (room !== undefined || seen.exchange.isQuiet === true))
        question ??= {
          says: omission,
          key: `${query.text} ${id}`,
          again: [again(seen.exchange)],
          isMoot: room === undefined,
          isContradictedBy: (other) => shows(other, query.text, id),
        };
    }
    const isShown = known.ownIn(seen).some(({ own }) => applies(own.isStatusOmitted));
    return question ?? (isShown ? false : undefined);
  };

const shows = ({ reading: { query }, animals }: Seen, text: string, id: bigint): boolean =>
  query?.text === text && animals.some((one) => one.id === id);

/** A page is not empty if an animal of the run matches whose settle time is over. */
export const isNotEmpty: Rule = (seen, known) => {
  const { query } = seen.reading;
  if (query === undefined || seen.shape !== 'page' || query.mayBeEmpty) return undefined;
  if (seen.length !== 0) return known.countMatches(seen) > 0 ? false : undefined;
  const [own] = known.missingFrom(seen);
  if (own === undefined) return undefined;
  const says = `the page is empty although animal ${own.id} matches`;
  if (own.exchange.answeredAt + known.settleMs <= seen.exchange.sentAt)
    return { says: `${says}, and its settle time is over`, member: 'length', earlier: [own.exchange] };
  const isContradictedBy = ({ reading, length = 0 }: Seen): boolean => reading.query?.text === query.text && length > 0;
  const question = { key: `empty ${query.text}`, again: [again(seen.exchange)], isContradictedBy };
  return { says, member: 'length', earlier: [own.exchange], ...question };
};

/**
 * A page leaves out no animal of another client that getPet finds, unchanged, before and after it: none if it is empty, or
 * else none that it has room for. Pages that are filtered may come from a window of animals, so only the others show room.
 */
export const omitsNoOther =
  (isEmpty: boolean): Rule =>
  (seen, known) => {
    const { query } = seen.reading;
    if (query === undefined || seen.shape !== 'page' || query.kind !== 'valid') return undefined;
    const lasting = known.omissions.lasting(query.text);
    const mayOmit = isEmpty ? seen.length === 0 : isShortPage(seen) && query.status === 'absent';
    const missing = mayOmit ? known.others.missingFrom(seen) : [];
    let question: Question | undefined;
    for (const id of new Set([...missing, ...lasting.keys()])) {
      const other = known.others.byId(id);
      if (other === undefined || known.ownById(id) !== undefined) continue;
      const pages = lasting.get(id)?.filter(({ length }) => (length === 0) === isEmpty);
      const room = isEmpty ? undefined : known.roomFor(id, other.first, seen, pages);
      const says = isEmpty
        ? `the page is empty although animal ${id} of another client matches`
        : `the list omits animal ${id} of another client, which getPet finds`;
      if (pages !== undefined && pages.length > 0 && (isEmpty ? seen.length === 0 : room !== undefined))
        return {
          says: `${says}, each time it is requested`,
          member: isEmpty ? 'length' : undefined,
          earlier: [
            other.first,
            ...pages.flatMap(({ exchange, around = [] }) => [exchange, ...around]),
            ...(room ? [room.larger.exchange] : []),
          ],
        };
      if (!missing.includes(id) || pages !== undefined || (!isEmpty && room === undefined)) continue;
      const fetch = { call: get(), names: { ID: `${id}` } };
      const isContradictedBy = (one: Seen): boolean => shows(one, query.text, id);
      question ??= { says, key: `${query.text} ${id}`, again: [fetch, again(seen.exchange), fetch], isContradictedBy };
    }
    return question ?? (known.others.showsFetched(seen) ? false : undefined);
  };

/**
 * One creation adds one animal. If another response shows its name under an id that no response to a creation showed, it was
 * carried out twice, as by a gateway that sends a POST again. getPet finds both.
 */
export const isCarriedOutOnce: Rule = (seen, known) => {
  for (const shown of seen.animals) {
    const original = known.creations.creationCopiedBy(shown);
    if (original === undefined) continue;
    const [before] = known.sequences.before(seen.exchange).slice(-1);
    // Asked again, both must be there.
    if (seen.exchange.isQuiet === true && before?.animals[0]?.id !== original.id) continue;
    return {
      says: `one creation has added two animals: its 201 shows the id ${original.id}, but animal ${shown.id} has its name, too`,
      key: `twice ${shown.id}`,
      again: [original.id, shown.id].map((id) => ({ call: get(), names: { ID: `${id}` } })),
      operation: 'createPet',
      earlier: [original.exchange, ...(before === undefined ? [] : [before.exchange])],
    };
  }
  return known.ownIn(seen).length > 0 ? false : undefined;
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
  if (member === undefined) return false;
  return {
    says: `the list shows the ${member} ${differingTexts(listed[member], animal[member]).join(` of animal ${id} where getPet shows `)}`,
    key: `${id} ${member}`,
    again: known.sequences.upTo(seen.exchange, 3).map(again),
    member,
    operation: 'listPets',
    earlier: known.sequences.upTo(seen.exchange, 3).slice(0, -1),
  };
};

const NOT_FOUND = 'not found';

/** A list shows an animal of another client that the getPet before and after it do not find. */
export const isListedButNotFound: Rule = (seen, known) => {
  const around = known.pageBetweenFetches(seen);
  if (around === undefined) return mayDifferFromList(seen, known, () => seen.status === 404 && NOT_FOUND);
  const { id, page, animal } = around;
  if (!page.animals.some((one) => one.id === id)) return undefined;
  if (animal !== undefined) return false;
  return {
    says: `animal ${id} is listed but not found`,
    key: `${id} ${NOT_FOUND}`,
    again: known.sequences.upTo(seen.exchange, 3).map(again),
    earlier: known.sequences.upTo(seen.exchange, 3).slice(0, -1),
  };
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
  const listed = id?.kind === 'valid' ? known.others.byId(id.id)?.listed : undefined;
  if (listed === undefined || seen.shape === undefined || seen.exchange.isQuiet === true) return undefined;
  const how = howItDiffers(listed.animal);
  if (how === undefined || how === false) return undefined;
  const sequence = [seen.exchange, listed.exchange, seen.exchange].map(again);
  return { says: `getPet and the list differ on animal ${id?.id}`, key: `${id?.id} ${how}`, again: sequence };
}

/** Without limit, with limit=20 and without again: three pages of one filter, sent in order. */
function defaultsTriple(seen: Seen, known: Collection): readonly [first: Seen, middle: Seen] | undefined {
  const { query } = seen.reading;
  const [first, middle] = known.sequences.before(seen.exchange).slice(-2);
  const [one, other] = [first?.reading.query, middle?.reading.query];
  if (first === undefined || middle === undefined || query?.limit !== 'absent' || query.kind !== 'valid')
    return undefined;
  if (one?.text !== query.text || other?.limit !== 'valid' || other.atMost !== LIMIT.default) return undefined;
  return `${other.statuses}` === `${query.statuses}` ? [first, middle] : undefined;
}

/**
 * Of such three pages, the middle one is as long as the others, if the run adds nothing meanwhile. Other clients may. It says
 * something where pages may be as long as the default limit.
 */
export const hasDefaultLength: Rule = (seen, known) => {
  const [first, middle] = defaultsTriple(seen, known) ?? [];
  if (first === undefined || middle?.length === undefined || first.length === undefined) return undefined;
  if (first.length !== seen.length || known.mayHaveGrownSince(first.exchange.sentAt)) return undefined;
  if (middle.length === seen.length)
    return middle.length >= LIMIT.default || known.countMatches(seen) >= LIMIT.default ? false : undefined;
  const sequence = known.sequences.upTo(seen.exchange, 3);
  return {
    says: `limit=${LIMIT.default} gives ${count(middle.length, 'animal')} where no limit gives ${count(seen.length, 'animal')}`,
    key: `defaults ${seen.reading.query?.text}`,
    again: sequence.map(again),
    member: 'length',
    earlier: sequence.slice(0, -1),
  };
};
