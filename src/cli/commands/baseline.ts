import { applyBaseline, type ListedFailure } from '../../report/baseline.ts';
import { BaselineError, baselineChange, baselineText, changeText, parseBaseline } from '../../report/baseline-file.ts';
import { whyNotWritten, writeAtomically } from '../../report/files.ts';
import { TESTABLE } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { kindOf, readTextOf } from '../options/files.ts';
import { BASELINE_OPTIONS } from '../options/tables.ts';
import { command } from './command.ts';
import { readResultOf } from './stored-result.ts';

/** Writes the baseline that accepts what fails in a result, and says what changed. */
export const baselineCommand = command({
  name: 'baseline',
  summary: 'write what fails in a result into a baseline',
  args: [['<result>', 'a conformance.json, or its folder']],
  options: BASELINE_OPTIONS,
  perform: async ({ output, ...given }, [path = ''], { stdout, stderr }) => {
    const result = await readResultOf('baseline', path);
    const existing = output === undefined || kindOf(output) === 'missing' ? undefined : readTextOf('--output', output);
    const file = output ?? result.baseline?.file ?? 'baseline.yaml';
    const entries = existing === undefined ? (result.baseline?.entries ?? []) : entriesIn(existing, file);
    const { profile, interrupted, startedAt } = result.run;
    const run = { day: startedAt.slice(0, 10), profile, interrupted: interrupted !== undefined };
    const change = baselineChange({ ...result, ...applyBaseline(result, { file, entries }, run) }, given);
    const text = baselineText(change, existing, file.toLowerCase().endsWith('.json') ? 'json' : 'yaml');
    if (output === undefined) {
      stdout.write(text);
      stderr.write(`Baseline: ${changeText(change)}\n`);
      return 0;
    }
    await writeAtomically(output, text).catch((cause: unknown) => {
      const what = `--output: ${output} cannot be written: ${whyNotWritten(cause)}; name another file`;
      throw new UsageError('file-unwritable', what, { cause });
    });
    stdout.write(`Wrote ${output}: ${changeText(change)}\n`);
    return 0;
  },
});

function entriesIn(text: string, file: string): readonly ListedFailure[] {
  try {
    return parseBaseline(text, file, TESTABLE);
  } catch (error) {
    throw error instanceof BaselineError ? new UsageError('baseline-invalid', `--output: ${error.message}`) : error;
  }
}
