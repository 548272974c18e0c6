import type { RunOptions } from '../../engine/options.ts';
import type { ReportFormat } from '../../report/model/result.ts';

/** The reference service as `serve` starts it. */
export interface ServeOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  /** undefined for the key that is known to all. */
  readonly token: string | undefined;
  readonly faults: readonly string[];
  readonly variants: readonly string[];
  /** How long every answer is held back. */
  readonly latencyMs: number;
  /** How many animals to start with; undefined for a handful. */
  readonly animals: number | undefined;
}

/** What the user asked for, checked and complete. */
export type Command =
  /** One set of options a target; one without an address for the embedded reference service. */
  | { readonly kind: 'run'; readonly targets: readonly RunOptions[] }
  | {
      readonly kind: 'list';
      readonly only: readonly string[];
      readonly json: boolean;
    }
  | { readonly kind: 'serve'; readonly options: ServeOptions }
  | { readonly kind: 'faults'; readonly json: boolean }
  | {
      readonly kind: 'matrix';
      /** Patterns of names; empty for every fault and variant. */
      readonly only: readonly string[];
      /** Worker processes. */
      readonly jobs: number;
      readonly seed: number;
      readonly reportDir: string;
      readonly color: boolean;
      /** Whether progress may be redrawn in place. */
      readonly interactive: boolean;
    }
  | {
      readonly kind: 'compare';
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly kind: 'merge';
      readonly files: readonly string[];
      readonly reportDir: string;
      readonly reports: readonly ReportFormat[];
      readonly color: boolean;
    }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version'; readonly text: string };
