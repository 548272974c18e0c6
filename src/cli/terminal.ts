import type { Catalogue } from '../engine/catalogue.ts';

/** What the command line is read against. */
export interface Surroundings {
  /** Called only if a pattern of requirements is given. */
  catalogue(): Promise<Catalogue>;
  /** Whether output goes to a terminal. */
  readonly isTerminal: boolean;
  /** Whether input comes from one; false if missing. */
  readonly isInputTerminal?: boolean;
  /** The version of the suite. */
  readonly version: string;
}

/** What the output can show. */
export interface Terminal {
  readonly color: boolean;
  /** Whether progress may be redrawn in place. */
  readonly interactive: boolean;
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';
const isOn = (value: string | undefined): boolean => isSet(value) && value !== '0' && value !== 'false';

/** In continuous integration nobody sits at the terminal, if there is one. */
export const isContinuousIntegration = (environment: NodeJS.ProcessEnv): boolean => isOn(environment['CI']);

/** `--no-color` and NO_COLOR turn colour off, FORCE_COLOR turns it on. A dumb terminal and a CI log are not redrawn. */
export function terminalOf(isTerminal: boolean, environment: NodeJS.ProcessEnv, colorOption: boolean): Terminal {
  const isCapable = isTerminal && environment['TERM'] !== 'dumb';
  const force = environment['FORCE_COLOR'];
  return {
    color: colorOption && !isSet(environment['NO_COLOR']) && (isSet(force) ? isOn(force) : isCapable),
    interactive: isCapable && !isContinuousIntegration(environment),
  };
}
