import type { ReportFormat } from '../report/model/result.ts';
import { oneOf, readNames } from './choices.ts';
import { writableFolder } from './writable-folder.ts';

const FORMATS: readonly ReportFormat[] = ['junit', 'json', 'html', 'md', 'har'];
const DEFAULT_FORMATS: readonly ReportFormat[] = ['junit', 'json', 'html', 'md'];

/** Where the reports go, and which. @throws UsageError */
export function readReportOptions(flags: { readonly report?: readonly string[]; readonly reportDir?: string }): {
  readonly reports: readonly ReportFormat[];
  readonly reportDir: string;
} {
  const reports =
    flags.report === undefined
      ? DEFAULT_FORMATS
      : readNames(flags.report).map((name) => oneOf('--report', name, FORMATS));
  return {
    reports,
    reportDir: writableFolder('--report-dir', flags.reportDir ?? 'reports'),
  };
}
