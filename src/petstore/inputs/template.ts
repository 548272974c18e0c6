import { MEBIBYTE } from './sizes.ts';

/** The members of an object as they are written: names and values as JSON text, in their order. */
export type Members = readonly (readonly [name: string, value: string])[];

/** What stands in place of a member's value, as a template of JSON or of what is none; undefined where the member is left out. */
export type Values = Readonly<Record<string, string | undefined>>;

/** What a member's name says, however it is written. */
export const nameIn = (json: string): string => `${JSON.parse(json)}`;

/** The members with commas between them. */
export const inside = (members: Members): string => members.map(([name, value]) => `${name}:${value}`).join(',');

export const objectOf = (members: Members): string => `{${inside(members)}}`;

/** The value of a member as JSON text; an empty one where it is missing. */
export const valueIn = (members: Members, member: string): string =>
  members.find(([name]) => nameIn(name) === member)?.[1] ?? '';

/** The JSON text of the name without its quotes. */
const lettersIn = (members: Members): string => valueIn(members, 'name').trim().slice(1, -1);
const textIn = (members: Members): string => nameIn(valueIn(members, 'name') || '""');

/** Places that stand for one value, whatever else is wrong with the members. */
const OF_A_VALUE: Readonly<Record<string, (members: Members) => string>> = {
  name: (members) => valueIn(members, 'name'),
  categoryId: (members) => valueIn(members, 'categoryId'),
  status: (members) => valueIn(members, 'status'),
  letters: lettersIn,
  'letters but three': (members) => lettersIn(members).slice(0, -3),
  text: textIn,
  'text in a form': (members) => encodeURIComponent(textIn(members)),
};

/** Places that stand for all members. */
const OF_ALL: Readonly<Record<string, (members: Members) => string>> = {
  members: inside,
  'members to the last colon': (members) => inside(members).replace(/[^:]*$/, ''),
  'half an object': (members) => objectOf(members).slice(0, Math.floor(objectOf(members).length / 2)),
  'an object in a string': (members) => JSON.stringify(objectOf(members)),
  'an object in Base64': (members) => btoa(encodeURIComponent(objectOf(members))),
};

const PLACE = new RegExp(
  `%(?:members (.+?) joined by (.+?)|members with (\\w+) as (".+?")|(${Object.keys({ ...OF_A_VALUE, ...OF_ALL }).join('|')}))%`,
  'g',
);

const FILLING = /%(blanks|letters x) up to 1 MiB%/;

/**
 * The text of a template. Its places stand for the members of an object:
 *
 * - `%members%` for all of them, with commas between them
 * - `%members name=value joined by ;%` for all of them, written otherwise; `bare` is a name without its quotes
 * - `%members with name as "title"%` for all of them, one under another name
 * - `%name%`, `%categoryId%`, `%status%` for a value, as JSON
 * - `%letters%` for the JSON of the name without its quotes, `%text%` for what it says
 * - `%letters but three%`, `%text in a form%`, `%members to the last colon%`, `%half an object%`, `%an object in a string%` and
 *   `%an object in Base64%` for those texts
 * - `%blanks up to 1 MiB%` and `%letters x up to 1 MiB%` for as many as make the text that long
 */
export function filled(template: string, members: Members, values: Values = {}): string {
  const changed = withValues(members, values);
  const text = template.replace(PLACE, (_, form = '', separator = '', from = '', to = '', place = '') => {
    if (form !== '') return changed.map((member) => writtenAs(form, member)).join(separator);
    if (to !== '') return inside(changed.map(([name, value]) => [nameIn(name) === from ? to : name, value]));
    return OF_A_VALUE[place]?.(members) ?? OF_ALL[place]?.(changed) ?? '';
  });
  return text.replace(FILLING, (place, filling) =>
    (filling === 'blanks' ? ' ' : 'x').repeat(MEBIBYTE - Buffer.byteLength(text) + place.length),
  );
}

function writtenAs(form: string, [name, value]: Members[number]): string {
  const words: Readonly<Record<string, string>> = { name, value, bare: nameIn(name) };
  return form.replace(/name|value|bare/g, (word) => words[word] ?? word);
}

/** With other values for some members, which are added where they are missing. */
function withValues(members: Members, values: Values): Members {
  const given = new Map(
    Object.entries(values).map(([member, template]) => [member, template && filled(template, members)]),
  );
  const kept = members.flatMap(([name, old]) => {
    const member = nameIn(name);
    const value = given.has(member) ? given.get(member) : old;
    return value === undefined ? [] : [[name, value] as const];
  });
  const known = new Set(members.map(([name]) => nameIn(name)));
  const added = [...given].flatMap(([member, value]) =>
    value === undefined || known.has(member) ? [] : [[JSON.stringify(member), value] as const],
  );
  return [...kept, ...added];
}
