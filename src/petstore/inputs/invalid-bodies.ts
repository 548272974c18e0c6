import fc from 'fast-check';
import { readJson } from '../../contract/json.ts';
import { mix } from '../../engine/mix.ts';
import { bytesOf, type InvalidBody, JSON_TYPE, type NewPet, type OpenBody } from './body.ts';
import { described, type Row, type Rows } from './defects.ts';
import { LACKING, lacks, type RequiredMember } from './lacking-bodies.ts';
import { MALFORMED, NO_BODY } from './malformed-bodies.ts';
import { ownCategory } from './new-pets.ts';
import { NON_OBJECTS, SEVERAL_DEFECTS } from './non-objects.ts';
import { READINGS } from './open-bodies.ts';
import { filled, type Members, type Values, valueIn } from './template.ts';
import { writtenMembers } from './valid-forms.ts';
import { type JsonValue, WRONG_KINDS } from './wrong-values.ts';

/** What is wrong with a body: how it is written from the members that it would have without it. */
export interface Defect {
  readonly label: string;
  /** The requirement that says that a body with it must be refused. */
  readonly requirement: string;
  /** See {@link filled}; undefined for no body at all. */
  readonly template: string | undefined;
  readonly values?: Values | undefined;
  readonly damage?: Damage;
  /** Where it is several of a kind at once, each of them alone. */
  readonly parts?: readonly Defect[];
}

/** A change of a text at this share of it: it ends there, or a mark stands there, in place of another or not. */
interface Damage {
  readonly at: number;
  readonly how: 'cut' | 'inserted' | 'exchanged';
  readonly mark: string;
}

/** Defects of one kind: the ones that are always sent, and any other. */
export interface Defects {
  readonly examples: readonly Defect[];
  /** Every example is sent in every standard run, not only some of them. */
  readonly sendsAll?: boolean;
  readonly others?: fc.Arbitrary<Defect>;
}

/** What the shape and the bytes of an invalid body depend on, beside its pet and its defect. */
export interface Surroundings {
  /** The members as they are written where nothing is wrong; the usual ones where it is not said. */
  readonly members?: Members | undefined;
  /** In a few words, after the defect. */
  readonly label?: string | undefined;
  readonly contentType?: string | undefined;
}

/** The requirements that are violated by what is not JSON. */
const OF_SYNTAX = ['CREATE-3', 'CREATE-4'];

/** The body of `base` with a defect. An animal made of it is recognised by its name, or else by its category. */
export function withDefect(base: NewPet, defect: Defect, surroundings: Surroundings = {}): InvalidBody {
  const { members = writtenMembers(base), label = '' } = surroundings;
  const { requirement, template, values, damage } = defect;
  const contentType = 'contentType' in surroundings ? surroundings.contentType : JSON_TYPE;
  const whole = template === undefined ? undefined : filled(template, members, values);
  const text = whole === undefined || damage === undefined ? whole : damaged(whole, damage);
  return {
    kind: 'invalid',
    label: `${defect.label}${label}`,
    requirement,
    failsAs: OF_SYNTAX.includes(requirement) ? 'syntax' : 'schema',
    contentType,
    bytes: text === undefined ? undefined : bytesOf(text),
    traces: tracesIn(text ?? '', base, valueIn(members, 'name').trim()),
  };
}

/** What identifies an animal that is made of a text: its name, or else a category of its own. */
function tracesIn(text: string, { name, categoryId }: NewPet, writtenName: string): InvalidBody['traces'] {
  if (text.includes(writtenName)) return { name };
  return categoryId === ownCategory(name) && text.includes(`${categoryId}`) ? { categoryId } : {};
}

function defectOf(requirement: string, [label, template, values, parts]: Row): Defect {
  const defect = { label, requirement, template, values };
  return parts === undefined ? defect : { ...defect, parts: parts.map((part) => defectOf(requirement, part)) };
}

const kindsOf = (requirement: string, kinds: Readonly<Record<string, Rows>>): Readonly<Record<string, Defects>> =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, { rows, ...more }]) => [
      kind,
      { examples: rows.map((row) => defectOf(requirement, row)), ...more },
    ]),
  );

/** The requirement that says which values of a member are refused. */
const OWNERS: Readonly<Record<keyof NewPet, string>> = { name: 'CREATE-5', categoryId: 'CREATE-6', status: 'CREATE-7' };

/** A wrong value, given as JSON text, for one member. */
const isWrong = (member: keyof NewPet, { json, label = described(json) }: JsonValue): Defect =>
  defectOf(OWNERS[member], [`${member} is ${label}`, '{%members%}', { [member]: json }]);

const wrongIn = (member: keyof NewPet): Readonly<Record<string, Defects>> =>
  Object.fromEntries(
    Object.entries(WRONG_KINDS[member]).map(([kind, { examples, others, ...more }]) => [
      `${member} is ${kind}`,
      {
        examples: examples.map((value) => isWrong(member, value)),
        ...(others === undefined ? {} : { others: others.map((json) => isWrong(member, { json })) }),
        ...more,
      },
    ]),
  );

/** Every kind of body that is missing, or not JSON; each must be refused. */
export const MALFORMED_KINDS: Readonly<Record<string, Defects>> = {
  ...kindsOf('CREATE-3', NO_BODY),
  ...kindsOf('CREATE-4', MALFORMED),
};

/** Every kind of defect that JSON can have; each must be refused. */
export const DEFECTIVE_KINDS: Readonly<Record<string, Defects>> = {
  ...kindsOf('CREATE-2', LACKING),
  ...wrongIn('name'),
  ...wrongIn('categoryId'),
  ...wrongIn('status'),
  ...kindsOf('CREATE-8', NON_OBJECTS),
  ...Object.fromEntries(
    Object.entries(SEVERAL_DEFECTS).map(([kind, rows]) => [
      kind,
      { examples: rows.map(([requirement, ...row]) => defectOf(requirement, row)) },
    ]),
  ),
};

const EVERY_EXAMPLE = Object.values({ ...MALFORMED_KINDS, ...DEFECTIVE_KINDS }).flatMap(({ examples }) => examples);

/**
 * The body of `base` with the defect of this label.
 *
 * @throws Error where there is none
 */
export function defective(base: NewPet, label: string, surroundings?: Surroundings): InvalidBody {
  const defect = EVERY_EXAMPLE.find((example) => example.label === label);
  if (defect === undefined) throw new Error(`there is no defect ${label}`);
  return withDefect(base, defect, surroundings);
}

/** The body of `base` without one or both of its required members. */
export const missing = (base: NewPet, ...members: readonly RequiredMember[]): InvalidBody =>
  withDefect(base, defectOf('CREATE-2', lacks(...members)));

/** The body of `base` with a wrong value, given as JSON text, for one member. */
export const wrong = (base: NewPet, member: keyof NewPet, json: string): InvalidBody =>
  withDefect(base, isWrong(member, { json }));

/**
 * The body of a pet that has a category of its own, with no valid name: an animal that is made of it is recognised by
 * its category. The first names the id of an animal that exists, where one is given.
 */
export function nameless(base: NewPet, existing?: bigint): readonly InvalidBody[] {
  const categoryId = ownCategory(base.name);
  const defects = [defectOf('CREATE-2', lacks('name')), ...['12345', 'null'].map((json) => isWrong('name', { json }))];
  return defects.map((defect, at) => {
    const own = { ...base, categoryId: categoryId + BigInt(at) };
    const beside = at > 0 || existing === undefined ? {} : besideId(own, existing);
    return { ...withDefect(own, defect, beside), traces: { categoryId: own.categoryId } };
  });
}

const besideId = (base: NewPet, id: bigint): Surroundings => ({
  members: [['"id"', `${id}`], ...writtenMembers(base)],
  label: `, beside the id ${id}`,
});

/** Bodies with a defect that name the id of an animal that exists: refused, they must not change it either. */
export const refusedWithId = (newBase: () => NewPet, existing: bigint): readonly InvalidBody[] =>
  ['categoryId missing', 'categoryId is null', 'status is the string "unavailable"'].map((label) => {
    const own = newBase();
    return defective(own, label, besideId(own, existing));
  });

/** The media types of some formats other than JSON. */
const TYPES_OF_FORMATS: Readonly<Record<string, string>> = {
  'a form instead of JSON': 'application/x-www-form-urlencoded',
  'XML instead of JSON': 'application/xml',
  'YAML instead of JSON': 'application/yaml',
  'parts of a form': 'multipart/form-data; boundary=x',
};

/** Bodies in other formats than JSON, each under its own media type: a framework may read them, or refuse them in its own way. */
export const otherFormats = (newBase: () => NewPet): readonly OpenBody[] =>
  Object.entries(TYPES_OF_FORMATS).map(([label, contentType]) => {
    const { bytes = new Uint8Array() } = defective(newBase(), label, { contentType });
    const readings = READINGS['CREATE-13'] ?? {};
    return {
      kind: 'open',
      requirement: 'CREATE-13',
      readings,
      label: `${label}, as ${contentType}`,
      bytes,
      contentType,
      pet: {},
    };
  });

/** Requests without a body under each of the media types, as though there were one. */
export const withoutABody = (newBase: () => NewPet, types: readonly (string | undefined)[]): readonly InvalidBody[] =>
  types.map((contentType) => defective(newBase(), 'no body', { contentType, label: `, as ${contentType}` }));

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

interface Malformation {
  readonly at: number;
  readonly defect: Defect;
}

/** A body cut anywhere, or with a stray mark inserted anywhere, so that it is no longer JSON. */
function anyMalformation(): fc.Arbitrary<Malformation> {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const damage = (label: string, { at, ...how }: Damage): Malformation => ({
    at,
    defect: {
      ...defectOf('CREATE-4', [`${label} after ${(at * 100).toFixed(1)} % of it`, '{%members%}']),
      damage: { at, ...how },
    },
  });
  const cut = share.map((at) => damage('cut', { at, how: 'cut', mark: '' }));
  const stray = fc
    .record({ at: share, mark: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\q', '\n"', '#', '\u0000') })
    .map(({ at, mark }) => damage(`a stray ${JSON.stringify(mark)}`, { at, how: 'inserted', mark }));
  const exchanged = fc
    .record({ at: share, mark: fc.constantFrom('}', ']', ';', '=', "'", '(', '\u0000', '\u00a0', '#', '&') })
    .map(({ at, mark }) => damage(`${JSON.stringify(mark)} in place of a mark`, { at, how: 'exchanged', mark }));
  return fc.oneof(cut, stray, exchanged, anyMalformedValue(share));
}

/** A value that is not JSON, anywhere: a valid one with a mark that does not belong there. */
function anyMalformedValue(share: fc.Arbitrary<number>): fc.Arbitrary<Malformation> {
  const value = fc.constantFrom('5', '-7', '1.5', '1e2', 'true', 'null', '[]', '{}', '[1,2]', '{"a":1}', '"x"');
  const mark = fc.constantFrom('+', '-', '.', 'e', '_', ',', "'", '`', '#', '0x', 'n', 'f', '%', '$', '\\', '//', '/*', ';', '=', '\u00a0', '\v', '\u0001', '٣', '²', '?', '*');
  return fc
    .record({ at: share, value, mark, place: fc.constantFrom('categoryId', 'x', 'status'), isBefore: fc.boolean() })
    .map(({ at, value, mark, place, isBefore }) => {
      const texts = isBefore ? [`${mark}${value}`, `${value}${mark}`] : [`${value}${mark}`, `${mark}${value}`];
      const text = texts.find((one) => !isJson(one)) ?? mark;
      return { at, defect: defectOf('CREATE-4', [`the ${place} written ${described(text)}`, '{%members%}', { [place]: text }]) };
    });
} // biome-ignore format: one line each

const isJson = (text: string): boolean => readJson(bytesOf(text)).kind === 'json';

/** Cut, or changed at the next place where it is no longer JSON; a mark is exchanged for another one only. */
function damaged(text: string, { at: share, how, mark }: Damage): string {
  // At least the first character is left, and at most all but the last.
  if (how === 'cut') return text.slice(0, 1 + Math.floor(share * (text.length - 2)));
  const isExchanged = how === 'exchanged';
  for (let at = Math.floor(share * text.length); at <= text.length; at += 1) {
    if (isExchanged && !/[{}[\],:"]/.test(text[at] ?? '')) continue;
    const changed = `${text.slice(0, at)}${mark}${text.slice(isExchanged ? at + 1 : at)}`;
    if (!isJson(changed)) return changed;
  }
  return `${text}}`;
}
