import type { JudgingOptions } from '../api/conformance-options.ts';

/**
 * What to judge, and how; the options mean what those of the command line mean. The seed is 1 unless another is given,
 * so that each run sends the same requests.
 */
export interface ConformanceOptions extends JudgingOptions {
  /**
   * The address of the service, ending in `/v1`; or a function that gives it, called before the first test, when a
   * `beforeAll` hook may have started the service.
   */
  readonly baseUrl: string | (() => string | Promise<string>);
  /** The API key. */
  readonly token: string;
}
