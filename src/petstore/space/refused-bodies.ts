import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../contract/exact-integer.ts';
import {
  anyIn,
  type Level,
  type LevelTable,
  type RequestSpace,
  type SpacePart,
  withExamples,
} from '../../engine/request-space.ts';
import type { RequestForm } from '../calls.ts';
import type { PetStatus } from '../contract-facts.ts';
import { type InvalidBody, isInAnotherFormat, JSON_TYPE, type NewPet } from '../inputs/body.ts';
import { BEYOND_A_DOUBLE } from '../inputs/int64.ts';
import { DEFECTIVE_KINDS, type Defect, type Defects, MALFORMED_KINDS, withDefect } from '../inputs/invalid-bodies.ts';
import { ownCategory } from '../inputs/new-pets.ts';
import { NOT_JSON_TYPES } from '../inputs/open-tables.ts';
import { MANY_MEMBERS, nested } from '../inputs/sizes.ts';
import type { Members } from '../inputs/template.ts';
import { type Spacing, type Writing, writtenMembers } from '../inputs/valid-forms.ts';
import { HEADERS, inChunks } from './request-forms.ts';

/** What a refused body is made of. */
export interface Refused {
  readonly defect: Defect;
  readonly others: OtherMembers;
  readonly contentType: string | undefined;
  readonly form: RequestForm;
}

/** What the other members of a body with a defect are, and how they are written. */
interface OtherMembers extends Partial<Pick<Writing, 'order' | 'spacing' | 'escapes'>> {
  /** After the defect's label; empty for the usual ones. */
  readonly label: string;
  readonly status?: PetStatus;
  /**
   * The category of a pet with an unusual name and no status: what is wrong beside one may be overlooked where none is
   * given, or the other way round.
   */
  readonly unusualCategory?: bigint;
  /** Members that a NewPet does not have: the first stands before those that it has, the others behind them. */
  readonly unknown?: Members;
}

/** Of a kind that does not send all of its examples, the first is sent by itself, and so is any other one; then the rest. */
const levels = (kinds: Readonly<Record<string, Defects>>): LevelTable<Defect> =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, { examples, others, sendsAll = false }]): [string, Level<Defect>] => {
      if (sendsAll) return [kind, { examples }];
      const rest = fc.constantFrom(...examples.slice(1));
      const any = others === undefined ? rest : fc.oneof(rest, others);
      return [kind, { examples: examples.slice(0, 1), kinds: [any], more: examples.slice(1), others: any }];
    }),
  );

const defects = levels({ ...MALFORMED_KINDS, ...DEFECTIVE_KINDS });

const spacedBy = (space: string): Spacing => ({ beforeName: space, aroundColon: space, afterValue: space });

const beside = (what: string, ...unknown: Members): OtherMembers => ({ label: `, beside ${what}`, unknown });

const UNKNOWN_MEMBERS = 'beside unknown members';
const IN_CHUNKS = 'in chunks';

const WITHOUT_A_STATUS: readonly OtherMembers[] = [
  { label: ', with unusual values, the categoryId 0 and no status', unusualCategory: 0n },
  { label: ', with unusual values, the largest categoryId and no status', unusualCategory: INT64_MAX },
  { label: ', with unusual values, the smallest categoryId and no status', unusualCategory: INT64_MIN },
  { label: ', with unusual values and no status', unusualCategory: BEYOND_A_DOUBLE },
];

const otherMembers: LevelTable<OtherMembers> = {
  'usual values': {
    examples: [
      { label: '' },
      { label: ', in reverse order', order: ['status', 'categoryId', 'name'] },
      { label: ', sold', status: 'sold' },
      { label: ', pending', status: 'pending' },
      { label: ', the categoryId first', order: ['categoryId', 'status', 'name'] },
      { label: ', member names in escapes', escapes: { memberNames: 'small letters' } },
      { label: ', with white space', spacing: spacedBy(' \r\n\t') },
      { label: ', spread over lines', spacing: spacedBy('\n') },
      { label: ', in 30,000 blanks', spacing: spacedBy(' '.repeat(2_500)) },
    ],
  },
  'unusual values': { examples: WITHOUT_A_STATUS },
  // Nothing that a service may refuse for its size or depth: what is beside a defect must not hide it.
  [UNKNOWN_MEMBERS]: {
    examples: [
      beside('unknown members', ['"color"', '"brown"'], ['"tags"', '["a","b"]']),
      beside('an animal in a member', ['"owner"', '{"name":"Ann","categoryId":7,"status":"sold"}'], ['"age"', '3']),
      beside('an unknown member 50 deep', ['"deep"', nested(50)]),
      beside('a name of another kind', ['"nickname"', '"Rex"'], ['"category"', '1']),
      beside('100 unknown members', ...MANY_MEMBERS.slice(0, 100)),
      beside('a member that JavaScript has built in', ['"__proto__"', '{"name":"Rex","categoryId":1,"status":"sold"}']),
      beside('an empty member name', ['""', 'null'], ['"constructor"', '{"prototype":{"status":"sold"}}']),
      beside('a long string', ['"note"', JSON.stringify('x'.repeat(20_000))]),
      beside('members of other interfaces', ['"id"', '7'], ['"_id"', '"7"'], ['"tags"', '[{"id":1,"name":"a"}]'], ['"photoUrls"', '["x"]']),
      beside('numbers beyond int64', ['"price"', '12345678901234567890'], ['"size"', '1e300'], ['"age"', '-1.5E-7']),
      beside('values of every kind in a member', ['"all"', '[null,true,1.5e-7,"\\u00e9",{"":[]},[[]],{"name":null,"categoryId":"x","status":"none"}]']),
      beside('a long member name', [`"${'n'.repeat(2_000)}"`, 'null'], ['"Name"', 'null']),
    ],
  },
}; // biome-ignore format: one table

/** A pet as the other members say. */
function changed({ status, unusualCategory }: OtherMembers, pet: NewPet): NewPet {
  if (unusualCategory !== undefined) return { name: `"${pet.name}" \\ naïve 🐾 }]`, categoryId: unusualCategory };
  return status === undefined ? pet : { ...pet, status };
}

interface Sending {
  readonly contentType: string;
  readonly isChunked: boolean;
}

const sending: LevelTable<Sending> = {
  'as usual': { examples: [{ contentType: JSON_TYPE, isChunked: false }] },
  'a charset parameter': {
    examples: [`${JSON_TYPE}; charset=utf-8`, `${JSON_TYPE};charset="UTF-8"`, `${JSON_TYPE} ; Charset=utf-8`].map(
      (contentType) => ({ contentType, isChunked: false }),
    ),
  },
  [IN_CHUNKS]: { examples: [{ contentType: JSON_TYPE, isChunked: true }] },
};

/** The first of a table, or anything of it: a defect is sent once by itself, and once beside something else. */
const usualOrAny = <T>(table: LevelTable<T>, any = anyIn(table)): LevelTable<T> => ({
  'as usual': { examples: Object.values(table).flatMap(({ examples }) => examples).slice(0, 1) },
  otherwise: { examples: [], others: any },
}); // biome-ignore format: one line

/** Where no status is sent, a defect is overlooked more often than beside anything else. */
const OTHER_MEMBERS = usualOrAny(otherMembers, fc.oneof(fc.constantFrom(...WITHOUT_A_STATUS), anyIn(otherMembers)));
const SENDING = usualOrAny(sending);

/** Bodies with a defect, or two, under the media type of JSON. */
function refused(name: string, kinds: Readonly<Record<string, Defects>>): RequestSpace<Refused> {
  const table = levels(kinds);
  return {
    name,
    factors: { defect: table, 'other members': OTHER_MEMBERS, sending: SENDING, headers: HEADERS },
    strength: { smoke: 2, standard: 2, thorough: 3 },
    sample: (row) =>
      fc
        .record({
          defect: row.draw('defect', table),
          others: row.draw('other members', OTHER_MEMBERS),
          sent: row.draw('sending', SENDING),
          form: row.draw('headers', HEADERS),
        })
        .map(({ sent: { contentType, isChunked }, form, ...body }) => ({
          ...body,
          contentType,
          form: isChunked ? inChunks(form) : form,
        })),
  };
}

/** Every body that is missing, or not JSON. */
export const MALFORMED_BODIES = refused('malformed bodies of createPet', MALFORMED_KINDS);

/** Every body that is JSON and no NewPet. */
export const DEFECTIVE_BODIES = refused('refused bodies of createPet', DEFECTIVE_KINDS);

/** The kinds of defects that are sent under each media type that is not JSON. */
const SOME_DEFECTS = [
  'no body', 'categoryId missing', 'another format', 'categoryId is an integer in quotes', 'status is another word',
]; // biome-ignore format: one list

const under = (types: readonly (string | undefined)[]): Level<Pick<Refused, 'contentType'>> => ({
  examples: types.map((contentType) => ({ contentType })),
});
const given = NOT_JSON_TYPES.filter((type) => type !== undefined);

const otherTypes: LevelTable<Pick<Refused, 'contentType'>> = {
  none: under([undefined]),
  'a type of text': under(given.filter((type) => type.startsWith('text/'))),
  'another type': under(given.filter((type) => !type.startsWith('text/'))),
};

const OTHER_TYPES = withExamples(otherTypes, 0);
const SOME_OF_THEM: LevelTable<Defect> = Object.fromEntries(
  Object.entries(defects).flatMap(([kind, { examples, others }]) =>
    SOME_DEFECTS.includes(kind) ? [[kind, { examples, ...(others && { others }) }]] : [],
  ),
);

/** Bodies with a defect under a media type that is missing or not JSON: refused all the same, with 400 or 415. */
export const REFUSED_MEDIA: RequestSpace<Refused> = {
  name: 'refused bodies under other media types',
  factors: { defect: SOME_OF_THEM, 'media type': OTHER_TYPES, headers: HEADERS },
  strength: { smoke: 1, standard: 2, thorough: 2 },
  sample: (row) =>
    fc
      .record({
        defect: row.draw('defect', SOME_OF_THEM),
        type: row.draw('media type', OTHER_TYPES),
        form: row.draw('headers', HEADERS),
      })
      .map(({ defect, type, form }) => ({ ...type, defect, others: { label: '' }, form })),
};

/** The requests of the spaces of refused bodies whose defect is this requirement's. */
export const defectsOf = (requirement: string): readonly SpacePart[] =>
  [MALFORMED_BODIES, DEFECTIVE_BODIES, REFUSED_MEDIA].map((space) => ({
    space,
    where: {
      defect: Object.keys(space.factors['defect'] ?? {}).filter(
        (kind) => defects[kind]?.examples[0]?.requirement === requirement,
      ),
    },
  }));

/**
 * The body of a row, made of a pet that no other request adds. Where it does not hold the pet's name, and any category
 * will do, it has a category of its own, by which an animal that is made of it is recognised.
 */
export function refusedBody(
  { defect, others, contentType: given }: Refused,
  base: NewPet,
  known: readonly bigint[],
): InvalidBody {
  const { label, unknown = [], ...writing } = others;
  // Under its own media type, another format need not be refused.
  const isOwn = isInAnotherFormat(withDefect(base, defect).bytes, given);
  const contentType = isOwn ? 'text/plain' : given;
  const inMedia = contentType === JSON_TYPE ? '' : `, sent as ${contentType ?? 'no media type'}`;
  const bodyOf = (pet: NewPet): InvalidBody =>
    withDefect(pet, defect, {
      members: [...unknown.slice(0, 1), ...writtenMembers(pet, writing), ...unknown.slice(1)],
      label: `${label}${inMedia}`,
      contentType,
    });
  const pet = changed(others, base);
  const body = bodyOf(known.length === 0 ? pet : { ...pet, categoryId: base.categoryId });
  if (body.traces.name !== undefined || known.length > 0) return body;
  return bodyOf({ ...pet, categoryId: ownCategory(pet.name) });
}
