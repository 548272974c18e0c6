/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;
