import { distinct, EMBEDDED_NAME, failedChecks, groupedByReason, observations } from '../model/queries.ts';
import type { RunResult } from '../model/result.ts';
import {
  HISTORY_FORMAT,
  type RecordedReadings,
  type RecordedStatus,
  type RequirementsByStatus,
  type RunRecord,
} from '../model/run-record.ts';
import { leftOpen } from '../model/verdict.ts';

/** How a target is named where the embedded service listens on another port each time. */
const EMBEDDED = 'embedded';

/** The target of a recorded run, as reports name it. */
export const recordedName = ({ target }: Pick<RunRecord, 'target'>): string =>
  target === EMBEDDED ? EMBEDDED_NAME : target;

/** Options that stand by themselves. */
const TOLD = /^--(base-url|profile|seed)\b/;

/** What is kept of a result. */
export function recordOf(result: RunResult): RunRecord {
  const { run, suite, target, requirements, verdict, exitCode, conclusion, latencies, coverage } = result;
  const { id, startedAt, milliseconds, profile, seed, options, interrupted } = run;
  return {
    format: HISTORY_FORMAT,
    id,
    startedAt,
    milliseconds,
    suite: suite.version,
    specification: suite.specification,
    target: target.embedded ? EMBEDDED : target.baseUrl,
    profile,
    seed,
    options: options.filter((option) => !TOLD.test(option) && !isToday(option, startedAt)),
    ...(interrupted === undefined ? {} : { interrupted }),
    verdict,
    exitCode,
    conclusion,
    requirements: byStatus(result),
    reasons: groupedByReason(result, 'not judged').map(({ reason, ids }) => ({ reason, requirements: ids })),
    failing: failedChecks(result).map(({ check }) => check.id),
    expected: requirements.filter((row) => row.status === 'violated' && row.expectedFailure).map((row) => row.id),
    readings: recordedReadings(result),
    latencies: latencies.map(({ operation, p50, p95 }) => ({ operation, p50, p95 })),
    coverage,
  };
}

/** The date by which the run was judged is an option in force; it is of interest only where a user chose it. */
const isToday = (option: string, startedAt: string): boolean => option === `--today ${startedAt.slice(0, 10)}`;

function byStatus(result: RunResult): RequirementsByStatus {
  const open = new Set(leftOpen(result).map(({ id }) => id));
  const statuses = result.requirements.map(({ id, status }): readonly [RecordedStatus, string] => [
    status === 'not judged' && !open.has(id) ? 'left out' : status,
    id,
  ]);
  const idsOf = (status: RecordedStatus) => statuses.flatMap(([own, id]) => (own === status ? id : []));
  return Object.fromEntries(distinct(statuses.map(([status]) => status)).map((status) => [status, idsOf(status)]));
}

/** What was observed at open points, as it is compared. */
export function recordedReadings(result: RunResult): readonly RecordedReadings[] {
  const seen = observations(result);
  return distinct(seen.map(({ requirement }) => requirement)).flatMap((requirement) => {
    const own = seen.filter((one) => one.requirement === requirement);
    const plain = own.flatMap(({ reading, inputs }) => (inputs === undefined ? reading : [])).toSorted();
    const byInput = own.flatMap(({ does, inputs }) =>
      does === undefined || inputs === undefined ? [] : { requirement, readings: [does], inputs },
    );
    return [...(plain.length === 0 ? [] : [{ requirement, readings: plain }]), ...byInput];
  });
}

/** Each requirement that a run knows, with its status. */
export function statusesOf({ requirements }: Pick<RunRecord, 'requirements'>): ReadonlyMap<string, RecordedStatus> {
  return new Map(STATUSES.flatMap((status) => (requirements[status] ?? []).map((id) => [id, status] as const)));
}

const STATUSES: readonly RecordedStatus[] = [
  'holds',
  'violated',
  'not judged',
  'left out',
  'not applicable',
  'not selected',
  'untestable',
];

/** Whether a member was left out of the line of a run, which would have been too long. */
export const isCut = ({ cut = [] }: RunRecord, member: string): boolean => cut.includes(member);

/** How many requirements of a run have a status. */
export const countOf = ({ requirements }: Pick<RunRecord, 'requirements'>, status: RecordedStatus): number =>
  requirements[status]?.length ?? 0;
