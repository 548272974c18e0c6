/** Tries the outputs of a run before anything is sent, so that no animals are created for reports that are lost. */
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFor, whyNotWritten } from '../../result/files.ts';
import type { RunSettings } from '../engine.ts';
import { quoted, UsageError } from '../errors.ts';
import { LEDGER } from './ledger.ts';

/**
 * Tries each output as it will be written: what is there does not change, and nothing is left behind but the report
 * folder. What is full or fails later is reported after the verdict.
 * @throws UsageError if one cannot be written
 */
export function tryOutputs({ reportDir, remember, history, readOnly }: RunSettings): void {
  if (history !== undefined) attempt('--history', history, tryAppending);
  if (remember !== undefined && !readOnly) attempt('--remember', remember, tryAppending);
  if (reportDir === undefined) return;
  attempt('--report-dir', reportDir, (dir) => {
    mkdirSync(dir, { recursive: true });
    tryReplacing(join(dir, LEDGER));
  });
  if (!readOnly && remember === undefined) attempt('--report-dir', join(reportDir, LEDGER), tryAppending);
}

function attempt(option: string, path: string, tryPath: (path: string) => void): void {
  try {
    tryPath(path);
  } catch (cause) {
    const next = option === '--report-dir' ? 'name another folder' : 'name another file';
    const what = `${quoted(path)} cannot be written: ${whyNotWritten(cause)}; ${next} (nothing was sent)`;
    throw new UsageError('file-unwritable', `${option}: ${what}`, { cause });
  }
}

/** Tries a file to which lines are added. */
function tryAppending(path: string): void {
  const isThere = existsSync(path);
  const file = openSync(path, 'a');
  const { size } = fstatSync(file);
  closeSync(file);
  // Another run may have begun to write it; and the path may be a link whose file did not exist.
  if (!isThere && size === 0) rmSync(realpathSync(path));
}

/** Tries a file that is replaced as a whole. */
function tryReplacing(path: string): void {
  const temporary = temporaryFor(path);
  writeFileSync(temporary, '', { flag: 'wx' });
  rmSync(temporary);
}
