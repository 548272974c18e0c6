import type { Address } from '../../http/connect/route.ts';
import { evidenceOf } from '../../http/evidence/evidence.ts';
import type { Cause } from '../../report/model/result.ts';
import type { History } from '../history.ts';
import type { ServiceOutline } from '../service.ts';
import type { Tally } from '../tally.ts';
import { causesOf } from './causes.ts';
import type { FailedCheck } from './grouping.ts';

interface Run {
  readonly service: Pick<ServiceOutline<never>, 'loadCatalogue'>;
  readonly history: Pick<History, 'notes'>;
  readonly address: Address;
}

/**
 * The causes of a result: why its checks failed.
 *
 * @param blocked by requirement, those that could not be judged because of it
 */
export function resultCauses(
  failedChecks: readonly { readonly id: string; readonly requirement: string }[],
  tallyOf: (checkId: string) => Tally,
  blocked: ReadonlyMap<string, readonly string[]>,
  { service, history, address }: Run,
): readonly Cause[] {
  if (failedChecks.length === 0) return [];
  const { requirements } = service.loadCatalogue();
  const violated = new Set(failedChecks.map(({ requirement }) => requirement));
  const failed = failedChecks.map(({ id, requirement }): FailedCheck => {
    const row = requirements.find((one) => one.id === requirement);
    return {
      id,
      requirement,
      kind: row?.kind ?? 'derived',
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
