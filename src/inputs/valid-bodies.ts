/**
 * Bodies that must be accepted with 201. Most revealing first. Half of the animals are available, so that few more are
 * needed for more than 100 animals of one status.
 */
import { NAMES } from './names.ts';

const STATUSES = ['available', 'sold', 'available', 'pending'];

const statusOf = (row: number): string => STATUSES[row % STATUSES.length] ?? '';

export const VALID = {
  /** Plain names, with one value each that services may lose. */
  // biome-ignore format: one table
  animals: [
    '{"name":"$NAME","categoryId":7,"status":"available"}',
    '{"name":"$NAME","categoryId":7,"status":"pending"}',
    '{"name":"$NAME","categoryId":7,"status":"sold"}',
    '{"name":"$NAME","categoryId":0,"status":"pending"}',
    '{"name":"$NAME","categoryId":9223372036854775807,"status":"available"}',
    '{"name":"$NAME","categoryId":-9223372036854775808,"status":"available"}',
    // All of it fits into ISO-8859-1, so that a response may come in that.
    '{"name":"$NAME Zoë Müller","categoryId":-1000,"status":"available"}',
    // Two with the same name, but different categories and statuses.
    '{"name":"conformance namesake","categoryId":$NUMBER,"status":"pending"}',
  ],

  /** Odd names, each in a category that may be odd as well. */
  oddAnimals: NAMES.odd.map(
    (name, at) =>
      `{"name":"${name}","categoryId":${NAMES.categories[at % NAMES.categories.length]},"status":"${statusOf(at)}"}`,
  ),

  /** Names that are odd as a whole. */
  bareAnimals: NAMES.bare.map((name, at) => `{"name":"${name}","categoryId":$NUMBER,"status":"${statusOf(at)}"}`),

  /** Bodies without a status, which services often process separately. */
  // biome-ignore format: one table
  withoutStatus: [
    '{"name":"$NAME","categoryId":7}',
    '{"name":"$NAME","categoryId":0}',
    '{"categoryId":9007199254740993,"name":"$NAME"}',
    '{"name":" $NAME Émile 🐾 ","categoryId":-9223372036854775808}',
    '{"name":"$NAME","categoryId":9223372036854775807}',
    '{ "name" : "$NAME" , "categoryId" : 1 }\n',
  ],

  /** The forms in which JSON can be written: order, escapes, white space. */
  // biome-ignore format: one table
  jsonForms: [
    '{"categoryId":7,"name":"$NAME","status":"sold"}',
    '{"name":"$NAME","status":"sold","categoryId":7}',
    '{"\\u006eame":"$NAME","c\\u0061tegoryId":7,"\\u0073\\u0074\\u0061\\u0074\\u0075\\u0073":"pending"}',
    '{"name":"$NAME 1\\/2","categoryId":7,"status":"sold"}',
    '{"name":"$NAME \\ud83d\\udc3e \\u00e9","categoryId":7,"status":"available"}',
    '{"name":"$NAME \\uD83D\\uDC3E \\u65E5\\u00E9","categoryId":7,"status":"available"}',
    ' \r\n\t{\r\n\t"name" \n:\t "$NAME" ,\r"categoryId" : 7\n,\t"status":\n"pending"\r\n}\t\r\n ',
    '$TIMES:20000< >{"name":"$NAME","categoryId":7,"status":"pending"}$TIMES:20000< >',
    '{"categoryId":7,"status":"sold","name":"$NAME"}',
  ],

  /** Spellings of the media type of JSON that must be accepted, each with a body. */
  // biome-ignore format: one table
  mediaTypes: [
    ['application/json; charset=utf-8', '{"name":"$NAME é 🐾","categoryId":7,"status":"sold"}'],
    ['application/json;charset=UTF-8', '{"name":"$NAME é 🐾","categoryId":7,"status":"pending"}'],
    ['application/json; charset="utf-8"', '{"name":"$NAME é 🐾","categoryId":7,"status":"available"}'],
    ['application/json;charset="UTF-8"', '{"name":"$NAME é 🐾","categoryId":7}'],
  ],
} as const;
