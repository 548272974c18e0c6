import { applyBaseline } from '../../result/baseline.ts';
import { baselineChange, baselineText, changeText, parseBaseline } from '../../result/baseline-file.ts';
import { whyNotWritten, writeAtomically } from '../../result/files.ts';
import { readResult } from '../../result/stored.ts';
import { TESTABLE } from '../catalogue.ts';
import { UsageError, withFile } from '../errors.ts';
import { kindOf, readTextOf } from '../options/files.ts';
import { BASELINE_OPTIONS } from '../options/tables.ts';
import { command } from './command.ts';

/** Writes the baseline that accepts what fails in a result, and prints what changed. */
export const baselineCommand = command({
  name: 'baseline',
  summary: 'write what fails in a result into a baseline',
  args: [['<result>', 'a conformance.json, or its folder']],
  options: BASELINE_OPTIONS,
  perform: async ({ output, ...given }, [path = ''], { stdout, stderr }) => {
    const result = await withFile('baseline', 'file-unreadable', () => readResult(path));
    const existing = output === undefined || kindOf(output) === 'missing' ? undefined : readTextOf('--output', output);
    const file = output ?? result.baseline?.file ?? 'baseline.yaml';
    const entries =
      existing === undefined
        ? (result.baseline?.entries ?? [])
        : await withFile('--output', 'baseline-invalid', () => parseBaseline(existing, file, TESTABLE));
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
