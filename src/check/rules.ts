import { boundText } from '../contract/bounded-json.ts';
import { valueAt } from '../contract/json-pointer.ts';
import type { SchemaFault } from '../contract/schema-fault.ts';
import { codingsOf } from '../http/body.ts';
import { headerOf } from '../http/message.ts';
import type { Collection } from '../known/collection.ts';
import { isShortPage } from '../known/pages.ts';
import {
  animalText,
  differingMember,
  differingTexts,
  headersOf,
  isComplete,
  memberText,
  type Seen,
} from '../known/seen.ts';
import { OPERATIONS } from '../reading/call.ts';
import { isOptional, MEMBERS, type Member } from '../reading/members.ts';
import { count, quote } from '../text.ts';
import { type Applies, isQuestion, type Rule, type RuleResult } from './rule.ts';

// Predicates and rules that several requirements share.

export const isPage = ({ shape, length }: Seen): boolean => shape === 'page' && length !== undefined;
export const isError = ({ shape, json }: Seen): boolean => shape === 'error' && json !== undefined;
export const isCreated = ({ reading, shape, status }: Seen): boolean =>
  OPERATIONS[reading.operation].adds && shape === 'animal' && status === 201;
/**
 * Creations with the right key whose body the specification leaves open at a point of this requirement: rejected, as is
 * permitted, or a rule about the 201 holds.
 */
export const atPointOf = (requirement: string, rule: Rule): { readonly when: Applies; readonly broken: Rule } => ({
  when: ({ reading: { body, key } }) =>
    key.kind === 'right' && body?.points.some((point) => point.requirement === requirement) === true,
  broken: isRejectedOr(rule),
});

/** A request is rejected, as is permitted, or a rule about its response holds. */
export const isRejectedOr =
  (rule: Rule): Rule =>
  (seen, known) =>
    (seen.status ?? 0) < 300 ? rule(seen, known) : false;

export const isFetched = ({ reading, shape }: Seen): boolean =>
  OPERATIONS[reading.operation].says === 'id' && shape === 'animal';
/** A getPet, with the right key, of an animal whose 201 came before. */
export const isFetchOfOwn = ({ reading: { id, key }, expected, exchange }: Seen, known: Collection): boolean =>
  key.kind === 'right' &&
  expected.requirement === OPERATIONS.getPet.ids.found &&
  known.ownBefore(id?.id, exchange.sentAt) !== undefined;
/** It must have a body of a known shape. */
export const hasMessage = ({ shape, exchange: { outcome } }: Seen): boolean =>
  shape !== undefined && shape !== 'anything' && outcome.kind === 'answer';

type ParameterKind = 'absent' | 'valid' | 'open' | undefined;

/** Queries whose limit and status are of these kinds; undefined for any. */
export const isQueryFor =
  (limit: ParameterKind, status: ParameterKind) =>
  ({ reading: { query, key } }: Seen): boolean =>
    query !== undefined &&
    key.kind !== 'bad' &&
    (limit === undefined || query.limit === limit) &&
    (status === undefined || query.status === status);

/** Pages of such queries. */
export const isPageFor =
  (limit: ParameterKind, status: ParameterKind) =>
  (seen: Seen): boolean =>
    isPage(seen) && isQueryFor(limit, status)(seen);

/** Several ways to break one rule: it is broken in the first of them, or in doubt, or holds. */
export const firstBroken =
  (...rules: readonly Rule[]): Rule =>
  (seen, known) => {
    const results = rules.map((rule) => rule(seen, known));
    const isWrong = (result: RuleResult): boolean => result !== undefined && result !== false;
    return (
      results.find((result) => isWrong(result) && !isQuestion(result)) ??
      results.find(isWrong) ??
      results.find((result) => result === false)
    );
  };

/** A page has no more animals than this, by default than its query permits. Only a full page shows it, or one that could have more. */
export const holdsAtMost =
  (bound?: number): Rule =>
  (seen, known) => {
    const { reading, length } = seen;
    const most = bound ?? reading.query?.atMost;
    if (most === undefined || length === undefined) return undefined;
    if (length <= most) return length === most || known.countMatches(seen) > most ? false : undefined;
    return { says: `the page has ${count(length, 'animal')} where ${most} or fewer are permitted`, member: 'length' };
  };

/** A page has only animals with the status of its query. It shows that where others are known. */
export const holdsOnlyItsStatus: Rule = (seen, known) => {
  const { animals } = seen;
  const statuses = seen.reading.query?.statuses;
  if (statuses === undefined) return undefined;
  const wrong = animals.find(({ status }) => status === undefined || !statuses.includes(status));
  if (wrong === undefined) return known.hasOther(seen) ? false : undefined;
  const permitted =
    statuses.length === 0 ? 'it must be empty, or the response a 400' : `only ${statuses.join(' or ')} is permitted`;
  return {
    says: `the page has an animal with the status ${memberText(wrong, 'status')} where ${permitted}`,
    member: 'status',
    at: `${wrong.pointer}/status`,
  };
};

/** A member of an animal is not as the schema says. */
export const memberFault =
  (...members: readonly string[]): Rule =>
  ({ faults, shape, animals, json }, { tag }) => {
    if (shape !== 'page' && shape !== 'animal') return undefined;
    const fault = faults.find(({ pointer }) => members.includes(memberAt(pointer, shape)));
    if (fault === undefined) {
      const shows = (pointer: string): boolean =>
        members.some((member) => valueAt(json?.value, `${pointer}/${member}`) !== undefined);
      return animals.some(({ pointer }) => shows(pointer)) ? false : undefined;
    }
    const animal = animals.find(({ pointer }) => fault.pointer.startsWith(`${pointer}/`));
    const isFromAnotherRun = animal?.name !== undefined && SUITE_NAME.test(animal.name) && !animal.name.includes(tag);
    const says = isFromAnotherRun
      ? `${fault.message}, in ${animalText(animal)}, which another run of this suite created`
      : fault.message;
    return { says, member: memberAt(fault.pointer, shape), at: fault.pointer };
  };

/** The name of an animal that a run of this suite created. */
const SUITE_NAME = /^conformance [0-9a-z]{5} \d{4}\b/;

/** The name of the member that a fault is about; empty for the animal or the page itself. */
function memberAt(pointer: string, shape: string): string {
  const [, ...tokens] = pointer.split('/');
  return (shape === 'page' ? tokens[1] : tokens[0]) ?? '';
}

/** The body as a whole is not as the schema says: a page that is not an array, an animal that is not an object. */
export const bodyFault =
  (applies: (seen: Seen) => boolean): Rule =>
  (seen) => {
    if (!applies(seen) || seen.json === undefined) return undefined;
    const fault = seen.faults.find(({ pointer }: SchemaFault) => memberAt(pointer, seen.shape ?? '') === '');
    return fault === undefined ? false : { says: fault.message, at: fault.pointer };
  };

/** These members of a 201, by default all, are those that were sent, unless the body permits several. */
export const isAsSent =
  (members: readonly Member[] = MEMBERS): Rule =>
  ({ reading: { body }, animals: [animal] }) => {
    if (body === undefined || animal === undefined || body.isOtherFormat) return undefined;
    let result: RuleResult;
    for (const member of members) {
      const sent: readonly unknown[] = body.animal[member] ?? [];
      const shown = animal[member];
      // That a required member is missing, its own requirement says.
      const isComparable = sent.length > 0 && !sent.includes(undefined) && (shown !== undefined || isOptional(member));
      const comparable = sent.map((value) => (typeof value === 'string' ? boundText(value) : value));
      if (isComparable) result = false;
      if (!isComparable || comparable.includes(shown)) continue;
      const [now, right] = differingTexts(shown, sent[0]);
      return { says: `the 201 shows the ${member} ${now} where ${right} was sent`, member, at: `/${member}` };
    }
    return result;
  };

/** An animal of the run is shown as in its 201. */
export const isAsCreated =
  (applies: (isStatusOmitted: boolean, member: string) => boolean): Rule =>
  (seen, known) => {
    let result: RuleResult;
    for (const { shown, own } of known.ownIn(seen)) {
      if (!isComplete(shown)) continue;
      const member = differingMember(shown, own);
      if (MEMBERS.some((one) => applies(own.isStatusOmitted, one))) result = false;
      if (
        member === undefined ||
        !applies(own.isStatusOmitted, member) ||
        known.creations.creationBehind(shown, known.ownById(shown.id)) !== undefined
      )
        continue;
      const where = seen.shape === 'page' ? 'the list' : seen.reading.operation;
      const [now, before] = differingTexts(shown[member], own[member]);
      return {
        says: `${where} shows the ${member} ${now} of animal ${own.id} where its 201 showed ${before}`,
        member,
        at: `${shown.pointer}/${member}`,
        earlier: [own.exchange],
      };
    }
    return result;
  };

/** No animal shows the effect of a rejected creation. */
export const showsEffectOfRejected =
  (fault: 'key' | 'body'): Rule =>
  (seen, known) => {
    for (const shown of seen.animals) {
      const rejected = known.creations.creationBehind(shown, known.ownById(shown.id));
      if (rejected?.fault !== fault) continue;
      const { outcome } = rejected.exchange;
      const status = outcome.kind === 'answer' ? outcome.status : '';
      return {
        says: `createPet answers ${status} but has an effect: ${animalText(shown)} (${memberText(shown, 'name')}) shows what was sent`,
        operation: 'createPet',
        member: `effect of a rejected ${fault}`,
        at: shown.pointer,
        earlier: [rejected.exchange],
      };
    }
    // It could show an effect: animals of the run are there, or all there are.
    const mayShow = known.ownIn(seen).length > 0 || isShortPage(seen);
    return mayShow && known.creations.hasBefore(fault, seen.exchange.sentAt) ? false : undefined;
  };

/** The value of a header of the response, if it has it. */
export const header = (seen: Seen, name: string): string | undefined => headerOf(headersOf(seen.exchange), name);

/** An animal of the run is found under the id in its 201. */
const isFoundUnderItsId: Rule = ({ reading: { id }, exchange, status }, known) => {
  const own = known.ownBefore(id?.id, exchange.sentAt);
  if (own === undefined) return undefined;
  return (
    status === 404 && {
      says: `animal ${own.id} is not found, although its 201 had arrived`,
      earlier: known.historyOf(own),
    }
  );
};

/** The same, of every getPet of an animal whose 201 came before. */
export const foundUnderItsId = { about: 'status', when: isFetchOfOwn, broken: isFoundUnderItsId } as const;

/** The encoding must be one that Accept-Encoding permits (RFC 9110, 12.5.3); without that header, gzip or none. */
export function codingFault(seen: Seen): string | undefined {
  const { request } = seen.exchange;
  const coding = codingsOf(header(seen, 'content-encoding')).join(', ');
  if (coding === '') return undefined;
  const accepts = request.headers
    .filter(([name]) => name.toLowerCase() === 'accept-encoding')
    .map(([, value]) => value)
    .join(',');
  if (accepts === '')
    return coding === 'gzip'
      ? undefined
      : `the body is encoded in ${quote(coding)}, and the request did not ask for it`;
  const weights = accepts.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  const weightOf = (name: string): number | undefined => {
    const found = weights.find(([one]) => one === name);
    return found && Number(found[1] ?? 1);
  };
  const weight = weightOf(coding) ?? weightOf(coding === 'x-gzip' ? 'gzip' : coding) ?? weightOf('*') ?? 0;
  return weight > 0 ? undefined : `the body is encoded in ${quote(coding)}, but the request accepts ${quote(accepts)}`;
}
