import type { CheckContext } from '../engine/context.ts';
import { LARGEST_LIMIT } from './inputs/limits.ts';
import type { Created } from './ledger.ts';
import type { Reply } from './reply.ts';

/** Whether the list showed an animal within the settling time. */
export type Sighting =
  | { readonly kind: 'shown'; readonly milliseconds: number; readonly page: Reply }
  /** The page had no room for it, or the service may keep its pages this short. */
  | { readonly kind: 'out of sight'; readonly page: Reply }
  /** The page had room: the service has shown longer ones. */
  | { readonly kind: 'left out'; readonly page: Reply };

/** Looks for an animal in the longest page that can be asked for, until it is there or the settling time is over. */
export async function looksForInList(context: CheckContext, animal: Created, status?: string): Promise<Sighting> {
  const { service, known } = context;
  const started = animal.exchange.answeredAt;
  const query = { limit: LARGEST_LIMIT, ...(status === undefined ? {} : { status }) };
  const isThere = (page: Reply): boolean => page.animals.some(({ id }) => id === animal.id);
  const page = await service.eventually(() => service.list(query), isThere);
  if (isThere(page)) return { kind: 'shown', milliseconds: page.exchange.answeredAt - started, page };
  const hadRoom = (page.pageLength ?? 0) < known.longestFullPage;
  return { kind: hadRoom ? 'left out' : 'out of sight', page };
}

const WIDEST_GAP = 40n;
const MOST_PROBES = 80;

/**
 * Where ids are given in order, an animal that was made of a refused request stands between two of the run's own.
 * Gets every id in such gaps; the rules judge what comes back. Returns how many ids were tried, or undefined where
 * the ids are not in order, so that nothing can be learned from them.
 */
export async function probeGaps(context: CheckContext): Promise<number | undefined> {
  const ids = context.known.ledger.all().map(({ id }) => id);
  const ordered = ids.toSorted((a, b) => (a < b ? -1 : 1));
  const steps = ordered.slice(1).map((id, at) => ({ after: ordered[at] ?? id, before: id }));
  const close = steps.filter(({ after, before }) => before - after <= WIDEST_GAP);
  if (close.length < 3 || close.length * 2 < steps.length) return undefined;
  const missing = close.flatMap(({ after, before }) =>
    Array.from({ length: Number(before - after) - 1 }, (_, at) => after + BigInt(at) + 1n),
  );
  const probed = missing.slice(-MOST_PROBES);
  await context.each(probed, async (id) => {
    await context.service.tryGet(id);
  });
  return probed.length;
}
