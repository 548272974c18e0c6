import type { Latency } from '../../model/result.ts';
import { count, grouped } from '../../model/text.ts';
import { html, type Markup } from './markup.ts';

/** Heights in pixels. */
const ROW = 52;
const LABEL = 16;
const BAR = 14;
const AXIS = 26;
/** Share of the width that the longest bar takes; the rest is for the last number of the axis. */
const WIDEST = 96;

/** The nice distance of 3 to 6 ticks that reach to `most`: 1, 2 or 5 times a power of ten. */
function tickDistance(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return [0.2, 0.5, 1, 2].map((step) => step * power).find((step) => most / step <= 6) ?? power;
}

const time = (milliseconds: number): string => grouped(Number(milliseconds.toFixed(milliseconds < 10 ? 1 : 0)));

function figuresOf({ p50, p95, p99, max }: Latency): string {
  return `p50 ${time(p50)} · p95 ${time(p95)} · p99 ${time(p99)} · max ${time(max)} ms`;
}

/**
 * The latency of each operation as a bar that is full up to the median, paler up to p95 and p99, with a line up to the
 * longest time. `name` says which latency, and is unique in the page. All widths are shares of the page's, so that the text keeps its size on a narrow screen.
 */
export function latencyPlot(latencies: readonly Latency[], name: string): Markup {
  const most = Math.max(0.1, ...latencies.map(({ max }) => max));
  const at = (milliseconds: number): string => `${((milliseconds / most) * WIDEST).toFixed(2)}%`;
  const height = latencies.length * ROW + AXIS;
  const distance = tickDistance(most);
  const ticks = Array.from({ length: Math.floor(most / distance) + 1 }, (_, index) => index * distance).map(
    (tick, index) =>
      index === 0
        ? html`<text class="tick" x="0" y="${height - 4}">0 ms</text>`
        : html`<line class="grid" x1="${at(tick)}" x2="${at(tick)}" y1="0" y2="${height - AXIS + 6}"/>
<text class="tick" x="${at(tick)}" y="${height - 4}" text-anchor="middle">${time(tick)}</text>`,
  );
  const bars = latencies.map(({ operation, p50, p95, p99, max }, index) => {
    const top = index * ROW + LABEL + 8;
    const bar = (of: string, until: number) =>
      html`<rect class="${of}" x="0" y="${top}" width="${at(until)}" height="${BAR}"/>`;
    const middle = top + BAR / 2;
    return html`<text class="operation" x="0" y="${index * ROW + LABEL}">${operation}</text>
<line class="max" x1="0" x2="${at(max)}" y1="${middle}" y2="${middle}"/><line class="max" x1="${at(max)}" x2="${at(max)}" y1="${top}" y2="${top + BAR}"/>
${bar('p99', p99)}${bar('p95', p95)}${bar('p50', p50)}`;
  });
  const spoken = latencies.map((one) => `${one.operation}, ${count(one.requests, 'request')}: ${figuresOf(one)}.`);
  const id = `plot-${name.toLowerCase().replaceAll(' ', '-')}`;
  const legend = [
    ['p50', 'p50'],
    ['p95', 'p95'],
    ['p99', 'p99'],
    ['max', 'max'],
  ].map(
    ([of, text]) =>
      html`<li><svg width="18" height="${BAR}" aria-hidden="true"><rect class="${of}" y="${of === 'max' ? 6 : 0}" width="18" height="${of === 'max' ? 2 : BAR}"/></svg> ${text}</li>`,
  );
  return html`<figure><svg class="plot" width="100%" height="${height}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${name} by operation, in milliseconds</title><desc id="${id}-text">${spoken.join(' ')}</desc>
${ticks}${bars}</svg>
<figcaption><ul class="legend">${legend}</ul></figcaption></figure>
`;
}
