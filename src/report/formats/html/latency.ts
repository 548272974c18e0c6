import type { Latency, RunResult } from '../../model/result.ts';
import { grouped } from '../../model/text.ts';
import { table } from './elements.ts';
import { latencyPlot } from './latency-plot.ts';
import { html, type Markup } from './markup.ts';
import type { PageSection } from './page.ts';

function latencyTable(latencies: readonly Latency[]): Markup {
  const rows = latencies.map(
    ({ operation, requests, p50, p95, p99, max }) =>
      html`<tr><th scope="row">${operation}</th><td class="number">${grouped(requests)}</td>${[p50, p95, p99, max].map((time) => html`<td class="number">${time.toFixed(1)}</td>`)}</tr>`,
  );
  const caption = html`<caption class="soft">Milliseconds to the last byte. Recorded only; the specification sets no bounds.</caption>`;
  const columns = ['Requests', 'p50', 'p95', 'p99', 'max'].map((name) => ({ name, of: 'number' }) as const);
  return table({ caption, columns: ['Operation', ...columns], rows });
}

/** How long each operation took, as a plot and as a table. */
export function latencySection({ latencies }: RunResult): PageSection | undefined {
  if (latencies.length === 0) return undefined;
  return {
    id: 'latency',
    heading: 'Latency',
    content: html`${latencyPlot(latencies, 'Latency')}${latencyTable(latencies)}`,
  };
}
