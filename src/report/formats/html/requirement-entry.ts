import { observations } from '../../model/queries.ts';
import type { CheckResult, RequirementResult, RunResult } from '../../model/result.ts';
import { count } from '../../model/text.ts';
import { whereSpecified } from '../evidence.ts';
import { checkBlock } from './check-block.ts';
import { anchor, list, sign, TONES } from './elements.ts';
import { html, type Markup, prose } from './markup.ts';

/** On how many answers the rules of a requirement were judged; undefined where it has none. */
function judgedOn(checks: readonly CheckResult[]): string | undefined {
  const judged = checks.flatMap((check) => check.judged ?? []);
  const sum = judged.reduce((total, number) => total + number, 0);
  return judged.length === 0 ? undefined : `in ${count(sum, 'answer')}`;
}

function term(name: string, content: Markup | undefined): Markup | undefined {
  return content && html`<dt>${name}</dt><dd>${content}</dd>`;
}

/** A requirement as an entry that unfolds to its checks and their evidence; its id is its place in the page. */
export function requirementEntry(
  result: RunResult,
  row: RequirementResult,
  checks: readonly CheckResult[],
  reportDir: string,
): Markup {
  const { id, says, because, readings = [], reason, kind, source, expectedFailure } = row;
  const place = anchor(id);
  const judged = judgedOn(checks);
  const observed = observations({ checks }).map(({ reading }) => prose(reading));
  const facts = [
    term('kind', html`${kind}, ${whereSpecified(source)}`),
    term('because', because === undefined ? undefined : prose(because)),
    term('permitted', list(readings.map(prose))),
    term('observed', list(observed)),
    term('why', reason === undefined ? undefined : prose(reason)),
    term('baseline', expectedFailure ? html`Listed in the baseline as an expected failure.` : undefined),
    term('link', html`<a href="#${place}">#${place}</a>`),
  ];
  const tone = expectedFailure ? 'unsure' : TONES[row.status];
  return html`<details class="requirement ${tone}" id="${place}" data-outcome="${row.status}">
<summary>${sign(tone)}<span class="id">${id}</span><span class="says">${prose(says)}</span><span class="state"><span class="status ${tone}">${row.status}</span>${expectedFailure ? html` <span class="soft">as expected</span>` : undefined}${judged && html` <span class="soft">${judged}</span>`}</span></summary>
<div class="body"><dl class="evidence">${facts.flatMap((fact) => fact ?? [])}</dl>
${checks.map((check) => checkBlock(result, check, reportDir))}</div></details>
`;
}
