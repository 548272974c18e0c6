/** The document that terminal, Markdown and HTML lay out. */

import type { RunRecord } from '../result/history.ts';
import type { EvidenceLine } from './evidence-lines.ts';

/** An outcome, as its colour shows it. */
export type Tone = 'good' | 'bad' | 'unsure' | 'plain';

/** An item of a list. */
export interface Item {
  readonly lead?: string | undefined;
  readonly text: string;
  /** The requirements that it is about. */
  readonly ids?: readonly string[] | undefined;
}

export interface FindingBlock {
  readonly kind: 'finding';
  /** `unsure` for a failure that the baseline accepts. */
  readonly tone: 'bad' | 'unsure';
  readonly number: number;
  readonly says: string;
  readonly requirements: readonly string[];
  readonly rate: string;
  readonly lines: readonly EvidenceLine[];
}

/** A requirement with its outcome. */
export interface RequirementRow {
  readonly id: string;
  readonly tone: Tone;
  readonly outcome: string;
  readonly says: string;
  /** Shown beside the outcome. */
  readonly note?: string | undefined;
  readonly facts: readonly (readonly [name: string, texts: readonly string[]])[];
  /** Findings because of which it fails. */
  readonly findings: readonly {
    readonly number: number;
    readonly says: string;
    readonly request?: string | undefined;
  }[];
}

export interface RequirementsBlock {
  readonly kind: 'requirements';
  readonly groups: readonly {
    readonly title: string;
    readonly summary: string;
    readonly rows: readonly RequirementRow[];
  }[];
}

export interface TableBlock {
  readonly kind: 'table';
  readonly caption: string;
  readonly columns: readonly string[];
  /** Cells in the order of the columns; all but the first `texts` (1 if missing) are numbers. */
  readonly rows: readonly (readonly string[])[];
  readonly texts?: number | undefined;
}

export type Block =
  | { readonly kind: 'list'; readonly items: readonly Item[] }
  | { readonly kind: 'evidence'; readonly lines: readonly EvidenceLine[] }
  | FindingBlock
  | RequirementsBlock
  | TableBlock;

/** The anchor of a section in a page. */
export const idOf = (heading: string): string => heading.toLowerCase().replace(/[^a-z]+/g, '-');

export interface Section {
  readonly id: string;
  readonly heading: string;
  /** Whether only a page shows its heading, as its blocks need none. */
  readonly bare?: boolean;
  /** `brief`: in every report · `full`: with `--verbose` and in pages · `page`: only in pages. */
  readonly level: 'brief' | 'full' | 'page';
  readonly blocks: readonly Block[];
}

export interface Document {
  /** `Pet Store conformance` */
  readonly heading: string;
  /** Target, profile and seed. */
  readonly about: readonly string[];
  /** When the run began, for pages: other reports appear as it ends. */
  readonly began: string;
  readonly tone: Tone;
  readonly conclusion: string;
  readonly figures: readonly string[];
  readonly sections: readonly Section[];
  readonly footer: string;
}

/** What reports need besides the result. */
export interface ReportContext {
  /** The folder of the reports, as the user typed it. */
  readonly reportDir: string;
  /** Whether conformance.json is written there, which `--replay` reads. */
  readonly hasResult?: boolean | undefined;
  /** Earlier runs, if a history is kept. */
  readonly history?: readonly RunRecord[] | undefined;
}
