import {
  afterAll,
  beforeAll,
  describe,
  type Suite,
  startTests,
  type Test,
  test,
  type VitestRunner,
  type VitestRunnerConfig,
} from '@vitest/runner';
import { type ChecksEvent, describeError } from './checks-messages.ts';
import type { TestFunctions } from './register-checks.ts';

/** The functions of vitest with which the tests of a run of our own are registered. */
export const VITEST: TestFunctions = { afterAll, beforeAll, describe, test };

/** Stands for the test file, of which there is none. */
const FILE = 'checks';

/** What vitest's command would read from its configuration. The run has a time budget of its own: no test times out. */
const CONFIG: VitestRunnerConfig = {
  root: '.',
  setupFiles: [],
  name: undefined,
  passWithNoTests: true,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  // The checks of a phase begin together: what bounds them is how many requests may be under way.
  maxConcurrency: Number.MAX_SAFE_INTEGER,
  testTimeout: 0,
  hookTimeout: 0,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: true,
};

/**
 * Runs tests with vitest's own runner, without Vite and all else that vitest's command loads to find and transform test
 * files: that would take a third of the processor time of a run.
 *
 * @param register registers the tests
 * @param tell told of each suite and test, and of what goes wrong outside of them
 */
export async function runTests(register: () => void, tell: (event: ChecksEvent) => void): Promise<void> {
  const files = await startTests([FILE], new TellingRunner(register, tell));
  for (const { result } of files) {
    for (const error of result?.errors ?? []) tell({ kind: 'fault', error: describeError(error) });
  }
}

/** Tells what vitest's reporters are told. */
class TellingRunner implements VitestRunner {
  readonly config = CONFIG;
  readonly importFile: () => void;
  readonly #tell: (event: ChecksEvent) => void;

  constructor(register: () => void, tell: (event: ChecksEvent) => void) {
    this.importFile = register;
    this.#tell = tell;
  }

  onBeforeRunSuite({ suite, name }: Suite): void {
    // The outermost suite holds all others.
    if (suite !== undefined) this.#tell({ kind: 'suite', name });
  }

  /** Called of a test that was skipped, too. */
  onTaskFinished({ name, meta: { judged }, result }: Test): void {
    const [error] = result?.errors ?? [];
    this.#tell({ kind: 'test', name, judged, error: error && describeError(error) });
  }

  onAfterRunSuite({ meta: { telemetry }, file, id, result }: Suite): void {
    if (telemetry !== undefined) this.#tell({ kind: 'telemetry', telemetry });
    if (id === file.id) return;
    for (const error of result?.errors ?? []) this.#tell({ kind: 'fault', error: describeError(error) });
  }
}
