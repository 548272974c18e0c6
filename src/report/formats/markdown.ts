import { baselineAdvice, expectedTexts } from '../model/baseline.ts';
import {
  type CauseOfFailures,
  distinct,
  type FailedCheck,
  failuresByCause,
  groupedByReason,
  internalErrors,
  isUnjudgeable,
  observations,
  runName,
  targetName,
} from '../model/queries.ts';
import type { RequirementStatus, RunResult } from '../model/result.ts';
import type { ReportContext } from '../model/service.ts';
import { coverageText, figuresLine, unjudgedText } from '../model/summary.ts';
import { excerptText, printable } from '../model/text.ts';
import { VERDICT_NAMES } from '../model/verdict.ts';
import { evidenceLines, lookLines, whereSpecified } from './evidence.ts';
import { fenced, markdownText } from './markdown-text.ts';

const BODY_LIMIT = 2000;

/** A job page shows at most a megabyte; more violations than this are named without their evidence. */
const FULL_EVIDENCE = 30;
const EVIDENCE_LIMIT = 12_000;

function failedText(result: RunResult, failed: FailedCheck, complete: boolean, reportDir: string): string {
  const { check, requirement, violations } = failed;
  const where = requirement === undefined ? '' : ` (${markdownText(whereSpecified(requirement.source))})`;
  const heading = `### ✗ ${markdownText(check.id)} ${markdownText(check.title)}${where}`;
  const says = requirement === undefined ? [] : [markdownText(requirement.says)];
  const blocks = violations.map((violation) => {
    const message = `**${markdownText(violation.message)}** (${markdownText(violation.code)})`;
    if (!complete) return message;
    const lines = evidenceLines(result, violation, { bodyLimit: BODY_LIMIT, headers: false, reportDir });
    const text = lines.map(({ label, text }) => `${label.padEnd(10)} ${printable(text)}`).join('\n');
    return `${message}\n\n${fenced(excerptText(text, EVIDENCE_LIMIT))}`;
  });
  return [heading, ...says, ...blocks].join('\n\n');
}

function lookText(result: RunResult): readonly string[] {
  const lines = lookLines(result, BODY_LIMIT).map(({ label, text }) => `${label.padEnd(10)} ${printable(text)}`);
  return lines.length === 0 ? [] : [fenced(excerptText(lines.join('\n'), EVIDENCE_LIMIT))];
}

/** Every cause in an item, with the requirements that it violates; none where it says no more than its one check. */
function causeList(groups: readonly CauseOfFailures[]): readonly string[] {
  if (groups.reduce((sum, { failed }) => sum + failed.length, 0) < 2) return [];
  const items = groups.map(({ cause }, at) => {
    const { says, requirements, since, unjudged = [] } = cause;
    const blocked = unjudged.length === 0 ? '' : `; ${unjudgedText(cause)}`;
    const seen = since === undefined ? '' : `; ${markdownText(since)}`;
    return `${at + 1}. **${markdownText(says)}**: ${requirements.map(markdownText).join(', ')}${blocked}${seen}`;
  });
  return [`**Causes, the one that explains most first**\n\n${items.join('\n')}`];
}

function reasons(title: string, result: RunResult, status: RequirementStatus): readonly string[] {
  const items = groupedByReason(result, status).map(
    ({ reason, ids }) => `- ${ids.map(markdownText).join(', ')}: ${markdownText(reason)}`,
  );
  return items.length === 0 ? [] : [`**${title}**\n\n${items.join('\n')}`];
}

/** A lead and the items after it; nothing without items. */
function paragraph(lead: string, items: readonly string[], gap: string): readonly string[] {
  return items.length === 0 ? [] : [`${lead} ${items.map(markdownText).join(gap)}`];
}

/** The sections that fit, and where the others are. */
function withinBytes(sections: readonly string[], maxBytes: number): string {
  const more = 'There is more in report.html: a job page has no room for the rest.';
  let left = maxBytes - Buffer.byteLength(`${more}\n`);
  const fitting = sections.findIndex((section) => {
    left -= Buffer.byteLength(`${section}\n\n`);
    return left < 0;
  });
  return `${(fitting === -1 ? sections : [...sections.slice(0, fitting), more]).join('\n\n')}\n`;
}

/**
 * The result as Markdown for the page of a CI job: a few lines where all is well, all the evidence where it is not.
 * @param maxBytes what does not fit is left out, whole sections from the end
 */
export function markdownReport(result: RunResult, context: ReportContext, maxBytes = 1_000_000): string {
  const { exitCode, conclusion, verdict, baseline } = result;
  const sign = exitCode === 0 ? '✅' : exitCode === 1 ? '❌' : '⚠️';
  const head = [
    `## ${sign} ${context.service.title} conformance: ${markdownText(VERDICT_NAMES[verdict])}`,
    markdownText(conclusion),
    `${markdownText(targetName(result))} · ${runName(result)}`,
  ];
  const notes = result.notes.map((note) => `Note: ${markdownText(note)}`);
  if (isUnjudgeable(result)) return withinBytes([...head, ...lookText(result), ...notes], maxBytes);
  const groups = failuresByCause(result)
    .filter(({ expected }) => !expected)
    .map((group) => ({ ...group, failed: group.failed.filter(({ expected }) => !expected) }));
  const failed = groups.flatMap((group) => group.failed);
  const readings = distinct(observations(result).map(({ reading }) => reading));
  const sections = [
    ...head,
    markdownText(figuresLine(result, context)),
    ...causeList(groups),
    ...failed.map((one, index) => failedText(result, one, index < FULL_EVIDENCE, context.reportDir)),
    ...(failed.length > FULL_EVIDENCE ? ['The evidence that is not shown here is in report.html.'] : []),
    ...internalErrors(result).map(
      ({ check, message, stack }) =>
        `### Internal error of the suite: ${markdownText(check.id)}\n\n${fenced(stack ?? message)}`,
    ),
    ...paragraph(
      `**Expected failures** (${markdownText(baseline?.file ?? '')}):`,
      baseline === undefined ? [] : expectedTexts(baseline),
      ', ',
    ),
    ...baselineAdvice(result).map(markdownText),
    ...paragraph('**Where the specification is silent, this service:**', readings, ' · '),
    ...paragraph('**Covered:**', result.coverage.map(coverageText), ' · '),
    ...reasons('Not judged', result, 'not judged'),
    ...reasons('Not applicable', result, 'not applicable'),
    ...notes,
  ];
  return withinBytes(sections, maxBytes);
}
