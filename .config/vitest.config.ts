import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { closingLine } from './closing-line.ts';

/** Tests that open a socket or start a process, and so all that start a run, are named so. All others are unit tests. */
const INTEGRATION = 'src/**/*.integration.test.ts';

const inPackage = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export default defineConfig({
  root: inPackage('.'),
  cacheDir: inPackage('node_modules/.vite'),
  test: {
    // Editors that start vitest in the folder of this file find the tests too.
    dir: inPackage('.'),
    reporters: ['default', closingLine],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
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
          globalSetup: inPackage('.config/build-for-tests.ts'),
        },
      },
      { extends: true, test: { name: 'conformance', include: ['.config/conformance.ts'] } },
    ],
  },
});
