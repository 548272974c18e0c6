import fc from 'fast-check';
import { type BrokenBody, bytesOf, JSON_TYPE } from './body.ts';
import { membersOf, type NewPet, objectText } from './new-pet.ts';

function malformed(text: string, defect: string): BrokenBody {
  return {
    kind: 'broken',
    label: defect,
    bytes: bytesOf(text),
    contentType: JSON_TYPE,
    defect,
    fails: 'syntax',
    traces: {},
  };
}

/** Texts that are nearly the valid body of `base`, and not JSON: each with the one thing that is wrong. */
export function malformedBodies(base: NewPet): readonly BrokenBody[] {
  const sound = objectText(membersOf(base));
  const { name = '""', categoryId = '0' } = membersOf(base);
  const inside = sound.slice(1, -1);
  const broken: readonly (readonly [defect: string, text: string])[] = [
    ['the closing brace is missing', `{${inside}`],
    ['the opening brace is missing', `${inside}}`],
    ['cut in the middle', sound.slice(0, Math.floor(sound.length / 2))],
    ['only an opening brace', '{'],
    ['a comma after the last member', `{${inside},}`],
    ['a comma before the first member', `{,${inside}}`],
    ['two commas between members', `{"name":${name},,"categoryId":${categoryId}}`],
    ['no comma between members', `{"name":${name} "categoryId":${categoryId}}`],
    ['no colon after a name', `{"name" ${name},"categoryId":${categoryId}}`],
    ['an equals sign for a colon', `{"name"=${name},"categoryId"=${categoryId}}`],
    ['a member without a value', `{"name":${name},"categoryId":}`],
    ['single quotes', `{'name':'Rex','categoryId':${categoryId}}`],
    ['names without quotes', `{name:${name},categoryId:${categoryId}}`],
    ['a string that is not closed', `{"categoryId":${categoryId},"name":"Rex}`],
    ['a comment', `{/* a pet */${inside}}`],
    ['a line comment', `{${inside}}// a pet`],
    ['two values one after the other', `${sound}${sound}`],
    ['a brace too many', `${sound}}`],
    ['text after the value', `${sound} x`],
    ['text before the value', `x${sound}`],
    ['a raw line feed in a string', `{"name":"Rex\nRover","categoryId":${categoryId}}`],
    ['a raw control character in a string', `{"name":"Rex\u0001","categoryId":${categoryId}}`],
    ['an escape that JSON does not have', `{"name":"\\x52ex","categoryId":${categoryId}}`],
    ['an incomplete unicode escape', `{"name":"Rex \\u12","categoryId":${categoryId}}`],
    ['a number with a leading zero', `{"name":${name},"categoryId":01}`],
    ['a number with a plus sign', `{"name":${name},"categoryId":+1}`],
    ['a number without digits before the point', `{"name":${name},"categoryId":.5}`],
    ['a number without digits after the point', `{"name":${name},"categoryId":1.}`],
    ['a hexadecimal number', `{"name":${name},"categoryId":0x1}`],
    ['NaN for a number', `{"name":${name},"categoryId":NaN}`],
    ['Infinity for a number', `{"name":${name},"categoryId":Infinity}`],
    ['True as Python writes it', `{"name":${name},"categoryId":${categoryId},"x":True}`],
    ['undefined for a value', `{"name":${name},"categoryId":undefined}`],
    ['only white space', ' \n\t '],
    ['a form instead of JSON', 'name=Rex&categoryId=1'],
    ['XML instead of JSON', '<pet><name>Rex</name><categoryId>1</categoryId></pet>'],
    ['YAML instead of JSON', 'name: Rex\ncategoryId: 1\n'],
    ['plain text', 'Rex'],
  ];
  return broken.map(([defect, text]) => malformed(text, defect));
}

/** The valid body of `base`, cut anywhere or with a stray mark put in anywhere, as long as that is no longer JSON. */
export function anyMalformed(base: NewPet): fc.Arbitrary<BrokenBody> {
  const sound = objectText(membersOf(base));
  const cut = fc
    .integer({ min: 1, max: sound.length - 1 })
    .map((at) => malformed(sound.slice(0, at), `cut after ${at} characters`));
  const stray = fc
    .record({
      at: fc.integer({ min: 0, max: sound.length }),
      mark: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\q', '\n"', '#'),
    })
    .map(({ at, mark }) =>
      malformed(`${sound.slice(0, at)}${mark}${sound.slice(at)}`, `a stray ${JSON.stringify(mark)} at ${at}`),
    )
    .filter((body) => body.bytes !== undefined && !isJson(new TextDecoder().decode(body.bytes)));
  return fc.oneof(cut, stray);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
