import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with a plain line that any script can read. */
export const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const count = (state: string): number => states.filter((found) => found === state).length;
    const skipped = count('skipped');
    // After the default reporter's own summary.
    process.once('exit', () => {
      const tail = skipped === 0 ? '' : `, ${skipped} skipped`;
      process.stdout.write(`${count('passed')} passed, ${count('failed') + broken} failed${tail}\n`);
    });
  },
};
