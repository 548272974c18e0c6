/** The files of reports in the report folder, by the names of their formats for `--report`; `write.ts` has a writer for each. */
export const FORMATS = {
  junit: 'junit.xml',
  json: 'conformance.json',
  html: 'report.html',
  md: 'summary.md',
} as const;

export type ReportFormat = keyof typeof FORMATS;

const isFormat = (name: string): name is ReportFormat => Object.hasOwn(FORMATS, name);

export const FORMAT_NAMES: readonly ReportFormat[] = Object.keys(FORMATS).filter(isFormat);
