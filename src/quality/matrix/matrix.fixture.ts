import type { Requirement } from '../../engine/catalogue.ts';
import type { MatrixFacts } from './classify.ts';
import type { FailedCheck, Trial } from './trial.ts';

/** A trial in which nothing failed, but for what is given. */
export function aTrial(kind: Trial['kind'], name: string, parts: Partial<Trial> = {}): Trial {
  return {
    kind,
    name,
    exitCode: 0,
    failed: [],
    unjudged: [],
    suiteFaults: [],
    isWhole: true,
    requests: 10,
    milliseconds: 5,
    ...parts,
  };
}

/** A check that failed; its requirement is the beginning of its id. */
export function failing(check: string, message = 'it is not so'): FailedCheck {
  return { check, requirement: check.split('.')[0] ?? check, message };
}

export function aRequirement(id: string, parts: Partial<Requirement> = {}): Requirement {
  return { id, part: '4.1', source: ['4.1'], kind: 'stated', says: `what ${id} says`, ...parts };
}

export const FACTS: MatrixFacts = {
  version: '1.0.0',
  startedAt: new Date(0).toISOString(),
  milliseconds: 1_000,
  jobs: 2,
  seed: 1,
  profile: 'standard',
  complete: true,
};
