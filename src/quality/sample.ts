import { mix } from '../engine/mix.ts';

/** So many of the faults, chosen by the seed, one of each stretch of the list: neighbours are of one file. */
export function chosenFrom<T>(faults: readonly T[], number: number, seed: number): readonly T[] {
  const size = Math.min(number, faults.length);
  const start = (at: number): number => Math.floor((at * faults.length) / size);
  return Array.from({ length: size }, (_, at) => start(at) + (mix(seed, at) % (start(at + 1) - start(at)))).flatMap(
    (at) => faults[at] ?? [],
  );
}
