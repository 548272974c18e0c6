import type { RunResult } from '../../model/result.ts';
import { coveredText, seenText } from '../../model/summary.ts';
import { status, table } from './elements.ts';
import { html } from './markup.ts';
import type { PageSection } from './page.ts';

/** How far each space of requests was covered. */
export function coverageSection({ coverage = [], answers = [] }: RunResult): PageSection | undefined {
  if (coverage.length === 0) return undefined;
  const rows = coverage.map(({ space, tuples, ...figures }) => {
    const { covered, possible } = figures;
    const isComplete = covered === possible;
    // Rounded down: what is not complete is never 100 %.
    const share = possible === 0 ? 100 : Math.floor((covered / possible) * 100);
    const bar = html`<svg class="meter" width="100%" height="10" aria-hidden="true"><rect class="track" width="100%" height="10"/><rect class="${isComplete ? 'good' : 'unsure'}" width="${share}%" height="10"/></svg>`;
    return html`<tr><th scope="row">${space}</th><td>${tuples}</td><td>${status(isComplete ? 'good' : 'unsure', coveredText(figures))}</td><td class="number">${share} %</td><td class="bar">${bar}</td></tr>`;
  });
  const caption = html`<caption class="soft">What requests differ in, and how much of it was sent and answered: every level of each factor, or every pair or triple of levels.</caption>`;
  const columns = [
    'Requests',
    'Counted',
    'Covered',
    { name: 'Share', of: 'number' },
    { name: 'As a bar', of: 'bar' },
  ] as const;
  const seen = answers
    .map(({ operation, status: code, count }) => `${operation} ${code} ${seenText(count)}`)
    .join(' · ');
  const rare = seen === '' ? html`` : html`<p class="soft">Chance to see a fault in 1 of 100 answers: ${seen}</p>`;
  return { id: 'coverage', heading: 'Coverage', content: html`${table({ caption, columns, rows })}${rare}` };
}
