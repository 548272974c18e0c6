import { CHECKS } from '../../../suites/index.ts';
import { CreationLedger } from '../../engine/creation-ledger.ts';
import type { Plan } from '../../engine/plan.ts';
import { Session, type SessionOptions } from '../../engine/session.ts';
import type { PetStoreDefinition } from '../../petstore/definition.ts';
import type { PetCheck } from '../../petstore/index.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { secretsOf } from './secrets.ts';

export type PetStoreSession = Awaited<ReturnType<typeof openSession>>;

/** The ledger that a plan names; undefined where it names none. */
export function ledgerOf(service: PetStoreDefinition, plan: Plan): CreationLedger | undefined {
  const { ledgerFile: file, runId, baseUrl } = plan;
  if (file === undefined) return undefined;
  const redact = createRedactor(secretsOf(plan, service));
  return new CreationLedger({ file, runId, baseUrl, entry: service.ledgerEntry, redact });
}

/**
 * Opens a session of the service, whose creations are noted in the ledger that the plan names.
 *
 * @param library where the checks that the plan names are found
 */
export async function openSession(
  service: PetStoreDefinition,
  plan: Plan,
  options: Omit<SessionOptions, 'ledger'>,
  library: readonly PetCheck[] = CHECKS,
) {
  const contract = await service.loadContract();
  const ledger = ledgerOf(service, plan);
  return new Session(service, library, plan, contract, ledger === undefined ? options : { ...options, ledger });
}
