/** Bodies of which the specification does not say whether they are accepted: templates, by what is said of them. */
import type { NewPet, OneOf } from './body.ts';
import { LONG_EXPONENT, MANY_DIGITS, MANY_MEMBERS, MEBIBYTE, nested, VERY_DEEP } from './sizes.ts';
import { inside, objectOf } from './template.ts';

type Templates = Readonly<Record<string, string>>;

/** Members with one value. */
const each = (json: string, names: string): string =>
  names
    .split(' ')
    .map((name) => `"${name}":${json}`)
    .join(',');

const BEN = '{"name":"Ben","id":8,"categoryId":8,"status":"available"}';

/** Members that a NewPet does not have (RES-11). `%id%` stands for the id of an animal that exists. */
export const UNKNOWN_MEMBERS: Templates = {
  // None of these differs from a member of NewPet in its letter case alone: the list below has such.
  'unknown members of every type, and those that other services know': [
    '{"name":%name%,"categoryId":%categoryId%',
    '"color":"brown","tags":["a","b"],"owner":{"name":"Ann","id":7,"categoryId":7,"status":"pending"},"price":12.5,"vaccinated":true,"note":null',
    '"category":7,"deleted":true,"photoUrls":["a","b","c"],"active":false',
    each('"none"', 'uuid key parent type kind state title displayName nickname owner_id category_name op token api_key'),
    each('true', 'archived hidden draft isDeleted is_deleted removed expired upsert dryRun validateOnly private disabled sold pending'),
    each('false', 'visible enabled published available'),
    each('1', 'version count quantity ttl category_id order limit'),
    each('"2020-01-01T00:00:00Z"', 'deletedAt deleted_at expiresAt createdAt created_at updatedAt'),
    each('{"name":"Ben","categoryId":8,"status":"available"}', 'pet data attributes item animal newPet body'),
    each('[{"id":7,"name":"other"}]', 'names ids categories'),
    '"hasOwnProperty":1,"toString":null,"valueOf":"x","length":-1,"toJSON":{},"then":true,"balance":-0.0',
    '"status":%status%,"_id":%id%,"petId":%id%,"pet_id":%id%}',
  ].join(','),
  'unknown members in other letter case':
    `{"first":${BEN},"Status":"sold","NAME":"Other","CategoryId":7,"category_id":"x",%members%,"STATUS":"available","Name":"Else","CATEGORYID":8,"last":${BEN}}`,
  // What a service may refuse stands with nothing that it would have to refuse for another reason: it would hide it.
  'unknown members that change objects of JavaScript':
    '{%members%,"__proto__":{"status":"sold","id":7,"name":"Rex"},"constructor":{"prototype":{"status":"sold"}},"prototype":{}}',
  'unknown members with unusual or empty names':
    '{%members%,"":1," ":null,"\\ud83d\\udc3e é \\" \\\\ \\n":" \\b\\f\\u001f ","$where":"1","a.b[0]":{}}',
  'unknown members with what databases hold no text of':
    '{%members%,"a\\u0000b":1,"\\u0000":1,"name\\u0000":"Rex","note":"\\u0000 \\ud800"}',
}; // biome-ignore format: one table

/** The same, of unusual sizes and depths, before the others. */
export const LARGE_UNKNOWN_MEMBERS: Templates = {
  'an unknown member nested 500 deep': `{"extra":${nested(500, '{"a":', '}', '0')},%members%}`,
  'an unknown member nested 10,000 deep': `{"extra":${nested(VERY_DEEP / 2, '[{"a":', '}]', '0')},%members%}`,
  'unknown members with numbers of many digits, written out or not': `{"extra":${MANY_DIGITS},"other":-${LONG_EXPONENT},"third":1e-99999,%members%}`,
  'an unknown member with a number beyond a double': '{"extra":1e400,%members%}',
  'a thousand unknown members, a thousand in one of them, and a name of 20,000 characters':
    `{${inside(MANY_MEMBERS)},"extra":[${'1,'.repeat(999)}1],"other":${objectOf(MANY_MEMBERS)},"${'n'.repeat(20_000)}":true,%members%}`,
  'an unknown member that makes the body 1 MiB long': '{"extra":"%letters x up to 1 MiB%",%members%}',
}; // biome-ignore format: one table

/** A member twice (CREATE-14); what an animal made of the body must hold all the same, and which values may count. */
export const DUPLICATE_MEMBERS: readonly (readonly [
  label: string,
  template: string,
  certain: readonly (keyof NewPet)[],
  oneOf?: OneOf,
])[] = [
  ['the name twice', '{%members%,"name":"Other"}', ['categoryId'], { field: 'name', values: ['%text%', 'Other'] }],
  ['the categoryId twice', '{"categoryId":2,%members%}', ['name'], { field: 'categoryId', values: ['2', '%categoryId%'] }],
  ['the status twice', '{"status":"sold",%members%}', ['name', 'categoryId'], { field: 'status', values: ['sold', 'available'] }],
  ['the name twice with the same value', '{%members%,"name":%name%}', ['name', 'categoryId', 'status']],
  ['the name twice, once null', '{"name":null,%members%}', ['name', 'categoryId', 'status']],
  ['the status twice, once unknown', '{"status":"none",%members%}', ['name', 'categoryId', 'status']],
  ['an unknown member twice', '{"x":1,%members%,"x":2}', ['name', 'categoryId', 'status']],
  ['the name twice, once in escapes', '{%members%,"\\u006eame":"Other"}', ['categoryId'], { field: 'name', values: ['%text%', 'Other'] }],
]; // biome-ignore format: one table

/** In which bytes a text is sent. */
export type Encoding = 'utf-8' | 'latin1' | 'utf16le' | 'UTF-32' | 'gzip';

type Encoded = readonly (readonly [label: string, encoding: Encoding, template: string])[];

const REST = '","categoryId":%categoryId%,"status":%status%}';

/** Bytes that are not plain UTF-8 (CREATE-17). */
export const OTHER_ENCODINGS: Encoded = [
  ['a byte order mark before the body', 'utf-8', '\ufeff{%members%}'],
  ['a name that is not UTF-8', 'latin1', `{"name":"%letters%\xff\xfe\xc0${REST}`],
  ['a name in Latin-1', 'latin1', `{"name":"%letters% caf\xe9${REST}`],
  ['a name with an overlong NUL', 'latin1', `{"name":"%letters%\xc0\x80${REST}`],
  ['a name with a surrogate in bytes', 'latin1', `{"name":"%letters%\xed\xa0\x80${REST}`],
  ['a name that ends inside a character', 'latin1', `{"name":"%letters%\xf0\x9f\x90${REST}`],
  ['a name in bytes beyond Unicode', 'latin1', `{"name":"%letters%\xf4\x90\x80\x80${REST}`],
  ['a body in UTF-16', 'utf16le', '{%members%}'],
  ['a body in UTF-16 with a byte order mark', 'utf16le', '\ufeff{%members%}'],
]; // biome-ignore format: one table

const BYTES_IN_NO_ORDER = Array.from({ length: 256 }, (_, at) => (at * 167 + 201) % 256);

/** Bodies that are no text at all. */
export const GARBAGE: Encoded = [
  ['a body of bytes in no order', 'latin1', String.fromCharCode(...BYTES_IN_NO_ORDER)],
  ['a body compressed by gzip', 'gzip', '{%members%}'],
  ['a body in UTF-32', 'UTF-32', '{%members%}'],
  ['1 MiB of bytes beyond UTF-8', 'latin1', '\xff'.repeat(MEBIBYTE)],
];

/** An integer in another form: DIGITS stand for all of its digits, FIRST and REST for the first and the others, PLACES for how many these are. */
export const WRITTEN_INTEGERS = [
  'DIGITSe2', 'DIGITSE+1', 'DIGITSe+2', 'FIRST.RESTePLACES', 'DIGITS0e-1', 'DIGITS.0', `DIGITS${'0'.repeat(400)}e-400`,
]; // biome-ignore format: one list

/** A Content-Type that is missing, or not that of JSON, or written so that a service need not know it. */
export const NOT_JSON_TYPES: readonly (string | undefined)[] = [
  undefined, 'text/plain', 'application/json; charset=x-unknown', 'application/xml; note="pets"', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x',
  'application/vnd.petstore+json', 'APPLICATION/JSON', 'application/json, text/plain', 'application/json; charset=iso-8859-1', '*/*', 'multipart/form-data', 'text/xml',
  'application/x-www-form-urlencoded; charset=x-unknown', 'json', 'application/json ; charset=utf-8',
]; // biome-ignore format: one list
