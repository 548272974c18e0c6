import { CHECKS } from '../../../suites/index.ts';
import type { Plan } from '../../engine/plan.ts';
import { Session, type SessionOptions } from '../../engine/session.ts';
import type { PetStoreDefinition } from '../../petstore/definition.ts';
import type { PetCheck } from '../../petstore/index.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { ledgerOf } from './ledger.ts';
import { secretsOf } from './secrets.ts';

interface OpenSessionOptions extends Omit<SessionOptions, 'ledger'> {
  /** Removes every secret from a line of the ledger; made where it is needed and missing. */
  readonly redact?: (text: string) => string;
}

/**
 * Opens a session of the service, whose creations are noted in the ledger that the plan names.
 *
 * @param library where the checks that the plan names are found
 */
export async function openSession(
  service: PetStoreDefinition,
  plan: Plan,
  { redact, ...options }: OpenSessionOptions,
  library: readonly PetCheck[] = CHECKS,
) {
  const contract = await service.loadContract();
  if (plan.ledgerFile === undefined) return new Session(service, library, plan, contract, options);
  const ledger = ledgerOf(service, plan, redact ?? createRedactor(secretsOf(plan, service)));
  return new Session(service, library, plan, contract, ledger === undefined ? options : { ...options, ledger });
}
