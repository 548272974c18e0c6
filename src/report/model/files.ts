/** The ledger of what the run created, in the report folder. */
export const LEDGER_FILE = 'created.jsonl';

/**
 * Where the recorded failure of a check is, relative to the report folder: `failures/LIST-2.json`. Characters that a
 * file system could mind become their codes, so that two checks never share a file and no id leads out of the folder.
 */
export function replayFileName(checkId: string): string {
  const safe = checkId.replace(/[^A-Za-z0-9.-]|^\.+/gu, (found) =>
    [...found].map((character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`).join(''),
  );
  return `failures/${safe === '' ? '_' : safe}.json`;
}

/** The path of a file in the report folder, as the user would type it. */
export function inReportDir(reportDir: string, file: string): string {
  const folder = reportDir.replace(/\/+$/, '');
  return folder === '' ? file : `${folder}/${file}`;
}
