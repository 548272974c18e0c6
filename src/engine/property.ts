import fc from 'fast-check';
import type { Profile } from '../report/model/result.ts';
import { Broken, HarnessFault, Inconclusive, type SamplePlace } from './signals.ts';

/** Bounds of the search for a smaller failing sample. */
const MAX_SHRINK_REQUESTS = 150;
const MAX_SHRINK_MS = 10_000;

const SAMPLE_FACTOR: Readonly<Record<Profile, number>> = { smoke: 0.2, standard: 1, thorough: 5 };
const FEWEST_SAMPLES = 3;
/** A deploy gate is to be quick: so many cases of a list, spread over it, stand for all. */
const SMOKE_CASES = 8;

export type Judge<T> = (sample: T) => Promise<void>;

export interface PropertyOptions {
  readonly seed: number;
  readonly profile: Profile;
  /** Only this sample is sent: a failure is being replayed. */
  readonly replay: SamplePlace | undefined;
  /** Requests that the check has sent so far; the difference is what shrinking took. */
  readonly requests: () => number;
}

/**
 * The properties of one check. Samples are drawn first and sent side by side; only a failing one is made smaller.
 * The same seed draws the same samples.
 */
export class Properties {
  readonly #options: PropertyOptions;
  #count = 0;

  constructor(options: PropertyOptions) {
    this.#options = options;
  }

  /** Judges each of the cases. */
  async each<T>(cases: readonly T[], judge: Judge<T>): Promise<void> {
    const property = this.#next();
    const { replay } = this.#options;
    if (replay !== undefined && replay.property !== property) return;
    const drawn = cases.map((sample, at) => ({ sample, at }));
    const step = this.#options.profile === 'smoke' ? Math.max(1, cases.length / SMOKE_CASES) : 1;
    const chosen = drawn.filter(({ at }) =>
      replay === undefined ? Math.floor(at % step) === 0 : replay.path === `${at}`,
    );
    const failed = await this.#sideBySide(chosen, judge);
    if (failed !== undefined) throw this.#located(failed, property, `${failed.at}`);
  }

  /** Judges samples of an arbitrary (`samples` of them in the standard profile), and shrinks the first that fails. */
  async every<T>(arbitrary: fc.Arbitrary<T>, samples: number, judge: Judge<T>): Promise<void> {
    const property = this.#next();
    const { replay } = this.#options;
    const seed = mix(this.#options.seed, property);
    if (replay !== undefined) {
      if (replay.property === property) await this.#replay(arbitrary, seed, replay, judge);
      return;
    }
    const numRuns = Math.max(FEWEST_SAMPLES, Math.round(samples * SAMPLE_FACTOR[this.#options.profile]));
    const drawn = fc.sample(arbitrary, { seed, numRuns }).map((sample, at) => ({ sample, at }));
    const failed = await this.#sideBySide(drawn, judge);
    if (failed === undefined) return;
    throw this.#located(await this.#shrink(arbitrary, seed, failed, judge), property, `${failed.at}`);
  }

  #next(): number {
    this.#count += 1;
    return this.#count - 1;
  }

  async #sideBySide<T>(samples: readonly Drawn<T>[], judge: Judge<T>): Promise<Failed<T> | undefined> {
    const ends = await Promise.allSettled(samples.map(({ sample }) => judge(sample)));
    const errors = ends.map((end): unknown => (end.status === 'rejected' ? end.reason : undefined));
    // Where the suite contradicts itself, nothing that it says beside that counts.
    const contradiction = errors.find((error) => error instanceof HarnessFault);
    if (contradiction !== undefined) throw contradiction;
    const broken = samples.flatMap((drawn, at) => {
      const error = errors[at];
      return error instanceof Broken ? [{ ...drawn, error }] : [];
    });
    const [first] = broken;
    if (first !== undefined) return { ...first, violated: broken.length, judged: samples.length };
    const other = errors.find((error) => error !== undefined && !(error instanceof Inconclusive));
    if (other !== undefined) throw other;
    const unjudged = errors.filter((error) => error instanceof Inconclusive);
    const [reason] = unjudged;
    // Where the budget ends half-way, the samples that were judged still count.
    const enough = reason?.code === 'budget' && unjudged.length * 2 <= samples.length;
    if (reason !== undefined && !enough) throw reason;
    return undefined;
  }

  async #shrink<T>(arbitrary: fc.Arbitrary<T>, seed: number, failed: Failed<T>, judge: Judge<T>): Promise<Failed<T>> {
    const search = new Search(this.#options.requests);
    let smallest: { readonly error: Broken; readonly sample: T } | undefined;
    let contradiction: HarnessFault | undefined;
    const property = fc.asyncProperty(arbitrary, async (sample) => {
      if (contradiction !== undefined || search.isOver) return;
      try {
        await search.spend(() => judge(sample));
      } catch (error) {
        if (error instanceof HarnessFault) contradiction = error;
        if (!(error instanceof Broken)) return;
        smallest = { error, sample };
        throw error;
      }
    });
    // One run from the sample that failed: what follows is the shrinking.
    const run = await fc.check(property, { seed, path: `${failed.at}`, numRuns: 1, skipEqualValues: true });
    if (contradiction !== undefined) throw contradiction;
    // A sample that does not fail again failed by chance; then the first failure is all there is to show.
    if (smallest === undefined) return failed;
    const shrunk = { from: shown(failed.sample), to: shown(smallest.sample), requests: search.spent };
    return { ...failed, error: smallest.error, path: run.counterexamplePath ?? undefined, shrunk };
  }

  async #replay<T>(arbitrary: fc.Arbitrary<T>, seed: number, place: SamplePlace, judge: Judge<T>): Promise<void> {
    for (const sample of fc.sample(arbitrary, { seed, path: place.path, numRuns: 1 })) {
      try {
        await judge(sample);
      } catch (error) {
        throw error instanceof Broken ? new Broken(error.breach, error.proof, { place }) : error;
      }
    }
  }

  #located<T>(failed: Failed<T>, property: number, path: string): Broken {
    const { error, violated, judged, shrunk } = failed;
    return new Broken(error.breach, error.proof, {
      place: { property, path: failed.path ?? path },
      frequency: { violated, judged },
      ...(shrunk === undefined ? {} : { shrunk }),
    });
  }
}

/**
 * Keeps a search within its bounds: the next sample is judged only where one as dear as the dearest so far still fits.
 */
class Search {
  readonly #requests: () => number;
  readonly #before: number;
  readonly #started = performance.now();
  #mostRequests = 1;
  #mostMs = 0;

  constructor(requests: () => number) {
    this.#requests = requests;
    this.#before = requests();
  }

  /** Requests that the search has taken. */
  get spent(): number {
    return this.#requests() - this.#before;
  }

  get isOver(): boolean {
    const elapsed = performance.now() - this.#started;
    return this.spent + this.#mostRequests > MAX_SHRINK_REQUESTS || elapsed + this.#mostMs > MAX_SHRINK_MS;
  }

  async spend(judge: () => Promise<void>): Promise<void> {
    const [spent, started] = [this.spent, performance.now()];
    try {
      await judge();
    } finally {
      this.#mostRequests = Math.max(this.#mostRequests, this.spent - spent);
      this.#mostMs = Math.max(this.#mostMs, performance.now() - started);
    }
  }
}

interface Drawn<T> {
  readonly sample: T;
  readonly at: number;
}

interface Failed<T> extends Drawn<T> {
  readonly error: Broken;
  readonly violated: number;
  readonly judged: number;
  readonly path?: string | undefined;
  readonly shrunk?: { readonly from: string; readonly to: string; readonly requests: number };
}

/** A number of 31 bits that depends on all of its parts; the same parts always give the same number. */
export function mix(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const letter of parts.join('\u0000')) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) & 0x7fffffff;
}

/** A sample in one line. */
function shown(sample: unknown): string {
  if (typeof sample === 'object' && sample !== null && 'bytes' in sample && sample.bytes instanceof Uint8Array) {
    return new TextDecoder().decode(sample.bytes);
  }
  return fc.stringify(sample);
}
