import fc from 'fast-check';

/**
 * As `fc.stringMatching`, which tries out dozens of texts when it is made: here it is made when it is first used. The
 * spaces of the checks hold many, of which a run draws from some.
 */
export const matching = (pattern: RegExp): fc.Arbitrary<string> => new LateArbitrary(() => fc.stringMatching(pattern));

class LateArbitrary<T> extends fc.Arbitrary<T> {
  readonly #make: () => fc.Arbitrary<T>;
  #made: fc.Arbitrary<T> | undefined;

  constructor(make: () => fc.Arbitrary<T>) {
    super();
    this.#make = make;
  }

  get #arbitrary(): fc.Arbitrary<T> {
    this.#made ??= this.#make();
    return this.#made;
  }

  generate(...from: Parameters<fc.Arbitrary<T>['generate']>): fc.Value<T> {
    return this.#arbitrary.generate(...from);
  }

  canShrinkWithoutContext(value: unknown): value is T {
    return this.#arbitrary.canShrinkWithoutContext(value);
  }

  shrink(...from: Parameters<fc.Arbitrary<T>['shrink']>): fc.Stream<fc.Value<T>> {
    return this.#arbitrary.shrink(...from);
  }
}
