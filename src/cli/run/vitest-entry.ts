/** The package's entry `petstore-conformance/vitest`: the checks in a vitest run of one's own. */
import { CHECKS } from '../../../suites/index.ts';
import { preflight } from '../../engine/preflight.ts';
import { type PetStoreOptions, petStore } from '../../petstore/definition.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { type RunOptions, runDefaults } from '../run-options.ts';
import { readPatterns, refuseEmptySelection } from '../values/requirements.ts';
import { openSession } from './open-session.ts';
import { planOf, select, withTimeLeft } from './plan.ts';
import { registerChecks } from './register-checks.ts';
import { secretsOf } from './secrets.ts';

type Given = 'profile' | 'readOnly' | 'maxCreates' | 'only' | 'skip' | 'seed' | 'strict' | 'today' | 'headers';
type Pacing =
  | 'concurrency'
  | 'rateLimit'
  | 'requestTimeoutMs'
  | 'maxTimeMs'
  | 'settleMs'
  | 'soakMs'
  | 'soakPerSecond'
  | 'failFast'
  | 'waitForMs';

/** What to judge, and how; the options have the meaning and the defaults of those of the command line. */
export interface ConformanceOptions extends Partial<Pick<RunOptions, Given | Pacing>>, Partial<PetStoreOptions> {
  /**
   * The address of the service, ending in `/v1`; or a function that gives it, called before the first test, when a
   * `beforeAll` hook may have started the service.
   */
  readonly baseUrl: string | (() => string | Promise<string>);
  /** The API key. */
  readonly token: string;
}

/**
 * Registers the checks of the Pet Store in a vitest file: a test for each check, in a suite for each phase, and a test
 * for each rule about every answer. The seed is 1 unless another is given, so that each run sends the same requests.
 *
 * @example
 * import { petStoreConformance } from 'petstore-conformance/vitest';
 *
 * petStoreConformance({ baseUrl: 'http://127.0.0.1:8080/v1', token: 'my-key' });
 */
export function petStoreConformance({ baseUrl, ...given }: ConformanceOptions): void {
  const service = petStore({ categoryIds: given.categoryIds ?? [] });
  const catalogue = service.loadCatalogue();
  const only = readPatterns('only', given.only ?? [], catalogue);
  const skip = readPatterns('skip', given.skip ?? [], catalogue);
  refuseEmptySelection(only, skip, catalogue);
  const selection = select(runDefaults({ ...given, only, skip }), CHECKS);
  const { options, checks } = selection;
  registerChecks({
    title: `${service.description.title} conformance`,
    checks,
    hasSoak: options.soakMs !== undefined,
    redact: createRedactor(secretsOf(options, service)),
    keepResults: false,
    open: async () => {
      const target = { baseUrl: typeof baseUrl === 'string' ? baseUrl : await baseUrl(), ledgerFile: undefined };
      const plan = planOf(selection, service, target);
      const started = performance.now();
      const look = await preflight(service, plan, options.waitForMs, new AbortController().signal);
      if (look.kind === 'unjudgeable') throw new Error(look.sentence);
      return openSession(service, withTimeLeft(plan, performance.now() - started), {});
    },
  });
}
