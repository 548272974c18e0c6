import { details, list, status, type Tone, table, wide } from '../../report/formats/html/elements.ts';
import { html, type Markup, prose } from '../../report/formats/html/markup.ts';
import { type PageSection, pageOf } from '../../report/formats/html/page.ts';
import { count, duration } from '../../report/model/text.ts';
import type { FaultRow, MatrixResult, RequirementRow, VariantRow } from './classify.ts';
import { CLASS_COLUMNS, conclusionOf, coverageText, diagnosis, replaysText, triedClasses } from './summary.ts';
import type { FailedCheck } from './trial.ts';

const TONES: Readonly<Record<FaultRow['outcome'] | VariantRow['outcome'], Tone>> = {
  'killed by its own check': 'good',
  'killed by others only': 'unsure',
  'refused by the preflight': 'plain',
  survived: 'bad',
  conforms: 'good',
  'false alarm': 'bad',
  'not judged': 'unsure',
};
/** How many of the faults on which the most checks of other requirements fail are shown. */
const MOST_IMPRECISE = 15;

const failures = (checks: readonly FailedCheck[]): readonly Markup[] =>
  checks.map(({ check, message }) => html`<code>${check}</code> ${prose(message)}`);

/** A table of faults or of variants, with the checks that failed on each. */
function runTable(caption: Markup, what: 'Fault' | 'Variant', rows: readonly Markup[]): Markup {
  const columns = [what, 'The service, and what failed', { name: 'Outcome', of: 'state' } as const];
  return table({ of: 'requirements', caption, columns, rows });
}

function runRow(run: FaultRow | VariantRow, about: Markup): Markup {
  const refused = run.refused && html`<br><span class="soft">${run.refused}</span>`;
  const unjudged = run.unjudged.map(
    ({ check, reason, see }) => html`<code>${check}</code> ${reason}${see && ` (see ${see})`}`,
  );
  const suiteFaults = html`<p class="bad"><strong>The suite itself failed:</strong></p>${run.suiteFaults.map((fault) => html`<pre>${fault}</pre>`)}`;
  const failed =
    'alarms' in run
      ? list(failures(run.alarms))
      : html`${list(failures(run.own))}${details(count(run.bystanders.length, 'other failing check'), list(failures(run.bystanders)))}`;
  return html`<tr><th scope="row"><code>${run.name}</code></th>
<td>${about}${refused}${failed}${details(`${count(unjudged.length, 'check')} not judged`, list(unjudged))}${run.suiteFaults.length > 0 ? suiteFaults : undefined}</td>
<td>${status(TONES[run.outcome], run.outcome)}<br><span class="soft">exit ${run.exitCode} · ${run.isWhole ? '' : 'ended when found · '}${duration(run.milliseconds)}</span></td></tr>
`;
}

function requirementSection({ id, says, kind }: RequirementRow, faults: readonly FaultRow[]): Markup {
  const caption = html`<caption id="of-${id}">${id} · ${prose(says)} <span class="soft">(${kind})</span></caption>`;
  const rows = faults.map((fault) => runRow(fault, prose(fault.says)));
  return html`<section aria-labelledby="of-${id}">${runTable(caption, 'Fault', rows)}</section>
`;
}

function toneOf({ killedByOwn, killedByOthers, survived, needsFault }: RequirementRow, faults: number): Tone {
  if (survived.length > 0 || (needsFault && killedByOwn.length === 0)) return 'bad';
  if (faults === 0) return 'plain';
  return killedByOthers.length > 0 ? 'unsure' : 'good';
}

function overviewRow(row: RequirementRow): Markup {
  const groups = [row.killedByOwn, row.killedByOthers, row.refused, row.survived];
  const faults = groups.flat().length;
  const name = faults === 0 ? html`${row.id}` : html`<a href="#of-${row.id}">${row.id}</a>`;
  const text = faults > 0 ? count(faults, 'fault') : row.needsFault ? 'no fault' : 'needs none';
  const numbers = groups.map(({ length }) => html`<td class="number">${length === 0 ? '' : length}</td>`);
  return html`<tr><th scope="row">${name}</th><td>${row.kind}</td>${numbers}<td>${status(toneOf(row, faults), text)}</td></tr>
`;
}

function overview(requirements: readonly RequirementRow[]): Markup {
  const outcomes = ['Killed by its own check', 'By other checks only', 'Refused by the preflight', 'Survived'];
  const numbers = outcomes.map((name) => ({ name, of: 'number' }) as const);
  return wide(
    'Requirements',
    table({ columns: ['Requirement', 'Kind', ...numbers, 'Faults'], rows: requirements.map(overviewRow) }),
  );
}

function classOverview(result: MatrixResult): Markup {
  const columns = CLASS_COLUMNS.map(([name]) => ({ name, of: 'number' }) as const);
  const rows = triedClasses(result).map(
    (row) =>
      html`<tr><th scope="row">${row.name}</th>${CLASS_COLUMNS.map(([, figure]) => html`<td class="number">${row[figure] === 0 ? '' : row[figure]}</td>`)}</tr>`,
  );
  return wide('classes of requirements', table({ columns: ['Class', ...columns], rows }));
}

function diagnosisDetails(result: MatrixResult): Markup {
  const imprecise = result.faults
    .filter(({ bystanders, isWhole }) => isWhole && bystanders.length > 2)
    .toSorted((one, other) => other.bystanders.length - one.bystanders.length)
    .slice(0, MOST_IMPRECISE)
    .map(
      ({ name, breaks, bystanders }) =>
        html`<code>${name}</code> (${breaks}) ${bystanders.length}: ${bystanders.map(({ check }) => check).join(', ')}`,
    );
  return html`<p>${diagnosis(result)}</p>${imprecise.length === 0 ? undefined : html`<p>The most:</p>${list(imprecise)}`}`;
}

/** The matrix as one self-contained HTML page. Every name and message in it is escaped. */
export function matrixPage(result: MatrixResult): string {
  const { summary, suite, seed, startedAt } = result;
  const shortcomings = list(result.shortcomings.map((one) => html`${one}`));
  const faults = result.requirements.flatMap((row) => {
    const breaking = result.faults.filter(({ breaks }) => breaks === row.id);
    return breaking.length === 0 ? [] : [requirementSection(row, breaking)];
  });
  const caption = html`<caption class="soft">Each makes another choice that the specification permits. No check may fail.</caption>`;
  const variants = result.variants.map((variant) =>
    runRow(variant, html`${prose(variant.says)} <span class="soft">(${variant.chooses})</span>`),
  );
  const section = (id: string, heading: string, content: Markup): PageSection => ({ id, heading, content });
  const sections = [
    shortcomings && section('shortcomings', 'Shortcomings of the suite', shortcomings),
    section('diagnosis', 'Diagnosis', diagnosisDetails(result)),
    section('classes', 'Classes of requirements', classOverview(result)),
    section('requirements', 'Requirements', overview(result.requirements)),
    section('faults', 'Faults', html`${faults}`),
    variants.length > 0 && section('variants', 'Correct variants', runTable(caption, 'Variant', variants)),
  ];
  return pageOf({
    title: 'Fault matrix · Pet Store conformance',
    heading: 'Pet Store conformance · fault matrix',
    about: 'The checks, run against a service with one fault at a time, and against correct ones that choose otherwise',
    tone: result.passed ? 'good' : 'bad',
    conclusion: conclusionOf(result),
    inShort: coverageText(result),
    figures: [
      ['Faults', String(summary.faults)],
      ['Killed by their own check', String(summary.killedByOwn)],
      ['By other checks only', String(summary.killedByOthers)],
      ['Survived', String(summary.survived)],
      ['Correct variants', String(summary.variants)],
      ['False alarms', String(summary.falseAlarms)],
      ...(summary.replays.failures === 0 ? [] : [['Replays', replaysText(result)] as const]),
      ['Requests', summary.requests.toLocaleString('en-GB')],
      ['Time', duration(result.milliseconds)],
    ],
    sections: sections.flatMap((part) => part || []),
    footer: `${suite.name} ${suite.version} · began ${startedAt} · seed ${seed} · ${count(result.jobs, 'worker')}`,
  });
}
