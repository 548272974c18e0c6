import type { RunResult } from '../model/result.ts';
import type { RunRecord } from '../model/run-record.ts';
import { excerptText } from '../model/text.ts';
import { withTexts } from '../redact/redact-result.ts';
import { recordValidator } from './history-file.ts';
import { recordOf } from './record-of.ts';

/** The longest line, in bytes, with its end. */
export const LONGEST_LINE = 16_384;

/** Where a line is too long, this is emptied, the first first. What a requirement came to is always kept. */
const DISPENSABLE = ['coverage', 'readings', 'reasons', 'latencies', 'options', 'failing', 'expected'] as const;

const TEXT_LENGTH = 500;

/** What is kept of a run, without secrets, as a line that ends in a line feed. */
export function historyLine(result: RunResult, redact: (text: string) => string): string {
  const record = recordOf(withTexts(result, redact));
  let bounded = withShortTexts(record);
  for (const member of DISPENSABLE) {
    if (lengthOf(bounded) <= LONGEST_LINE) break;
    bounded = { ...bounded, [member]: [], cut: [...(bounded.cut ?? []), member] };
  }
  if (lengthOf(bounded) > LONGEST_LINE) {
    bounded = { ...bounded, requirements: {}, cut: [...(bounded.cut ?? []), 'requirements'] };
  }
  const line = textOf(bounded);
  const again = redact(line);
  // A key that is a word of the format must not break the line; in a text it has been replaced already.
  return isRecord(again) ? again : line;
}

/** The texts whose length a service or a command line decides. */
function withShortTexts(record: RunRecord): RunRecord {
  const { conclusion, target, options, reasons, readings } = record;
  const short = (text: string): string => excerptText(text, TEXT_LENGTH);
  return {
    ...record,
    conclusion: short(conclusion),
    target: excerptText(target, 2_000),
    options: options.map(short),
    reasons: reasons.map((one) => ({ ...one, reason: short(one.reason) })),
    readings: readings.map((one) => ({
      ...one,
      readings: one.readings.map(short),
      ...(one.inputs === undefined ? {} : { inputs: one.inputs.map(short) }),
    })),
  };
}

const textOf = (record: RunRecord): string => `${JSON.stringify(record)}\n`;
const lengthOf = (record: RunRecord): number => Buffer.byteLength(textOf(record));

function isRecord(line: string): boolean {
  try {
    return recordValidator()(JSON.parse(line));
  } catch {
    return false;
  }
}
