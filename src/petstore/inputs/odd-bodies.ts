import { bytesOf, JSON_TYPE, type OpenBody } from './body.ts';
import { membersOf, type NewPet, objectText } from './new-pet.ts';

/** Bodies that no statement says much of, except that they must not make the service fail. */
export function oddBodies(base: NewPet): readonly OpenBody[] {
  const members = membersOf(base);
  const plain = objectText(members);
  const holding = (label: string, extra: string): OpenBody => open(label, bytesOf(objectText({ ...members, extra })));
  return [
    holding('an unknown member nested 64 deep', `${'['.repeat(64)}${']'.repeat(64)}`),
    holding('an unknown member nested 500 deep', `${'{"a":'.repeat(500)}0${'}'.repeat(500)}`),
    holding('an unknown member with a number of 20 digits', '12345678901234567890'),
    holding('an unknown member with a number of 400 digits', '9'.repeat(400)),
    holding('an unknown member with a number too large for a double', '1e400'),
    holding('an unknown member with a very small number', '1e-400'),
    holding('an unknown member with a NUL', '"\\u0000"'),
    holding('an unknown member with a lone surrogate', '"\\ud800"'),
    holding('an unknown member with an array of 1,000 numbers', `[${'1,'.repeat(999)}1]`),
    open('a byte order mark before the body', new Uint8Array([0xef, 0xbb, 0xbf, ...bytesOf(plain)])),
    open(
      'a body that is not UTF-8',
      new Uint8Array([...bytesOf('{"name":"'), 0xff, 0xfe, 0xc0, ...bytesOf('","categoryId":1}')]),
    ),
    open('a body in UTF-16', new Uint8Array(Buffer.from(plain, 'utf16le'))),
    open('a body of zero bytes', new Uint8Array(64)),
    open('an array of 1,000 empty objects', bytesOf(`[${'{},'.repeat(999)}{}]`)),
  ];
}

function open(label: string, bytes: Uint8Array): OpenBody {
  return { kind: 'open', label, bytes, contentType: JSON_TYPE, pet: {} };
}
