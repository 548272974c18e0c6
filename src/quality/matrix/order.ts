import type { Fault, Variant } from '../../reference/index.ts';
import type { Job } from './trial.ts';

/** The requirements whose variants slow the service down, and whose faults keep a request waiting. */
const SLOW = new Set(['SERV-5', 'LIM-3', 'LIST-13']);

/** Every trial as a job, those that are likely to take long first, so that none is left over at the end. */
export function inOrder(
  { faults, variants }: { readonly faults: readonly Fault[]; readonly variants: readonly Variant[] },
  seed: number,
): readonly Job[] {
  const jobs = [
    ...variants.map(({ name, chooses }) => ({ about: chooses, job: { kind: 'variant' as const, name, seed } })),
    ...faults.map(({ name, breaks }) => ({ about: breaks, job: { kind: 'fault' as const, name, seed } })),
  ];
  return [...jobs.filter(({ about }) => SLOW.has(about)), ...jobs.filter(({ about }) => !SLOW.has(about))].map(
    ({ job }) => job,
  );
}
