/** The formats of reports, by their names for `--report`; `write.ts` has a writer for each. */
export const FORMATS = {
  junit: { file: 'junit.xml', isUsual: true },
  json: { file: 'conformance.json', isUsual: true },
  html: { file: 'report.html', isUsual: true },
  md: { file: 'summary.md', isUsual: true },
} as const satisfies Readonly<Record<string, Format>>;

interface Format {
  /** The name of the file in the report folder. */
  readonly file: string;
  /** A run without `--report` writes it. */
  readonly isUsual: boolean;
}

export type ReportFormat = keyof typeof FORMATS;

const isFormat = (name: string): name is ReportFormat => Object.hasOwn(FORMATS, name);

export const FORMAT_NAMES: readonly ReportFormat[] = Object.keys(FORMATS).filter(isFormat);
