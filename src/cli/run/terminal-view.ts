import { PET_STORE } from '../../petstore/description.ts';
import { tellingMisses } from '../../petstore/inputs/credentials.ts';
import { createProgress } from '../../report/formats/progress.ts';
import { terminalReport } from '../../report/formats/terminal.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import type { ConformanceEvent } from '../api/events.ts';
import type { RunOptions } from '../run-options.ts';
import { secretsOf } from './secrets.ts';

/** A run as a terminal shows it. */
export interface TerminalView {
  readonly onEvent: (event: ConformanceEvent) => void;
  /** Called last, however the run ended. */
  readonly close: () => void;
}

/** Shows the progress of a run while it is under way, and its report at the end. */
export function terminalView(options: RunOptions, stdout: NodeJS.WritableStream): TerminalView {
  const { interactive, color, output, reportDir, reports } = options;
  const progress = createProgress({ stream: process.stderr, interactive, color, quiet: output === 'quiet' });
  const written = reports.length > 0;
  return {
    onEvent: (event) => {
      if (event.type === 'progress') progress.update(event);
      if (event.type !== 'run-ended') return;
      progress.finish();
      const text = terminalReport(event.result, { service: PET_STORE, color, output, reportDir, written });
      stdout.write(createRedactor(secretsOf(options, { secrets: tellingMisses }))(text));
    },
    close: progress.finish,
  };
}
