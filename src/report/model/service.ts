import type { RunRecord } from './run-record.ts';

/** What the reports need to know of the service that is judged: its names, and nothing of its interface. */
export interface ServiceDescription {
  readonly title: string;
  /** Name of the program, which is that of the suite too. */
  readonly program: string;
  /** The noun for what a run creates. */
  readonly created: { readonly one: string; readonly many: string };
  /** The environment variable that holds the key. */
  readonly keyVariable: string;
  /** The parts of its specification, in order, with the short names that reports use and the file of their checks. */
  readonly parts: readonly { readonly part: string; readonly title: string; readonly file?: string }[];
}

/** What every report is written with, beside the result itself. */
export interface ReportContext {
  readonly service: ServiceDescription;
  /** The folder that the reports are in, as the user would type it. */
  readonly reportDir: string;
  /** Where a history is kept: the runs of this target, the earliest first and this one last. */
  readonly history?: readonly RunRecord[] | undefined;
}
