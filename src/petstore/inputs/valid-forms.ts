import type { PetStatus } from '../contract-facts.ts';
import { membersOf, type NewPet, textOf, type ValidBody, validBodyFrom } from './body.ts';

const escaped = (text: string): string =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** The body that adds `pet` in every form that JSON and its media type allow; each must be accepted. */
export function writtenForms(pet: NewPet & { readonly status: PetStatus }, requirement: string): readonly ValidBody[] {
  const { name, categoryId, status } = membersOf(pet);
  const forms = {
    'white space around everything': ` \r\n\t{ "name" : ${name} ,\n\t"categoryId" : ${categoryId} , "status" : ${status} }\r\n `,
    'the body spread over lines': `{\n  "name": ${name},\n  "categoryId": ${categoryId},\n  "status": ${status}\n}\n`,
    'the members in another order': `{"status":${status},"categoryId":${categoryId},"name":${name}}`,
    'the categoryId first': `{"categoryId":${categoryId},"name":${name},"status":${status}}`,
    'the name written in escapes': `{"name":"${escaped(pet.name)}","categoryId":${categoryId},"status":${status}}`,
    'the member names written in escapes': `{"${escaped('name')}":${name},"${escaped('categoryId')}":${categoryId},"status":${status}}`,
    'the status written in escapes': `{"name":${name},"categoryId":${categoryId},"status":"${escaped(pet.status)}"}`,
  };
  const mediaTypes = {
    'a charset parameter': 'application/json; charset=utf-8',
    'a charset parameter in upper case': 'application/json;charset=UTF-8',
  };
  return [
    ...Object.entries(forms).map(([label, text]) => validBodyFrom(text, pet, requirement, label)),
    ...Object.entries(mediaTypes).map(([label, type]) => validBodyFrom(textOf(pet), pet, requirement, label, type)),
  ];
}

/** Valid bodies whose names use the escapes of JSON; each must come back unescaped. */
export function escapedNames({ name, categoryId }: NewPet, requirement: string): readonly ValidBody[] {
  const suffixes: readonly (readonly [json: string, text: string])[] = [
    [' \\"quoted\\" \\\\ \\/', ' "quoted" \\ /'],
    [' \\ud83d\\udc3e', ' 🐾'],
    [' \\u00E9\\u00e9', ' éé'],
  ];
  return suffixes.map(([json, text]) => {
    const body = `{"name":"${name}${json}","categoryId":${categoryId}}`;
    return validBodyFrom(body, { name: name + text, categoryId }, requirement, `the name written "${name}${json}"`);
  });
}
