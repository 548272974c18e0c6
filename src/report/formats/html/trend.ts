import { countOf } from '../../history/record-of.ts';
import type { RunResult } from '../../model/result.ts';
import type { RunRecord } from '../../model/run-record.ts';
import type { ReportContext } from '../../model/service.ts';
import { count } from '../../model/text.ts';
import { VERDICT_NAMES } from '../../model/verdict.ts';
import { details, table, wide } from './elements.ts';
import { html, type Markup } from './markup.ts';
import type { PageSection } from './page.ts';

/** The runs that are drawn: the last ones. */
const MOST_RUNS = 60;

/** Heights in pixels, so that text keeps its size; widths are percentages of the page's. */
const HEIGHT = 170;
const BOTTOM = 24;
const TOP = 6;
const LEFT = 7;

/** What is stacked for each run, from the bottom up, in its colour. */
const PARTS = [
  { name: 'hold', tone: 'good', of: (run: RunRecord) => countOf(run, 'holds') },
  { name: 'violated', tone: 'bad', of: (run: RunRecord) => countOf(run, 'violated') },
  { name: 'not judged', tone: 'unsure', of: (run: RunRecord) => countOf(run, 'not judged') },
] as const;

const dayOf = ({ startedAt }: RunRecord): string => startedAt.slice(0, 10);

const totalOf = (run: RunRecord): number => PARTS.reduce((sum, part) => sum + part.of(run), 0);

const toldOf = (run: RunRecord): string => PARTS.map((part) => `${part.of(run)} ${part.name}`).join(', ');

/** What changed from the first run that is drawn to the last, in a sentence. */
function summaryOf(runs: readonly RunRecord[]): string {
  const [first] = runs;
  const last = runs.at(-1);
  if (first === undefined || last === undefined) return '';
  const range = dayOf(first) === dayOf(last) ? `on ${dayOf(last)}` : `from ${dayOf(first)} to ${dayOf(last)}`;
  const red = runs.filter(({ exitCode }) => exitCode !== 0).length;
  const failed = red === 0 ? 'all of them conform' : `${red} without the verdict that it conforms`;
  return `${count(runs.length, 'run')} ${range}, ${failed}. At first: ${toldOf(first)}. At last: ${toldOf(last)}.`;
}

function bar(run: RunRecord, at: number, of: number, most: number): Markup {
  const step = (100 - LEFT) / of;
  const width = Math.min(step * 0.8, 4);
  const x = LEFT + at * step + (step - width) / 2;
  const unit = (HEIGHT - BOTTOM - TOP) / most;
  let top = HEIGHT - BOTTOM;
  const parts = PARTS.flatMap((part): readonly Markup[] => {
    const height = part.of(run) * unit;
    top -= height;
    if (height === 0) return [];
    return [
      html`<rect class="${part.tone}" x="${x.toFixed(2)}%" y="${top.toFixed(1)}" width="${width.toFixed(2)}%" height="${height.toFixed(1)}"/>`,
    ];
  });
  return html`<g><title>${run.startedAt}: ${toldOf(run)} (${run.profile}, seed ${run.seed})</title>${parts}</g>
`;
}

/**
 * How many requirements held, were violated and could not be judged in each run of a history, as a drawing with its
 * text alternative.
 */
export function trendSvg(all: readonly RunRecord[]): Markup {
  const runs = all.slice(-MOST_RUNS);
  const most = Math.max(1, ...runs.map(totalOf));
  const base = HEIGHT - BOTTOM;
  const [first] = runs;
  const last = runs.at(-1);
  const days = [
    first && html`<text class="tick" x="${LEFT}%" y="${HEIGHT - 6}">${dayOf(first)}</text>`,
    last &&
      runs.length > 1 &&
      html`<text class="tick" x="100%" y="${HEIGHT - 6}" text-anchor="end">${dayOf(last)}</text>`,
  ].flatMap((label) => label || []);
  return html`<svg class="plot" width="100%" height="${HEIGHT}" role="img" aria-labelledby="trend-title trend-text">
<title id="trend-title">Requirements by run</title><desc id="trend-text">${summaryOf(runs)}</desc>
<line class="grid" x1="${LEFT}%" x2="100%" y1="${base}" y2="${base}"/>
<text class="tick" x="0" y="${base}">0</text><text class="tick" x="0" y="${TOP + 10}">${most}</text>
${runs.map((run, at) => bar(run, at, runs.length, most))}${days}</svg>`;
}

/** The runs of the target, as a drawing and as a table; left out where there is only this one. */
export function trendSection(_result: RunResult, { history = [] }: ReportContext): PageSection | undefined {
  if (history.length < 2) return undefined;
  const runs = history.slice(-MOST_RUNS);
  const legend = PARTS.map(
    ({ name, tone }) =>
      html`<li><svg width="18" height="14" aria-hidden="true"><rect class="${tone}" width="18" height="14"/></svg> ${name}</li>`,
  );
  const rows = runs
    .toReversed()
    .map(
      (run) =>
        html`<tr><th scope="row">${run.startedAt.replace(/^(.{10})T(.{8}).*$/, '$1 $2 UTC')}</th><td>${VERDICT_NAMES[run.verdict]}</td>${PARTS.map((part) => html`<td class="number">${part.of(run)}</td>`)}<td>${run.profile}, seed ${run.seed}</td></tr>`,
    );
  const figures = PARTS.map(({ name }) => ({ name, of: 'number' }) as const);
  const earlier = history.length > runs.length ? ` The last ${runs.length} of ${history.length} are drawn.` : '';
  return {
    id: 'trend',
    heading: 'Trend',
    content: html`<p>${summaryOf(runs)}${earlier}</p>
<figure>${trendSvg(runs)}
<figcaption><ul class="legend">${legend}</ul></figcaption></figure>
${details('Every run', wide('every run', table({ columns: ['Began', 'Verdict', ...figures, 'Run'], rows })))}`,
  };
}
