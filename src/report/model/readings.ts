import { distinct } from './queries.ts';
import type { Observation } from './result.ts';
import type { RecordedReadings } from './run-record.ts';
import type { RequirementId } from './scalars.ts';

const INPUTS_SHOWN = 3;

/** What a service does and with which inputs, of which only a few are named: `accepts a NUL, a tab`. */
export function readingOf(does: string, inputs: readonly string[]): string {
  if (inputs.length === 0) return does;
  const more = inputs.length - INPUTS_SHOWN;
  const named =
    more <= 1 ? inputs.join(', ') : `${inputs.slice(0, INPUTS_SHOWN).join(', ')} and ${more} more such inputs`;
  return `${does} ${named}`;
}

/** The reading with all its inputs. */
export const readingInFull = ({ reading, does, inputs }: Observation): string =>
  does === undefined || inputs === undefined ? reading : `${does} ${inputs.join(', ')}`;

/** One thing that a service does at an open point, with one kind of input where it was recorded for several. */
export interface Behaviour {
  readonly requirement: RequirementId;
  readonly input: string | undefined;
  readonly does: string;
}

export function behavioursOf(recorded: readonly RecordedReadings[]): readonly Behaviour[] {
  return recorded.flatMap(({ requirement, readings, inputs = [undefined] }) =>
    inputs.flatMap((input) => readings.map((does) => ({ requirement, input, does }))),
  );
}

/** The same in words: what a service does, each with all its inputs. */
export function readingsOf(behaviours: readonly Behaviour[]): readonly string[] {
  return distinct(behaviours.map(({ does }) => does)).map((does) => {
    const inputs = behaviours.flatMap((one) => (one.does === does && one.input !== undefined ? one.input : []));
    return readingOf(does, distinct(inputs));
  });
}

const isAbout =
  ({ requirement, input }: Behaviour) =>
  (other: Behaviour): boolean =>
    requirement === other.requirement && input === other.input;

/** What was seen of a service at an open point before and now, each in words. */
export interface ReadingChange {
  readonly requirement: RequirementId;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Where a service behaves differently than before. A kind of input has many values, of which each run draws some: only
 * where two runs have seen nothing alike has something changed. What one of them has not asked is no change.
 */
export function readingChanges(
  before: readonly RecordedReadings[],
  after: readonly RecordedReadings[],
): readonly ReadingChange[] {
  const [earlier, later] = [behavioursOf(before), behavioursOf(after)];
  const changed = later.filter((one) => {
    const old = earlier.filter(isAbout(one));
    const now = later.filter(isAbout(one));
    return old.length > 0 && !old.some(({ does }) => now.some((other) => other.does === does));
  });
  return distinct(changed.map(({ requirement }) => requirement)).map((requirement) => {
    const own = changed.filter((one) => one.requirement === requirement);
    const old = earlier.filter((one) => own.some(isAbout(one)));
    return { requirement, before: readingsOf(old), after: readingsOf(own) };
  });
}
