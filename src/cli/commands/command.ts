import type { Profile } from '../../report/model/result.ts';
import type { Values } from '../option.ts';
import type { BASELINE_OPTIONS, COMPARE_OPTIONS, FAULTS_OPTIONS, LIST_OPTIONS, SERVE_OPTIONS } from '../options.ts';
import type { RunOptions } from '../run-options.ts';
import type { Terminal } from '../terminal.ts';
import type { ProxyOptions } from '../traffic/proxy.ts';
import type { TrafficOptions } from '../traffic/traffic-run.ts';

/** The options of `serve`; the token is undefined for the demo key. */
export type ServeOptions = Omit<Values<typeof SERVE_OPTIONS>, 'tokenEnv' | 'tokenFile'>;

/** What the user asked for, checked and complete. */
export type Command =
  /** One set of options for each target. */
  | { readonly kind: 'run'; readonly targets: readonly RunOptions[] }
  | ({ readonly kind: 'list' } & Values<typeof LIST_OPTIONS>)
  | { readonly kind: 'serve'; readonly options: ServeOptions }
  | { readonly kind: 'key'; readonly name: string; readonly token: string }
  | { readonly kind: 'faults'; readonly json: boolean }
  /** `faults --run`; `only` is empty for every fault and variant. */
  | ({
      readonly kind: 'matrix';
      readonly jobs: number;
      readonly seed: number;
      readonly profile: Profile;
      readonly whole: boolean;
    } & Terminal &
      Pick<Values<typeof FAULTS_OPTIONS>, 'only' | 'maxTimeMs' | 'pairs' | 'replays' | 'reportDir'>)
  /** Two files, or the runs of a history. */
  | ({ readonly kind: 'compare'; readonly results: readonly [before: string, after: string] | undefined } & Values<
      typeof COMPARE_OPTIONS
    >)
  | ({ readonly kind: 'judge'; readonly files: readonly string[] } & TrafficOptions)
  | ({ readonly kind: 'proxy' } & ProxyOptions)
  | ({ readonly kind: 'baseline'; readonly result: string } & Values<typeof BASELINE_OPTIONS>)
  | { readonly kind: 'help' | 'version'; readonly text: string };
