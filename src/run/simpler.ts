import { scanJson } from '../contract/json-scanner.ts';
import { type Call, JSON_TYPE, operationOf, PLAIN, PLAIN_CALLS } from '../reading/call.ts';
import { plainValueOf } from '../reading/members.ts';

/**
 * Ways to simplify a call, in the order in which narrowing tries them: first the plain call, and each part in its plain
 * value. Each gives simpler calls, the simplest first; whether they fail in the same way, an experiment shows.
 */
export const SIMPLIFICATIONS: readonly ((call: Call) => readonly Call[])[] = [
  plainCall,
  plainTarget,
  plainHeaders,
  plainBody,
  fewerHeaders(halves),
  fewerHeaders(allButOne),
  fewerParameters(halves),
  fewerParameters(allButOne),
  usualBody,
  fewerMembers(halves),
  fewerMembers(allButOne),
  plainValues,
  shorterNames,
  fewerTimes,
];

/** The plain call of the same operation. */
const plainOf = ({ operation }: Call): Call => PLAIN_CALLS[operation];

function plainCall(call: Call): readonly Call[] {
  return [plainOf(call)];
}

function plainTarget(call: Call): readonly Call[] {
  return [{ ...call, target: plainOf(call).target }];
}

/** The headers of a plain call; then with the key of this one, and with its Content-Type as well. */
function plainHeaders(call: Call): readonly Call[] {
  const kept = (name: string) =>
    call.headers.flatMap(([own, value]) => (own.toLowerCase() === name.toLowerCase() ? [[name, value] as const] : []));
  const type = operationOf(call).says === 'body' ? [JSON_TYPE] : [];
  const usual = [...PLAIN.filter(([name]) => name !== 'Authorization'), ...kept('Authorization')];
  const { chunkBytes: _, ...whole } = call;
  return [
    { ...whole, headers: [...PLAIN, ...type] },
    { ...whole, headers: [...usual, ...type] },
    { ...call, headers: [...usual, ...kept('Content-Type')] },
  ];
}

function plainBody(call: Call): readonly Call[] {
  return call.body === undefined ? [] : [{ ...call, body: plainOf(call).body ?? call.body }];
}

/** Gives shorter versions of a list. */
type Shorten = <T>(all: readonly T[]) => readonly (readonly T[])[];

function fewerHeaders(shorten: Shorten): (call: Call) => readonly Call[] {
  return (call) => {
    const odd = call.headers.filter(
      (header) => ![...PLAIN, JSON_TYPE].some(([name, value]) => name === header[0] && value === header[1]),
    );
    return shorten(odd).map((kept) => ({
      ...call,
      headers: call.headers.filter((header) => !odd.includes(header) || kept.includes(header)),
    }));
  };
}

function fewerParameters(shorten: Shorten): (call: Call) => readonly Call[] {
  return (call) => {
    const [path = '', query] = call.target.split('?');
    if (query === undefined) return [];
    const queries = shorten(query.split('&')).map((kept) => kept.join('&'));
    return queries.map((one) => ({ ...call, target: one === '' ? path : `${path}?${one}` }));
  };
}

/** An object in plain JSON; pieces of anything else. */
function usualBody(call: Call): readonly Call[] {
  const { body } = call;
  if (body === undefined) return [];
  const members = membersOf(body);
  const half = Math.floor(body.length / 2);
  const bodies = members === undefined ? ['{', body.slice(0, half), body.slice(half)] : [written(members)];
  return bodies.map((one) => ({ ...call, body: one }));
}

function fewerMembers(shorten: Shorten): (call: Call) => readonly Call[] {
  return (call) => {
    const members = call.body === plainOf(call).body ? undefined : membersOf(call.body ?? '');
    return shorten(members ?? []).map((kept) => ({ ...call, body: written(kept) }));
  };
}

function plainValues(call: Call): readonly Call[] {
  const members = membersOf(call.body ?? '') ?? [];
  return members.map(([own]) => withValue(call, members, own, plainValueOf(own)));
}

function shorterNames(call: Call): readonly Call[] {
  const members = membersOf(call.body ?? '') ?? [];
  const name = members.find(([own]) => own === 'name')?.[1] ?? '';
  if (!name.includes('$NAME')) return [];
  return shorter(name).map((text) => withValue(call, members, 'name', text));
}

/** Texts that are repeated, half as often. */
function fewerTimes(call: Call): readonly Call[] {
  const halved = (text: string): string =>
    text.replace(/\$TIMES:(\d+)</g, (_, times: string) => `$TIMES:${Math.ceil(Number(times) / 2)}<`);
  const { target, headers, body } = call;
  const shorter = headers.map(([name, value]) => [name, halved(value)] as const);
  return [{ ...call, target: halved(target), headers: shorter, ...(body !== undefined && { body: halved(body) }) }];
}

type Members = readonly (readonly [name: string, value: string])[];

const written = (members: Members): string =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

const withValue = (call: Call, members: Members, own: string, value: string): Call => ({
  ...call,
  body: written(members.map(([name, old]) => [name, name === own ? value : old])),
});

/** Of up to three, omitting one at a time is as fast. */
function halves<T>(all: readonly T[]): readonly (readonly T[])[] {
  const half = Math.floor(all.length / 2);
  return all.length > 3 ? [all.slice(0, half), all.slice(half)] : [];
}

function allButOne<T>(all: readonly T[]): readonly (readonly T[])[] {
  return all.map((_, at) => all.filter((__, other) => other !== at));
}

/** A name with its mark, and half of the text before or after it. */
function shorter(text: string): readonly string[] {
  const [before = '', after = ''] = text.slice(1, -1).split('$NAME');
  const cut = (part: string): readonly string[] => {
    const letters = [...part];
    const half = Math.ceil(letters.length / 2);
    return part === '' ? [] : [letters.slice(0, half).join(''), letters.slice(half).join('')];
  };
  return [
    ...(before === '' ? [] : [`"$NAME${after}"`]),
    ...(after === '' ? [] : [`"${before}$NAME"`]),
    ...cut(after).map((part) => `"${before}$NAME${part}"`),
    ...cut(before).map((part) => `"${part}$NAME${after}"`),
  ];
}

/** Names that stand for numbers outside of strings; as numbers of the same length, nothing changes its place. */
const NUMBERS = /\$(?:NUMBER|ID|FREE)(?![A-Z])/g;

/** The members of an object with the texts of their values; undefined if it is not a plain JSON object. */
function membersOf(body: string): Members | undefined {
  const span = scanJson(body.replace(NUMBERS, (name) => '9'.repeat(name.length)));
  if (typeof span === 'number' || body[span.from] !== '{') return undefined;
  return span.parts?.map(({ key, value }) => [key, body.slice(value.from, value.to)] as const);
}
