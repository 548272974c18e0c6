import type { RequirementResult } from '../../model/result.ts';
import { TONES } from './elements.ts';
import { html, type Markup } from './markup.ts';
import { counted, outcomesOf } from './outcomes.ts';

const percent = (part: number): string => `${(part * 100).toFixed(2)}%`;

/** How many requirements have each outcome: a bar, and below it the numbers, each a link that filters by it. */
export function tallyOf(requirements: readonly RequirementResult[]): Markup | undefined {
  if (requirements.length === 0) return undefined;
  const outcomes = outcomesOf(requirements);
  let start = 0;
  const bars = outcomes.map(({ status, number }) => {
    const share = number / requirements.length;
    const bar = html`<rect class="${TONES[status]}" x="${percent(start)}" y="0" width="${percent(share)}" height="12"/>`;
    start += share;
    return bar;
  });
  const words = outcomes.map(
    ({ status, number }) =>
      html`<li><a href="#requirements" data-choose="${status}"><strong class="status ${TONES[status]}">${number}</strong> ${counted(status, number)}</a></li>`,
  );
  return html`<svg class="tally" width="100%" height="12" aria-hidden="true">${bars}</svg>
<ul class="tally" aria-label="Requirements by outcome">${words}</ul>
`;
}
