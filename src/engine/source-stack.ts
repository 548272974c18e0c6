/**
 * The stack of an error, with the places in the sources. Mapping stacks is switched off in a run, as it takes long and
 * Node.js makes stacks that nobody reads; a stack is made when it is first read.
 */
export function sourceStack(error: Error): string | undefined {
  const { sourceMapsEnabled } = process;
  process.setSourceMapsEnabled(true);
  try {
    return error.stack;
  } finally {
    process.setSourceMapsEnabled(sourceMapsEnabled === true);
  }
}
