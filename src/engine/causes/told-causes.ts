import type { Contract } from '../../contract/contract.ts';
import type { Address } from '../../http/connect/route.ts';
import { evidenceOf } from '../../http/evidence/evidence.ts';
import type { Cause } from '../../report/model/result.ts';
import type { History } from '../history.ts';
import type { ServiceOutline } from '../service.ts';
import type { Tally } from '../tally.ts';
import { causesOf } from './causes.ts';
import type { FailedCheck } from './grouping.ts';

interface ToldBy {
  readonly service: Pick<ServiceOutline<never>, 'loadCatalogue' | 'description'>;
  readonly contract: Contract;
  readonly history: Pick<History, 'notes'>;
  readonly address: Address;
}

/**
 * Why checks failed, as a result tells it.
 *
 * @param blocked by requirement, those that could not be judged because of it
 */
export function toldCauses(
  failedChecks: readonly { readonly id: string; readonly requirement: string }[],
  tallyOf: (checkId: string) => Tally,
  blocked: ReadonlyMap<string, readonly string[]>,
  { service, contract, history, address }: ToldBy,
): readonly Cause[] {
  if (failedChecks.length === 0) return [];
  const { requirements } = service.loadCatalogue();
  const { parts } = service.description;
  const violated = new Set(failedChecks.map(({ requirement }) => requirement));
  const failed = failedChecks.map(({ id, requirement }): FailedCheck => {
    const row = requirements.find((one) => one.id === requirement);
    const title = parts.find(({ part }) => part === row?.part)?.title;
    return {
      id,
      requirement,
      kind: row?.kind ?? 'derived',
      operation: contract.operations.find((operation) => operation === title),
      blocks: (blocked.get(requirement) ?? []).filter((one) => !violated.has(one)),
      ...tallyOf(id).found,
    };
  });
  return causesOf(failed, history.notes).map(({ says, requirements: ids, checks, unjudged, since, shownBy }) => {
    const judged = shownBy.proof.at(-1);
    return {
      says,
      requirements: ids,
      checks,
      ...(unjudged.length === 0 ? {} : { unjudged }),
      ...(since === undefined ? {} : { since }),
      ...(judged === undefined ? {} : { exchange: evidenceOf(judged, 'judged', address) }),
    };
  });
}
