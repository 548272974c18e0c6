import { mix } from '../engine/mix.ts';

/**
 * The part of a name by which the animals of a run are told: its seed, and four letters that depend on `salt`. Always
 * of one length for one seed, so that samples which are built on a name are the same when they are replayed.
 */
export const tagOf = (seed: number, salt: string): string => `${seed.toString(36)}-${runLetters(salt)}`;

/** The four letters of a run, or of a replay. */
export const runLetters = (salt: string): string => mix(salt).toString(36).padStart(4, '0').slice(-4);
