import type { CheckResult, Outcome, RequirementResult } from '../../model/result.ts';
import { count, duration, grouped } from '../../model/text.ts';
import { counted, type PartView, type ReportView, whereSpecified } from '../../view.ts';
import { anchor, bar, checkAnchor, details, list, numbers, sign, status, TONES, type Tone, table } from './elements.ts';
import { violationBlock } from './findings.ts';
import { html, type Markup, prose, trusted } from './markup.ts';
import type { PageSection } from './page.ts';

/** How many requirements have each outcome: a bar, and below it the numbers, each a link that filters by it. */
export function tally({ result, outcomes }: ReportView): Markup {
  const of = result.requirements.length;
  const words = outcomes.map(
    ({ status: outcome, number }) =>
      html`<li><a href="#requirements" data-choose="${outcome}"><strong class="status ${TONES[outcome]}">${number}</strong> ${counted(outcome, number)}</a></li>`,
  );
  return html`${bar(outcomes.map(({ status: outcome, number }) => ({ of: TONES[outcome], share: number / of })))}
<ul class="tally" aria-label="Requirements by outcome">${words}</ul>
`;
}

/** An outcome that can be chosen, and how many have it. */
interface Choice {
  readonly value: string;
  readonly name: string;
  readonly number: number;
}

/**
 * The search and the choice of outcomes above entries. Hidden until the script of the page shows them: they do nothing
 * without it.
 */
export function controls(choices: readonly Choice[], { canFold }: { readonly canFold: boolean }): Markup {
  const all = choices.reduce((sum, { number }) => sum + number, 0);
  const radios = [{ value: '', name: 'all', number: all }, ...choices].map(
    ({ value, name, number }, index) =>
      html`<label class="chip"><input type="radio" name="outcome" value="${value}"${trusted(index === 0 ? ' checked' : '')}> ${name} <span class="soft">${number}</span></label>`,
  );
  const buttons = html`<p class="buttons"><button type="button" data-open="true">Open all shown</button> <button type="button" data-open="false">Close all</button></p>`;
  return html`<div class="controls" hidden>
<label class="search">Search <input type="search" placeholder="id, words, status, evidence" autocomplete="off" spellcheck="false"></label>
<fieldset><legend>Outcome</legend>${radios}</fieldset>
${canFold ? buttons : undefined}</div>
<p class="shown" role="status" hidden></p>
`;
}

const ENDS: Readonly<Record<Outcome['kind'], readonly [tone: Tone, says: string]>> = {
  passed: ['good', 'passed'],
  failed: ['bad', 'failed'],
  inconclusive: ['unsure', 'inconclusive'],
  'not applicable': ['plain', 'not applicable'],
  'harness error': ['unsure', 'internal error of the suite'],
};

/** Every failing input of a check, with what came back and how often. */
function inputsDetails({ inputs = [], inputsLeftOut = 0 }: Extract<Outcome, { kind: 'failed' }>): Markup | undefined {
  if (inputs.length + inputsLeftOut < 2) return undefined;
  const rows = inputs.map(
    ({ sent, answered, times }) =>
      html`<tr><td><pre>${sent}</pre></td><td><pre>${answered}</pre></td><td class="number">${times}</td></tr>`,
  );
  const more = inputsLeftOut === 0 ? '' : `; ${grouped(inputsLeftOut)} more are left out`;
  const summary = `All ${count(inputs.length, 'failing input')}${more}`;
  return details(summary, table({ columns: ['Sent', 'Answered', ...numbers('Times')], rows }));
}

/** What an outcome has to show beside its name. */
function outcomeBlock(outcome: Outcome, view: ReportView): Markup | undefined {
  switch (outcome.kind) {
    case 'passed':
      return undefined;
    case 'failed':
      return html`${outcome.violations.map((one) => violationBlock(one, view))}${inputsDetails(outcome)}`;
    case 'inconclusive':
    case 'not applicable':
      return html`<p>${prose(outcome.reason)}</p>`;
    case 'harness error':
      return html`<p>${outcome.message} (<a href="#errors">internal errors</a>)</p>`;
  }
}

/** One check: how it ended, on how much, and the proof where it failed. */
function checkBlock({ id, title, outcome, judged, requests, milliseconds }: CheckResult, view: ReportView): Markup {
  const place = checkAnchor(id);
  const [tone, says] = ENDS[outcome.kind];
  const rule = judged === undefined ? '' : `its rule was judged in ${count(judged, 'answer')} · `;
  return html`<article class="check ${tone}" id="${place}" aria-labelledby="${place}-title">
<h4 id="${place}-title">${status(tone, id)} ${prose(title)}</h4>
<p class="soft">${says} · ${rule}${count(requests, 'request')} · ${duration(milliseconds)}</p>
${outcomeBlock(outcome, view)}</article>
`;
}

/** A requirement as an entry that unfolds to its checks and their evidence; its id is its place in the page. */
function requirementEntry(row: RequirementResult, { checks, observations }: PartView, view: ReportView): Markup {
  const { id, says, because, readings = [], reason, kind, expectedFailure } = row;
  const place = anchor(id);
  const isOwn = ({ requirement }: { readonly requirement: string }): boolean => requirement === id;
  const own = checks.filter(isOwn);
  const judged = own.flatMap((check) => check.judged ?? []);
  const answers = count(
    judged.reduce((total, number) => total + number, 0),
    'answer',
  );
  const facts: readonly (readonly [name: string, content: Markup | undefined])[] = [
    ['kind', html`${kind}, ${whereSpecified(row)}`],
    ['because', because === undefined ? undefined : prose(because)],
    ['permitted', list(readings.map(prose))],
    ['observed', list(observations.filter(isOwn).map(({ reading }) => prose(reading)))],
    ['why', reason === undefined ? undefined : prose(reason)],
    ['baseline', expectedFailure ? html`Listed in the baseline as an expected failure.` : undefined],
    ['link', html`<a href="#${place}">#${place}</a>`],
  ];
  const tone = expectedFailure ? 'unsure' : TONES[row.status];
  const soft = [expectedFailure ? 'as expected' : [], judged.length === 0 ? [] : `in ${answers}`].flat();
  return html`<details class="requirement ${tone}" id="${place}" data-outcome="${row.status}">
<summary>${sign(tone)}<span class="id">${id}</span><span class="says">${prose(says)}</span><span class="state"><span class="status ${tone}">${row.status}</span>${soft.map((text) => html` <span class="soft">${text}</span>`)}</span></summary>
<div class="body"><dl class="evidence">${facts.flatMap(([name, content]) => (content === undefined ? [] : html`<dt>${name}</dt><dd>${content}</dd>`))}</dl>
${own.map((check) => checkBlock(check, view))}</div></details>
`;
}

const isTallied = ({ status: outcome }: PartView['outcomes'][number]): boolean =>
  outcome === 'holds' || outcome === 'violated' || outcome === 'not judged';

function partGroup(part: PartView, view: ReportView): Markup {
  const { heading, requirements, checks } = part;
  const id = `part-${anchor(heading.split(' ')[0] ?? '').replaceAll('.', '-')}`;
  const parts = part.outcomes.filter(isTallied).map((one) => `${one.number} ${counted(one.status, one.number)}`);
  const strays = checks.filter(({ requirement }) => requirements.every((row) => row.id !== requirement));
  return html`<section aria-labelledby="${id}"${trusted(requirements.length > 0 ? ' data-group' : '')}><h3 id="${id}">${heading} <span class="soft">${parts.join(', ')}</span></h3>
${requirements.map((row) => requirementEntry(row, part, view))}${strays.map((check) => checkBlock(check, view))}</section>
`;
}

/** Every requirement by part of the specification, with search and a filter by outcome above. */
export function requirementsSection(view: ReportView): PageSection | undefined {
  const { parts, outcomes, isUnjudgeable } = view;
  if (isUnjudgeable || parts.length === 0) return undefined;
  const choices = outcomes.map(({ status: value, number }) => ({ value, name: value, number }));
  return {
    id: 'requirements',
    heading: 'Requirements',
    content: html`${controls(choices, { canFold: true })}${parts.map((part) => partGroup(part, view))}`,
  };
}
