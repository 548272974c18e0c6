import {
  byPart,
  type CauseOfFailures,
  type FailedCheck,
  failedChecks,
  failuresByCause,
  internalErrorAdvice,
  internalErrors,
  isUnjudgeable,
  observations,
  type PartResult,
  runName,
  staleAdvice,
  targetName,
} from '../model/queries.ts';
import type {
  CheckResult,
  ExchangeEvidence,
  ObservedRequest,
  RequirementResult,
  RunResult,
  Violation,
} from '../model/result.ts';
import type { ReportContext } from '../model/service.ts';
import { coveredText, explainedText, figuresLine, unjudgedText } from '../model/summary.ts';
import { count, duration, grouped } from '../model/text.ts';
import { type EvidenceLine, evidenceLines, exchangeText, lookLines, whereSpecified } from './evidence.ts';
import { details, html, list, type Markup, pageOf, section, status, type Tone, table, wide } from './page.ts';

const BODY_LIMIT = 20_000;
const CAUSE_BODY = 500;

const TONES: Readonly<Record<RequirementResult['status'], Tone>> = {
  holds: 'good',
  violated: 'bad',
  'not judged': 'unsure',
  'not applicable': 'plain',
  untestable: 'plain',
  'not selected': 'plain',
};

const VERDICT_TONES: Readonly<Record<RunResult['exitCode'], Tone>> = { 0: 'good', 1: 'bad', 2: 'unsure', 3: 'unsure' };

function anchor(checkId: string): string {
  return `check-${checkId.replace(/[^A-Za-z0-9.-]/g, '_')}`;
}

function evidenceList(lines: readonly EvidenceLine[]): Markup {
  return html`<dl class="evidence">${lines.map(({ label, text }) => html`<dt>${label === '' ? 'response' : label}</dt><dd><pre>${text}</pre></dd>`)}</dl>`;
}

function exchangeDetails({ role, operation, request, answer }: ExchangeEvidence): Markup | undefined {
  const lines = [
    `${request.method} ${request.url}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    '',
    ...(answer.kind === 'response'
      ? [`${answer.status}`, ...answer.headers.map(([name, value]) => `${name}: ${value}`)]
      : [`no response (${answer.code}): ${answer.sentence}`]),
  ];
  const summary = `Headers: ${role}, ${operation}, ${duration(answer.milliseconds)}`;
  return details(summary, html`<pre>${lines.join('\n')}</pre>`);
}

function violationBlock(result: RunResult, violation: Violation, reportDir: string): Markup {
  const lines = evidenceLines(result, violation, { bodyLimit: BODY_LIMIT, headers: false, reportDir });
  return html`<p><strong>${violation.message}</strong> <code class="soft">${violation.code}</code></p>
${evidenceList(lines)}${violation.exchanges.flatMap((exchange) => exchangeDetails(exchange) ?? [])}`;
}

function failedArticle(result: RunResult, failed: FailedCheck, reportDir: string): Markup {
  const { check, requirement, expected, violations } = failed;
  const id = anchor(check.id);
  const says =
    requirement &&
    html`<p>${requirement.says} <span class="soft">(${requirement.kind}, ${whereSpecified(requirement.source)})</span></p>`;
  const because = requirement?.because && html`<p class="soft">Because: ${requirement.because}</p>`;
  const listed = expected ? html`<p class="soft">Listed in the baseline as an expected failure.</p>` : undefined;
  return html`<article class="${expected ? 'unsure' : 'bad'}" id="${id}" aria-labelledby="${id}-title">
<h4 id="${id}-title"><span class="status">✗ ${check.id}</span> ${check.title}</h4>
${says}${because}${listed}${violations.map((violation) => violationBlock(result, violation, reportDir))}${inputsDetails(check)}
</article>
`;
}

/** Every failing input of a check, with what came back and how often. */
function inputsDetails({ outcome }: CheckResult): Markup | undefined {
  const { inputs = [], inputsLeftOut = 0 } = outcome.kind === 'failed' ? outcome : {};
  if (inputs.length + inputsLeftOut < 2) return undefined;
  const rows = inputs.map(
    ({ sent, answered, times }) =>
      html`<tr><td><pre>${sent}</pre></td><td><pre>${answered}</pre></td><td class="number">${times}</td></tr>`,
  );
  const columns = ['Sent', 'Answered', { name: 'Times', of: 'number' } as const];
  const more = inputsLeftOut === 0 ? '' : `; ${grouped(inputsLeftOut)} more are left out`;
  return details(`All ${count(inputs.length, 'failing input')}${more}`, wide(table({ columns, rows })));
}

/** A cause with its failed checks below it; those that an earlier cause is told with are linked. */
function causeSection(result: RunResult, group: CauseOfFailures, number: number, reportDir: string): Markup {
  const { cause, failed, expected } = group;
  const { says, since, exchange, requirements, checks, unjudged = [] } = cause;
  const elsewhere = checks.filter((id) => failed.every(({ check }) => check.id !== id));
  const names = requirements.length === 1 ? undefined : html`<p>Violates ${requirements.join(', ')}.</p>`;
  const shown =
    exchange === undefined || failed.length < 2 ? undefined : html`<pre>${exchangeText(exchange, CAUSE_BODY)}</pre>`;
  const links = elsewhere.map((id) => html` <a href="#${anchor(id)}">${id}</a>`);
  return html`<section class="cause" aria-labelledby="cause-${number}"><h3 id="cause-${number}">${number}. ${says} <span class="soft">${explainedText(cause)}${expected ? ', expected' : ''}</span></h3>
${names}${unjudged.length === 0 ? undefined : html`<p>${unjudgedText(cause)}: ${unjudged.join(', ')}.</p>`}${since && html`<p>${since}.</p>`}${shown}${elsewhere.length === 0 ? undefined : html`<p class="soft">See also${links}</p>`}
${failed.map((one) => failedArticle(result, one, reportDir))}</section>
`;
}

function internalErrorsSection(result: RunResult): Markup | undefined {
  const articles = internalErrors(result).map(({ check: { id, title }, message, stack }) => {
    return html`<article class="unsure"><h3><span class="status">! ${id}</span> ${title}</h3>
<pre>${stack ?? message}</pre></article>
`;
  });
  if (articles.length === 0) return undefined;
  const advice = html`<p>They say nothing about the service. ${internalErrorAdvice(result)}</p>
${articles}`;
  return section('errors', 'Internal errors of the suite', advice);
}

function lookSection(result: RunResult): Markup | undefined {
  const lines = lookLines(result, BODY_LIMIT);
  if (lines.length === 0) return undefined;
  return section('look', 'What was sent and what came back', evidenceList(lines));
}

function observedRequests(requests: readonly ObservedRequest[]): Markup | undefined {
  const lines = requests.map(
    ({ method, url, status, curl }) => `${curl ?? `${method} ${url}`}   # ${status ?? 'no response'}`,
  );
  return details(requests.length === 1 ? 'Request' : 'Requests', html`<pre>${lines.join('\n')}</pre>`);
}

function observationsSection(result: RunResult): Markup | undefined {
  const items = observations(result).map(
    ({ reading, requirement, requests = [] }) =>
      html`${reading} <span class="soft">(${requirement})</span>${requests.length === 0 ? undefined : observedRequests(requests)}`,
  );
  if (items.length === 0) return undefined;
  return section('observations', 'Where the specification is silent, this service', list(items));
}

/** On how many answers the rules of a requirement were judged; undefined where it has none. */
function judgedOn(checks: readonly CheckResult[]): string | undefined {
  const judged = checks.flatMap((check) => check.judged ?? []);
  return judged.length === 0
    ? undefined
    : `in ${count(
        judged.reduce((sum, number) => sum + number),
        'answer',
      )}`;
}

function requirementRow(
  row: RequirementResult,
  checks: readonly CheckResult[],
  failed: FailedCheck | undefined,
): Markup {
  const judged = judgedOn(checks);
  const shown = status(TONES[row.status], row.status);
  const linked = failed === undefined ? shown : html`<a href="#${anchor(failed.check.id)}">${shown}</a>`;
  const because = row.because && html`<br><span class="soft">Because: ${row.because}</span>`;
  const permitted = row.readings && html`<br><span class="soft">Permitted: ${row.readings.join(' · ')}</span>`;
  const reason = row.reason && html`<br><span>${row.reason}</span>`;
  const expected = row.expectedFailure ? html`<br><span class="soft">expected failure</span>` : undefined;
  return html`<tr><th scope="row">${row.id}</th><td>${row.says} <span class="soft">(${row.source.join(', ')})</span>${because}${permitted}${reason}</td><td class="kind">${row.kind}</td><td class="state">${linked}${judged && html`<br><span class="soft">${judged}</span>`}${expected}</td></tr>
`;
}

function partTable({ part, title, requirements, checks }: PartResult, failed: readonly FailedCheck[]): Markup {
  const tally = (['holds', 'violated', 'not judged'] as const).flatMap((status) => {
    const number = requirements.filter((row) => row.status === status).length;
    return number === 0 ? [] : `${number} ${status === 'holds' ? 'hold' : status}`;
  });
  const checksOf = (id: string) => checks.filter(({ requirement }) => requirement === id);
  const failureOf = (id: string) => failed.find(({ requirement }) => requirement?.id === id);
  return table({
    of: 'requirements',
    caption: html`<caption>${part} ${title}${tally.length === 0 ? '' : ` · ${tally.join(', ')}`}</caption>`,
    columns: ['Requirement', 'What it says', { name: 'Kind', of: 'kind' }, { name: 'Status', of: 'state' }],
    rows: requirements.map((row) => requirementRow(row, checksOf(row.id), failureOf(row.id))),
  });
}

function latencySection({ latencies }: RunResult): Markup | undefined {
  if (latencies.length === 0) return undefined;
  const rows = latencies.map(
    ({ operation, requests, p50, p95, p99, max }) =>
      html`<tr><th scope="row">${operation}</th><td class="number">${requests}</td>${[p50, p95, p99, max].map((time) => html`<td class="number">${time.toFixed(1)}</td>`)}</tr>`,
  );
  const caption = html`<caption class="soft">Milliseconds to the last byte. Recorded only; the specification sets no bounds.</caption>`;
  const columns = ['Requests', 'p50', 'p95', 'p99', 'max'].map((name) => ({ name, of: 'number' }) as const);
  return section('latency', 'Latency', wide(table({ caption, columns: ['Operation', ...columns], rows })));
}

function coverageSection({ coverage = [] }: RunResult): Markup | undefined {
  if (coverage.length === 0) return undefined;
  const rows = coverage.map(({ space, tuples, ...figures }) => {
    const isComplete = figures.covered === figures.possible;
    return html`<tr><th scope="row">${space}</th><td>${tuples}</td><td>${status(isComplete ? 'good' : 'unsure', coveredText(figures))}</td></tr>`;
  });
  const caption = html`<caption class="soft">What requests differ in, and how much of it was sent and answered: every level of each factor, or every pair or triple of levels.</caption>`;
  return section('coverage', 'Coverage', wide(table({ caption, columns: ['Requests', 'Counted', 'Covered'], rows })));
}

function notesSection(result: RunResult): Markup {
  const { run, suite } = result;
  const notes = [staleAdvice(result) ?? [], result.notes].flat();
  const facts = [
    { label: 'Run', text: run.id },
    { label: 'Began', text: run.startedAt },
    { label: 'Suite', text: `${suite.name} ${suite.version}` },
    { label: 'Options', text: run.options.join(' ') },
  ];
  return section(
    'notes',
    'About this run',
    html`${list(notes)}
${evidenceList(facts)}`,
  );
}

/**
 * The result as one self-contained HTML page. It reads in light and dark, prints, and has its headings and tables
 * marked up for assistive technology.
 */
export function htmlReport(result: RunResult, context: ReportContext): string {
  const { summary, run, suite } = result;
  const { service, reportDir } = context;
  const target = targetName(result);
  const failed = failedChecks(result);
  const groups = failuresByCause(result);
  const overview = groups.map(
    ({ cause }, at) =>
      html`<li><a href="#cause-${at + 1}">${cause.says}</a> <span class="soft">${explainedText(cause)}</span></li>`,
  );
  const causes = [
    ...(groups.length < 2 ? [] : [html`<ol>${overview}</ol>`]),
    ...groups.map((group, at) => causeSection(result, group, at + 1, reportDir)),
  ];
  const violations = causes.length === 0 ? undefined : section('violations', 'Violations', causes);
  const heading = `${service.title} conformance`;
  const tables = (isUnjudgeable(result) ? [] : byPart(result, service))
    .filter(({ requirements }) => requirements.length > 0)
    .map((part) => partTable(part, failed));
  const created = `${service.created.many.charAt(0).toUpperCase()}${service.created.many.slice(1)} created`;
  return pageOf({
    title: `${result.verdict} · ${heading} · ${target}`,
    heading,
    about: `${target} · ${runName(result)}`,
    tone: VERDICT_TONES[result.exitCode],
    conclusion: result.conclusion,
    inShort: figuresLine(result, context),
    figures: [
      ['Requirements judged', `${summary.judged} of ${summary.testable}`],
      ['Hold', String(summary.holding)],
      ['Violated', String(summary.violated)],
      ['Requests', grouped(summary.requests)],
      [created, grouped(summary.creations)],
      ['Time', duration(run.milliseconds)],
    ],
    sections: html`${violations}${internalErrorsSection(result)}${lookSection(result)}${observationsSection(result)}
${tables.length === 0 ? undefined : section('requirements', 'Requirements', tables)}
${coverageSection(result)}${latencySection(result)}${notesSection(result)}`,
    footer: `${count(result.checks.length, 'check')} · ${suite.name} ${suite.version}`,
  });
}
