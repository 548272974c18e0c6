import { defineConfig } from 'vitest/config';
import { closingLine } from './closing-line.ts';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  cacheDir: 'node_modules/.vite',
  test: {
    include: ['src/**/*.test.ts'],
    reporters: ['default', closingLine],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
