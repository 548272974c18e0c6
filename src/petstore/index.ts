/** The vocabulary that suites are written in. */

export { boundText } from '../contract/bounded-json.ts';
export { brief } from '../engine/breach.ts';
export { type Check, check } from '../engine/check.ts';
export type { CheckContext } from '../engine/context.ts';
export { asksFor } from './asks-for.ts';
export { type Call, creating, getting, idOf, listing } from './call.ts';
export { madeOf, shown } from './made-of.ts';
export { walk, walks } from './model.ts';
export type { Animal, Reply } from './reply.ts';
export * from './rules.ts';
export { looksForInList, probeGaps } from './sightings.ts';
export { seeAnimals, seeRefusals } from './tour.ts';
