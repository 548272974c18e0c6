import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { Reporter, TestModule } from 'vitest/node';

/** Tests that open a socket or start a process, and so all that start a run, are named so. All others are unit tests. */
const INTEGRATION = 'src/**/*.integration.test.ts';

const inPackage = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Ends the output with a plain line that any script can read. */
const closingLine: Reporter = {
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

export default defineConfig({
  root: inPackage('.'),
  cacheDir: inPackage('node_modules/.vite'),
  test: {
    // Editors that start vitest in the folder of this file find the tests too.
    dir: inPackage('.'),
    reporters: ['default', closingLine],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    maxWorkers: 3,
    // It imports JSON in a way that Node.js no longer takes, and vitest does.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: [INTEGRATION],
          setupFiles: inPackage('.config/unit-tests.ts'),
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: [INTEGRATION],
          globalSetup: inPackage('.config/build.mjs'),
        },
      },
      { extends: true, test: { name: 'conformance', include: ['.config/conformance.ts'] } },
    ],
  },
});
