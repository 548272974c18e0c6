import { expect, test } from 'vitest';
import { replayFileName } from './files.ts';

test('ids become safe names, each its own', () => {
  expect(replayFileName('LIST-2')).toBe('failures/LIST-2.json');
  expect(replayFileName('AUTH-2.createPet')).toBe('failures/AUTH-2.createPet.json');
  for (const id of ['../../etc/passwd', '..', 'a\\b', 'a\u0000b', '', '.hidden', 'a b:c*?"<>|']) {
    expect(replayFileName(id)).toMatch(/^failures\/(?!\.)[A-Za-z0-9._-]+\.json$/);
  }
  expect(replayFileName('a/b')).not.toBe(replayFileName('a_b'));
});
