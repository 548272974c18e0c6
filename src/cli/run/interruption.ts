type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** What interrupts a run: Ctrl+C, another program, a closed terminal, or an uncaught error. */
export type Interrupt = Signal | 'uncaughtException';

/** What a shell expects of a process that a signal ended: 128 plus the number of the signal. */
export const INTERRUPT_EXIT_CODES: Readonly<Record<Interrupt, number>> = {
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
  uncaughtException: 2,
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm passes on a Ctrl+C that the terminal sends too, so two within this time (ms) count as one. */
const ECHO_MS = 400;
/** How often the parent process is checked (ms). */
const PARENT_CHECK_MS = 500;

/** Where signals come from: the process, except in tests. */
export interface SignalSource {
  on(signal: Signal, listener: (signal: Signal) => void): unknown;
  on(event: 'uncaughtException', listener: () => void): unknown;
  off(event: Interrupt, listener: (signal: Signal) => void): unknown;
  exit(code: number): unknown;
  readonly ppid: number;
}

export interface Interruption {
  /** Aborted by the first interrupt, which is its reason. */
  readonly signal: AbortSignal;
  /** What has interrupted the run, if anything. */
  readonly endedBy: Interrupt | undefined;
  /** Acts as if the signal had come, as a question at the terminal intercepts Ctrl+C. */
  interrupt(signal: Interrupt): void;
  /** Stops listening. */
  end(): void;
}

/**
 * Listens for Ctrl+C, SIGTERM, SIGHUP and uncaught errors. The first ends the run with the reports so far; a second
 * ends the process at once. npm does not pass on SIGTERM, so the end of npm counts as one.
 *
 * @param areReportsDue whether reports are written if the run ends now
 */
export function listenForInterrupts(
  stderr: NodeJS.WritableStream,
  source: SignalSource,
  environment: NodeJS.ProcessEnv,
  areReportsDue: () => boolean,
): Interruption {
  const controller = new AbortController();
  let endedBy: Interrupt | undefined;
  let at = 0;
  const interrupt = (signal: Interrupt): void => {
    if (endedBy !== undefined) {
      if (performance.now() - at > ECHO_MS) source.exit(INTERRUPT_EXIT_CODES[signal]);
      return;
    }
    endedBy = signal;
    at = performance.now();
    // First, so that the progress line is cleared before the message.
    controller.abort(signal);
    const reports = areReportsDue() ? ', and the reports are written' : '';
    stderr.write(`\nInterrupted: nothing more is sent${reports}.\nPress Ctrl+C again to stop immediately.\n`);
  };
  for (const signal of SIGNALS) source.on(signal, interrupt);
  const onError = (): void => interrupt('uncaughtException');
  source.on('uncaughtException', onError);
  const parent = source.ppid;
  const isOfNpm = environment['npm_lifecycle_event'] !== undefined;
  const watch = setInterval(() => {
    if (isOfNpm && endedBy === undefined && source.ppid !== parent) interrupt('SIGTERM');
  }, PARENT_CHECK_MS).unref();
  return {
    signal: controller.signal,
    get endedBy() {
      return endedBy;
    },
    interrupt,
    end: () => {
      clearInterval(watch);
      for (const signal of SIGNALS) source.off(signal, interrupt);
      source.off('uncaughtException', onError);
    },
  };
}
