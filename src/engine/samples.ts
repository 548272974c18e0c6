import fc from 'fast-check';
import type { Profile, ShrinkEvidence } from '../report/model/result.ts';
import { mix } from './mix.ts';
import { InconclusiveError, type SamplePlace, SuiteError, ViolationError } from './outcome-errors.ts';
import { type RequestSpace, rowsIn, rowsOf, type SpacePart, type SpaceRow, type Strength } from './request-space.ts';
import type { Violation } from './violation.ts';
import { sizeOf } from './wrong-answers.ts';

/** Bounds of the search for a smaller failing sample. */
const MAX_SHRINK_REQUESTS = 150;
const MAX_SHRINK_MS = 10_000;

const SAMPLE_FACTOR: Readonly<Record<Profile, number>> = { smoke: 0.2, standard: 1, thorough: 5 };
const FEWEST_SAMPLES: Readonly<Record<Profile, number>> = { smoke: 1, standard: 3, thorough: 3 };
/** A deploy gate must be quick: this many cases of a list, spread over it, stand for all. */
const SMOKE_CASES = 12;

export type Judge<T> = (sample: T) => Promise<void>;

/** What the rows of request spaces have covered so far, over the whole run. */
export interface CoverageNotes {
  /** Notes the rows that cover a space, and which of them were sent. */
  note(space: string, strength: Strength, rows: readonly SpaceRow[], sent: readonly SpaceRow[]): void;
}

export interface SampleOptions {
  readonly checkId: string;
  /** The parts of request spaces that the check sends. */
  readonly covers: readonly SpacePart[];
  /** Of the run; everything that is drawn depends on it and on the check. */
  readonly seed: number;
  readonly coverage: CoverageNotes;
  readonly profile: Profile;
  /** Only this sample is sent: a failure is being replayed. */
  readonly replay: SamplePlace | undefined;
  /** Requests that the check has sent so far; the difference is what shrinking took. */
  readonly requests: () => number;
  /** Tells that a sample is being made smaller, until the work ends. */
  readonly whileShrinking?: <T>(work: Promise<T>) => Promise<T>;
}

/**
 * The properties of one check. Samples are drawn first and sent side by side; only a failing one is made smaller.
 * The same seed draws the same samples.
 */
export class Samples {
  readonly #options: SampleOptions;
  readonly #seed: number;
  #count = 0;
  #draws = 0;

  constructor(options: SampleOptions) {
    this.#options = options;
    this.#seed = mix(options.seed, options.checkId);
  }

  /**
   * Judges each of the cases, side by side.
   *
   * @param inSmoke of a long list, the smoke profile takes some, spread over it, or all
   */
  async forEach<T>(cases: readonly T[], judge: Judge<T>, inSmoke: 'some' | 'all' = 'some'): Promise<void> {
    const property = this.#count;
    this.#count += 1;
    const { replay, profile } = this.#options;
    if (replay !== undefined && replay.property !== property) return;
    const drawn = cases.map((sample, at) => ({ sample, at }));
    const step = profile === 'smoke' && inSmoke === 'some' ? Math.max(1, cases.length / SMOKE_CASES) : 1;
    const chosen = drawn.filter(({ at }) =>
      replay === undefined ? Math.floor(at % step) === 0 : replay.path === `${at}`,
    );
    const failed = await this.#sideBySide(chosen, judge);
    if (failed !== undefined) throw this.#located(failed, property);
  }

  /**
   * All of the cases, which leave something behind; the smoke profile takes `inSmoke`, at equal distances from where
   * the seed decides.
   */
  fewerInSmoke<T>(cases: readonly T[], inSmoke: number): readonly T[] {
    if (this.#options.profile !== 'smoke' || cases.length <= inSmoke) return cases;
    const distance = cases.length / Math.max(1, inSmoke);
    const start = mix(this.#seed, 'fewerInSmoke', cases.length) % distance;
    return cases.filter((_, at) =>
      Array.from({ length: inSmoke }, (_, nth) => Math.floor(start + nth * distance)).includes(at),
    );
  }

  /** Draws `count` values, others for every seed; the same seed draws the same. */
  draw<T>(arbitrary: fc.Arbitrary<T>, count: number): readonly T[] {
    this.#draws += 1;
    return fc.sample(arbitrary, { seed: mix(this.#seed, 'draw', this.#draws), numRuns: count });
  }

  /** Judges `runs` samples of an arbitrary (in `standard`), side by side, and shrinks the first that fails. */
  async forAll<T>(arbitrary: fc.Arbitrary<T>, runs: number, judge: Judge<T>): Promise<void> {
    const property = this.#count;
    this.#count += 1;
    const { replay, profile } = this.#options;
    const seed = mix(this.#seed, property);
    if (replay !== undefined) {
      if (replay.property === property) await this.#replay(arbitrary, seed, replay, judge);
      return;
    }
    const numRuns = Math.max(FEWEST_SAMPLES[profile], Math.round(runs * SAMPLE_FACTOR[profile]));
    const drawn = fc.sample(arbitrary, { seed, numRuns }).map((sample, at) => ({ sample, at }));
    const failed = await this.#sideBySide(drawn, judge);
    if (failed === undefined) return;
    const { whileShrinking = (work) => work } = this.#options;
    throw this.#located(await whileShrinking(this.#shrink(arbitrary, seed, failed, judge)), property);
  }

  /**
   * Judges a request for each row of the parts of a space that the check covers, side by side.
   *
   * @param circumstances each goes with one of the rows; with which, the seed decides
   */
  async cover<T, C>(
    space: RequestSpace<T>,
    judge: (sample: T, circumstances: C | undefined) => Promise<void>,
    circumstances: readonly C[] = [],
  ): Promise<void> {
    const { covers, profile, seed, coverage } = this.#options;
    const rows = rowsOf(space, profile, seed);
    const own = rowsIn(
      covers.filter((part) => part.space === space),
      profile,
      seed,
    );
    const order = [...own.keys()].toSorted(
      (one, other) => this.#order(space.name, one) - this.#order(space.name, other),
    );
    const drawn = own.map((row, at) => {
      const [value] = fc.sample(space.sample(row), { seed: mix(this.#seed, space.name, at), numRuns: 1 });
      if (value === undefined) throw new SuiteError(`nothing was drawn for a row of ${space.name}`);
      return { row, value, under: circumstances[order.indexOf(at)] };
    });
    const sent = new Set<SpaceRow>();
    try {
      await this.forEach(
        drawn,
        async ({ row, value, under }) => {
          try {
            await judge(value, under);
            sent.add(row);
          } catch (error) {
            if (error instanceof ViolationError) sent.add(row);
            throw error;
          }
        },
        'all',
      );
    } finally {
      const strength = space.strength[profile];
      if (strength !== 0) coverage.note(space.name, strength, rows, [...sent]);
    }
  }

  #order(space: string, row: number): number {
    return mix(this.#seed, space, 'circumstances', row);
  }

  async #sideBySide<T>(samples: readonly Drawn<T>[], judge: Judge<T>): Promise<Failed<T> | undefined> {
    const ends = await Promise.allSettled(samples.map(({ sample }) => judge(sample)));
    const errors = ends.map((end): unknown => (end.status === 'rejected' ? end.reason : undefined));
    // Where the suite contradicts itself, nothing that it says beside that counts.
    const contradiction = errors.find((error) => error instanceof SuiteError);
    if (contradiction !== undefined) throw contradiction;
    const violating = samples.flatMap((drawn, at) => {
      const error = errors[at];
      return error instanceof ViolationError ? { ...drawn, error } : [];
    });
    const [first] = violating.toSorted((one, other) => sizeOf(one.error.violation) - sizeOf(other.error.violation));
    if (first !== undefined)
      return { ...first, all: violating.map(({ error }) => error.violation), judged: samples.length };
    const other = errors.find((error) => error !== undefined && !(error instanceof InconclusiveError));
    if (other !== undefined) throw other;
    const unjudged = errors.filter((error) => error instanceof InconclusiveError);
    const [reason] = unjudged;
    // Where the budget ends half-way, the samples that were judged still count.
    const enough = reason?.code === 'budget' && unjudged.length * 2 <= samples.length;
    if (reason !== undefined && !enough) throw reason;
    return undefined;
  }

  async #shrink<T>(arbitrary: fc.Arbitrary<T>, seed: number, failed: Failed<T>, judge: Judge<T>): Promise<Failed<T>> {
    const { requests } = this.#options;
    const [before, began] = [requests(), performance.now()];
    // Another sample is judged only where one as expensive as the most expensive so far still fits into the bounds.
    let mostRequests = 1;
    let mostMs = 0;
    let smallest: { readonly error: ViolationError; readonly sample: T } | undefined;
    let contradiction: SuiteError | undefined;
    const property = fc.asyncProperty(arbitrary, async (sample) => {
      const [sent, elapsed] = [requests() - before, performance.now() - began];
      const isOver = sent + mostRequests > MAX_SHRINK_REQUESTS || elapsed + mostMs > MAX_SHRINK_MS;
      if (contradiction !== undefined || isOver) return;
      try {
        await judge(sample);
      } catch (error) {
        if (error instanceof SuiteError) contradiction = error;
        if (!(error instanceof ViolationError)) return;
        smallest = { error, sample };
        throw error;
      } finally {
        mostRequests = Math.max(mostRequests, requests() - before - sent);
        mostMs = Math.max(mostMs, performance.now() - began - elapsed);
      }
    });
    // One run from the sample that failed: what follows is the shrinking.
    const run = await fc.check(property, { seed, path: `${failed.at}`, numRuns: 1, skipEqualValues: true });
    if (contradiction !== undefined) throw contradiction;
    // A sample that does not fail again failed by chance; then the first failure is all there is to show.
    if (smallest === undefined) return failed;
    const shrunk = { from: shown(failed.sample), to: shown(smallest.sample), requests: requests() - before };
    return { ...failed, error: smallest.error, path: run.counterexamplePath ?? undefined, shrunk };
  }

  async #replay<T>(arbitrary: fc.Arbitrary<T>, seed: number, place: SamplePlace, judge: Judge<T>): Promise<void> {
    for (const sample of fc.sample(arbitrary, { seed, path: place.path, numRuns: 1 })) {
      try {
        await judge(sample);
      } catch (error) {
        throw error instanceof ViolationError ? new ViolationError(error.violation, { place }) : error;
      }
    }
  }

  #located<T>({ error, at, path, all, judged, shrunk }: Failed<T>, property: number): ViolationError {
    const place = { property, path: path ?? `${at}` };
    return new ViolationError(error.violation, { place, frequency: { violated: all.length, judged }, all, shrunk });
  }
}

interface Drawn<T> {
  readonly sample: T;
  readonly at: number;
}

interface Failed<T> extends Drawn<T> {
  readonly error: ViolationError;
  /** The violations of all samples that failed. */
  readonly all: readonly Violation[];
  readonly judged: number;
  readonly path?: string | undefined;
  readonly shrunk?: ShrinkEvidence | undefined;
}

/** A sample in one line. */
function shown(sample: unknown): string {
  if (typeof sample === 'bigint') return `${sample}`;
  if (typeof sample === 'string') return JSON.stringify(sample);
  if (typeof sample !== 'object' || sample === null) return fc.stringify(sample);
  if ('bytes' in sample && sample.bytes instanceof Uint8Array) return new TextDecoder().decode(sample.bytes);
  if (Array.isArray(sample)) return `[${sample.map(shown).join(', ')}]`;
  if (Object.getPrototypeOf(sample) !== Object.prototype || fc.hasToStringMethod(sample)) return fc.stringify(sample);
  const members = Object.entries(sample).filter(([, value]) => typeof value !== 'function' && value !== undefined);
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}: ${shown(value)}`).join(', ')}}`;
}
