import fc from 'fast-check';
import { type BrokenBody, bytesOf, JSON_TYPE } from './body.ts';
import { BEYOND_INT64, beyondInt64 } from './int64.ts';
import { type Members, membersOf, type NewPet, objectText, PET_STATUSES } from './new-pet.ts';

/** A JSON value as text, with a name for it. */
interface Written {
  readonly label: string;
  readonly text: string;
}

const written = (label: string, text: string): Written => ({ label, text });
const literal = (text: string): Written => written(text, text);

const NULL = literal('null');
const BOOLEANS = [literal('true'), literal('false')];
const NUMBERS = ['0', '1', '-1', '7', '1.5', '9007199254740993', '12345678901234567890'].map(literal);
// Each stays a fraction in a double too: a reader that takes 1.0 for 1 cannot take one of these for an integer.
const FRACTIONS = ['1.5', '0.1', '-0.5', '1e-3', '1.0000000000000002', '4503599627370495.5', '-999999.999'].map(
  literal,
);
const HUGE = ['1e19', '-1e19', '1e30', '1e400', '-1e400', '9223372036854775808.0'].map(literal);
const STRINGS = ['""', '"1"', '"0"', '"-1"', '"abc"', '"1e2"', '" 1"', '"9223372036854775807"'].map((text) =>
  written(`the string ${text}`, text),
);
const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}${close.repeat(depth)}`;
const ARRAYS = [
  written('an empty array', '[]'),
  written('an array that holds a string', '["Rex"]'),
  written('an array that holds a number', '[1]'),
  written('an array 64 deep', nested(64, '[', ']')),
  written('an array 500 deep', nested(500, '[', ']')),
];
const OBJECTS = [
  written('an empty object', '{}'),
  written('an object', '{"value":1}'),
  written('an object 100 deep', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`),
];

/** Status values that are close to an allowed one, or plausible, and not allowed. */
const STATUS_STRINGS = [
  '',
  'AVAILABLE',
  'Available',
  'aVAILABLE',
  'Pending',
  'PENDING',
  'SOLD',
  'Sold',
  ' available',
  'available ',
  'sold\n',
  'sold\u0000',
  'availabl',
  'availablee',
  'avail',
  'available,pending',
  'pending|sold',
  'unavailable',
  'unknown',
  'deleted',
  'none',
  'null',
  '0',
  'ѕоld',
  'so\u200bld',
].map((status) => written(`the string ${JSON.stringify(status)}`, JSON.stringify(status)));

const NOT_A_STRING = [NULL, ...BOOLEANS, ...NUMBERS, ...ARRAYS, ...OBJECTS];
const NOT_AN_INT64 = [
  NULL,
  ...BOOLEANS,
  ...STRINGS,
  ...ARRAYS,
  ...OBJECTS,
  ...FRACTIONS,
  ...HUGE,
  ...BEYOND_INT64.map((value) => literal(value.toString())),
];
const NOT_A_STATUS = [
  NULL,
  ...BOOLEANS,
  ...NUMBERS,
  ...ARRAYS,
  ...OBJECTS,
  written('an array that holds a status', '["sold"]'),
  ...STATUS_STRINGS,
];

function brokenBody(text: string, defect: string, name?: string): BrokenBody {
  const traces = name === undefined ? {} : { name };
  return {
    kind: 'broken',
    label: defect,
    bytes: bytesOf(text),
    contentType: JSON_TYPE,
    defect,
    fails: 'schema',
    traces,
  };
}

function withMember(base: NewPet, member: keyof NewPet, value: Written): BrokenBody {
  const members: Members = { ...membersOf(base), [member]: value.text };
  return brokenBody(objectText(members), `${member} is ${value.label}`, member === 'name' ? undefined : base.name);
}

function without(base: NewPet, ...missing: readonly string[]): BrokenBody {
  const members = Object.fromEntries(Object.entries(membersOf(base)).filter(([name]) => !missing.includes(name)));
  const name = missing.includes('name') ? undefined : base.name;
  return brokenBody(objectText(members), `${missing.join(' and ')} missing`, name);
}

function renamed(base: NewPet, from: 'name' | 'categoryId', to: string): BrokenBody {
  const members = Object.entries(membersOf(base)).map(([name, value]) => [name === from ? to : name, value] as const);
  const name = from === 'name' ? undefined : base.name;
  return brokenBody(objectText(Object.fromEntries(members)), `${from} missing, ${to} in its place`, name);
}

function wrapped(base: NewPet, member: string): BrokenBody {
  const text = objectText({ [member]: objectText(membersOf(base)) });
  return brokenBody(text, `name and categoryId missing, an object with both at ${member}`, base.name);
}

/** Bodies that lack a required member: left out, under another name, or a level too deep. */
export function lackingMembers(base: NewPet): readonly BrokenBody[] {
  return [
    without(base, 'name'),
    without(base, 'categoryId'),
    brokenBody('{}', 'an empty object'),
    without(base, 'name', 'categoryId'),
    renamed(base, 'name', 'Name'),
    renamed(base, 'name', 'title'),
    renamed(base, 'categoryId', 'categoryid'),
    renamed(base, 'categoryId', 'category_id'),
    renamed(base, 'categoryId', 'category'),
    ...['pet', 'Pet', 'newPet', 'data', 'body'].map((member) => wrapped(base, member)),
  ];
}

/** Bodies without a name that is one, whose category tells an animal that was made of them all the same. */
export function namelessInCategories(first: bigint): readonly BrokenBody[] {
  const common = { status: '"sold"' };
  return [
    { defect: 'name missing', members: {} },
    { defect: 'name is 12345', members: { name: '12345' } },
    { defect: 'name is null', members: { name: 'null' } },
  ].map(({ defect, members }, at) => {
    const categoryId = first + BigInt(at);
    const text = objectText({ ...members, categoryId: categoryId.toString(), ...common });
    return { ...brokenBody(text, defect), traces: { categoryId } };
  });
}

/** The cases that are always tried, of a member that is wrong. */
export function wrongMembers(base: NewPet, member: keyof NewPet): readonly BrokenBody[] {
  const values = member === 'name' ? NOT_A_STRING : member === 'categoryId' ? NOT_AN_INT64 : NOT_A_STATUS;
  return values.map((value) => withMember(base, member, value));
}

function jsonThatIsNot(kind: 'string' | 'integer'): fc.Arbitrary<Written> {
  const scalars = [
    fc.constant(null),
    fc.boolean(),
    ...(kind === 'string' ? [fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })] : [fc.string()]),
  ];
  return fc
    .oneof(
      ...scalars,
      fc.array(fc.integer(), { maxLength: 3 }),
      fc.dictionary(fc.string({ maxLength: 5 }), fc.integer(), { maxKeys: 3 }),
    )
    .map((value) => literal(JSON.stringify(value)));
}

function fractions(): fc.Arbitrary<Written> {
  return fc
    .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 1, max: 999 }))
    .filter(([, fraction]) => fraction % 10 !== 0)
    .map(([whole, fraction]) => literal(`${whole}.${fraction}`));
}

function notAStatus(): fc.Arbitrary<Written> {
  const otherCase = fc
    .tuple(fc.constantFrom(...PET_STATUSES), fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }))
    .map(([status, upper]) =>
      [...status].map((letter, at) => (upper[at] === true ? letter.toUpperCase() : letter)).join(''),
    )
    .filter((status) => status !== status.toLowerCase());
  const words = fc.string({ maxLength: 12 }).filter((word) => !PET_STATUSES.some((status) => status === word));
  return fc.oneof(
    fc.oneof(otherCase, words).map((status) => written(`the string ${JSON.stringify(status)}`, JSON.stringify(status))),
    jsonThatIsNot('string'),
  );
}

/** Any body in which this one member is wrong, and nothing else is. */
export function anyWrongMember(base: NewPet, member: keyof NewPet): fc.Arbitrary<BrokenBody> {
  const values =
    member === 'name'
      ? jsonThatIsNot('string')
      : member === 'status'
        ? notAStatus()
        : fc.oneof(
            jsonThatIsNot('integer'),
            fractions(),
            beyondInt64().map((value) => literal(value.toString())),
          );
  return values.map((value) => withMember(base, member, value));
}

/** JSON that is not an object. */
export function notAnObject(base: NewPet): readonly BrokenBody[] {
  const sound = objectText(membersOf(base));
  return [
    NULL,
    ...BOOLEANS,
    literal('0'),
    literal('1'),
    literal('-1.5'),
    written('an empty string', '""'),
    written('a string', '"Rex"'),
    written('a valid body inside a string', JSON.stringify(sound)),
    written('an empty array', '[]'),
    written('an array that holds a valid body', `[${sound}]`),
    written('an array that holds two valid bodies', `[${sound},${sound}]`),
    written('an array of the values', `[${JSON.stringify(base.name)},${base.categoryId}]`),
  ].map((value) =>
    brokenBody(value.text, `the body is ${value.label}`, value.text.includes(base.name) ? base.name : undefined),
  );
}

/** No body at all, in the forms in which a client sends none. */
export function missingBodies(): readonly BrokenBody[] {
  const common = { kind: 'broken', fails: 'syntax', traces: {} } as const;
  return [
    { ...common, label: 'no body', defect: 'no body', bytes: undefined, contentType: JSON_TYPE },
    { ...common, label: 'a body of no bytes', defect: 'no body', bytes: new Uint8Array(0), contentType: JSON_TYPE },
  ];
}
