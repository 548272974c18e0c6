import type { TestProject } from 'vitest/node';
import { buildBenchmark, buildTestPrograms, ensureBuilt } from './build.mjs';

/** Builds once what the tests start in other processes, so that these need not. In watch mode, again before a rerun. */
export default async function buildForTests(project: TestProject): Promise<void> {
  const build = async (): Promise<void> => {
    await ensureBuilt();
    await buildTestPrograms();
    await buildBenchmark();
  };
  await build();
  project.onTestsRerun(build);
}
