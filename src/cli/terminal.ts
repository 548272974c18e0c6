import type { Environment } from './environment.ts';

/** How to write to where the output goes. */
export interface Terminal {
  readonly color: boolean;
  /** Whether what was written may be redrawn in place. */
  readonly interactive: boolean;
}

const set = (value: string | undefined): boolean => value !== undefined && value !== '';
/** A machine runs it: nobody sits at the terminal, if there is one. */
export const isContinuousIntegration = (environment: Environment): boolean => on(environment['CI']);

const on = (value: string | undefined): boolean => set(value) && value !== '0' && value !== 'false';

/**
 * What the output can take: `--no-color` and NO_COLOR switch colour off, FORCE_COLOR switches it on where no terminal
 * is found; a dumb terminal and a CI's log are never redrawn.
 */
export function terminalOf(isTerminal: boolean, environment: Environment, colorOption: boolean): Terminal {
  const dumb = environment['TERM'] === 'dumb';
  return {
    color: colorOption && !set(environment['NO_COLOR']) && colorWished(isTerminal && !dumb, environment['FORCE_COLOR']),
    interactive: isTerminal && !dumb && !isContinuousIntegration(environment),
  };
}

function colorWished(capable: boolean, force: string | undefined): boolean {
  return set(force) ? on(force) : capable;
}
