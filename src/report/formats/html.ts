import { type Finding, findings, harnessFaults, readings } from '../findings.ts';
import { conformance, coverage, effort } from '../model/figures.ts';
import type { ExchangeEvidence, RequirementResult, RunResult, Violation } from '../model/result.ts';
import { byPart, type PartResult } from '../parts.ts';
import { count, duration } from './excerpt.ts';
import { html, type Markup } from './markup.ts';
import { pageOf, type Tone } from './page.ts';
import { type ProofLine, proofLines, whereSpecified } from './proof.ts';

const BODY_LIMIT = 20_000;

const STATUS_TONE: Readonly<Record<RequirementResult['status'], Tone>> = {
  holds: 'good',
  violated: 'bad',
  'not judged': 'unsure',
  'not applicable': 'plain',
  untestable: 'plain',
  'not selected': 'plain',
};

const STATUS_MARK: Readonly<Record<RequirementResult['status'], string>> = {
  holds: '✓',
  violated: '✗',
  'not judged': '?',
  'not applicable': '–',
  untestable: '–',
  'not selected': '–',
};

function verdictTone(result: RunResult): Tone {
  if (result.exitCode === 0) return 'good';
  return result.exitCode === 1 ? 'bad' : 'unsure';
}

function anchor(id: string): string {
  return `check-${id.replace(/[^A-Za-z0-9.-]/g, '_')}`;
}

function proofList(lines: readonly ProofLine[]): Markup {
  return html`<dl class="proof">${lines.map(({ label, text }) => html`<dt>${label === '' ? 'response' : label}</dt><dd><pre>${text}</pre></dd>`)}</dl>`;
}

function exchangeDetails(exchange: ExchangeEvidence): Markup {
  const { request, answer } = exchange;
  const sent = [`${request.method} ${request.url}`, ...request.headers.map(([name, value]) => `${name}: ${value}`)];
  const got =
    answer.kind === 'response'
      ? [`${answer.status}`, ...answer.headers.map(([name, value]) => `${name}: ${value}`)]
      : [`no response (${answer.code}): ${answer.sentence}`];
  const text = `${sent.join('\n')}\n\n${got.join('\n')}`;
  return html`<details><summary>Headers: ${exchange.role}, ${exchange.operation}, ${duration(answer.milliseconds)}</summary><pre>${text}</pre></details>`;
}

function violationBlock(result: RunResult, violation: Violation, reportDir: string): Markup {
  const lines = proofLines(result, violation, {
    bodyLimit: BODY_LIMIT,
    headers: false,
    reportDir,
  });
  return html`<p><strong>${violation.message}</strong> <code class="soft">${violation.code}</code></p>
${proofList(lines)}${violation.exchanges.map(exchangeDetails)}`;
}

function findingArticle(result: RunResult, finding: Finding, reportDir: string): Markup {
  const { check, requirement } = finding;
  const id = anchor(check.id);
  const says =
    requirement === undefined
      ? undefined
      : html`<p>${requirement.says} <span class="soft">(${requirement.kind}, ${whereSpecified(requirement.source)})</span></p>`;
  const because =
    requirement?.because === undefined ? undefined : html`<p class="soft">Because: ${requirement.because}</p>`;
  const expected = finding.expected
    ? html`<p class="soft">Listed in the baseline as an expected failure.</p>`
    : undefined;
  return html`<article class="${finding.expected ? 'unsure' : 'bad'}" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><span class="status">✗ ${check.id}</span> ${check.title}</h3>
${says}${because}${expected}${finding.violations.map((violation) => violationBlock(result, violation, reportDir))}
</article>
`;
}

function violationsSection(result: RunResult, reportDir: string): Markup | undefined {
  const all = findings(result);
  if (all.length === 0) return undefined;
  const order = [...all.filter((finding) => !finding.expected), ...all.filter((finding) => finding.expected)];
  return html`<section aria-labelledby="violations"><h2 id="violations">Violations</h2>
${order.map((finding) => findingArticle(result, finding, reportDir))}</section>
`;
}

function faultsSection(result: RunResult): Markup | undefined {
  const faults = harnessFaults(result);
  if (faults.length === 0) return undefined;
  return html`<section aria-labelledby="faults"><h2 id="faults">Faults of the suite itself</h2>
<p>They say nothing about the service. Please report them to the maintainers of ${result.suite.name} ${result.suite.version}, with seed ${result.run.seed} and conformance.json.</p>
${faults.map(
  (fault) => html`<article class="unsure"><h3><span class="status">! ${fault.check.id}</span> ${fault.check.title}</h3>
<pre>${fault.stack ?? fault.message}</pre></article>
`,
)}</section>
`;
}

function requirementRow(result: RunResult, row: RequirementResult): Markup {
  const failed = findings(result).find((finding) => finding.check.requirement === row.id);
  const status = html`<span class="status ${STATUS_TONE[row.status]}">${STATUS_MARK[row.status]} ${row.status}</span>`;
  const linked = failed === undefined ? status : html`<a href="#${anchor(failed.check.id)}">${status}</a>`;
  const permitted =
    row.readings === undefined ? undefined : html`<br><span class="soft">Permitted: ${row.readings.join(' · ')}</span>`;
  const because = row.because === undefined ? undefined : html`<br><span class="soft">Because: ${row.because}</span>`;
  const reason = row.reason === undefined ? undefined : html`<br><span>${row.reason}</span>`;
  const expected = row.expectedFailure ? html`<br><span class="soft">expected failure</span>` : undefined;
  return html`<tr><th scope="row">${row.id}</th><td>${row.says} <span class="soft">(${row.source.join(', ')})</span>${because}${permitted}${reason}</td><td class="kind">${row.kind}</td><td class="state">${linked}${expected}</td></tr>
`;
}

function partTable(result: RunResult, part: PartResult): Markup {
  const having = (status: string) => part.requirements.filter((row) => row.status === status).length;
  const tally = (['holds', 'violated', 'not judged'] as const)
    .flatMap((status) => (having(status) === 0 ? [] : [`${having(status)} ${status === 'holds' ? 'hold' : status}`]))
    .join(', ');
  return html`<table class="requirements"><caption>${part.part} ${part.title}${tally === '' ? '' : ` · ${tally}`}</caption>
<thead><tr><th scope="col">Requirement</th><th scope="col">What it says</th><th scope="col" class="kind">Kind</th><th scope="col" class="state">Status</th></tr></thead>
<tbody>${part.requirements.map((row) => requirementRow(result, row))}</tbody></table>
`;
}

function readingsSection(result: RunResult): Markup | undefined {
  const seen = readings(result);
  if (seen.length === 0) return undefined;
  return html`<section aria-labelledby="readings"><h2 id="readings">Where the specification is silent, this service</h2>
<ul>${seen.map((one) => html`<li>${one.reading} <span class="soft">(${one.requirement})</span></li>`)}</ul></section>
`;
}

function latencySection(result: RunResult): Markup | undefined {
  if (result.latencies.length === 0) return undefined;
  const rows = result.latencies.map(
    (row) =>
      html`<tr><th scope="row">${row.operation}</th><td class="number">${row.requests}</td>${[
        row.p50,
        row.p95,
        row.p99,
        row.max,
      ].map((time) => html`<td class="number">${time.toFixed(1)}</td>`)}</tr>`,
  );
  return html`<section aria-labelledby="latency"><h2 id="latency">Latency</h2><div class="wide">
<table><caption class="soft">Milliseconds to the last byte. Recorded only; the specification sets no bounds.</caption>
<thead><tr><th scope="col">Operation</th>${['Requests', 'p50', 'p95', 'p99', 'max'].map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div></section>
`;
}

function notesSection(result: RunResult): Markup {
  const { baseline } = result;
  const stale =
    baseline === undefined || baseline.stale.length === 0
      ? []
      : [`Stale in ${baseline.file}: ${baseline.stale.join(', ')} hold; remove the entries.`];
  const notes = [...stale, ...result.notes];
  const list = notes.length === 0 ? undefined : html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
  const facts: readonly (readonly [string, string])[] = [
    ['Run', result.run.id],
    ['Began', result.run.startedAt],
    ['Suite', `${result.suite.name} ${result.suite.version}`],
    ['Options', result.run.options.join(' ')],
  ];
  return html`<section aria-labelledby="notes"><h2 id="notes">About this run</h2>${list}
${proofList(facts.map(([label, text]) => ({ label, text })))}</section>
`;
}

/**
 * The result as one HTML page that needs nothing else. It reads in light and dark, prints, and has its headings and
 * tables marked up for assistive technology.
 *
 * `reportDir` is the folder that the replay command names.
 */
export function htmlReport(result: RunResult, reportDir = 'reports'): string {
  const { summary, run, suite } = result;
  const target = result.target.embedded ? 'the embedded reference service' : result.target.baseUrl;
  return pageOf({
    title: `${result.verdict} · Pet Store conformance · ${target}`,
    heading: 'Pet Store conformance',
    about: `${target} · ${run.profile} · seed ${run.seed}`,
    tone: verdictTone(result),
    conclusion: result.conclusion,
    inShort: `${coverage(summary)} · ${conformance(summary)} · ${effort(result, reportDir)}`,
    figures: [
      ['Requirements judged', `${summary.judged} of ${summary.testable}`],
      ['Hold', String(summary.holding)],
      ['Violated', String(summary.violated)],
      ['Requests', summary.requests.toLocaleString('en-GB')],
      ['Animals created', summary.creations.toLocaleString('en-GB')],
      ['Time', duration(run.milliseconds)],
    ],
    sections: html`${violationsSection(result, reportDir)}${faultsSection(result)}${readingsSection(result)}
<section aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
${byPart(result)
  .filter((part) => part.requirements.length > 0)
  .map((part) => partTable(result, part))}</section>
${latencySection(result)}${notesSection(result)}`,
    footer: `${count(result.checks.length, 'check')} · ${suite.name} ${suite.version}`,
  });
}
