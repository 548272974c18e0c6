import { PET_STORE } from '../../petstore/description.ts';
import { createProgress } from '../../report/formats/progress.ts';
import { terminalReport } from '../../report/formats/terminal.ts';
import type { ConformanceEvent } from '../api/events.ts';
import type { RunOptions } from '../run-options.ts';
import { terminalColumns } from '../terminal.ts';
import { redactorOf } from './redactor.ts';

/** Where a run is shown. */
export interface TerminalOutput {
  readonly stdout: NodeJS.WritableStream;
  /** For progress. */
  readonly stderr: NodeJS.WritableStream;
  /** Aborted where the user ends the run. */
  readonly signal: AbortSignal;
}

/** A run as a terminal shows it. */
interface TerminalView {
  readonly onEvent: (event: ConformanceEvent) => void;
  /** Called last, however the run ended. */
  readonly close: () => void;
}

/** Shows the progress of a run while it lasts, and its report at the end. */
export async function terminalView(
  options: RunOptions,
  { stdout, stderr, signal }: TerminalOutput,
): Promise<TerminalView> {
  const { interactive, color, progressColor, output, reportDir, reports } = options;
  const look = { interactive, color: progressColor, quiet: output === 'quiet' };
  const progress = await createProgress({ stream: stderr, ...look });
  signal.addEventListener('abort', progress.interrupt, { once: true });
  if (signal.aborted) progress.interrupt();
  return {
    onEvent: (event) => {
      if (event.type === 'progress') progress.update(event);
      if (event.type !== 'run-ended') return;
      progress.finish();
      const redact = redactorOf(options);
      const columns = terminalColumns(stdout);
      const written = event.written && reports.length > 0;
      stdout.write(
        terminalReport(event.result, { service: PET_STORE, color, output, columns, reportDir, written, redact }),
      );
    },
    close: () => {
      signal.removeEventListener('abort', progress.interrupt);
      progress.finish();
    },
  };
}
