import {
  failuresByCause,
  groupedByReason,
  internalErrorAdvice,
  internalErrors,
  isUnjudgeable,
  observations,
  staleAdvice,
} from '../../model/queries.ts';
import type { RunResult } from '../../model/result.ts';
import type { ReportContext } from '../../model/service.ts';
import { count } from '../../model/text.ts';
import { replayCommand } from '../evidence.ts';
import { causesInShort } from './causes.ts';
import { list, requirementLink } from './elements.ts';
import { html, joined, type Markup, prose } from './markup.ts';

/** More of them are told by the filter. */
const MOST_NAMED = 8;

/** `2 causes to fix, 1 more is expected.` */
function causesText(toFix: number, expected: number): string {
  if (toFix === 0) return `The baseline expects all of it: ${count(expected, 'cause')}.`;
  const more = expected === 0 ? '' : `, ${expected} more ${expected === 1 ? 'is' : 'are'} expected`;
  return `${count(toFix, 'cause')} to fix${more}.`;
}

/** What is violated, where to begin with it, and how to see whether it is fixed. */
function fixing(result: RunResult, reportDir: string): Markup | undefined {
  const groups = failuresByCause(result);
  const toFix = groups.filter(({ expected }) => !expected);
  if (groups.length === 0) return undefined;
  const [first] = toFix;
  const explained = `${first?.cause.requirements.length} of ${result.summary.violated}`;
  const most = toFix.length < 2 ? '' : ` The first explains ${explained} violated requirements: begin with it.`;
  const shown = first?.failed[0]?.violations[0];
  const command = shown && replayCommand(result, shown, reportDir);
  const again = html`<p>Once it is fixed, this sends the recorded failure again: <code>${command}</code></p>`;
  return html`<p>${causesText(toFix.length, groups.length - toFix.length)}${most}</p>
${causesInShort(result)}${command === undefined ? undefined : again}`;
}

/** What was not judged, by its reason. */
function unjudged(result: RunResult): readonly Markup[] {
  return groupedByReason(result, 'not judged').map(({ reason, ids }) => {
    const named = joined(ids.slice(0, MOST_NAMED).map(requirementLink), ', ');
    const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
    return html`<strong>${count(ids.length, 'requirement')} not judged:</strong> ${prose(reason)} <span class="soft">(${named}${more})</span>`;
  });
}

/** What to do next. Where a target cannot be judged, the conclusion says it. */
export function adviceBox(result: RunResult, { reportDir }: ReportContext): Markup | undefined {
  if (isUnjudgeable(result)) return undefined;
  const stale = staleAdvice(result);
  const errors = internalErrors(result).length;
  const points = observations(result).length;
  const steps = [
    ...(stale === undefined ? [] : [prose(stale)]),
    ...(errors === 0
      ? []
      : [html`<a href="#errors">${count(errors, 'internal error')} of the suite</a>: ${internalErrorAdvice(result)}`]),
    ...unjudged(result),
  ];
  const fix = fixing(result, reportDir);
  const nothing = html`<p>Nothing needs fixing.${points === 0 ? undefined : html` Where the specification is silent, <a href="#observations">${count(points, 'observation')}</a> tell what this service does.`}</p>`;
  return html`<section class="advice" aria-labelledby="advice"><h2 id="advice">What to do</h2>
${fix}${fix === undefined && steps.length === 0 ? nothing : list(steps)}</section>
`;
}
