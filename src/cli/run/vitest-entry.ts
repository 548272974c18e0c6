/** The package's entry `petstore-conformance/vitest`: the checks in a vitest run of one's own. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { registerConformanceTests } from './conformance-tests.ts';
import type { ConformanceOptions } from './vitest-options.ts';

export type { ConformanceOptions } from './vitest-options.ts';

/**
 * Registers the checks of the Pet Store in a vitest file: a test for each check.
 *
 * @throws UsageError where the options are wrong, with the codes of the command line
 *
 * @example
 * import { petStoreConformance } from 'petstore-conformance/vitest';
 *
 * petStoreConformance({ baseUrl: 'http://127.0.0.1:8080/v1', token: 'my-key' });
 */
export function petStoreConformance(options: ConformanceOptions): void {
  registerConformanceTests(options, { afterAll, beforeAll, describe, test });
}
