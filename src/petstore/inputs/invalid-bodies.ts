import fc from 'fast-check';
import { readJson } from '../../contract/json.ts';
import { mix } from '../../engine/mix.ts';
import { bytesOf, type InvalidBody, JSON_TYPE, type NewPet, textOf } from './body.ts';
import {
  inside,
  type Members,
  nameIn,
  objectOf,
  valueIn,
  withName,
  without,
  withValue,
  writtenMembers,
} from './members.ts';
import { ownCategory } from './new-pets.ts';
import {
  DEEP_ARRAY,
  DEEP_OBJECT,
  LONG_EXPONENT,
  MANY_DIGITS,
  MANY_MEMBERS,
  MEBIBYTE,
  nested,
  VERY_DEEP,
  VERY_LONG,
} from './sizes.ts';
import { anyWrongValue, type JsonValue, WRONG_KINDS, WRONG_VALUES } from './wrong-values.ts';

type RequiredMember = 'name' | 'categoryId';

/** What is wrong with a body: how it is written from the members that it would have without it. */
export interface Defect {
  readonly label: string;
  /** The requirement that says that a body with it must be refused. */
  readonly requirement: string;
  /** Whether what it makes is not JSON, or JSON that is not a NewPet. */
  readonly failsAs: 'syntax' | 'schema';
  /** Undefined for no body at all. */
  readonly write: (members: Members) => string | undefined;
  /** Where it is several of a kind at once, each of them alone. */
  readonly parts?: readonly Defect[];
}

/** Defects of one kind: the ones that are always sent, and any other. */
export interface Defects {
  readonly examples: readonly Defect[];
  /** Every example is sent in every standard run, not only some of them. */
  readonly sendsAll?: boolean;
  readonly others?: fc.Arbitrary<Defect>;
}

/** The requirement that says which values of a member are refused. */
const OWNERS: Readonly<Record<keyof NewPet, string>> = { name: 'CREATE-5', categoryId: 'CREATE-6', status: 'CREATE-7' };

/** What the shape and the bytes of an invalid body depend on, beside its pet and its defect. */
export interface Surroundings {
  /** The members as they are written where nothing is wrong; the usual ones where it is not said. */
  readonly members?: Members | undefined;
  /** In a few words, after the defect. */
  readonly label?: string | undefined;
  readonly contentType?: string | undefined;
}

/** The body of `base` with a defect. An animal that is made of it is told by its name, or else by its category. */
export function withDefect(base: NewPet, defect: Defect, surroundings: Surroundings = {}): InvalidBody {
  const { members = writtenMembers(base), label = '' } = surroundings;
  const { requirement, failsAs } = defect;
  const contentType = 'contentType' in surroundings ? surroundings.contentType : JSON_TYPE;
  const text = defect.write(members);
  return {
    kind: 'invalid',
    label: `${defect.label}${label}`,
    requirement,
    failsAs,
    contentType,
    bytes: text === undefined ? undefined : bytesOf(text),
    traces: tracesIn(text ?? '', base, valueIn(members, 'name').trim()),
  };
}

/** What tells an animal that is made of a text: its name, or else a category of its own. */
function tracesIn(text: string, { name, categoryId }: NewPet, writtenName: string): InvalidBody['traces'] {
  if (text.includes(writtenName)) return { name };
  return categoryId === ownCategory(name) && text.includes(`${categoryId}`) ? { categoryId } : {};
}

const described = (json: string): string => {
  const short = json.length > 60 ? `${json.slice(0, 40)}… (${json.length} characters)` : json;
  return json.startsWith('"') ? `the string ${short}` : short;
};

const hex = (letter: string): string => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

const schema = (requirement: string, label: string, write: Defect['write']): Defect => ({
  requirement,
  label,
  failsAs: 'schema',
  write,
});

const syntax = (requirement: string, label: string, write: Defect['write']): Defect => ({
  requirement,
  label,
  failsAs: 'syntax',
  write,
});

const table = (
  make: (label: string, write: Defect['write']) => Defect,
  writes: Readonly<Record<string, Defect['write']>>,
): readonly Defect[] => Object.entries(writes).map(([label, write]) => make(label, write));

const lacking = (writes: Readonly<Record<string, Defect['write']>>) =>
  table((label, write) => schema('CREATE-2', label, write), writes);
const malformed = (writes: Readonly<Record<string, Defect['write']>>) =>
  table((label, write) => syntax('CREATE-4', label, write), writes);

/** A required member left out. */
function lacks(...members: readonly RequiredMember[]): Defect {
  return schema('CREATE-2', `${members.join(' and ')} missing`, (all) => objectOf(without(all, ...members)));
}

/** A required member under another name. */
function renames(member: RequiredMember, to: string): Defect {
  const shown = /^[\x21-\x7e]+$/.test(to) ? to : JSON.stringify(to);
  return schema('CREATE-2', `${member} missing, ${shown} in its place`, (all) =>
    objectOf(withName(without(all, to), member, JSON.stringify(to))),
  );
}

const shortList = (names: readonly string[]): string => `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

/** A required member under all of these names at once. */
function renamesToEach(member: RequiredMember, names: readonly string[]): Defect {
  const whole = schema('CREATE-2', `${member} missing, ${shortList(names)} in its place`, (all) =>
    objectOf([
      ...without(all, member, ...names),
      ...names.map((name) => [JSON.stringify(name), valueIn(all, member)] as const),
    ]),
  ); // biome-ignore format: one line
  return { ...whole, parts: names.map((name) => renames(member, name)) };
}

/** The whole body one level too deep, in each of these members. */
function wrapsInEach(members: readonly string[]): Defect {
  const whole = schema('CREATE-2', `name and categoryId missing, objects with both at ${shortList(members)}`, (all) =>
    objectOf(members.map((member) => [JSON.stringify(member), objectOf(all)])),
  );
  return { ...whole, parts: members.map(wraps) };
}

/** The whole body one level too deep: as the only member of an object. */
function wraps(member: string): Defect {
  const shown = /^\w+$/.test(member) ? member : JSON.stringify(member);
  return schema('CREATE-2', `name and categoryId missing, an object with both at ${shown}`, (all) =>
    objectOf([[JSON.stringify(member), objectOf(all)]]),
  );
}

/** A required member moved into a member that languages know, where a careless reader finds it. */
function hides(member: RequiredMember, at: string): Defect {
  return schema('CREATE-2', `${member} missing, in an object at ${at} instead`, (all) =>
    objectOf([
      ...without(all, member, at),
      [JSON.stringify(at), objectOf([[JSON.stringify(member), valueIn(all, member)]])],
    ]),
  );
}

/** A required member as one member of an object under another name. */
function nests(member: RequiredMember, inner: string, at: string): Defect {
  return schema('CREATE-2', `${member} missing, an object at ${at} with it as ${inner}`, (all) =>
    objectOf([
      ...without(all, member, at),
      [JSON.stringify(at), objectOf([[JSON.stringify(inner), valueIn(all, member)]])],
    ]),
  );
}

/** The same with all of these inner names, under all of these names, at once. */
function nestsInEach(member: RequiredMember, inner: readonly string[], names: readonly string[]): Defect {
  const whole = schema('CREATE-2', `${member} missing, objects with it at ${shortList(names)}`, (all) => {
    const object = objectOf(inner.map((one) => [JSON.stringify(one), valueIn(all, member)]));
    return objectOf([
      ...without(all, member, ...names),
      ...names.map((name) => [JSON.stringify(name), object] as const),
    ]);
  });
  return { ...whole, parts: names.flatMap((name) => inner.map((one) => nests(member, one, name))) };
}

/** What other interfaces call the name of an animal. */
const NAMES_OF_THE_NAME = [
  'displayName', 'label', 'title', 'petName', 'pet_name', 'fullName', 'nickname', 'animalName', 'Name', 'NAME', 'names', 'text', 'value', 'caption', 'pet-name', 'first_name',
  'nom', 'nombre', 'alias', 'description', 'name_', '_name', '$name', '@name', 'n',
]; // biome-ignore format: one list

/** What other interfaces call the category of an animal. */
const NAMES_OF_THE_CATEGORY = [
  'category', 'category_id', 'categoryID', 'categoryid', 'CategoryId', 'category-id', 'catId', 'cat_id', 'categories', 'categoryIds', 'categoryRef', 'kind', 'type', 'typeId',
  'type_id', 'group', 'groupId', 'petCategoryId', 'idCategory', 'CATEGORY_ID', 'class', '_categoryId', '$categoryId', '@categoryId', 'cat',
]; // biome-ignore format: one list

/** Where other interfaces expect an animal inside of a body. */
const ENVELOPES = [
  'pet', 'Pet', 'newPet', 'NewPet', 'data', 'body', 'payload', 'animal', 'attributes', 'item', 'object', 'request', 'content', 'input', 'params', 'value', 'model', 'entity',
  'resource', 'fields', 'properties', 'result', 'args', 'message', 'dto', 'pets', '0',
]; // biome-ignore format: one list

/** The form of JSON:API. */
const IN_ATTRIBUTES = schema('CREATE-2', 'name and categoryId missing, an object with both at data.attributes', (all) =>
  objectOf([['"data"', objectOf([['"type"', '"pets"'], ['"attributes"', objectOf(all)]])]]),
); // biome-ignore format: one line

const EMPTY_OBJECT = schema('CREATE-2', 'an empty object', () => '{}');

const LACKING: Readonly<Record<string, Defects>> = {
  'name missing': { examples: [lacks('name'), hides('name', '__proto__'), hides('name', 'constructor'), hides('name', 'hasOwnProperty'), hides('name', 'attributes')] },
  'categoryId missing': {
    examples: [lacks('categoryId'), hides('categoryId', '__proto__'), hides('categoryId', 'prototype'), hides('categoryId', 'toString'), hides('categoryId', 'category')],
  },
  'name and categoryId missing': {
    examples: [
      lacks('name', 'categoryId'),
      EMPTY_OBJECT,
      ...lacking({
        'an object with one unknown member': () => '{"x":1}',
        'an object of blanks and line ends': () => '{ \r\n\t }',
        'an object whose only member is the status': () => '{"status":"available"}',
      }),
    ],
  },
  'both missing, of an unusual size or depth': {
    sendsAll: true,
    examples: lacking({
      'an object 10,000 deep': () => DEEP_OBJECT,
      'name and categoryId missing, an object with both 10,000 deep': (all) => nested(VERY_DEEP, '{"a":', '}', objectOf(all)),
      'an object of 1,000 unknown members': () => objectOf(MANY_MEMBERS),
      'an empty object with 100,000 blanks in it': () => `{${' '.repeat(VERY_LONG)}}`,
      'an object of 1 MiB with one unknown member and blanks': () => `${'{"x":1'.padEnd(MEBIBYTE - 1)}}`,
    }),
  },
  'name under another name': {
    examples: [renamesToEach('name', NAMES_OF_THE_NAME), ...['Name', 'title', 'NAME', 'names', ' name', 'name ', 'nаme', 'name\u0000', 'petName', 'ｎａｍｅ', 'nam', 'n', 'name[]', 'pet.name']
      .map((to) => renames('name', to))],
  },
  'categoryId under another name': {
    examples: [
      renamesToEach('categoryId', NAMES_OF_THE_CATEGORY),
      nestsInEach('categoryId', ['id', 'categoryId', 'value'], NAMES_OF_THE_CATEGORY.slice(0, 16)),
      ...['categoryid', 'category_id', 'category', 'CategoryId', 'categoryID', 'category-id', 'CATEGORYID', 'categoryId ', 'catId', 'category.id', 'categoryId\u0000', 'categoryId[]']
        .map((to) => renames('categoryId', to)),
    ],
  },
  'one level too deep': {
    examples: [wrapsInEach(ENVELOPES), IN_ATTRIBUTES, ...['__proto__', 'pet', 'constructor', 'Pet', 'data', 'prototype', '', 'newPet', 'body'].map(wraps)],
  },
}; // biome-ignore format: one table

const NOTHING_SENT = syntax('CREATE-3', 'no body', () => undefined);

const NO_BODY: Readonly<Record<string, Defects>> = {
  'no body': { sendsAll: true, examples: [NOTHING_SENT, syntax('CREATE-3', 'an empty body', () => '')] },
};

const setTo =
  (member: string, json: string): Defect['write'] =>
  (all) =>
    objectOf(withValue(all, member, json));

/** The value of the name with something written before its closing quote, as it stands. */
const inName =
  (raw: string): Defect['write'] =>
  (all) =>
    objectOf(withValue(all, 'name', `${valueIn(all, 'name').trim().slice(0, -1)}${raw}"`));

/** Each of the texts, which are not JSON, as the categoryId. */
const asCategory = (...texts: readonly string[]): readonly Defect[] =>
  texts.map((text) => syntax('CREATE-4', `the categoryId written ${text}`, setTo('categoryId', text)));

/** Each of the texts, which are not JSON, as the value of a member that NewPet does not have. */
const asUnknown = (...texts: readonly string[]): readonly Defect[] =>
  texts.map((text) => syntax('CREATE-4', `an unknown member written ${described(text)}`, setTo('x', text)));

const quotedBy =
  (open: string, close = open) =>
  (all: Members) =>
    objectOf(all.map(([name, value]) => [`${open}${nameIn(name)}${close}`, value]));

/**
 * In another order, so that what is always sent as the categoryId and what is always sent in an unknown member have only
 * the first in common.
 */
const othersFirst = (texts: readonly string[]): readonly string[] => [
  ...texts.slice(0, 1),
  ...texts.slice(4),
  ...texts.slice(1, 4),
];

const MALFORMED_NUMBERS = [
  '01',
  '+1',
  '1.',
  '.5',
  '-01',
  '1e',
  '--1',
  '00',
  '1.e2',
  '1.2.3',
  '1e+',
  '-',
  '1e2.5',
  '+0',
];
const FOREIGN_NUMBERS = ['0x1', '1_000', '1n', '1L', '0b1', '١', '1,5', '1 000', '１', '1f'];
const WORDS_MALFORMED = [
  'NaN',
  'True',
  'undefined',
  'Infinity',
  'None',
  'nil',
  'Null',
  'NULL',
  '-Infinity',
  'TRUE',
  'False',
  'yes',
  'nan',
  'sold',
  'void 0',
  'new Date()',
  '$1',
  'tru',
];
const STRINGS_MALFORMED = [
  '"\\u00g1"',
  '"\n"',
  '"\\x52"',
  '"\\u12"',
  '"\u0000"',
  '"\\\'"',
  '"\\u{52}"',
  '"a',
  "'a'",
  '"\\a"',
  '"\t"',
  '"\\0"',
  '"\\U0041"',
  '"a""b"',
  '`a`',
  '"\u001f"',
  '"\\v"',
  '"\\u00zz"',
];

const UNFINISHED = syntax('CREATE-4', 'the closing brace is missing', (all) => `{${inside(all)}`);

const MALFORMED: Readonly<Record<string, Defects>> = {
  'a brace too few or too many': {
    examples: [
      UNFINISHED,
      ...malformed({
        'a bracket for the closing brace': (all) => `{${inside(all)}]`,
        'the opening brace is missing': (all) => `${inside(all)}}`,
        'an extra closing brace': (all) => `${objectOf(all)}}`,
        'an extra opening brace': (all) => `{${objectOf(all)}`,
        'only an opening brace': () => '{',
        'parentheses for braces': (all) => `(${inside(all)})`,
      }),
    ],
  },
  'cut off': {
    examples: malformed({
      'cut in the middle': (all) => objectOf(all).slice(0, Math.floor(objectOf(all).length / 2)),
      'cut before the last brace and its value': (all) => `{${inside(all)}`.replace(/[^:]*$/, ''),
      'cut inside the name': (all) => `{"categoryId":1,"name":${valueIn(all, 'name').trim().slice(0, -4)}`,
      'cut after a comma': (all) => `{${inside(all)},`,
      'cut after a member name': (all) => `{${inside(all)},"x"`,
      'cut inside true': (all) => `{${inside(all)},"x":tru`,
    }),
  },
  'commas amiss': {
    examples: malformed({
      'a comma after the last member': (all) => `{${inside(all)},}`,
      'a comma before the first member': (all) => `{,${inside(all)}}`,
      'two commas between members': (all) => `{${all.map(([name, value]) => `${name}:${value}`).join(',,')}}`,
      'no comma between members': (all) => `{${all.map(([name, value]) => `${name}:${value}`).join(' ')}}`,
      'semicolons for commas': (all) => `{${all.map(([name, value]) => `${name}:${value}`).join(';')}}`,
      'a comma after the object': (all) => `${objectOf(all)},`,
      'a comma in an empty array': setTo('x', '[,]'),
      'a comma at the end of an array': setTo('x', '[1,]'),
      'no comma in an array': setTo('x', '["a" "b"]'),
    }),
  },
  'colons amiss': {
    examples: malformed({
      'no colon after a name': (all) => `{${all.map(([name, value]) => `${name} ${value}`).join(',')}}`,
      'an equals sign for a colon': (all) => `{${all.map(([name, value]) => `${name}=${value}`).join(',')}}`,
      'an arrow for a colon': (all) => `{${all.map(([name, value]) => `${name} => ${value}`).join(',')}}`,
      'two colons': (all) => `{${all.map(([name, value]) => `${name}::${value}`).join(',')}}`,
      'a member without a value': (all) => `{${inside(all)},"x":}`,
      'a member without a name': (all) => `{${inside(all)},:1}`,
      'a name without a value': (all) => `{${inside(all)},"x"}`,
      'a number for a member name': (all) => `{${inside(all)},1:1}`,
    }),
  },
  'quotes amiss': {
    examples: malformed({
      'names without quotes': quotedBy(''),
      'single quotes': quotedBy("'"),
      'a string that is not closed': (all) => `{"categoryId":1,"name":${valueIn(all, 'name').trim().slice(0, -1)}}`,
      'typographic quotes': quotedBy('\u201c', '\u201d'),
      'a name without quotes': (all) => objectOf(withValue(all, 'name', `Rex${valueIn(all, 'name').trim().slice(1, -1)}`)),
      'a name in single quotes': setTo('name', "'Rex'"),
      'quotes inside a string': inName('"x'),
      backticks: quotedBy('`'),
    }),
  },
  'a comment': {
    examples: malformed({
      'a comment': (all) => `{/* a pet */${inside(all)}}`,
      'a line comment': (all) => `${objectOf(all)}// a pet`,
      'a line comment inside': (all) => `{// a pet\n${inside(all)}}`,
      'a comment with a hash': (all) => `# a pet\n${objectOf(all)}`,
      'a comment at the end': (all) => `${objectOf(all)} /* a pet */`,
      'a comment before a value': (all) => objectOf(withValue(all, 'categoryId', '/**/1')),
      'a comment of HTML': (all) => `<!-- -->${objectOf(all)}`,
    }),
  },
  'more than one value': {
    examples: malformed({
      'two values one after the other': (all) => `${objectOf(all)}${objectOf(all)}`,
      'two values on two lines': (all) => `${objectOf(all)}\n${objectOf(all)}\n`,
      'a number after the value': (all) => `${objectOf(all)} 1`,
      'an empty object after the value': (all) => `${objectOf(all)}{}`,
      'null after the value': (all) => `${objectOf(all)} null`,
      'an array after the value': (all) => `${objectOf(all)}[]`,
      'a value before the object': (all) => `1 ${objectOf(all)}`,
    }),
  },
  'text before or after': {
    examples: malformed({
      'text after the value and 2,000 blanks': (all) => `${objectOf(all)}${' '.repeat(2_000)}x`,
      'a NUL after the value': (all) => `${objectOf(all)}\u0000`,
      'text before the value': (all) => `x${objectOf(all)}`,
      'a guard before the value': (all) => `)]}',\n${objectOf(all)}`,
      'a call of a function': (all) => `callback(${objectOf(all)});`,
      'a semicolon after the value': (all) => `${objectOf(all)};`,
      'a record separator before the value': (all) => `\u001e${objectOf(all)}`,
      'an equals sign before the value': (all) => `pet=${objectOf(all)}`,
    }),
  },
  'a raw control character in a string': {
    examples: malformed({
      'a raw tab in a string': inName('\t'),
      'a raw control character in a string': inName('\u0001'),
      'a raw line feed in a string': inName('\n'),
      'a raw NUL in a string': inName('\u0000'),
      'a raw carriage return in a string': inName('\r'),
      'a raw U+001F in a string': inName('\u001f'),
      'a raw backspace in a string': inName('\b'),
      'a raw line feed in the status': setTo('status', '"sold\n"'),
      'a raw tab in a member name': (all) => objectOf([...all, ['"x\t"', '1']]),
    }),
  },
  'an escape that JSON does not have': {
    examples: malformed({
      'an escaped single quote': inName("\\'"),
      'an escape that JSON does not have': inName('\\x52'),
      'an incomplete unicode escape': inName(' \\u12'),
      'an escape in braces': inName('\\u{52}'),
      'an octal escape': inName('\\0'),
      'an escape of eight digits': inName('\\U00000052'),
      'an escape that is not hexadecimal': inName('\\u00g1'),
      'an escaped line end': inName('\\\n'),
      'an escaped letter': inName('\\a'),
      'an escaped vertical tab': inName('\\v'),
      'an escape that JSON does not have in a member name': (all) => objectOf([...all, ['"\\x78"', '1']]),
    }),
  },
  'a malformed number': { examples: asCategory(...MALFORMED_NUMBERS) },
  'a number as other languages write it': { examples: asCategory(...FOREIGN_NUMBERS) },
  'a word that JSON does not have': { examples: asCategory(...WORDS_MALFORMED) },
  'a malformed number in an unknown member': { examples: asUnknown(...othersFirst(MALFORMED_NUMBERS)) },
  'a number as other languages write it in an unknown member': { examples: asUnknown(...othersFirst(FOREIGN_NUMBERS)) },
  'a word that JSON does not have in an unknown member': { examples: asUnknown(...othersFirst(WORDS_MALFORMED)) },
  'a literal in other letter case in an unknown member': {
    examples: asUnknown('True', 'NULL', 'FALSE', 'Null', 'TRUE', 'False', 'nUll'),
  },
  'a malformed string in an unknown member': { examples: asUnknown(...STRINGS_MALFORMED) },
  'malformed deep inside an unknown member': {
    examples: malformed({
      'a malformed number in an array': setTo('x', '[1,01]'),
      'a malformed number in an object': setTo('x', '{"a":{"b":+1}}'),
      'NaN in an array': setTo('x', '[[NaN]]'),
      'a raw line feed in a name inside': setTo('x', '{"a\n":1}'),
      'a comma too many inside': setTo('x', '{"a":[{"b":1,}]}'),
      'an object closed by a bracket': setTo('x', '{"a":1]'),
      'a comment inside': setTo('x', '[/* none */]'),
      'a name without quotes inside': setTo('x', '{a:1}'),
    }),
  },
  'white space that JSON does not have': {
    examples: [
      ...malformed({
        'U+00A0 for white space': (all) => `{\u00a0${inside(all)}}`,
        'U+000B around the value': (all) => `\u000b${objectOf(all)}\u000b`,
      }),
      ...['\u000b', '\f', '\u2028', '\u3000', '\u0085', '\u200b', '\u2003'].map((space) =>
        syntax('CREATE-4', `U+${hex(space)} for white space`, (all) => `{${space}${inside(all)}}`),
      ),
      syntax('CREATE-4', 'a byte order mark between members', (all) => `{\ufeff${inside(all)}}`),
      syntax('CREATE-4', 'a no-break space after the value', (all) => `${objectOf(all)}\u00a0`),
    ],
  },
  'another format': {
    examples: malformed({
      'a form instead of JSON': (all) => `name=${encodeURIComponent(nameOf(all))}&categoryId=1`,
      'XML instead of JSON': (all) => `<pet><name>${nameOf(all).replace(/[<&]/g, '')}</name><categoryId>1</categoryId></pet>`,
      'YAML instead of JSON': (all) => `name: ${valueIn(all, 'name').trim()}\ncategoryId: 1\n`,
      'YAML in one line instead of JSON': (all) => `{name: ${valueIn(all, 'name').trim()}, categoryId: 1}`,
      'plain text': (all) => `Rex ${nameOf(all)}`,
      'TOML instead of JSON': (all) => `name = ${valueIn(all, 'name').trim()}\ncategoryId = 1\n`,
      'CSV instead of JSON': (all) => `name,categoryId\n${valueIn(all, 'name').trim()},1\n`,
      'a literal of Python': (all) => `{'name': ${valueIn(all, 'name').trim()}, 'categoryId': 1, 'status': None}`,
      'parts of a form': (all) => `--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n${nameOf(all)}\r\n--x--\r\n`,
    }),
  },
  'white space or a mark alone': {
    examples: malformed({
      'only white space': () => ' \n\t ',
      'only a comma': () => ',',
      'only a quote': () => '"',
      'only a bracket': () => '[',
      'only a NUL': () => '\u0000',
      'only closing brackets': () => '}]',
      'only a minus sign': () => '-',
    }),
  },
  'deep and unfinished': {
    sendsAll: true,
    examples: malformed({
      '100,000 brackets that are not closed': () => '['.repeat(VERY_LONG),
      '10,000 objects that are not closed': () => '{"a":'.repeat(VERY_DEEP),
      'an unknown member 10,000 deep and not closed': (all) => `{${inside(all)},"x":${'['.repeat(VERY_DEEP)}}`,
      '10,000 closing braces too many': (all) => `${objectOf(all)}${'}'.repeat(VERY_DEEP)}`,
      'a name 10,000 deep and one bracket short': setTo('name', DEEP_ARRAY.slice(1)),
    }),
  },
  'long and malformed': {
    sendsAll: true,
    examples: malformed({
      '100,000 blanks alone': () => ' '.repeat(VERY_LONG),
      'a number of 5,000 digits that begins with zero': setTo('categoryId', `0${MANY_DIGITS}`),
      'a malformed end after 100,000 blanks': (all) => `{${inside(all)}${' '.repeat(VERY_LONG)},}`,
      'a comma too many after 1,000 unknown members': (all) => `{${inside(all)},${inside(MANY_MEMBERS)},}`,
      '1 MiB that is not closed': (all) => `{${inside(all)}`.padEnd(MEBIBYTE),
    }),
  },
  'long and malformed in an unknown member': {
    sendsAll: true,
    examples: malformed({
      'an unknown member with 5,000 digits and two points': setTo('x', `1.${MANY_DIGITS}.1`),
      'an unknown member with an exponent of five digits and a point': setTo('x', `${LONG_EXPONENT}.5`),
      'a raw line feed after 100,000 characters of an unknown member': setTo('x', `"${'x'.repeat(VERY_LONG)}\n"`),
      'an unknown member 500 deep and one bracket short': setTo('x', nested(500).slice(1)),
      'a word that JSON does not have 500 deep': setTo('x', nested(500, '[', ']', 'NaN')),
    }),
  },
}; // biome-ignore format: one table

const NON_OBJECTS: Readonly<Record<string, Defects>> = {
  'null, a boolean or a number for a body': {
    examples: ['null', '0', 'true', '42', 'false', '1', '-1.5', '1e400', '12345678901234567890'].map((json) =>
      isBody({ json }),
    ),
  },
  'a string for a body': {
    examples: [
      isBody({ json: '""', label: 'an empty string' }),
      nonObjectOf('a valid body inside a string', (all) => JSON.stringify(objectOf(all))),
      isBody({ json: '"{}"' }),
      nonObjectOf('the name alone', (all) => valueIn(all, 'name')),
      isBody({ json: '"Rex"', label: 'a string' }),
      nonObjectOf('a valid body in Base64 inside a string', (all) => JSON.stringify(btoa(encodeURIComponent(objectOf(all))))),
    ],
  },
  'an array for a body': {
    examples: [
      nonObjectOf('an array that holds a valid body', (all) => `[${objectOf(all)}]`),
      nonObjectOf('an array of the values', (all) => `[${valueIn(all, 'name')},${valueIn(all, 'categoryId')}]`),
      isBody({ json: '[]', label: 'an empty array' }),
      nonObjectOf('an array that holds two valid bodies', (all) => `[${objectOf(all)},${objectOf(all)}]`),
      nonObjectOf('an array of names and values', (all) => `[${all.map(([name, value]) => `[${name},${value}]`).join(',')}]`),
      isBody({ json: '[null]', label: 'an array that holds null' }),
      nonObjectOf('a valid body in two arrays', (all) => `[[${objectOf(all)}]]`),
      nonObjectOf('a valid body and null in an array', (all) => `[${objectOf(all)},null]`),
      nonObjectOf('null and a valid body in an array', (all) => `[null,${objectOf(all)}]`),
      nonObjectOf('an array of names and values in turn', (all) => `[${all.map(([name, value]) => `${name},${value}`).join(',')}]`),
    ],
  },
  'no object, of an unusual size or depth': {
    sendsAll: true,
    examples: [
      isBody({ json: DEEP_ARRAY, label: 'an array 10,000 deep' }),
      nonObjectOf('a valid body in 10,000 arrays', (all) => nested(VERY_DEEP, '[', ']', objectOf(all))),
      isBody({ json: JSON.stringify('x'.repeat(VERY_LONG)), label: 'a string of 100,000 characters' }),
      isBody({ json: MANY_DIGITS, label: 'a number of 5,000 digits' }),
      isBody({ json: `[${'{},'.repeat(999)}{}]`, label: 'an array of 1,000 empty objects' }),
    ],
  },
}; // biome-ignore format: one table

const withValues = (all: Members, values: Readonly<Record<string, string>>): Members =>
  Object.entries(values).reduce((members, [member, json]) => withValue(members, member, json), all);

const setToBoth =
  (values: Readonly<Record<string, string>>): Defect['write'] =>
  (all) =>
    objectOf(withValues(all, values));

const TWO_DEFECTS: Readonly<Record<string, Defects>> = {
  'two members wrong': {
    examples: [
      schema('CREATE-5', 'name is 7 and status is "SOLD"', setToBoth({ name: '7', status: '"SOLD"' })),
      schema('CREATE-6', 'categoryId is "1" and status is null', setToBoth({ categoryId: '"1"', status: 'null' })),
      schema('CREATE-6', 'categoryId is 1.5 and name is null', setToBoth({ categoryId: '1.5', name: 'null' })),
      schema('CREATE-7', 'status is 1 and name is []', setToBoth({ status: '1', name: '[]' })),
      schema('CREATE-5', 'every member is null', setToBoth({ name: 'null', categoryId: 'null', status: 'null' })),
    ],
  },
  'one member missing and another wrong': {
    examples: [
      schema('CREATE-2', 'categoryId missing and name is 7', (all) =>
        objectOf(withValue(without(all, 'categoryId'), 'name', '7')),
      ),
      schema('CREATE-2', 'name missing and status is "none"', (all) =>
        objectOf(withValue(without(all, 'name'), 'status', '"none"')),
      ),
      ...lacking({
        'name missing and categoryId is "1"': (all) => objectOf(withValue(without(all, 'name'), 'categoryId', '"1"')),
        'categoryId missing and status is null': (all) =>
          objectOf(withValue(without(all, 'categoryId'), 'status', 'null')),
        'name and categoryId missing and status is ""': (all) =>
          objectOf(withValue(without(all, 'name', 'categoryId'), 'status', '""')),
      }),
    ],
  },
  'malformed and wrong': {
    examples: malformed({
      'a comma too many, and name is null': (all) => `{${inside(withValue(all, 'name', 'null'))},}`,
      'the closing brace is missing, and categoryId is "1"': (all) => `{${inside(withValue(all, 'categoryId', '"1"'))}`,
      'text after the value, and the status is unknown': (all) => `${objectOf(withValue(all, 'status', '"none"'))} x`,
      'NaN for the categoryId, and the name is missing': (all) =>
        objectOf(withValue(without(all, 'name'), 'categoryId', 'NaN')),
      'a raw line feed in the status, and name is 1': setToBoth({ status: '"sold\n"', name: '1' }),
      'two arrays one after the other': () => '[][]',
    }),
  },
};

function isBody({ json, label = described(json) }: JsonValue): Defect {
  return schema('CREATE-8', `the body is ${label}`, () => json);
}

function nonObjectOf(label: string, write: Defect['write']): Defect {
  return schema('CREATE-8', `the body is ${label}`, write);
}

const nameOf = (members: Members): string => nameIn(valueIn(members, 'name') || '""');

/** A wrong value, given as JSON text, for one member. */
function isWrong(member: keyof NewPet, { json, label = described(json) }: JsonValue): Defect {
  return schema(OWNERS[member], `${member} is ${label}`, setTo(member, json));
}

function wrongIn(member: keyof NewPet): Readonly<Record<string, Defects>> {
  return Object.fromEntries(
    Object.entries(WRONG_KINDS[member]).map(([kind, { examples, others, sendsAll = false }]) => [
      `${member} is ${kind}`,
      {
        examples: examples.map((value) => isWrong(member, value)),
        sendsAll,
        ...(others === undefined ? {} : { others: others.map((value) => isWrong(member, value)) }),
      },
    ]),
  );
}

/** A body cut anywhere, or with a stray mark inserted anywhere, so that it is no longer JSON. */
function anyMalformation(): fc.Arbitrary<{ readonly at: number; readonly defect: Defect }> {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const percent = (at: number): string => `${(at * 100).toFixed(1)} % of it`;
  const cut = share.map((at) => ({
    at,
    defect: syntax('CREATE-4', `cut after ${percent(at)}`, (all) => {
      const text = objectOf(all);
      // At least the first character, and at most all but the last.
      return text.slice(0, 1 + Math.floor(at * (text.length - 2)));
    }),
  }));
  const stray = fc
    .record({ at: share, mark: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\q', '\n"', '#', '\u0000') })
    .map(({ at, mark }) => ({
      at,
      defect: syntax('CREATE-4', `a stray ${JSON.stringify(mark)} after ${percent(at)}`, (all) =>
        withStray(objectOf(all), at, mark),
      ),
    }));
  const exchanged = fc
    .record({ at: share, mark: fc.constantFrom('}', ']', ';', '=', "'", '(', '\u0000', '\u00a0', '#', '&') })
    .map(({ at, mark }) => ({
      at,
      defect: syntax('CREATE-4', `${JSON.stringify(mark)} in place of a mark after ${percent(at)}`, (all) =>
        withExchanged(objectOf(all), at, mark),
      ),
    }));
  return fc.oneof(cut, stray, exchanged, anyMalformedValue(share));
}

/** A value that is not JSON, anywhere: a valid one with a mark that does not belong there. */
function anyMalformedValue(share: fc.Arbitrary<number>) {
  const value = fc.constantFrom('5', '-7', '1.5', '1e2', 'true', 'null', '[]', '{}', '[1,2]', '{"a":1}', '"x"');
  const mark = fc.constantFrom('+', '-', '.', 'e', '_', ',', "'", '`', '#', '0x', 'n', 'f', '%', '$', '\\', '//', '/*', ';', '=', '\u00a0', '\v', '\u0001', '٣', '²', '?', '*');
  return fc
    .record({ at: share, value, mark, place: fc.constantFrom('categoryId', 'x', 'status'), isBefore: fc.boolean() })
    .map(({ at, value, mark, place, isBefore }) => {
      const texts = isBefore ? [`${mark}${value}`, `${value}${mark}`] : [`${value}${mark}`, `${mark}${value}`];
      const [text = mark] = [...texts.filter((one) => !isJson(one)), mark];
      return { at, defect: syntax('CREATE-4', `the ${place} written ${described(text)}`, setTo(place, text)) };
    });
} // biome-ignore format: one line each

const isJson = (text: string): boolean => readJson(bytesOf(text)).kind === 'json';

/** With a mark inserted at about this share of the text: at the next place where the text is no longer JSON. */
function withStray(text: string, share: number, mark: string): string {
  for (let at = Math.floor(share * text.length); at <= text.length; at += 1) {
    const changed = `${text.slice(0, at)}${mark}${text.slice(at)}`;
    if (!isJson(changed)) return changed;
  }
  return `${text}}`;
}

/** With a mark in place of one at about this share of the text: the next brace, comma, colon or quote where it matters. */
function withExchanged(text: string, share: number, mark: string): string {
  for (let at = Math.floor(share * text.length); at < text.length; at += 1) {
    if (!'{}[],:"'.includes(text[at] ?? ' ')) continue;
    const changed = `${text.slice(0, at)}${mark}${text.slice(at + 1)}`;
    if (!isJson(changed)) return changed;
  }
  return `${text}}`;
}

/** Every kind of body that is missing, or not JSON; each must be refused. */
export const MALFORMED_KINDS: Readonly<Record<string, Defects>> = { ...NO_BODY, ...MALFORMED };

/** Every kind of defect that JSON can have; each must be refused. */
export const DEFECTIVE_KINDS: Readonly<Record<string, Defects>> = {
  ...LACKING,
  ...wrongIn('name'),
  ...wrongIn('categoryId'),
  ...wrongIn('status'),
  ...NON_OBJECTS,
  ...TWO_DEFECTS,
};

const allOf = (base: NewPet, ...kinds: readonly Readonly<Record<string, Defects>>[]): readonly InvalidBody[] =>
  kinds.flatMap((kind) => Object.values(kind).flatMap(({ examples }) => examples.map((one) => withDefect(base, one))));

/** The body of `base` without one or both of its required members. */
export const missing = (base: NewPet, ...members: readonly RequiredMember[]): InvalidBody =>
  withDefect(base, lacks(...members));

/** The body of `base` with a required member under another name. */
export const renamed = (base: NewPet, member: RequiredMember, to: string): InvalidBody =>
  withDefect(base, renames(member, to));

/** The body of `base` one level too deep: as the only member of an object. */
export const wrapped = (base: NewPet, member: string): InvalidBody => withDefect(base, wraps(member));

export const emptyObject = (base: NewPet): InvalidBody => withDefect(base, EMPTY_OBJECT);

/** Every body that lacks a required member: left out, under another name, or one level too deep. */
export const everyLackingBody = (base: NewPet): readonly InvalidBody[] => allOf(base, LACKING);

/**
 * The body of a pet that has a category of its own, with no valid name: an animal that is made of it is told by its
 * category. The first names the id of an animal that exists, where one is given.
 */
export function nameless(base: NewPet, existing?: bigint): readonly InvalidBody[] {
  const categoryId = ownCategory(base.name);
  const defects = [lacks('name'), isWrong('name', { json: '12345' }), isWrong('name', { json: 'null' })];
  return defects.map((defect, at) => {
    const own = { ...base, categoryId: categoryId + BigInt(at) };
    return {
      ...withDefect(own, defect, at > 0 || existing === undefined ? {} : besideId(own, existing)),
      traces: { categoryId: own.categoryId },
    };
  });
}

const besideId = (base: NewPet, id: bigint): Surroundings => ({
  members: [['"id"', `${id}`], ...writtenMembers(base)],
  label: `, beside the id ${id}`,
});

/** Bodies with a defect that name the id of an animal that exists: refused, they must not change it either. */
export function refusedWithId(base: () => NewPet, existing: bigint): readonly InvalidBody[] {
  const defects = [
    lacks('categoryId'),
    isWrong('categoryId', { json: 'null' }),
    isWrong('status', { json: '"unavailable"' }),
  ];
  return defects.map((defect) => {
    const own = base();
    return withDefect(own, defect, besideId(own, existing));
  });
}

/** The body of `base` with a wrong value, given as JSON text, for one member. */
export function wrong(base: NewPet, member: keyof NewPet, json: string, label = described(json)): InvalidBody {
  return withDefect(base, isWrong(member, { json, label }));
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
  return withDefect(base, isBody({ json, label }));
}

/** The body of `base` as the only entry of an array. */
export function inArray(base: NewPet): InvalidBody {
  return nonObject(base, `[${textOf(base)}]`, 'an array that holds a valid body');
}

/** Every kind of JSON that is not an object, with a valid body inside where that is possible. */
export const everyNonObject = (base: NewPet): readonly InvalidBody[] => allOf(base, NON_OBJECTS);

/** No body at all, in both forms in which a client sends none. */
export const emptyBodies = (base: NewPet): readonly InvalidBody[] => allOf(base, NO_BODY);

/** The body of `base` without its closing brace. */
export const unfinished = (base: NewPet): InvalidBody => withDefect(base, UNFINISHED);

/** Texts that are nearly the body of `base`, each with one syntax error, and texts in other formats. */
export const everyMalformed = (base: NewPet): readonly InvalidBody[] => allOf(base, MALFORMED);

/**
 * The body of `base`, cut anywhere or with a stray mark inserted anywhere, so that it is no longer JSON. Each has a name
 * of its own that follows from what is done to it, so that it is the same in a replay.
 */
export function anyMalformed(base: NewPet): fc.Arbitrary<InvalidBody> {
  return anyMalformation().map(({ at, defect }) => {
    const own = mix(defect.label, at).toString(36).padStart(7, '0');
    return withDefect({ ...base, name: `${base.name} ${own}` }, defect);
  });
}

/** The body of `base` with two defects at once. */
export const everyTwoDefects = (base: NewPet): readonly InvalidBody[] => allOf(base, TWO_DEFECTS);

/** The media types of some formats other than JSON. */
const TYPES_OF_FORMATS: Readonly<Record<string, string>> = {
  'a form instead of JSON': 'application/x-www-form-urlencoded',
  'parts of a form': 'multipart/form-data; boundary=x',
  'XML instead of JSON': 'application/xml',
  'YAML instead of JSON': 'application/yaml',
};

/** Bodies in other formats than JSON, each under its own media type, as a framework might accept them unasked. */
export function otherFormats(newBase: () => NewPet): readonly InvalidBody[] {
  return Object.values(MALFORMED)
    .flatMap(({ examples }) => examples)
    .flatMap((defect) => {
      const contentType = TYPES_OF_FORMATS[defect.label];
      return contentType === undefined
        ? []
        : withDefect(newBase(), defect, { contentType, label: `, as ${contentType}` });
    });
}

/** Requests without a body under each of the media types, as though there were one. */
export function withoutABody(newBase: () => NewPet, types: readonly (string | undefined)[]): readonly InvalidBody[] {
  return types.map((contentType) => withDefect(newBase(), NOTHING_SENT, { contentType, label: `, as ${contentType}` }));
}
