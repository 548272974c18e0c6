import { CreationLedger } from '../../engine/creation-ledger.ts';
import type { Plan } from '../../engine/plan.ts';
import type { ServiceOutline } from '../../engine/service.ts';

/** The ledger that a plan names; undefined where it names none. @param redact removes every secret from a line */
export function ledgerOf(
  { ledgerEntry: entry }: Pick<ServiceOutline<never>, 'ledgerEntry'>,
  { ledgerFile: file, runId, baseUrl }: Plan,
  redact: (text: string) => string,
): CreationLedger | undefined {
  return file === undefined ? undefined : new CreationLedger({ file, runId, baseUrl, entry, redact });
}
