import { bytesOf, JSON_TYPE, membersOf, type NewPet, type OpenBody, objectText, textOf } from './body.ts';
import type { OpenName } from './names.ts';

function open(label: string, body: string | Uint8Array, pet: Partial<NewPet> = {}): OpenBody {
  const bytes = typeof body === 'string' ? bytesOf(body) : body;
  return { kind: 'open', label, bytes, contentType: JSON_TYPE, pet };
}

/** The body of `base` with a name that need not be accepted. */
export function openName(base: NewPet, { label, name }: OpenName): OpenBody {
  return open(label, textOf({ ...base, name }), { categoryId: base.categoryId });
}

/** The body of `base` in a category that the service may not know. */
export function openCategory(base: NewPet, categoryId: bigint): OpenBody {
  const pet = { ...base, categoryId };
  return open(`the categoryId ${categoryId}`, textOf(pet), pet);
}

/** Valid bodies with one unknown member. */
export function unknownMembers(base: NewPet): readonly OpenBody[] {
  const members = {
    color: '"brown"',
    tags: '["a","b"]',
    owner: '{"name":"Ann","id":7}',
    price: '12.5',
    vaccinated: 'true',
    note: 'null',
    Status: '"sold"',
    ['__proto__']: '{"status":"sold"}',
    constructor: '{"prototype":{}}',
    '': '1',
  };
  return Object.entries(members).map(([member, json]) => {
    const name = JSON.stringify(member);
    return open(`an unknown member ${name}`, `${textOf(base).slice(0, -1)},${name}:${json}}`, base);
  });
}

/** Valid bodies with an id chosen by the client; `id` is undefined where it is not an integer. */
export function clientIds(
  base: NewPet,
  existing: bigint,
): readonly { readonly body: OpenBody; readonly id: bigint | undefined }[] {
  const ids = [existing, 4611686018427399999n, -4611686018427399999n, '"abc"', 'null'];
  return ids.map((id) => ({
    id: typeof id === 'bigint' ? id : undefined,
    body: open(`an id that the client sends (${id})`, objectText({ ...membersOf(base), id: `${id}` }), base),
  }));
}

/** Bodies whose categoryId is an integer, written with a fraction of zero or an exponent. */
export function unusualIntegers(base: NewPet): readonly OpenBody[] {
  const forms = {
    '1.0': 1n,
    '7.000': 7n,
    '1e2': 100n,
    '1E2': 100n,
    '2.5e1': 25n,
    '300e-2': 3n,
    '-0': 0n,
    '1e15': 10n ** 15n,
  };
  return Object.entries(forms).map(([json, categoryId]) =>
    open(`the categoryId ${json}`, objectText({ ...membersOf(base), categoryId: json }), { ...base, categoryId }),
  );
}

/** The valid body of `base` under this Content-Type, or under none. */
export function sentAs(base: NewPet, contentType: string | undefined): OpenBody {
  const label = contentType === undefined ? 'a body without a Content-Type' : `a body sent as ${contentType}`;
  return { ...open(label, textOf(base), base), contentType };
}

/** Valid bodies under a Content-Type that is not JSON, or under none. */
export function otherMediaTypes(base: NewPet): readonly OpenBody[] {
  return OTHER_MEDIA_TYPES.map((contentType) => sentAs(base, contentType));
}

const OTHER_MEDIA_TYPES = [
  undefined, 'text/plain', 'text/json', 'application/xml', 'application/x-www-form-urlencoded', 'application/octet-stream',
  'application/vnd.petstore+json', 'APPLICATION/JSON', 'json',
]; // biome-ignore format: one table

/** Bodies with the same member twice; either value may count. */
export function duplicateMembers(base: NewPet): readonly OpenBody[] {
  const { name, categoryId } = membersOf(base);
  const certain = { name: base.name, categoryId: base.categoryId };
  const both = `"name":${name},"categoryId":${categoryId}`;
  return [
    open('the name twice', `{"name":${name},"name":"Other","categoryId":${categoryId}}`, {
      categoryId: base.categoryId,
    }),
    open('the categoryId twice', `{"name":${name},"categoryId":2,"categoryId":${categoryId}}`, { name: base.name }),
    open('the status twice', `{${both},"status":"sold","status":"pending"}`, certain),
    open('the name twice with the same value', `{${both},"name":${name}}`, certain),
  ];
}

/** Bodies of which the specification says little; all that is certain is that the service must not fail. */
export function unusualBodies(base: NewPet): readonly OpenBody[] {
  const plain = textOf(base);
  const holding = (what: string, extra: string): OpenBody =>
    open(`an unknown member ${what}`, objectText({ ...membersOf(base), extra }));
  return [
    holding('nested 64 deep', `${'['.repeat(64)}${']'.repeat(64)}`),
    holding('nested 500 deep', `${'{"a":'.repeat(500)}0${'}'.repeat(500)}`),
    holding('with a number of 20 digits', '12345678901234567890'),
    holding('with a number of 400 digits', '9'.repeat(400)),
    holding('with a number too large for a double', '1e400'),
    holding('with a very small number', '1e-400'),
    holding('with a NUL', '"\\u0000"'),
    holding('with a lone surrogate', '"\\ud800"'),
    holding('with an array of 1,000 numbers', `[${'1,'.repeat(999)}1]`),
    open('a byte order mark before the body', bytesOf(`\ufeff${plain}`)),
    open('a body that is not UTF-8', new Uint8Array(Buffer.from('{"name":"\xff\xfe\xc0","categoryId":1}', 'latin1'))),
    open('a body in UTF-16', new Uint8Array(Buffer.from(plain, 'utf16le'))),
    open('a body of zero bytes', new Uint8Array(64)),
    open('an array of 1,000 empty objects', `[${'{},'.repeat(999)}{}]`),
  ];
}
