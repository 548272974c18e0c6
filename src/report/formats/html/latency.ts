import type { Latency, RunResult } from '../../model/result.ts';
import { count, duration, grouped } from '../../model/text.ts';
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

/** How long each operation took, as a plot and as a table; apart from that, while the service was kept under load. */
export function latencySection({ latencies, soak }: RunResult): PageSection | undefined {
  if (latencies.length === 0) return undefined;
  const load =
    soak &&
    html`<h3>Under load: ${count(soak.requests, 'answer')} in ${duration(soak.milliseconds)}, ${grouped(soak.throughput)} a second</h3>
${latencyPlot(soak.latencies, 'Latency under load')}${latencyTable(soak.latencies)}`;
  return {
    id: 'latency',
    heading: 'Latency',
    content: html`${latencyPlot(latencies, 'Latency')}${latencyTable(latencies)}${load}`,
  };
}
