import fc from 'fast-check';
import {
  type Level,
  type LevelTable,
  type RequestSpace,
  type SpacePart,
  type SpaceRow,
  withExamples,
} from '../../engine/request-space.ts';
import { PET_STATUSES, type PetStatus } from '../contract-facts.ts';
import { JSON_TYPE, type NewPet } from '../inputs/body.ts';
import { CATEGORIES } from '../inputs/int64.ts';
import { type NameTemplate, nameFrom } from '../inputs/name-template.ts';
import { NAMES, NAMES_OF_LENGTH, texts } from '../inputs/names.ts';
import { ESCAPES, MEDIA_TYPES, ORDERS, SPACING, type Writing } from '../inputs/valid-forms.ts';

/** How a valid body is to be made of a pet that no other request adds. */
export interface Addition {
  /** What each part of it is, in a few words; undefined for a part as it usually is. */
  readonly unusual: Readonly<Partial<Record<AdditionPart, string | undefined>>>;
  readonly name: NameTemplate;
  /** Whether the length of the name is its point. */
  readonly hasLongName: boolean;
  /** Undefined for the usual one. */
  readonly categoryId: bigint | undefined;
  readonly status: PetStatus | undefined;
  readonly writing: Writing;
  readonly chunked: boolean;
}

/** What may be unusual about a valid body; each part is a requirement's. */
export type AdditionPart = 'name' | 'category' | 'status' | 'writing' | 'framing';

const USUAL_WRITING: Writing = {
  order: ['name', 'categoryId', 'status'],
  spacing: {},
  escapes: {},
  contentType: JSON_TYPE,
};

/** An addition with nothing unusual about it. */
export const USUAL_ADDITION: Addition = {
  unusual: {},
  name: '%plain%',
  hasLongName: false,
  categoryId: undefined,
  status: 'available',
  writing: USUAL_WRITING,
  chunked: false,
};

/** The same addition with only one of its parts as it is, and the others as usual. */
export function only({ unusual, ...addition }: Addition, part: AdditionPart): Addition {
  const { name, hasLongName, categoryId, status, writing, chunked } = addition;
  const kept = {
    name: { name, hasLongName },
    category: { categoryId },
    status: { status },
    writing: { writing },
    framing: { chunked },
  };
  return { ...USUAL_ADDITION, ...kept[part], unusual: { [part]: unusual[part] } };
}

const PLAIN = 'plain';
const ABSENT = 'absent';

const ALL_NAMES = { ...NAMES, ...NAMES_OF_LENGTH };

const names: LevelTable<NameTemplate> = {
  [PLAIN]: { examples: ['%plain%'] },
  ...Object.fromEntries(
    Object.entries(ALL_NAMES).map(([kind, examples]): [string, Level<NameTemplate>] => [kind, { examples }]),
  ),
  'any text': {
    examples: [],
    others: fc.tuple(texts(), texts()).map(([start, end]) => `${start}%plain%${end}`),
  },
};

type Category = Pick<Addition, 'categoryId'>;

const categories: LevelTable<Category> = {
  usual: { examples: [{ categoryId: undefined }] },
  ...Object.fromEntries(
    Object.entries(CATEGORIES).map(([kind, { examples, others }]): [string, Level<Category>] => [
      kind,
      {
        examples: examples.map((categoryId) => ({ categoryId })),
        ...(others === undefined ? {} : { others: others.map((categoryId) => ({ categoryId })) }),
      },
    ]),
  ),
};

const statuses: LevelTable<Pick<Addition, 'status'>> = Object.fromEntries(
  [...PET_STATUSES, undefined].map((status) => [status ?? ABSENT, { examples: [{ status }] }]),
);

const framings: LevelTable<boolean> = { 'with a length': { examples: [false] }, 'in chunks': { examples: [true] } };

/** Each way to write a body is a requirement's of its own, which sends them all. */
const WRITING = {
  order: withExamples(ORDERS, 0),
  'white space': withExamples(SPACING, 0),
  escapes: withExamples(ESCAPES, 0),
  'media type': withExamples(MEDIA_TYPES, 0),
};

/** How the body of a row is written, and what is unusual about that; undefined where nothing is. */
function writingOf(row: SpaceRow): { readonly writing: fc.Arbitrary<Writing>; readonly label: string | undefined } {
  const writing = fc.record({
    order: row.draw('order', WRITING.order),
    spacing: row.draw('white space', WRITING['white space']),
    escapes: row.draw('escapes', WRITING.escapes),
    contentType: row.draw('media type', WRITING['media type']),
  });
  const unusual = Object.entries(WRITING)
    .filter(([factor, table]) => row.level(factor) !== Object.keys(table)[0])
    .map(([factor]) => row.level(factor));
  return { writing, label: unusual.length === 0 ? undefined : unusual.join(', ') };
}

/** An animal is added for each name that is sent by itself; of all else, any is. */
const VALUES = {
  name: withExamples(names, 1),
  category: withExamples(categories, 0),
  status: withExamples(statuses, 0),
  framing: withExamples(framings, 0),
};

/** Every valid body: what it says, and how it is written and sent. */
export const NEW_PETS: RequestSpace<Addition> = {
  name: 'valid bodies of createPet',
  factors: { ...VALUES, ...WRITING },
  // In smoke, the animals that fill a page are made in as many ways.
  strength: { smoke: 0, standard: 1, thorough: 2 },
  sample: (row) => {
    const { writing, label } = writingOf(row);
    const [nameKind, kind] = [row.level('name'), row.level('category')];
    return fc
      .record({
        name: row.draw('name', VALUES.name),
        category: row.draw('category', VALUES.category),
        status: row.draw('status', VALUES.status),
        writing,
        chunked: row.draw('framing', VALUES.framing),
      })
      .map(({ category: { categoryId }, status: { status }, ...drawn }) => ({
        ...drawn,
        hasLongName: Object.hasOwn(NAMES_OF_LENGTH, nameKind),
        categoryId,
        status,
        unusual: {
          name: nameKind === PLAIN ? undefined : `a name with ${nameKind}`,
          category: categoryId === undefined ? undefined : `the categoryId ${categoryId} (${kind})`,
          status: status === undefined ? 'no status' : undefined,
          writing: label,
          framing: drawn.chunked ? 'in chunks' : undefined,
        },
      }));
  },
};

const USUAL_NAMES = [PLAIN, 'any text'];

/** The requests of {@link NEW_PETS} without a status; of the others, those with a usual or an unusual name. */
export const additions = (kind: 'without a status' | 'with a usual name' | 'with an unusual name'): SpacePart => ({
  space: NEW_PETS,
  where:
    kind === 'without a status'
      ? { status: [ABSENT] }
      : {
          status: PET_STATUSES,
          name: Object.keys(names).filter((name) => USUAL_NAMES.includes(name) === (kind === 'with a usual name')),
        },
});

/** A slash may be escaped, or not; what lies beyond the first plane has two escapes. */
const WITH_A_SLASH = '%plain% 1/2 🐾';

/** Plain pets in every form in which JSON and its media type can be written. */
export const WRITTEN_FORMS: RequestSpace<Addition> = {
  name: 'forms of a valid body',
  factors: WRITING,
  strength: { smoke: 1, standard: 1, thorough: 2 },
  sample: (row) => {
    const { writing, label } = writingOf(row);
    // A status that is lost because of how it is written must show.
    return fc
      .record({ writing, status: fc.constantFrom(...PET_STATUSES.filter((status) => status !== 'available')) })
      .map((drawn) => ({ ...USUAL_ADDITION, ...drawn, name: WITH_A_SLASH, unusual: { writing: label } }));
  },
};

/** The pet of an addition, around the name of `base` and in its category where none is said. */
export function petOf({ name, categoryId, status }: Addition, base: NewPet, known: readonly bigint[]): NewPet {
  const wanted = categoryId ?? base.categoryId;
  const place =
    known.length === 0 ? 0n : ((wanted % BigInt(known.length)) + BigInt(known.length)) % BigInt(known.length);
  const category = known.find((_, at) => BigInt(at) === place) ?? wanted;
  const pet = { name: nameFrom(name, base.name), categoryId: category };
  return status === undefined ? pet : { ...pet, status };
}
