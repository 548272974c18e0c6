import { distinct } from '../model/queries.ts';
import type { RunRecord } from '../model/run-record.ts';
import { isCut } from './record-of.ts';

/** In what two runs differ beside the service; undefined where one of them says nothing of it. */
export interface EnvironmentChange {
  /** `target`, `suite`, `specification`, `profile`, `seed`, `selection`, `interrupted`, or the name of an option. */
  readonly what: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const SELECTION = /^--(only|skip)\b/;

/** Everything in which two runs differ beside the service. */
export function environmentChanges(before: RunRecord, after: RunRecord): readonly EnvironmentChange[] {
  const areOptionsKnown = !isCut(before, 'options') && !isCut(after, 'options');
  const facts = [before, after].map((run) => factsOf(areOptionsKnown ? run : { ...run, options: [] }));
  const [earlier = new Map<string, string>(), later = new Map<string, string>()] = facts;
  return distinct([...earlier.keys(), ...later.keys()])
    .map((what) => ({ what, before: earlier.get(what), after: later.get(what) }))
    .filter((change) => change.before !== change.after);
}

function factsOf(run: RunRecord): ReadonlyMap<string, string> {
  const { target, suite, specification, profile, seed, interrupted, options } = run;
  const selection = options.filter((option) => SELECTION.test(option)).join(' ');
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['target', target],
    ['suite', suite],
    ['specification', specification],
    ['profile', profile],
    ['seed', String(seed)],
    ['selection', selection === '' ? undefined : selection],
    ['interrupted', interrupted],
    ...optionFacts(options.filter((option) => !SELECTION.test(option))),
  ];
  return new Map(facts.flatMap(([what, value]) => (value === undefined ? [] : [[what, value] as const])));
}

/** Each option with its values; one without a value is `given`. */
function optionFacts(options: readonly string[]): readonly (readonly [name: string, value: string])[] {
  const named = options.map((option) => {
    const [name = option, ...value] = option.split(' ');
    return [name, value.join(' ') || 'given'] as const;
  });
  return distinct(named.map(([name]) => name)).map((name) => [
    name,
    named.flatMap(([other, value]) => (other === name ? value : [])).join(', '),
  ]);
}
