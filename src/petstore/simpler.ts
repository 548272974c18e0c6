import type { Call } from '../http/exchange.ts';
import { JSON_TYPE, PLAIN } from './call.ts';

const PLAIN_MEMBERS: Readonly<Record<string, string>> = { name: '"$NAME"', categoryId: '7', status: '"available"' };

/** Calls that say less than a call does, those that say least first. Whether they mean the same, an experiment shows. */
export function simpler(call: Call): readonly Call[] {
  const all = [...plainHeaders(call), ...fewerHeaders(call), ...simplerTargets(call), ...simplerBodies(call)];
  const before = JSON.stringify(call);
  return all.filter((one) => JSON.stringify(one) !== before);
}

/** The headers of a plain call of the operation, with the key and the Content-Type of this one. */
function plainHeaders(call: Call): readonly Call[] {
  const kept = (name: string) => call.headers.filter(([own]) => own.toLowerCase() === name);
  const usual = PLAIN.filter(([name]) => name !== 'Authorization');
  const type = call.method === 'POST' ? [JSON_TYPE] : [];
  const { chunkBytes: _, ...whole } = call;
  return [
    { ...whole, headers: [...PLAIN, ...type] },
    { ...call, headers: [...usual, ...kept('authorization'), ...type] },
    { ...call, headers: [...usual, ...kept('authorization'), ...kept('content-type')] },
    {
      ...call,
      headers: [
        ...PLAIN,
        ...call.headers.filter(([name]) => !PLAIN.some(([own]) => own.toLowerCase() === name.toLowerCase())),
      ],
    },
  ];
}

function fewerHeaders(call: Call): readonly Call[] {
  const odd = call.headers.filter(
    (header) => !PLAIN.some(([name, value]) => name === header[0] && value === header[1]),
  );
  if (odd.length < 2) return [];
  const half = Math.floor(odd.length / 2);
  const without = (left: typeof odd): Call => ({
    ...call,
    headers: call.headers.filter((header) => !left.includes(header)),
  });
  return [without(odd.slice(0, half)), without(odd.slice(half)), ...odd.map((header) => without([header]))];
}

function simplerTargets(call: Call): readonly Call[] {
  const [path = '', query] = call.target.split('?');
  if (query === undefined) return [];
  const pieces = query.split('&');
  const left = pieces.map((_, at) => pieces.filter((__, other) => other !== at).join('&'));
  return [path, ...left.filter((one) => one !== '').map((one) => `${path}?${one}`)].map((target) => ({
    ...call,
    target,
  }));
}

/** Of an object that is JSON, its members by their texts; of anything else, pieces. */
function simplerBodies(call: Call): readonly Call[] {
  const { body } = call;
  if (body === undefined) return [];
  const members = membersOf(body);
  const written = (all: readonly (readonly [string, string])[]): string =>
    `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
  const bodies =
    members === undefined
      ? ['{', body.slice(0, Math.floor(body.length / 2)), body.slice(Math.floor(body.length / 2))]
      : [
          written(members),
          ...members.map((_, at) => written(members.filter((__, other) => other !== at))),
          ...members.map(([own]) =>
            written(members.map(([name, value]) => [name, name === own ? (PLAIN_MEMBERS[name] ?? '1') : value])),
          ),
          ...members.flatMap(([own, text]) =>
            own === 'name' && text.includes('$NAME') && text.length > 12
              ? halves(text).map((value) => written(members.map(([name, old]) => [name, name === own ? value : old])))
              : [],
          ),
        ];
  return [...new Set(bodies)].map((text) => ({ ...call, body: text }));
}

/** A name that keeps its mark, with one half of the rest. */
function halves(text: string): readonly string[] {
  const [before = '', after = ''] = text.slice(1, -1).split('$NAME');
  const cut = (part: string): readonly string[] => {
    const letters = [...part];
    const half = Math.ceil(letters.length / 2);
    return part === '' ? [] : [letters.slice(0, half).join(''), letters.slice(half).join('')];
  };
  return [
    ...cut(after).map((part) => `"${before}$NAME${part}"`),
    ...cut(before).map((part) => `"${part}$NAME${after}"`),
  ];
}

/** The members of an object with the texts of their values; undefined where it is no plain JSON object. */
function membersOf(body: string): readonly (readonly [name: string, value: string])[] | undefined {
  try {
    const value: unknown = JSON.parse(
      body.replaceAll('$NUMBER', '900000001').replaceAll('$ID', '900000002').replaceAll('$FREE', '900000003'),
    );
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  } catch {
    return undefined;
  }
  const members = [...body.matchAll(/("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*"|[^\s,{}[\]]+)\s*[,}]/g)];
  return members.map(([, name = '""', text = '']) => [String(JSON.parse(name)), text] as const);
}
