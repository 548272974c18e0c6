import { BaselineError, readBaseline } from '../../engine/baseline/read-baseline.ts';
import type { Catalogue } from '../../engine/catalogue.ts';
import type { ListedFailure } from '../../report/model/baseline.ts';
import { UsageError } from '../errors.ts';
import { CHECK_LIST } from '../run/check-list.prebuilt.ts';

/**
 * The entries of the baseline that an option names.
 * @throws UsageError where it is none, or lists what the suite does not have
 */
export function readBaselineOf(source: string, file: string, catalogue: Catalogue): readonly ListedFailure[] {
  try {
    return readBaseline(file, { catalogue, checks: CHECK_LIST });
  } catch (error) {
    throw error instanceof BaselineError ? new UsageError('baseline-invalid', `${source}: ${error.message}`) : error;
  }
}
