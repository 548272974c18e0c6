import type { CheckResult, Outcome, RunResult } from '../../model/result.ts';
import { count, duration, grouped } from '../../model/text.ts';
import { checkAnchor, details, status, type Tone, table } from './elements.ts';
import { violationBlock } from './evidence-markup.ts';
import { html, type Markup, prose } from './markup.ts';

const ENDS: Readonly<Record<Outcome['kind'], { readonly tone: Tone; readonly says: string }>> = {
  passed: { tone: 'good', says: 'passed' },
  failed: { tone: 'bad', says: 'failed' },
  inconclusive: { tone: 'unsure', says: 'inconclusive' },
  'not applicable': { tone: 'plain', says: 'not applicable' },
  'harness error': { tone: 'unsure', says: 'internal error of the suite' },
};

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
  return details(`All ${count(inputs.length, 'failing input')}${more}`, table({ columns, rows }));
}

/** What an outcome has to show beside its name. */
function outcomeBlock(result: RunResult, check: CheckResult, reportDir: string): Markup | undefined {
  const { outcome } = check;
  switch (outcome.kind) {
    case 'passed':
      return undefined;
    case 'failed':
      return html`${outcome.violations.map((one) => violationBlock(result, one, reportDir))}${inputsDetails(check)}`;
    case 'inconclusive':
    case 'not applicable':
      return html`<p>${prose(outcome.reason)}</p>`;
    case 'harness error':
      return html`<p>${outcome.message} (<a href="#errors">internal errors</a>)</p>`;
  }
}

/** One check: how it ended, on how much, and the proof where it failed. */
export function checkBlock(result: RunResult, check: CheckResult, reportDir: string): Markup {
  const { id, title, outcome, judged, requests, milliseconds } = check;
  const place = checkAnchor(id);
  const { tone, says } = ENDS[outcome.kind];
  const rule = judged === undefined ? '' : `its rule was judged in ${count(judged, 'answer')} · `;
  return html`<article class="check ${tone}" id="${place}" aria-labelledby="${place}-title">
<h4 id="${place}-title">${status(tone, id)} ${prose(title)}</h4>
<p class="soft">${says} · ${rule}${count(requests, 'request')} · ${duration(milliseconds)}</p>
${outcomeBlock(result, check, reportDir)}</article>
`;
}
