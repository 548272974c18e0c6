/**
 * Where the recorded failure of a check stands, relative to the report folder: `failures/LIST-2.json`.
 *
 * Every character that a file system could mind becomes `_` with its code, so that two checks never share a file and
 * no id leads out of the folder.
 */
export function replayFileName(checkId: string): string {
  const safe = checkId.replace(/[^A-Za-z0-9.-]|^\.+/gu, (found) =>
    [...found].map((character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`).join(''),
  );
  return `failures/${safe === '' ? '_' : safe}.json`;
}
