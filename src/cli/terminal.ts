import type { Catalogue } from '../engine/catalogue.ts';

/** What the command line is read against. */
export interface Surroundings {
  /** Called only if a pattern of requirements is given. */
  catalogue(): Promise<Catalogue>;
  /** Whether output goes to a terminal. */
  readonly isTerminal: boolean;
  /** Whether messages and progress go to one; false if missing. */
  readonly isErrorTerminal?: boolean;
  /** Whether input comes from one; false if missing. */
  readonly isInputTerminal?: boolean;
  /** The version of the suite. */
  readonly version: string;
  /** The folder for reports where none is given, if it is not the usual one. */
  readonly reportDir?: string | undefined;
}

/** What can be shown. */
export interface Terminal {
  /** Whether the output is coloured. */
  readonly color: boolean;
  /** Whether progress may be redrawn in place, and whether it is coloured; it goes to standard error. */
  readonly interactive: boolean;
  readonly progressColor: boolean;
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';
const isOn = (value: string | undefined): boolean => isSet(value) && value !== '0' && value !== 'false';

/** In continuous integration nobody sits at the terminal, if there is one. */
export const isContinuousIntegration = (environment: NodeJS.ProcessEnv): boolean => isOn(environment['CI']);

/** `--no-color` and NO_COLOR turn colour off, FORCE_COLOR turns it on. A dumb terminal and a CI log are not redrawn. */
export function terminalOf(
  { isTerminal, isErrorTerminal = false }: Pick<Surroundings, 'isTerminal' | 'isErrorTerminal'>,
  environment: NodeJS.ProcessEnv,
  colorOption: boolean,
): Terminal {
  const isDumb = environment['TERM'] === 'dumb';
  const force = environment['FORCE_COLOR'];
  const isColored = (isCapable: boolean): boolean =>
    colorOption && !isSet(environment['NO_COLOR']) && (isSet(force) ? isOn(force) : isCapable);
  return {
    color: isColored(isTerminal && !isDumb),
    interactive: isErrorTerminal && !isDumb && !isContinuousIntegration(environment),
    progressColor: isColored(isErrorTerminal && !isDumb),
  };
}

/** The columns of the terminal that a stream goes to; undefined where it goes elsewhere. */
export function terminalColumns(stream: object): number | undefined {
  const columns: unknown = Reflect.get(stream, 'columns');
  // A terminal that does not know its size says 0.
  return typeof columns === 'number' && columns > 0 ? columns : undefined;
}
