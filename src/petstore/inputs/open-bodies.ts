import { bytesOf, JSON_TYPE, type OpenBody } from './body.ts';
import { membersOf, type NewPet, objectText } from './new-pet.ts';

function open(
  label: string,
  text: string,
  pet: Partial<NewPet>,
  contentType: string | undefined = JSON_TYPE,
): OpenBody {
  return { kind: 'open', label, bytes: bytesOf(text), contentType, pet };
}

/** A body whose name is given as JSON text, so that it can hold an escaped lone surrogate. */
export function openName(base: NewPet, name: { readonly label: string; readonly json: string }): OpenBody {
  const { categoryId } = base;
  return open(name.label, objectText({ ...membersOf(base), name: name.json }), { categoryId });
}

/** Valid bodies with one member more. */
export function unknownMembers(base: NewPet): readonly OpenBody[] {
  const extras: readonly (readonly [name: string, value: string])[] = [
    ['color', '"brown"'],
    ['tags', '["a","b"]'],
    ['owner', '{"name":"Ann","id":7}'],
    ['price', '12.5'],
    ['vaccinated', 'true'],
    ['note', 'null'],
    ['Status', '"sold"'],
    ['__proto__', '{"status":"sold"}'],
    ['constructor', '{"prototype":{}}'],
    ['', '1'],
  ];
  return extras.map(([name, value]) => {
    const text = `${objectText(membersOf(base)).slice(0, -1)},${JSON.stringify(name)}:${value}}`;
    return open(`an unknown member ${JSON.stringify(name)}`, text, base);
  });
}

/** Valid bodies with an id of the client's; `id` is that id where it is an integer. */
export function clientIds(
  base: NewPet,
  existing: bigint,
): readonly { readonly body: OpenBody; readonly id: bigint | undefined }[] {
  const ids: readonly (readonly [text: string, id: bigint | undefined])[] = [
    [`${existing}`, existing],
    ['4611686018427399999', 4611686018427399999n],
    ['-4611686018427399999', -4611686018427399999n],
    ['"abc"', undefined],
    ['null', undefined],
  ];
  return ids.map(([text, id]) => ({
    id,
    body: open(`an id that the client sends (${text})`, objectText({ ...membersOf(base), id: text }), base),
  }));
}

/** Bodies whose categoryId is an integer, written with a fraction of zero or an exponent. */
export function integersWrittenOtherwise(base: NewPet): readonly OpenBody[] {
  const forms: readonly (readonly [text: string, value: bigint])[] = [
    ['1.0', 1n],
    ['7.000', 7n],
    ['1e2', 100n],
    ['1E2', 100n],
    ['2.5e1', 25n],
    ['300e-2', 3n],
    ['-0', 0n],
    ['1e15', 10n ** 15n],
  ];
  return forms.map(([text, categoryId]) =>
    open(`the categoryId ${text}`, objectText({ ...membersOf(base), categoryId: text }), { ...base, categoryId }),
  );
}

/** Valid bodies under a Content-Type that is not JSON, or under none. */
export function otherMediaTypes(base: NewPet): readonly OpenBody[] {
  const text = objectText(membersOf(base));
  const types = [
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'application/vnd.petstore+json',
    'APPLICATION/JSON',
    'json',
  ];
  return [
    {
      kind: 'open',
      label: 'a body without a Content-Type',
      bytes: bytesOf(text),
      contentType: undefined,
      pet: base,
    },
    ...types.map((type) => open(`a body sent as ${type}`, text, base, type)),
  ];
}

/** Bodies in which one member stands twice; either value may count. */
export function duplicateMembers(base: NewPet): readonly OpenBody[] {
  const { name = '', categoryId = '' } = membersOf(base);
  return [
    open('the name twice', `{"name":${name},"name":"Other","categoryId":${categoryId}}`, {
      categoryId: base.categoryId,
    }),
    open('the categoryId twice', `{"name":${name},"categoryId":2,"categoryId":${categoryId}}`, { name: base.name }),
    open('the status twice', `{"name":${name},"categoryId":${categoryId},"status":"sold","status":"pending"}`, {
      name: base.name,
      categoryId: base.categoryId,
    }),
    open('the name twice with the same value', `{"name":${name},"categoryId":${categoryId},"name":${name}}`, {
      name: base.name,
      categoryId: base.categoryId,
    }),
  ];
}
