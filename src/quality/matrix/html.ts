import { count, duration } from '../../report/formats/excerpt.ts';
import { html, type Markup } from '../../report/formats/markup.ts';
import { pageOf, type Tone } from '../../report/formats/page.ts';
import type {
  FailedCheck,
  FaultOutcome,
  FaultRow,
  MatrixResult,
  RequirementRow,
  UnjudgedCheck,
  VariantOutcome,
  VariantRow,
} from './model.ts';
import { conclusionOf, diagnosis } from './summary.ts';

const FAULT_TONE: Readonly<Record<FaultOutcome, Tone>> = {
  'killed by its own check': 'good',
  'killed by others only': 'unsure',
  'refused by the preflight': 'plain',
  survived: 'bad',
};
const VARIANT_TONE: Readonly<Record<VariantOutcome, Tone>> = {
  conforms: 'good',
  'false alarm': 'bad',
  'not judged': 'unsure',
};
const MARK: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', unsure: '?', plain: '–' };
/** Most faults that are shown for the checks that fail beside their own. */
const NOISIEST = 15;

const status = (tone: Tone, text: string): Markup => html`<span class="status ${tone}">${MARK[tone]} ${text}</span>`;

function failedList(checks: readonly FailedCheck[]): Markup | undefined {
  if (checks.length === 0) return undefined;
  return html`<ul>${checks.map(({ check, message }) => html`<li><code>${check}</code> ${message}</li>`)}</ul>`;
}

function unjudgedList(checks: readonly UnjudgedCheck[]): Markup | undefined {
  if (checks.length === 0) return undefined;
  return html`<details><summary>${count(checks.length, 'check')} not judged</summary><ul>${checks.map(
    ({ check, reason, see }) =>
      html`<li><code>${check}</code> ${reason}${see === undefined ? '' : ` (see ${see})`}</li>`,
  )}</ul></details>`;
}

function suiteFaultList(faults: readonly string[]): Markup | undefined {
  return faults.length === 0
    ? undefined
    : html`<p class="bad"><strong>The suite itself failed:</strong></p>${faults.map((fault) => html`<pre>${fault}</pre>`)}`;
}

function faultRow(fault: FaultRow): Markup {
  const others =
    fault.bystanders.length === 0
      ? undefined
      : html`<details><summary>${count(fault.bystanders.length, 'check')} beside its own</summary>${failedList(fault.bystanders)}</details>`;
  return html`<tr><th scope="row"><code>${fault.name}</code></th>
<td>${fault.says}${fault.refused === undefined ? undefined : html`<br><span class="soft">${fault.refused}</span>`}${failedList(fault.own)}${others}${unjudgedList(fault.unjudged)}${suiteFaultList(fault.suiteFaults)}</td>
<td>${status(FAULT_TONE[fault.outcome], fault.outcome)}<br><span class="soft">exit ${fault.exitCode} · ${duration(fault.milliseconds)}</span></td></tr>
`;
}

function requirementSection(row: RequirementRow, faults: readonly FaultRow[]): Markup {
  return html`<section aria-labelledby="of-${row.id}"><table class="requirements"><caption id="of-${row.id}">${row.id} · ${row.says} <span class="soft">(${row.kind})</span></caption>
<thead><tr><th scope="col">Fault</th><th scope="col">The service, and what failed</th><th scope="col" class="state">Outcome</th></tr></thead>
<tbody>${faults.map(faultRow)}</tbody></table></section>
`;
}

function overviewRow(row: RequirementRow): Markup {
  const faults = row.killedByOwn.length + row.killedByOthers.length + row.refused.length + row.survived.length;
  const tone: Tone =
    row.survived.length > 0 || (row.needsFault && row.killedByOwn.length === 0)
      ? 'bad'
      : faults === 0
        ? 'plain'
        : row.killedByOthers.length > 0
          ? 'unsure'
          : 'good';
  const name = faults === 0 ? html`${row.id}` : html`<a href="#of-${row.id}">${row.id}</a>`;
  const numbers = [row.killedByOwn, row.killedByOthers, row.refused, row.survived];
  return html`<tr><th scope="row">${name}</th><td>${row.kind}</td>${numbers.map(
    (names) => html`<td class="number">${names.length === 0 ? '' : names.length}</td>`,
  )}<td>${status(tone, faults === 0 ? (row.needsFault ? 'no fault' : 'needs none') : count(faults, 'fault'))}</td></tr>
`;
}

function overviewSection({ requirements }: MatrixResult): Markup {
  return html`<section aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
<div class="wide"><table><thead><tr><th scope="col">Requirement</th><th scope="col">Kind</th>${[
    'Killed by its own check',
    'By others only',
    'Refused by the preflight',
    'Survived',
  ].map((name) => html`<th scope="col" class="number">${name}</th>`)}<th scope="col">Faults</th></tr></thead>
<tbody>${requirements.map(overviewRow)}</tbody></table></div></section>
`;
}

function shortcomingsSection({ shortcomings }: MatrixResult): Markup | undefined {
  if (shortcomings.length === 0) return undefined;
  return html`<section aria-labelledby="shortcomings"><h2 id="shortcomings">Shortcomings of the suite</h2>
<ul>${shortcomings.map((one) => html`<li>${one}</li>`)}</ul></section>
`;
}

function diagnosisSection(result: MatrixResult): Markup {
  const noisy = result.faults
    .filter(({ bystanders }) => bystanders.length > 2)
    .toSorted((one, other) => other.bystanders.length - one.bystanders.length)
    .slice(0, NOISIEST);
  const list =
    noisy.length === 0
      ? undefined
      : html`<p>Most beside their own:</p><ul>${noisy.map(
          ({ name, breaks, bystanders }) =>
            html`<li><code>${name}</code> (${breaks}) ${bystanders.length}: ${bystanders.map(({ check }) => check).join(', ')}</li>`,
        )}</ul>`;
  return html`<section aria-labelledby="diagnosis"><h2 id="diagnosis">Diagnosis</h2><p>${diagnosis(result)}</p>${list}</section>
`;
}

function variantRow(variant: VariantRow): Markup {
  return html`<tr><th scope="row"><code>${variant.name}</code></th>
<td>${variant.says} <span class="soft">(${variant.chooses})</span>${variant.refused === undefined ? undefined : html`<br>${variant.refused}`}${failedList(variant.alarms)}${unjudgedList(variant.unjudged)}${suiteFaultList(variant.suiteFaults)}</td>
<td>${status(VARIANT_TONE[variant.outcome], variant.outcome)}<br><span class="soft">exit ${variant.exitCode} · ${duration(variant.milliseconds)}</span></td></tr>
`;
}

function variantsSection({ variants }: MatrixResult): Markup | undefined {
  if (variants.length === 0) return undefined;
  return html`<section aria-labelledby="variants"><h2 id="variants">Correct variants</h2>
<table class="requirements"><caption class="soft">Each makes another choice that the specification permits. None may be failed.</caption>
<thead><tr><th scope="col">Variant</th><th scope="col">The service</th><th scope="col" class="state">Outcome</th></tr></thead>
<tbody>${variants.map(variantRow)}</tbody></table></section>
`;
}

/** The matrix as one HTML page that needs nothing else. Every name and message in it is escaped. */
export function matrixPage(result: MatrixResult): string {
  const { summary, suite, seed, startedAt } = result;
  const broken = result.requirements.flatMap((row) => {
    const faults = result.faults.filter(({ breaks }) => breaks === row.id);
    return faults.length === 0 ? [] : [requirementSection(row, faults)];
  });
  return pageOf({
    title: 'Fault matrix · Pet Store conformance',
    heading: 'Pet Store conformance · fault matrix',
    about: 'The checks, tried on a service with one fault at a time, and on correct ones that choose otherwise',
    tone: result.passed ? 'good' : 'bad',
    conclusion: conclusionOf(result),
    inShort: diagnosis(result),
    figures: [
      ['Faults', String(summary.faults)],
      ['Killed by their own check', String(summary.killedByOwn)],
      ['By others only', String(summary.killedByOthers)],
      ['Survived', String(summary.survived)],
      ['Correct variants', String(summary.variants)],
      ['False alarms', String(summary.falseAlarms)],
      ['Requests', summary.requests.toLocaleString('en-GB')],
      ['Time', duration(result.milliseconds)],
    ],
    sections: html`${shortcomingsSection(result)}${diagnosisSection(result)}${overviewSection(result)}
<section aria-labelledby="faults"><h2 id="faults">Faults</h2>
${broken}</section>
${variantsSection(result)}`,
    footer: `${suite.name} ${suite.version} · began ${startedAt} · seed ${seed} · ${count(result.jobs, 'worker')}`,
  });
}
