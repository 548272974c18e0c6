import { type Finding, findings, groupedByReason, harnessFaults, readings } from '../findings.ts';
import { figuresLine } from '../model/figures.ts';
import type { RunResult } from '../model/result.ts';
import { beginning } from './excerpt.ts';
import { printable } from './printable.ts';
import { proofLines, whereSpecified } from './proof.ts';

const BODY_LIMIT = 2000;

/** A job page shows at most a megabyte; more violations than this are named without their proof. */
const FULL_PROOFS = 30;
const PROOF_LIMIT = 12_000;

/** Text in a paragraph, a heading or a list: nothing in it is Markdown or HTML. */
export function markdownText(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_{}[\]()#+!|~>@:-]/g, (found) => (/[@:]/.test(found) ? `&#${found.charCodeAt(0)};` : `\\${found}`));
}

/** A fenced block that nothing inside can close: its fence is longer than any run of backticks in the text. */
export function fenced(text: string): string {
  const shown = printable(text, { lines: 'keep' });
  const longest = [...shown.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${shown}\n${fence}`;
}

function findingText(result: RunResult, finding: Finding, full: boolean, reportDir: string): string {
  const { check, requirement } = finding;
  const where = requirement === undefined ? '' : ` (${markdownText(whereSpecified(requirement.source))})`;
  const heading = `### ✗ ${markdownText(check.id)} ${markdownText(check.title)}${where}`;
  const says = requirement === undefined ? [] : [markdownText(requirement.says)];
  const proofs = finding.violations.map((violation) => {
    const message = `**${markdownText(violation.message)}** (${markdownText(violation.code)})`;
    if (!full) return message;
    const lines = proofLines(result, violation, {
      bodyLimit: BODY_LIMIT,
      headers: false,
      reportDir,
    });
    const text = lines.map((line) => `${line.label.padEnd(10)} ${printable(line.text)}`).join('\n');
    return `${message}\n\n${fenced(text.length > PROOF_LIMIT ? `${beginning(text, PROOF_LIMIT)}…` : text)}`;
  });
  return [heading, ...says, ...proofs].join('\n\n');
}

function reasonList(title: string, result: RunResult, status: 'not judged' | 'not applicable'): readonly string[] {
  const groups = groupedByReason(result, status);
  if (groups.length === 0) return [];
  const items = groups.map(({ reason, requirements }) => {
    const ids = requirements.map((requirement) => markdownText(requirement.id)).join(', ');
    return `- ${ids}: ${markdownText(reason)}`;
  });
  return [`**${title}**\n\n${items.join('\n')}`];
}

/**
 * The result as Markdown for the page of a CI job: a few lines where all is well, every proof where it is not.
 *
 * `reportDir` is the folder that the replay command names.
 */
export function markdownReport(result: RunResult, reportDir = 'reports'): string {
  const mark = result.exitCode === 0 ? '✅' : result.exitCode === 1 ? '❌' : '⚠️';
  const target = result.target.embedded ? 'the embedded reference service' : result.target.baseUrl;
  const all = findings(result);
  const unexpected = all.filter((finding) => !finding.expected);
  const seen = [...new Set(readings(result).map((one) => one.reading))];
  const faults = harnessFaults(result);
  const { baseline } = result;
  const sections = [
    `## ${mark} Pet Store conformance: ${markdownText(result.verdict)}`,
    `${markdownText(result.conclusion)}`,
    `${markdownText(target)} · ${result.run.profile} · seed ${result.run.seed}`,
    markdownText(figuresLine(result, reportDir)),
    ...unexpected.map((finding, index) => findingText(result, finding, index < FULL_PROOFS, reportDir)),
    ...(unexpected.length > FULL_PROOFS ? ['The proofs that are not shown here are in report.html.'] : []),
    ...faults.map(
      (fault) =>
        `### Fault of the suite itself: ${markdownText(fault.check.id)}\n\n${fenced(fault.stack ?? fault.message)}`,
    ),
    ...(baseline === undefined || baseline.expected.length === 0
      ? []
      : [`**Expected failures** (${markdownText(baseline.file)}): ${baseline.expected.map(markdownText).join(', ')}`]),
    ...(baseline === undefined || baseline.stale.length === 0
      ? []
      : [
          `**Stale in ${markdownText(baseline.file)}**, they hold; remove them: ${baseline.stale.map(markdownText).join(', ')}`,
        ]),
    ...(seen.length === 0
      ? []
      : [`**Where the specification is silent, this service:** ${seen.map(markdownText).join(' · ')}`]),
    ...reasonList('Not judged', result, 'not judged'),
    ...reasonList('Not applicable', result, 'not applicable'),
    ...result.notes.map((note) => `Note: ${markdownText(note)}`),
  ];
  return `${sections.join('\n\n')}\n`;
}
