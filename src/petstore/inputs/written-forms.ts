import { JSON_TYPE, type SoundBody, writtenAs } from './body.ts';
import { membersOf, type NewPet, objectText } from './new-pet.ts';

const escaped = (text: string): string =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** The same valid animal in every form that JSON and its media type allow; each must be accepted. */
export function writtenForms(pet: NewPet & Required<Pick<NewPet, 'status'>>, owner: string): readonly SoundBody[] {
  const plain = objectText(membersOf(pet));
  const { name = '', categoryId = '', status = '' } = membersOf(pet);
  const form = (label: string, text: string, contentType = JSON_TYPE): SoundBody =>
    writtenAs(text, pet, owner, label, contentType);
  return [
    form(
      'white space around everything',
      ` \r\n\t{ "name" : ${name} ,\n\t"categoryId" : ${categoryId} , "status" : ${status} }\r\n `,
    ),
    form(
      'the body spread over lines',
      `{\n  "name": ${name},\n  "categoryId": ${categoryId},\n  "status": ${status}\n}\n`,
    ),
    form('the members in another order', `{"status":${status},"categoryId":${categoryId},"name":${name}}`),
    form('the categoryId first', `{"categoryId":${categoryId},"name":${name},"status":${status}}`),
    form(
      'the name written in escapes',
      `{"name":"${escaped(pet.name)}","categoryId":${categoryId},"status":${status}}`,
    ),
    form(
      'the member names written in escapes',
      `{"${escaped('name')}":${name},"${escaped('categoryId')}":${categoryId},"status":${status}}`,
    ),
    form(
      'the status written in escapes',
      `{"name":${name},"categoryId":${categoryId},"status":"${escaped(pet.status)}"}`,
    ),
    form('a charset parameter', plain, 'application/json; charset=utf-8'),
    form('a charset parameter in upper case', plain, 'application/json;charset=UTF-8'),
  ];
}

/** Valid animals whose names hold every escape that JSON has, and must come back without them. */
export function escapedNames(pet: NewPet, owner: string): readonly SoundBody[] {
  const { categoryId } = pet;
  const names: readonly (readonly [json: string, name: string])[] = [
    [`${pet.name} \\"quoted\\" \\\\ \\/`, `${pet.name} "quoted" \\ /`],
    [`${pet.name} \\ud83d\\udc3e`, `${pet.name} 🐾`],
    [`${pet.name} \\u00E9\\u00e9`, `${pet.name} éé`],
  ];
  return names.map(([json, name]) =>
    writtenAs(
      `{"name":"${json}","categoryId":${categoryId}}`,
      { name, categoryId },
      owner,
      `the name written "${json}"`,
    ),
  );
}
