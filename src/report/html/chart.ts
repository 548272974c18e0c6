/** A chart as inline SVG: columns of stacked parts, each with a title, and a legend in words. */

import { count } from '../../text.ts';
import type { ChartBlock } from '../blocks.ts';
import { html, type Markup } from './markup.ts';

/** Units of the picture, which is stretched to the width of the page. */
const [COLUMN, GAP, HEIGHT] = [10, 2, 60];

export function chartMarkup({ label, columns, legend = [] }: ChartBlock): Markup {
  const sums = columns.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const highest = Math.max(1, ...sums);
  const bars = columns.map(({ title, parts }, at) => {
    let top = HEIGHT;
    const stacked = parts.map(({ tone, value }) => {
      const height = (value / highest) * HEIGHT;
      top -= height;
      const place = html`x="${at * COLUMN + GAP / 2}" y="${top.toFixed(2)}"`;
      return html`<rect class="${tone}" ${place} width="${COLUMN - GAP}" height="${height.toFixed(2)}"/>`;
    });
    return html`<g><title>${title}</title>${stacked}</g>`;
  });
  const [first, last] = [columns[0]?.name ?? '', columns.at(-1)?.name ?? ''];
  const names = html`<span>${first}</span><span>${last === first ? '' : last}</span>`;
  const keys = legend.map(({ tone, text }) => html`<li class="${tone}">${text}</li>`);
  const described = `${label}: ${count(columns.length, 'column')}, the highest is ${highest}`;
  return html`<figure class="chart"><figcaption>${label}</figcaption>
<svg viewBox="0 0 ${columns.length * COLUMN} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${described}">${bars}</svg>
<p class="axis soft" aria-hidden="true">${names}</p>${keys.length === 0 ? undefined : html`<ul class="legend">${keys}</ul>`}</figure>
`;
}
