import { countOf } from '../../history/record-of.ts';
import { distinct } from '../../model/queries.ts';
import { readingInFull } from '../../model/readings.ts';
import type { Observation, ObservedRequest } from '../../model/result.ts';
import type { RunRecord } from '../../model/run-record.ts';
import { coveredText, seenText } from '../../model/summary.ts';
import { count, grouped } from '../../model/text.ts';
import { VERDICT_NAMES } from '../../model/verdict.ts';
import type { ReportView } from '../../view.ts';
import { lookLines } from '../evidence.ts';
import { bar, details, list, numbers, requirementLink, status, table, VERDICT_TONES, wide } from './elements.ts';
import { adviceBox, BODY_LIMIT, causesSection, evidenceList, internalErrorsSection } from './findings.ts';
import { html, type Markup, prose } from './markup.ts';
import { type PageSection, pageOf } from './page.ts';
import { requirementsSection, tally } from './requirements.ts';

const CHART = { name: 'Chart', of: 'bar' } as const;

const caption = (text: string): Markup => html`<caption class="soft">${text}</caption>`;

/** Of a target that cannot be judged: what was sent to it, and what came back. */
function lookSection(view: ReportView): PageSection | undefined {
  const lines = lookLines(view, BODY_LIMIT);
  if (lines.length === 0) return undefined;
  return { id: 'look', heading: 'What was sent and what came back', content: evidenceList(lines) };
}

function observedRequests(requests: readonly ObservedRequest[]): Markup | undefined {
  const lines = requests.map((one) => `${one.curl ?? `${one.method} ${one.url}`}   # ${one.status ?? 'no response'}`);
  return lines.length === 0 ? undefined : details(count(lines.length, 'request'), html`<pre>${lines.join('\n')}</pre>`);
}

/** What the service does where the specification is silent, by part of the specification. */
function observationsSection({ parts, observations }: ReportView): PageSection | undefined {
  if (observations.length === 0) return undefined;
  const reading = (one: Observation): Markup =>
    html`${prose(readingInFull(one))}${observedRequests(one.requests ?? [])}`;
  const groups = parts.map(({ heading, requirements, observations: seen }) => {
    const known = requirements.map(({ id }) => id);
    const ids = distinct([...known, ...seen.map(({ requirement }) => requirement)]);
    const points = ids.flatMap((id) => {
      const readings = seen.filter(({ requirement }) => requirement === id).map(reading);
      const says = requirements.find((row) => row.id === id)?.says;
      if (readings.length === 0) return [];
      return html`<dt>${requirementLink(id)}${says && html` <span class="soft">${prose(says)}</span>`}</dt>
<dd>${list(readings)}</dd>
`;
    });
    return points.length === 0
      ? undefined
      : html`<h3>${heading}</h3>
<dl class="points">${points}</dl>
`;
  });
  const content = html`<p class="soft">What this service does where the specification is silent. None of it is a violation.</p>
${groups.flatMap((group) => group ?? [])}`;
  return { id: 'observations', heading: 'Open points', content };
}

/** How far each space of requests was covered. */
function coverageSection({ result: { coverage, answers = [] } }: ReportView): PageSection | undefined {
  if (coverage.length === 0) return undefined;
  const rows = coverage.map(({ space, tuples, ...figures }) => {
    const share = figures.possible === 0 ? 1 : figures.covered / figures.possible;
    const tone = share === 1 ? 'good' : 'unsure';
    // Rounded down: what is not complete is never 100 %.
    const percent = `${Math.floor(share * 100)} %`;
    const drawn = bar([
      { of: tone, share },
      { of: 'track', share: 1 - share },
    ]);
    return { cells: [space, tuples, status(tone, coveredText(figures)), percent, drawn] };
  });
  const what = caption(
    'What requests differ in, and how much of it was sent and answered: every level of each factor, or every pair or triple of levels.',
  );
  const columns = ['Requests', 'Counted', 'Covered', ...numbers('Share'), CHART];
  const seen = answers
    .map(({ operation, status: code, count }) => `${operation} ${code} ${seenText(count)}`)
    .join(' · ');
  const rare = seen !== '' && html`<p class="soft">Chance of seeing 1 fault in 100 answers: ${seen}</p>`;
  return {
    id: 'coverage',
    heading: 'Coverage',
    content: html`${table({ caption: what, columns, rows })}${rare || undefined}`,
  };
}

/** How long each operation took. */
function latencySection({ result: { latencies } }: ReportView): PageSection | undefined {
  if (latencies.length === 0) return undefined;
  const most = Math.max(0.1, ...latencies.map(({ max }) => max));
  const rows = latencies.map(({ operation, requests, p50, p95, p99, max }) => {
    const drawn = bar([
      { of: 'p50', share: p50 / most },
      { of: 'p95', share: (p95 - p50) / most },
      { of: 'p99', share: (p99 - p95) / most },
      { of: 'track', share: (max - p99) / most },
    ]);
    return { cells: [operation, grouped(requests), ...[p50, p95, p99, max].map((time) => time.toFixed(1)), drawn] };
  });
  const what = caption(
    'Milliseconds to the last byte. Recorded only; the specification sets no bounds. Each bar ends at max; it is paler from p50 on, and again from p95 and p99 on.',
  );
  const columns = ['Operation', ...numbers('Requests', 'p50', 'p95', 'p99', 'max'), CHART];
  return { id: 'latency', heading: 'Latency', content: table({ caption: what, columns, rows }) };
}

/** The runs that are shown: the last ones. */
const MOST_RUNS = 60;

/** The figures shown for each run, in its colour. */
const FIGURES = [
  { name: 'hold', tone: 'good', of: (run: RunRecord) => countOf(run, 'holds') },
  { name: 'violated', tone: 'bad', of: (run: RunRecord) => countOf(run, 'violated') },
  { name: 'not judged', tone: 'unsure', of: (run: RunRecord) => countOf(run, 'not judged') },
] as const;

/** What changed from the first run that is shown to the last, in a sentence. */
function trendText(runs: readonly RunRecord[], first: RunRecord, last: RunRecord): string {
  const dayOf = ({ startedAt }: RunRecord): string => startedAt.slice(0, 10);
  const range = dayOf(first) === dayOf(last) ? `on ${dayOf(last)}` : `from ${dayOf(first)} to ${dayOf(last)}`;
  const red = runs.filter(({ exitCode }) => exitCode !== 0).length;
  const failed = red === 0 ? 'all of them conform' : `${red} without the verdict that it conforms`;
  const figuresOf = (run: RunRecord): string => FIGURES.map(({ name, of }) => `${of(run)} ${name}`).join(', ');
  return `${count(runs.length, 'run')} ${range}, ${failed}. At first: ${figuresOf(first)}. At last: ${figuresOf(last)}.`;
}

/** The runs of the target, the last one first; left out where there is only this one. */
function trendSection({ history = [] }: ReportView): PageSection | undefined {
  const runs = history.slice(-MOST_RUNS);
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined || runs.length < 2) return undefined;
  const most = Math.max(1, ...runs.map((run) => FIGURES.reduce((sum, { of }) => sum + of(run), 0)));
  const rows = runs.toReversed().map((run) => {
    const { startedAt, verdict, profile, seed } = run;
    const drawn = bar(FIGURES.map(({ tone, of }) => ({ of: tone, share: of(run) / most })));
    const began = startedAt.replace(/^(.{10})T(.{8}).*$/, '$1 $2 UTC');
    const figures = FIGURES.map(({ of }) => of(run));
    return { cells: [began, VERDICT_NAMES[verdict], ...figures, `${profile}, seed ${seed}`, drawn] };
  });
  const columns = ['Began', 'Verdict', ...numbers(...FIGURES.map(({ name }) => name)), 'Run', CHART];
  const earlier = history.length > runs.length ? ` The last ${runs.length} of ${history.length} are shown.` : '';
  const content = html`<p>${trendText(runs, first, last)}${earlier}</p>
${wide('every run', table({ columns, rows }))}`;
  return { id: 'trend', heading: 'Trend', content };
}

/** How the run was made, and remarks on it. */
function runSection({ result, staleAdvice }: ReportView): PageSection {
  const { run, suite, notes } = result;
  const facts = [
    { label: 'Run', text: run.id },
    { label: 'Began', text: run.startedAt },
    { label: 'Suite', text: `${suite.name} ${suite.version}` },
    { label: 'Seed', text: String(run.seed) },
    { label: 'Options', text: run.options.join(' ') },
  ];
  const content = html`${list([...staleAdvice, ...notes].map(prose))}${evidenceList(facts)}`;
  return { id: 'notes', heading: 'About this run', content };
}

/** The sections in their order. Each is left out where the run has nothing for it. */
const SECTIONS: readonly ((view: ReportView) => PageSection | undefined)[] = [
  causesSection,
  internalErrorsSection,
  lookSection,
  requirementsSection,
  observationsSection,
  coverageSection,
  latencySection,
  trendSection,
  runSection,
];

/**
 * The result as one self-contained HTML page: the verdict, its causes and what to do on the first screen, everything
 * else folded below. It reads in light and dark, on a narrow screen, in print and with assistive technology; without its
 * script it lacks only search and filter.
 */
export function htmlReport(view: ReportView): string {
  const { heading, target, made, isUnjudgeable, result } = view;
  const { run, suite } = result;
  const began = run.startedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  return pageOf({
    title: `${VERDICT_NAMES[result.verdict]} · ${heading} · ${target}`,
    heading,
    about: [target, ...made, began].join(' · '),
    tone: VERDICT_TONES[result.exitCode],
    conclusion: prose(result.conclusion),
    tally: isUnjudgeable || result.requirements.length === 0 ? undefined : tally(view),
    inShort: view.figures,
    lead: adviceBox(view),
    sections: SECTIONS.flatMap((section) => section(view) ?? []),
    footer: `${count(result.checks.length, 'check')} · ${suite.name} ${suite.version}`,
  });
}
