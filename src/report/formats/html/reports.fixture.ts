import { recordOf } from '../../history/record-of.ts';
import type { RunResult } from '../../model/result.ts';
import {
  answering,
  check,
  coverageOf,
  greenResult,
  HOSTILE,
  redResult,
  requirement,
  resultOf,
  resultWithCauses,
  viewed,
  violation,
} from '../../sample.fixture.ts';
import { htmlReport } from './report.ts';

/** Reports of every kind, for the tests of the page. */

const LATENCIES = [
  { operation: 'listPets', requests: 400, p50: 2.1, p95: 6.5, p99: 11, max: 14.25 },
  { operation: 'createPet', requests: 90, p50: 3, p95: 8, p99: 40, max: 140 },
] as const;

/** A result of which some requirements could not be judged. */
export const INCONCLUSIVE: RunResult = resultOf(
  [
    requirement('LIST-2', { status: 'not judged', reason: 'the service answers 503' }),
    requirement('LIST-4', { status: 'not judged', reason: 'the service answers 503' }),
    requirement('AUTH-2', { part: '5' }),
  ],
  [
    check('LIST-2', { kind: 'inconclusive', code: 'control', reason: 'the service answers 503', byOption: false }),
    check('AUTH-2.listPets'),
  ],
  { verdict: 'not judged', exitCode: 3, conclusion: 'Not judged: too little could be judged.' },
);

/** A result of a target that cannot be judged at all. */
export const UNREACHABLE: RunResult = resultOf(
  [requirement('LIST-2', { status: 'not judged', reason: 'Not a service.' })],
  [],
  {
    verdict: 'not judged',
    exitCode: 3,
    conclusion: 'Not a service that can be judged.',
    latencies: [],
    look: [answering('<h1>Welcome</h1>')],
  },
);

/** A violation whose texts are the service's, and try to get out of their places. */
export const HOSTILE_RESULT: RunResult = redResult(
  violation({ message: HOSTILE, actual: HOSTILE, exchanges: [answering(HOSTILE)] }),
  { notes: [HOSTILE], conclusion: `Does not conform. ${HOSTILE}` },
);

const covered = { coverage: [coverageOf('list', 411), coverageOf('create', 3, 3)], latencies: LATENCIES };

/** Runs of a target that was right at first. */
const HISTORY = [greenResult(covered), redResult(), INCONCLUSIVE, redResult()].map(recordOf);

/** A page of each kind of result. */
export const PAGES = {
  green: htmlReport(viewed(greenResult(covered))),
  red: htmlReport(viewed(redResult(violation(), covered))),
  causes: htmlReport(viewed(resultWithCauses())),
  inconclusive: htmlReport(viewed(INCONCLUSIVE)),
  unreachable: htmlReport(viewed(UNREACHABLE)),
  hostile: htmlReport(viewed(HOSTILE_RESULT)),
  trend: htmlReport(viewed(redResult(), { history: HISTORY })),
} as const;
