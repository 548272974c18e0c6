import { expect, test } from 'vitest';
import { findFault } from '../reference/index.ts';
import { type Job, runTrial, type Trial } from './trial.ts';

/** A run with a fault behind a variant, which ends once the requirement that the fault breaks has failed. */
function trialOf(fault: string, variant: string): Promise<Trial> {
  const about = [`${findFault(fault)?.breaks}`];
  const job: Job = {
    ...{ kind: 'fault', names: [fault], about, variants: [variant] },
    ...{ seed: 1, profile: 'smoke', extent: 'until found' },
  };
  return runTrial(job);
}

test('a fault shows behind a variant', async () => {
  const { failed } = await trialOf('limit-plus-one', 'connections-of-three-requests');
  expect(failed).toContain('LIST-2');
});

test('a fault that changes the text of a response shows behind a variant that compresses it', async () => {
  const { failed, findings } = await trialOf('list-wrapped-in-object', 'gzip-unless-declined');
  expect(failed).toContain('LIST-1');
  expect(findings.flatMap(({ requirements }) => requirements)).not.toContain('SERV-3');
});

test('of a fault that a variant hides, the outcome of its requirement is known', async () => {
  const { outcome, exitCode, findings } = await trialOf('limit-7-gives-8', 'pages-of-3');
  expect({ outcome, exitCode, findings }).toEqual({ outcome: 'LIST-2 passed', exitCode: 0, findings: [] });
});
