import { existsSync, readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { baselineOf, baselineText, changeText } from '../../engine/baseline/write-baseline.ts';
import { CATALOGUE } from '../../petstore/outline.ts';
import { notWritten, writeAtomically } from '../../report/files.ts';
import type { RunResult } from '../../report/model/result.ts';
import { UsageError } from '../errors.ts';
import { readBaselineOf } from './baseline-file.ts';
import type { Command } from './command.ts';
import { readResultOf } from './stored-result.ts';

interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Writes the baseline that excuses what fails in a result, and says what changed. @returns 0 */
export async function writeBaseline(
  command: Extract<Command, { kind: 'baseline' }>,
  { stdout, stderr }: Streams,
): Promise<number> {
  const { output } = command;
  const result = await readResultOf('baseline', command.result);
  const file = output !== undefined && existsSync(output) ? output : undefined;
  const existing = file === undefined ? listedIn(result) : readBaselineOf('--output', file, CATALOGUE);
  const change = baselineOf(result, existing, command);
  const format = output?.toLowerCase().endsWith('.json') === true ? 'json' : 'yaml';
  const text = baselineText(change, file === undefined ? undefined : readFileSync(file, 'utf8'), format);
  if (output === undefined) {
    stdout.write(text);
    stderr.write(`Baseline: ${changeText(change)}\n`);
    return 0;
  }
  try {
    await writeAtomically(output, text);
  } catch (cause) {
    const { message } = notWritten(cause, `The baseline ${output} cannot be written`, 'file');
    throw new UsageError('file-unwritable', `--output: ${message}`, { cause });
  }
  stdout.write(`Wrote ${output}: ${changeText(change)}\n`);
  return 0;
}

/** What the baseline of the run itself lists, with the reasons that it gives. */
const listedIn = ({ baseline }: RunResult) => baseline?.entries ?? [];
