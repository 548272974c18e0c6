import { byPart, isUnjudgeable, type PartResult } from '../../model/queries.ts';
import type { RequirementResult, RequirementStatus, RunResult } from '../../model/result.ts';
import type { ReportContext } from '../../model/service.ts';
import { checkBlock } from './check-block.ts';
import { controls } from './controls.ts';
import { html, type Markup, trusted } from './markup.ts';
import { counted, outcomesOf } from './outcomes.ts';
import type { PageSection } from './page.ts';
import { requirementEntry } from './requirement-entry.ts';

const TALLIED: ReadonlySet<RequirementStatus> = new Set(['holds', 'violated', 'not judged']);

/** `1 violated, 11 hold` */
function tally(requirements: readonly RequirementResult[]): string {
  return outcomesOf(requirements)
    .filter(({ status }) => TALLIED.has(status))
    .map(({ status, number }) => `${number} ${counted(status, number)}`)
    .join(', ');
}

function partGroup(result: RunResult, { part, title, requirements, checks }: PartResult, reportDir: string): Markup {
  const id = `part-${part.replaceAll('.', '-')}`;
  const heading = html`<h3 id="${id}">${`${part} ${title}`.trim()} <span class="soft">${tally(requirements)}</span></h3>`;
  const entries = requirements.map((row) => {
    const own = checks.filter(({ requirement }) => requirement === row.id);
    return requirementEntry(result, row, own, reportDir);
  });
  const strays = checks.filter(({ requirement }) => requirements.every((row) => row.id !== requirement));
  return html`<section aria-labelledby="${id}"${trusted(entries.length > 0 ? ' data-group' : '')}>${heading}
${entries}${strays.map((check) => checkBlock(result, check, reportDir))}</section>
`;
}

/** Every requirement by part of the specification, with search and a filter by outcome above. */
export function requirementsSection(result: RunResult, { service, reportDir }: ReportContext): PageSection | undefined {
  if (isUnjudgeable(result) || result.requirements.length + result.checks.length === 0) return undefined;
  const choices = outcomesOf(result.requirements).map(({ status, number }) => ({
    value: status,
    name: status,
    number,
  }));
  return {
    id: 'requirements',
    heading: 'Requirements',
    content: html`${controls(choices, { canFold: true })}${byPart(result, service).map((part) => partGroup(result, part, reportDir))}`,
  };
}
