import { mix } from '../engine/mix.ts';

/** Stands in the name of every animal that a run adds, so that a person can tell them. */
export const NAME_TAG = 'conformance';

/** Whether a run of the suite, this one or another, may have added an animal of this name. */
export const isOfARun = (name: string | undefined): boolean => name?.includes(NAME_TAG) === true;

/**
 * The part of a name by which the animals of a run are told: its seed, and four letters that depend on `salt`. Always
 * of one length for one seed, so that samples which are built on a name are the same when they are replayed.
 */
export const tagOf = (seed: number, salt: string): string => `${seed.toString(36)}-${runLetters(salt)}`;

/** The four letters of a run, or of a replay. */
export const runLetters = (salt: string): string => mix(salt).toString(36).padStart(4, '0').slice(-4);
