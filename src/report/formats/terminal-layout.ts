import type pc from 'picocolors';
import type { RunResult } from '../model/result.ts';
import type { ReportContext } from '../model/service.ts';
import { printable } from '../model/text.ts';
import { hanging } from './columns.ts';

/** What every section of the terminal's report is written with. */
export interface Layout extends ReportContext {
  readonly result: RunResult;
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly verbose: boolean;
  /** Columns for lists and tables. */
  readonly width: number;
  /** Columns for sentences and evidence; Infinity where nobody reads along, so that each stays on a line of its own. */
  readonly lineWidth: number;
}

/** A line of evidence: its label, and its text, which is escaped here. */
export function labelled(label: string, text: string, { lineWidth }: Pick<Layout, 'lineWidth'>): string {
  return hanging(`  ${label.padEnd(10)} `, printable(text), lineWidth);
}

/** As {@link labelled}, for what is to be copied: a line feed would break it, so that the terminal itself wraps it. */
export function verbatim(label: string, text: string): string {
  return labelled(label, text, { lineWidth: Number.POSITIVE_INFINITY });
}
