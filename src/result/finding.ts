import { PARTS } from '../../suites/index.ts';
import { requestKind, type Violation } from '../check/checked.ts';
import { Checker } from '../check/checker.ts';
import type { Headers, Outage } from '../http/message.ts';
import { Collection } from '../known/collection.ts';
import { tagIn } from '../known/marks.ts';
import { JSON_TYPE, operationOf, PLAIN } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';
import { shownTexts, type Terms } from '../reading/fill.ts';
import {
  exchangesOf,
  type Group,
  type Instance,
  kindOf,
  LOST,
  requirementsOf,
  SERVICE_DOWN,
  WRONG_KEY_ACCEPTED,
} from '../run/findings.ts';
import { type Narrowed, ofEachKind } from '../run/narrowing.ts';
import { type RunOptions, termsOf } from '../run/options.ts';
import type { Found } from '../run/run.ts';
import { excerpt } from '../text.ts';
import { evidenceOf, type Shown } from './evidence.ts';
import { headlineOf, subjectOf } from './headline.ts';
import type { Finding } from './result.ts';

/** How many requests of a finding a result holds. */
const MAX_CALLS = 5;
/** How many other requests a finding lists. */
const MAX_ALSO = 4;
/** A finding as reports list it: the simplest exchange that shows it, its evidence, and others. */
export function findingOf(
  { group, narrowed }: Found,
  shown: Shown,
  options: RunOptions,
  outages: readonly Outage[],
): Finding {
  const [shortest] = group.members;
  const member = narrowed?.member ?? shortest;
  if (member === undefined) throw new RangeError('a finding without an exchange');
  const evidence = exchangesOf(member);
  const [violation] = member.violations;
  const others = group.members.filter(({ checked }) => checked.exchange !== member.checked.exchange);
  // Any of them may have brought the service down for good.
  const also = group.key === SERVICE_DOWN ? others : plainestOfOthers(others, member).slice(0, MAX_ALSO);
  const ids = requirementsOf([member, ...others]);
  // What is lost is first of all an animal that was added.
  const requirements = group.key === LOST ? [...new Set(['SERV-1', ...ids])] : ids;
  const says = headlineOf(group, member, narrowed?.needsPrevious, outages);
  return {
    key: group.key,
    says,
    requirements,
    operations: [...new Set(group.members.map(({ checked }) => checked.exchange.call.operation))],
    kind: kindOf(requirements[0] ?? ''),
    // Access without a key is never a matter of unusual requests alone.
    unusual: group.key === WRONG_KEY_ACCEPTED ? [] : member.checked.exchange.reading.unusual,
    failed: group.members.length,
    checked: group.checked,
    intermittent: narrowed?.again === 'fails at times',
    passedAgain: narrowed?.again === 'passes',
    seenOnce: !isShownBy(member, termsOf(options)),
    example: evidenceOf(member.checked.exchange, shown, violation?.at),
    // What is missing is said by the request itself.
    violation: isSaid(violation, narrowed?.needsPrevious) ? says : (violation?.says ?? ''),
    earlier: evidence.slice(0, -1).map((exchange) => evidenceOf(exchange, shown)),
    also: [...new Set(also.map((one) => `${otherSubject(one, member)}\`${requestText(exchangeAbout(one), shown)}\``))],
    requests: Object.fromEntries(
      requestsOf(requirements, group, member).map(([id, one]) => [id, requestText(one, shown)]),
    ),
    calls: ofEachKind(group.members)
      .slice(0, MAX_CALLS)
      .map(({ checked }) => checked.exchange.call),
    expected: false,
  };
}

/** What kind of request it is, and where its status is wrong, what decides about that. */
const aboutOf = ({ checked, violations: [violation] }: Instance): string =>
  violation?.about === 'status' ? `${requestKind(checked)} ${subjectOf(checked)}` : requestKind(checked);

/** The first about each thing that the example is not about. @param members the plainest first */
function plainestOfOthers(members: readonly Instance[], example: Instance): readonly Instance[] {
  const told = new Set([aboutOf(example)]);
  return members.filter((one) => {
    const about = aboutOf(one);
    return !told.has(about) && told.add(about);
  });
}

/** What decides how to respond to a request that shows a wrong status, if that is something else than in the example. */
function otherSubject({ checked, violations: [violation] }: Instance, example: Instance): string {
  const subject = subjectOf(checked);
  return violation?.about !== 'status' || subject === subjectOf(example.checked) ? '' : `${subject}: `;
}

/** Whether the headline says all that a violation says. */
const isSaid = (violation: Violation | undefined, needsPrevious: Narrowed['needsPrevious']): boolean =>
  needsPrevious !== undefined || violation?.about === 'connection' || violation?.about === 'status';

/** The exchange that a violation is about: an earlier one if another operation shows its effect. */
function exchangeAbout({ checked, violations: [violation] }: Instance): Exchange {
  const earlier = violation?.operation === undefined ? undefined : violation.earlier.at(-1);
  return earlier ?? checked.exchange;
}

/** The plainest request that violates a requirement, for each that the example does not. */
function requestsOf(requirements: readonly string[], { members }: Group, example: Instance) {
  const violates = (member: Instance, id: string): boolean =>
    member.violations.some(({ requirement }) => requirement === id);
  return requirements.flatMap((id) => {
    const plainest = violates(example, id) ? undefined : members.find((member) => violates(member, id));
    return plainest === undefined ? [] : [[id, exchangeAbout(plainest)] as const];
  });
}

/** Whether its evidence shows the violation by itself, with nothing else known. */
export function isShownBy(member: Instance, terms: Terms): boolean {
  const evidence = exchangesOf(member);
  const all = PARTS.flatMap((part) => part.requirements);
  const [tag = 'none'] = evidence.flatMap(({ names }) => tagIn(names['NAME'] ?? '') ?? []);
  const checker = new Checker(all, terms, new Collection({ settleMs: terms.settleMs, tag }));
  return evidence
    .flatMap((exchange) => checker.check(exchange).checked.violations)
    .some((one) => member.violations.some((of) => of.requirement === one.requirement && of.member === one.member));
}

/** The longest target, header and body of a request in a few words. */
const LONGEST_PART = 80;

/** A request in a few words: its method, target and body, and what is unusual about its headers. */
export function requestText(exchange: Exchange, { basePath }: Shown): string {
  const { method, headers, chunkBytes } = exchange.call;
  const { target, headers: shown, body } = shownTexts(exchange.call, exchange.names);
  const has = (name: string): boolean => headers.some(([own]) => own.toLowerCase() === name);
  const isPlain = ([name, value]: Headers[number]): boolean =>
    [...PLAIN, JSON_TYPE].some((plain) => plain[0] === name && plain[1] === value);
  const odd = [
    ...(has('authorization') ? [] : ['no key']),
    ...(operationOf(exchange.call).says === 'body' && !has('content-type') ? ['no Content-Type'] : []),
    ...shown.filter((_, at) => !isPlain(headers[at] ?? ['', ''])).map(([name, value]) => `${name}: ${value}`),
    ...(chunkBytes === undefined ? [] : ['the body in chunks']),
  ];
  const parts = [`${basePath}${target}`, ...(body === undefined ? [] : [Buffer.from(body).toString('utf8')])];
  const sent = [method, ...parts.map((part) => excerpt(part, LONGEST_PART))].join(' ');
  return odd.length === 0 ? sent : `${sent} with ${odd.map((part) => excerpt(part, LONGEST_PART)).join(', ')}`;
}
