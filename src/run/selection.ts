/** A family alone, such as `LIST`, means all of it. */
const globOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern.replace(/[^A-Za-z0-9*]/g, '\\$&').replaceAll('*', '.*')}${/^[a-z]+$/i.test(pattern) ? '-.*' : ''}$`,
    'i',
  );

/** Patterns that match requirements, such as `LIST-2`, `LIST-*` or `LIST`. */
export interface Patterns {
  /** Empty for all. */
  readonly only: readonly string[];
  readonly skip?: readonly string[];
}

/** Whether a requirement is selected. */
export function selection({ only, skip = [] }: Patterns): (id: string) => boolean {
  const [selected, skipped] = [only.map(globOf), skip.map(globOf)];
  return (id) =>
    (selected.length === 0 || selected.some((glob) => glob.test(id))) && !skipped.some((glob) => glob.test(id));
}
