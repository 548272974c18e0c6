/** The document of a run: its content and order are decided here; terminal, Markdown and HTML only lay it out. */
import { adviceOf } from '../result/baseline.ts';
import type { Finding, RequirementResult, RunResult } from '../result/result.ts';
import { targetName } from '../result/result.ts';
import { count, dateOf, distinct, duration, grouped } from '../text.ts';
import {
  type Block,
  type Document,
  type FindingBlock,
  type Item,
  idOf,
  type ReportContext,
  type Section,
} from './blocks.ts';
import { findingItems, sinceLastRun } from './comparison.ts';
import { exchangeLines, findingLines, rateOf, replayLine } from './evidence-lines.ts';
import { requirementsBlock } from './requirements.ts';
import { trendBlocks } from './trend.ts';

/** How many of the testable requirements have each outcome, and what the run cost. */
function figuresOf({ summary, run, preflight }: RunResult): readonly string[] {
  const {
    testable,
    passed,
    passedSoFar,
    failed,
    notTested,
    notApplicable,
    requests,
    evidenceRequests,
    creations,
    throttled,
  } = summary;
  const some = (number: number, text: string) => (number === 0 ? [] : [`${grouped(number)} ${text}`]);
  const outcomes = [
    ...some(passed, 'passed'),
    ...some(passedSoFar, 'passed so far'),
    ...some(failed, 'failed'),
    ...some(notTested, 'not tested'),
    ...some(notApplicable, 'not applicable'),
  ];
  const narrowing = evidenceRequests === 0 ? '' : `, plus ${grouped(evidenceRequests)} to narrow down failures`;
  return [
    ...(preflight === undefined && testable > 0 ? [`${count(testable, 'requirement')}: ${outcomes.join(', ')}`] : []),
    `${count(requests, 'request')}${narrowing}`,
    `${count(creations, 'animal')} created`,
    ...some(throttled, 'throttled'),
    duration(run.milliseconds),
  ];
}

/** Requirements grouped by the reason for their outcome, largest group first. */
function byReason(
  rows: readonly RequirementResult[],
  outcome: RequirementResult['outcome'],
  says: string,
): readonly Item[] {
  const own = rows.filter((row) => row.outcome === outcome);
  return distinct(own.map(({ reason = says }) => reason))
    .map((reason) => ({ reason, ids: own.filter((row) => (row.reason ?? says) === reason).map(({ id }) => id) }))
    .toSorted((a, b) => b.ids.length - a.ids.length)
    .map(({ reason, ids }) => ({ lead: `${ids.length} ${says}:`, text: reason, ids }));
}

const listOf = (items: readonly Item[]): readonly Block[] => (items.length === 0 ? [] : [{ kind: 'list', items }]);

function readings({ requirements }: RunResult): readonly Item[] {
  return requirements.flatMap(({ id, recorded }) =>
    recorded.map(({ reading, count: times, request }) => ({
      lead: id,
      text: `${reading} (${times === 1 ? '' : `${grouped(times)} times, such as `}\`${request}\`)`,
    })),
  );
}

function latencies({ latencies: rows }: RunResult): readonly Block[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ operation, requests, p50, p95, max }) => {
    return [operation, grouped(requests), ...[p50, p95, max].map((time) => time.toFixed(1))];
  });
  const caption = 'Milliseconds to the last byte of a response. Recorded only; the specification sets no bounds.';
  return [{ kind: 'table', caption, columns: ['Operation', 'Requests', 'p50', 'p95', 'max'], rows: cells }];
}

function remarksOf(
  { baseline, preflight, replay, requirements, notes }: RunResult,
  expected: readonly Finding[],
): readonly Item[] {
  return [
    ...expected.map(({ says, requirements: ids }) => ({ lead: 'expected:', text: says, ids })),
    ...adviceOf(baseline).map((text) => ({ lead: 'baseline:', text })),
    ...(preflight !== undefined
      ? [{ text: 'Nothing was tested.' }]
      : replay === undefined
        ? byReason(requirements, 'not tested', 'not tested')
        : []),
    ...notes.map((text) => ({ lead: 'note:', text })),
  ];
}

/** The document of a result. */
export function documentOf(result: RunResult, context: ReportContext): Document {
  const { run, suite, exitCode, conclusion, requirements, replay, preflight = [] } = result;
  const reportDir = context.reportDir.replace(/\/+$/, '') || '/';
  const own = result.findings.filter(({ expected }) => !expected);
  const plain = own.filter(({ unusual }) => unusual.length === 0);
  const onlyUnusual = own.filter(({ unusual }) => unusual.length > 0);
  const expected = result.findings.filter((finding) => finding.expected);
  const order = [...plain, ...onlyUnusual, ...expected];
  const blockOf = (finding: Finding): FindingBlock => ({
    kind: 'finding',
    tone: finding.expected ? 'unsure' : 'bad',
    number: order.indexOf(finding) + 1,
    says: finding.says,
    requirements: finding.requirements,
    rate: rateOf(finding),
    lines: findingLines(finding),
  });
  const again: readonly Block[] =
    order.length === 0 || context.hasResult !== true || replay !== undefined
      ? []
      : [{ kind: 'evidence', lines: [replayLine(result, reportDir)] }];
  const notApplicable = [
    ...byReason(requirements, 'not applicable', 'not applicable'),
    ...byReason(requirements, 'untestable', 'untestable'),
  ];
  const evidence = preflight.map((exchange) => ({ kind: 'evidence', lines: exchangeLines(exchange) }) as const);
  const contents: readonly (readonly [Section['level'], heading: string, blocks: readonly Block[]])[] = [
    ['brief', 'What was sent, and what came back', evidence],
    ['brief', 'Recorded findings', listOf(findingItems(replay ?? []))],
    ['brief', 'Findings', plain.map(blockOf)],
    ['brief', 'Only with unusual requests', onlyUnusual.map(blockOf)],
    ['brief', 'Remarks', [...again, ...listOf(remarksOf(result, expected))]],
    ['full', 'Not applicable', listOf(notApplicable)],
    ['full', 'Evidence of expected failures', expected.map(blockOf)],
    ['full', 'Requirements', requirementsBlock(result, order)],
    ['full', 'Open points', listOf(readings(result))],
    ['full', 'Latency', latencies(result)],
    ['brief', 'Since the last run', sinceLastRun(result, context.history ?? [])],
    ['page', 'Trend', trendBlocks(result, context.history ?? [])],
  ];
  const sections = contents.map(([level, heading, blocks]): Section => {
    const bare = heading === 'Findings' || heading === 'Remarks';
    return { id: idOf(heading), heading, bare, level, blocks };
  });
  return {
    heading: 'Pet Store conformance',
    about: [targetName(result), run.profile, `seed ${run.seed}`],
    began: dateOf(run.startedAt),
    tone: exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'unsure',
    conclusion,
    figures: figuresOf(result),
    sections: sections.filter(({ blocks }) => blocks.length > 0),
    footer: `${suite.name} ${suite.version}`,
  };
}
