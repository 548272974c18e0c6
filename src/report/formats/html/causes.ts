import { type CauseOfFailures, failuresByCause } from '../../model/queries.ts';
import type { RunResult } from '../../model/result.ts';
import type { ReportContext } from '../../model/service.ts';
import { explainedText, unjudgedText } from '../../model/summary.ts';
import { excerptText } from '../../model/text.ts';
import { evidenceLines, exampleOf, exchangeText } from '../evidence.ts';
import { checkAnchor, requirementLink } from './elements.ts';
import { evidenceList } from './evidence-markup.ts';
import { html, joined, type Markup, prose } from './markup.ts';
import type { PageSection } from './page.ts';

/** The whole of a body stands with the check. */
const CAUSE_BODY = 500;
const MESSAGE = 160;

function links(ids: readonly string[]): Markup {
  return joined(ids.map(requirementLink), ', ');
}

/** How one of the causes is told: what it explains, an exchange that shows it, and its checks, whose proof is linked. */
function causeArticle(result: RunResult, group: CauseOfFailures, number: number, reportDir: string): Markup {
  const { cause, failed, expected } = group;
  const { says, since, requirements, checks, unjudged = [], exchange } = cause;
  const example = exampleOf(cause, failed);
  const lines =
    example === undefined ? [] : evidenceLines(result, example, { bodyLimit: CAUSE_BODY, headers: false, reportDir });
  const elsewhere = checks.filter((id) => failed.every(({ check }) => check.id !== id));
  const shown =
    lines.length === 0 && exchange ? html`<pre>${exchangeText(exchange, CAUSE_BODY)}</pre>` : evidenceList(lines);
  const items = failed.map(
    ({ check, violations: [first] }) =>
      html`<li><a href="#${checkAnchor(check.id)}">${check.id}</a> ${prose(check.title)}${first && html` <span class="soft">— ${prose(excerptText(first.message, MESSAGE))}</span>`}</li>`,
  );
  const also = elsewhere.map((id) => html`<a href="#${checkAnchor(id)}">${id}</a>`);
  return html`<article class="cause ${expected ? 'unsure' : 'bad'}" aria-labelledby="cause-${number}"><h3 id="cause-${number}">${number}. ${prose(says)}</h3>
<p>Violates ${links(requirements)}.${expected ? html` <span class="soft">Listed in the baseline as expected.</span>` : undefined}</p>
${unjudged.length === 0 ? undefined : html`<p>${unjudgedText(cause)}: ${links(unjudged)}.</p>`}${since && html`<p>${prose(since)}.</p>`}${shown}
<h4>${items.length === 1 ? 'Failed check, with all of its evidence' : 'Failed checks, each with all of its evidence'}</h4>
<ul>${items}</ul>${also.length === 0 ? undefined : html`<p class="soft">See also ${joined(also, ', ')}</p>`}</article>
`;
}

/** Why checks failed, the cause that explains most first. */
export function causesSection(result: RunResult, { reportDir }: ReportContext): PageSection | undefined {
  const groups = failuresByCause(result);
  if (groups.length === 0) return undefined;
  return {
    id: 'violations',
    heading: 'Violations',
    content: html`${groups.map((group, at) => causeArticle(result, group, at + 1, reportDir))}`,
  };
}

/** The causes in a line each, linked to where they are told. */
export function causesInShort(result: RunResult): Markup | undefined {
  const groups = failuresByCause(result);
  if (groups.length === 0) return undefined;
  const items = groups.map(
    ({ cause, expected }, at) =>
      html`<li><a href="#cause-${at + 1}">${prose(cause.says)}</a> <span class="soft">${explainedText(cause)}${expected ? ', expected' : ''}</span></li>`,
  );
  return html`<ol>${items}</ol>`;
}
