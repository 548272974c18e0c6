/** Bodies that lack a required member (CREATE-2): left out, under another name, or one level too deep. */
import { type Row, type Rows, without } from './defects.ts';
import { DEEP_OBJECT, MANY_MEMBERS, MEBIBYTE, nested, VERY_DEEP, VERY_LONG } from './sizes.ts';
import { objectOf } from './template.ts';

export type RequiredMember = 'name' | 'categoryId';

const quoted = JSON.stringify;
const shortList = (names: readonly string[]): string => `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

/** Left out. */
export const lacks = (...members: readonly RequiredMember[]): Row => [
  `${members.join(' and ')} missing`,
  '{%members%}',
  without(...members),
];

/** Under another name. */
const renames = (member: RequiredMember, to: string): Row => [
  `${member} missing, ${/^[\x21-\x7e]+$/.test(to) ? to : quoted(to)} in its place`,
  `{%members with ${member} as ${quoted(to)}%}`,
  without(to),
];

/** Under all of these names at once. */
const renamesToEach = (member: RequiredMember, names: readonly string[]): Row => [
  `${member} missing, ${shortList(names)} in its place`,
  `{%members%,${names.map((name) => `${quoted(name)}:%${member}%`).join(',')}}`,
  without(member, ...names),
  names.map((name) => renames(member, name)),
];

/** In a member that JavaScript has built in, where a careless reader finds it. */
const hides = (member: RequiredMember, at: string): Row => [
  `${member} missing, in an object at ${at} instead`,
  `{%members%,${quoted(at)}:{"${member}":%${member}%}}`,
  without(member, at),
];

/** As one member of an object under another name. */
const nests = (member: RequiredMember, inner: string, at: string): Row => [
  `${member} missing, an object at ${at} with it as ${inner}`,
  `{%members%,${quoted(at)}:{${quoted(inner)}:%${member}%}}`,
  without(member, at),
];

/** The same with all of these inner names, under all of these names, at once. */
function nestsInEach(member: RequiredMember, inner: readonly string[], names: readonly string[]): Row {
  const object = `{${inner.map((one) => `${quoted(one)}:%${member}%`).join(',')}}`;
  return [
    `${member} missing, objects with it at ${shortList(names)}`,
    `{%members%,${names.map((name) => `${quoted(name)}:${object}`).join(',')}}`,
    without(member, ...names),
    names.flatMap((name) => inner.map((one) => nests(member, one, name))),
  ];
}

/** The whole body one level too deep: as the only member of an object. */
const wraps = (member: string): Row => [
  `name and categoryId missing, an object with both at ${/^\w+$/.test(member) ? member : quoted(member)}`,
  `{${quoted(member)}:{%members%}}`,
];

/** The same in each of these members. */
const wrapsInEach = (members: readonly string[]): Row => [
  `name and categoryId missing, objects with both at ${shortList(members)}`,
  `{${members.map((member) => `${quoted(member)}:{%members%}`).join(',')}}`,
  undefined,
  members.map(wraps),
];

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

export const LACKING: Readonly<Record<string, Rows>> = {
  'name missing': { rows: [lacks('name'), hides('name', '__proto__'), hides('name', 'constructor'), hides('name', 'hasOwnProperty'), hides('name', 'attributes')] },
  'categoryId missing': {
    rows: [lacks('categoryId'), hides('categoryId', '__proto__'), hides('categoryId', 'prototype'), hides('categoryId', 'toString'), hides('categoryId', 'category')],
  },
  'name and categoryId missing': {
    rows: [
      lacks('name', 'categoryId'),
      ['an empty object', '{}'],
      ['an object with one unknown member', '{"x":1}'],
      ['an object of blanks and line ends', '{ \r\n\t }'],
      ['an object whose only member is the status', '{"status":"available"}'],
    ],
  },
  'both missing, of an unusual size or depth': {
    sendsAll: true,
    rows: [
      ['an object 10,000 deep', DEEP_OBJECT],
      ['name and categoryId missing, an object with both 10,000 deep', nested(VERY_DEEP, '{"a":', '}', '{%members%}')],
      ['an object of 1,000 unknown members', objectOf(MANY_MEMBERS)],
      ['an empty object with 100,000 blanks in it', `{${' '.repeat(VERY_LONG)}}`],
      ['an object of 1 MiB with one unknown member and blanks', `${'{"x":1'.padEnd(MEBIBYTE - 1)}}`],
    ],
  },
  'name under another name': {
    rows: [
      renamesToEach('name', NAMES_OF_THE_NAME),
      ...['Name', 'title', 'NAME', 'names', ' name', 'name ', 'nаme', 'name\u0000', 'petName', 'ｎａｍｅ', 'nam', 'n', 'name[]', 'pet.name'].map((to) => renames('name', to)),
    ],
  },
  'categoryId under another name': {
    rows: [
      renamesToEach('categoryId', NAMES_OF_THE_CATEGORY),
      nestsInEach('categoryId', ['id', 'categoryId', 'value'], NAMES_OF_THE_CATEGORY.slice(0, 16)),
      ...['categoryid', 'category_id', 'category', 'CategoryId', 'categoryID', 'category-id', 'CATEGORYID', 'categoryId ', 'catId', 'category.id', 'categoryId\u0000', 'categoryId[]']
        .map((to) => renames('categoryId', to)),
    ],
  },
  'one level too deep': {
    rows: [
      wrapsInEach(ENVELOPES),
      ['name and categoryId missing, an object with both at data.attributes', '{"data":{"type":"pets","attributes":{%members%}}}'],
      ...['__proto__', 'pet', 'constructor', 'Pet', 'data', 'prototype', '', 'newPet', 'body'].map(wraps),
    ],
  },
}; // biome-ignore format: one table
