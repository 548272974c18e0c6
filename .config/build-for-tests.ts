import type { TestProject } from 'vitest/node';
import { ensureBuilt } from './build.mjs';

/** Builds once what the tests start in other processes, so that these need not. In watch mode, again before a rerun. */
export default async function buildForTests(project: TestProject): Promise<void> {
  await ensureBuilt();
  project.onTestsRerun(ensureBuilt);
}
