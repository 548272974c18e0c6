import fc from 'fast-check';
import { parseJson } from '../../contract/json.ts';
import {
  bytesOf,
  type InvalidBody,
  JSON_TYPE,
  membersOf,
  type NewPet,
  objectText,
  type Traces,
  textOf,
  validBody,
} from './body.ts';
import { anyWrongValue, type JsonValue, NULL_AND_BOOLEANS, WRONG_VALUES } from './wrong-values.ts';

type RequiredMember = 'name' | 'categoryId';

function unreadable(base: NewPet, label: string, text: string | undefined): InvalidBody {
  const bytes = text === undefined ? undefined : bytesOf(text);
  const repaired = validBody(base);
  return { kind: 'invalid', label, bytes, contentType: JSON_TYPE, failsAs: 'syntax', repaired, traces: {} };
}

function invalid(base: NewPet, label: string, json: string, traces: Traces = { name: base.name }): InvalidBody {
  return { ...unreadable(base, label, json), failsAs: 'schema', traces };
}

/** The body of `base` without one or both of its required members. */
export function missing(base: NewPet, ...members: readonly RequiredMember[]): InvalidBody {
  const isKept = (name: string): boolean => !members.some((member) => member === name);
  const kept = Object.entries(membersOf(base)).filter(([name]) => isKept(name));
  const text = objectText(Object.fromEntries(kept));
  return invalid(base, `${members.join(' and ')} missing`, text, isKept('name') ? { name: base.name } : {});
}

/** The body of `base` with a required member under another name. */
export function renamed(base: NewPet, member: RequiredMember, to: string): InvalidBody {
  const members = Object.entries(membersOf(base)).map(([name, value]) => [name === member ? to : name, value]);
  const text = objectText(Object.fromEntries(members));
  return invalid(base, `${member} missing, ${to} in its place`, text, member === 'name' ? {} : { name: base.name });
}

/** The body of `base` one level too deep: as the only member of an object. */
export function wrapped(base: NewPet, member: string): InvalidBody {
  const label = `name and categoryId missing, an object with both at ${member}`;
  return invalid(base, label, objectText({ [member]: textOf(base) }));
}

export function emptyObject(base: NewPet): InvalidBody {
  return invalid(base, 'an empty object', '{}', {});
}

/** Every body that lacks a required member: left out, under another name, or one level too deep. */
export function everyLackingBody(base: NewPet): readonly InvalidBody[] {
  return [
    missing(base, 'name'),
    missing(base, 'categoryId'),
    emptyObject(base),
    missing(base, 'name', 'categoryId'),
    ...['Name', 'title'].map((to) => renamed(base, 'name', to)),
    ...['categoryid', 'category_id', 'category'].map((to) => renamed(base, 'categoryId', to)),
    ...['pet', 'Pet', 'newPet', 'data', 'body'].map((member) => wrapped(base, member)),
  ];
}

/**
 * Three bodies without a valid name, in the categories `first` and the next two, by which an animal made from one is
 * recognised. Their positive control is the body of `base`, which leaves these categories unused.
 */
export function namelessIn(first: bigint, base: NewPet): readonly InvalidBody[] {
  const names = { 'name missing': {}, 'name is 12345': { name: '12345' }, 'name is null': { name: 'null' } };
  return Object.entries(names).map(([label, members], at) => {
    const categoryId = first + BigInt(at);
    const text = objectText({ ...members, categoryId: `${categoryId}`, status: '"sold"' });
    return invalid(base, label, text, { categoryId });
  });
}

const described = (json: string): string => (json.startsWith('"') ? `the string ${json}` : json);

/** The body of `base` with a wrong value, given as JSON text, for one member. */
export function wrong(base: NewPet, member: keyof NewPet, json: string, label = described(json)): InvalidBody {
  const text = objectText({ ...membersOf(base), [member]: json });
  return invalid(base, `${member} is ${label}`, text, member === 'name' ? {} : { name: base.name });
}

/** The body of `base` with each of the wrong values for one member that are always sent. */
export function everyWrong(base: NewPet, member: keyof NewPet): readonly InvalidBody[] {
  return WRONG_VALUES[member].map(({ json, label }) => wrong(base, member, json, label));
}

/** The body of `base` with any wrong value for one member. */
export function anyWrong(base: NewPet, member: keyof NewPet): fc.Arbitrary<InvalidBody> {
  return anyWrongValue(member).map((json) => wrong(base, member, json));
}

/** A JSON value that is not an object, given as text. */
export function nonObject(base: NewPet, json: string, label = described(json)): InvalidBody {
  return invalid(base, `the body is ${label}`, json, json.includes(base.name) ? { name: base.name } : {});
}

/** The body of `base` as the only entry of an array. */
export function inArray(base: NewPet): InvalidBody {
  return nonObject(base, `[${textOf(base)}]`, 'an array that holds a valid body');
}

/** Every kind of JSON that is not an object, with a valid body inside where that is possible. */
export function everyNonObject(base: NewPet): readonly InvalidBody[] {
  const valid = textOf(base);
  const values: readonly JsonValue[] = [
    ...NULL_AND_BOOLEANS,
    ...['0', '1', '-1.5'].map((json) => ({ json })),
    { json: '""', label: 'an empty string' },
    { json: '"Rex"', label: 'a string' },
    { json: JSON.stringify(valid), label: 'a valid body inside a string' },
    { json: '[]', label: 'an empty array' },
  ];
  return [
    ...values.map(({ json, label }) => nonObject(base, json, label)),
    inArray(base),
    nonObject(base, `[${valid},${valid}]`, 'an array that holds two valid bodies'),
    nonObject(base, `[${JSON.stringify(base.name)},${base.categoryId}]`, 'an array of the values'),
  ];
}

/** No body at all, in both forms in which a client sends none. */
export function emptyBodies(base: NewPet): readonly InvalidBody[] {
  return [unreadable(base, 'no body', undefined), unreadable(base, 'an empty body', '')];
}

/** Texts that are nearly the body of `base`, each with one syntax error, and texts in other formats. */
export function everyMalformed(base: NewPet): readonly InvalidBody[] {
  const valid = textOf(base);
  const { name, categoryId } = membersOf(base);
  const inside = valid.slice(1, -1);
  const texts = {
    'the closing brace is missing': `{${inside}`,
    'the opening brace is missing': `${inside}}`,
    'cut in the middle': valid.slice(0, Math.floor(valid.length / 2)),
    'only an opening brace': '{',
    'a comma after the last member': `{${inside},}`,
    'a comma before the first member': `{,${inside}}`,
    'two commas between members': `{"name":${name},,"categoryId":${categoryId}}`,
    'no comma between members': `{"name":${name} "categoryId":${categoryId}}`,
    'no colon after a name': `{"name" ${name},"categoryId":${categoryId}}`,
    'an equals sign for a colon': `{"name"=${name},"categoryId"=${categoryId}}`,
    'a member without a value': `{"name":${name},"categoryId":}`,
    'single quotes': `{'name':'Rex','categoryId':${categoryId}}`,
    'names without quotes': `{name:${name},categoryId:${categoryId}}`,
    'a string that is not closed': `{"categoryId":${categoryId},"name":"Rex}`,
    'a comment': `{/* a pet */${inside}}`,
    'a line comment': `{${inside}}// a pet`,
    'two values one after the other': `${valid}${valid}`,
    'an extra closing brace': `${valid}}`,
    'text after the value': `${valid} x`,
    'text before the value': `x${valid}`,
    'a raw line feed in a string': `{"name":"Rex\nRover","categoryId":${categoryId}}`,
    'a raw control character in a string': `{"name":"Rex\u0001","categoryId":${categoryId}}`,
    'an escape that JSON does not have': `{"name":"\\x52ex","categoryId":${categoryId}}`,
    'an incomplete unicode escape': `{"name":"Rex \\u12","categoryId":${categoryId}}`,
    'a number with a leading zero': `{"name":${name},"categoryId":01}`,
    'a number with a plus sign': `{"name":${name},"categoryId":+1}`,
    'a number without digits before the point': `{"name":${name},"categoryId":.5}`,
    'a number without digits after the point': `{"name":${name},"categoryId":1.}`,
    'a hexadecimal number': `{"name":${name},"categoryId":0x1}`,
    'NaN for a number': `{"name":${name},"categoryId":NaN}`,
    'Infinity for a number': `{"name":${name},"categoryId":Infinity}`,
    'True as Python writes it': `{"name":${name},"categoryId":${categoryId},"x":True}`,
    'undefined for a value': `{"name":${name},"categoryId":undefined}`,
    'only white space': ' \n\t ',
    'a form instead of JSON': 'name=Rex&categoryId=1',
    'XML instead of JSON': '<pet><name>Rex</name><categoryId>1</categoryId></pet>',
    'YAML instead of JSON': 'name: Rex\ncategoryId: 1\n',
    'plain text': 'Rex',
  };
  return Object.entries(texts).map(([label, text]) => unreadable(base, label, text));
}

/** The body of `base`, cut anywhere or with a stray mark inserted anywhere, so that it is no longer JSON. */
export function anyMalformed(base: NewPet): fc.Arbitrary<InvalidBody> {
  const valid = textOf(base);
  const cut = fc
    .integer({ min: 1, max: valid.length - 1 })
    .map((at) => unreadable(base, `cut after ${at} characters`, valid.slice(0, at)));
  const stray = fc
    .record({
      at: fc.integer({ min: 0, max: valid.length }),
      mark: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\q', '\n"', '#'),
    })
    .map(({ at, mark }) => ({ at, mark, text: `${valid.slice(0, at)}${mark}${valid.slice(at)}` }))
    .filter(({ text }) => parseJson(bytesOf(text)).kind !== 'json')
    .map(({ at, mark, text }) => unreadable(base, `a stray ${JSON.stringify(mark)} at ${at}`, text));
  return fc.oneof(cut, stray);
}
