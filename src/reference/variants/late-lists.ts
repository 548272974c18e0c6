import { choosing } from '../changes.ts';
import type { Variant } from '../steps.ts';
import { below } from './builders.ts';
import { after, inTurn, onlyWhere, replicaByChance, replicated } from './replicas.ts';

/** The latest that a list may be, short of the settle time of 5 seconds. */
const LATEST = 4800;

/** Lists that lag behind for almost as long as the settle time of a user who does not set it. */
// biome-ignore format: one table
export const lateListVariants: readonly Variant[] = [
  ...choosing('LIST-13', {
    'late-on-one-replica': ['Lists come from a single replica, which is 4.8 seconds behind.',
      replicated([after(LATEST)], inTurn)],
    'late-on-every-second-list': ['Lists come from two replicas in turn, one of them 4.8 seconds behind.',
      replicated([after(0), after(LATEST)], inTurn)],
    'late-on-two-replicas-in-turn': ['Lists come from two replicas in turn, which are 3.1 and 4.8 seconds behind.',
      replicated([after(3100), after(LATEST)], inTurn)],
    'late-on-three-replicas-in-turn': [
      'Lists come from three replicas in turn, which are 2, 3.5 and 4.8 seconds behind.',
      replicated([after(2000), after(3500), after(LATEST)], inTurn)],
    'late-by-chance': ['Lists come from one of two replicas at random, one of them 4.8 seconds behind.',
      replicated([after(0), after(LATEST)], replicaByChance)],
    'late-on-one-replica-of-five': [
      'Lists come from one of five replicas at random; one of them is 4.8 seconds behind.',
      replicated([after(0), after(0), after(0), after(LATEST), after(0)], replicaByChance)],
    'late-by-uneven-times': ['Lists come from two replicas in turn, which every change reaches after up to 4.8 seconds.',
      replicated(Array.from({ length: 2 }, () => (service) => below(LATEST, service)), inTurn)],
    'late-without-filter': ['Lists without a filter are 4.8 seconds behind; those with one are up to date.',
      onlyWhere((hasFilter) => !hasFilter, replicated([after(LATEST)], inTurn))],
  }),
];
