import type { ExchangeEvidence } from '../../model/evidence.ts';
import type { Violation } from '../../model/result.ts';
import { count, duration, excerptText } from '../../model/text.ts';
import type { FoundCause, ReportView } from '../../view.ts';
import { type EvidenceLine, evidenceLines, exchangeText, replayLine } from '../evidence.ts';
import { checkAnchor, details, list, requirementLink, status } from './elements.ts';
import { html, joined, type Markup, prose } from './markup.ts';
import type { PageSection } from './page.ts';

/** Bodies in the proof of a violation. */
export const BODY_LIMIT = 20_000;
/** More than this is folded. */
const AT_ONCE = 1_500;

/** Lines that are sentences of the suite's; all others show what was on the wire, or a command. */
const SENTENCES: ReadonlySet<string> = new Set(['expected', 'frequency']);
const COMMANDS: ReadonlySet<string> = new Set(['curl', 'replay']);

function evidenceText({ label, text }: EvidenceLine): Markup {
  if (SENTENCES.has(label)) return html`<dd>${prose(text)}</dd>`;
  if (COMMANDS.has(label)) return html`<dd class="command"><pre>${text}</pre></dd>`;
  if (text.length <= AT_ONCE) return html`<dd><pre>${text}</pre></dd>`;
  const summary = html`<code>${excerptText(text, 120)}</code> (${count(text.length, 'character')})`;
  return html`<dd>${details(summary, html`<pre>${text}</pre>`)}</dd>`;
}

/** Labelled lines of evidence. */
export function evidenceList(lines: readonly EvidenceLine[]): Markup {
  return html`<dl class="evidence">${lines.map((line) => html`<dt>${line.label === '' ? 'response' : line.label}</dt>${evidenceText(line)}`)}</dl>`;
}

/** The headers of an exchange, folded. */
function headersOf({ role, operation, request, answer }: ExchangeEvidence): Markup | undefined {
  const isAnswered = answer.kind === 'response';
  const lines = [
    `${request.method} ${request.url}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    '',
    isAnswered ? `${answer.status}` : `no response (${answer.code}): ${answer.sentence}`,
    ...(isAnswered ? answer.headers : []).map(([name, value]) => `${name}: ${value}`),
  ];
  const summary = `Headers: ${role}, ${operation}, ${duration(answer.milliseconds)}`;
  return details(summary, html`<pre>${lines.join('\n')}</pre>`);
}

/** A violation with all its evidence. */
export function violationBlock(violation: Violation, view: ReportView): Markup {
  return html`<p><strong>${prose(violation.message)}</strong> <code class="soft">${violation.code}</code></p>
${evidenceList(evidenceLines(violation, { bodyLimit: BODY_LIMIT, view }))}${violation.exchanges.flatMap((exchange) => headersOf(exchange) ?? [])}`;
}

/** More requirements that were not judged are found by the filter. */
const MOST_NAMED = 8;
/** The whole of a body stands with the check. */
const CAUSE_BODY = 500;
const MESSAGE = 160;

const links = (ids: readonly string[]): Markup => joined(ids.map(requirementLink), ', ');
const checkLink = (id: string): Markup => html`<a href="#${checkAnchor(id)}">${id}</a>`;
const soft = (text: string): Markup => html` <span class="soft">${prose(text)}</span>`;

/** How one of the causes is shown: what it explains, an exchange that shows it, and its checks, whose proof is linked. */
function causeArticle(cause: FoundCause, view: ReportView): Markup {
  const { number, says, requirements, unjudged, since, exchange, example, findings, elsewhere, expected } = cause;
  const shown = exchange && html`<pre>${exchangeText(exchange, CAUSE_BODY)}</pre>`;
  const checks = findings.map(
    ({ check, violations: [first] }) =>
      html`${checkLink(check.id)} ${prose(check.title)}${first && soft(`— ${excerptText(first.message, MESSAGE)}`)}`,
  );
  return html`<article class="cause ${expected ? 'unsure' : 'bad'}" aria-labelledby="cause-${number}"><h3 id="cause-${number}">${number}. ${prose(says)}</h3>
<p>Violates ${links(requirements)}.${expected ? soft('Listed in the baseline as expected.') : undefined}</p>
${unjudged.text.map((text) => html`<p>${text}: ${links(unjudged.ids)}.</p>`)}${since.map((text) => html`<p>${prose(text)}.</p>`)}
${example === undefined ? shown : evidenceList(evidenceLines(example, { bodyLimit: CAUSE_BODY, view }))}
${checks.length === 0 ? undefined : html`<h4>${checks.length === 1 ? 'Failed check, with all of its evidence' : 'Failed checks, each with all of its evidence'}</h4>`}
${list(checks)}${elsewhere.length === 0 ? undefined : html`<p class="soft">See also ${joined(elsewhere.map(checkLink), ', ')}</p>`}</article>
`;
}

/** Why checks failed, the cause that explains most first. */
export function causesSection(view: ReportView): PageSection | undefined {
  if (view.causes.length === 0) return undefined;
  const content = html`${view.causes.map((cause) => causeArticle(cause, view))}`;
  return { id: 'violations', heading: 'Violations', content };
}

/** What went wrong in the suite itself. */
export function internalErrorsSection({ internalErrors, internalErrorAdvice }: ReportView): PageSection | undefined {
  if (internalErrors.length === 0) return undefined;
  const articles = internalErrors.map(
    ({ check: { id, title }, message, stack }) =>
      html`<article class="unsure"><h3>${status('unsure', id)} ${prose(title)}</h3>
<pre>${stack ?? message}</pre></article>
`,
  );
  const content = html`<p>They say nothing about the service. ${internalErrorAdvice}</p>
${articles}`;
  return { id: 'errors', heading: 'Internal errors of the suite', content };
}

/** What is violated, where to begin with it, and how to see whether it is fixed. */
function fixing(view: ReportView): Markup | undefined {
  const { causes, result } = view;
  if (causes.length === 0) return undefined;
  const [first, ...others] = causes.filter(({ expected }) => !expected);
  const toFix = first === undefined ? 0 : others.length + 1;
  const expected = causes.length - toFix;
  const more = expected === 0 ? '' : `, ${expected} more ${expected === 1 ? 'is' : 'are'} expected`;
  const all = `The baseline expects all of it: ${count(expected, 'cause')}.`;
  const explained = `${first?.requirements.length} of ${result.summary.violated}`;
  const begin = toFix < 2 ? '' : ` The first explains ${explained} violated requirements: begin with it.`;
  const items = causes.map(
    ({ number, says, explains, expected: isExpected }) =>
      html`<li><a href="#cause-${number}">${prose(says)}</a>${soft(`${explains}${isExpected ? ', expected' : ''}`)}</li>`,
  );
  const shown = first?.findings[0]?.violations[0];
  const again = shown === undefined ? [] : replayLine(shown, view);
  return html`<p>${toFix === 0 ? all : `${count(toFix, 'cause')} to fix${more}.`}${begin}</p>
<ol>${items}</ol>${again.map(({ text }) => html`<p>Once it is fixed, this sends the recorded failure again: <code>${text}</code></p>`)}`;
}

/** What to do next. Where a target cannot be judged, the conclusion says it. */
export function adviceBox(view: ReportView): Markup | undefined {
  const { internalErrors, observations, staleAdvice, notJudged } = view;
  if (view.isUnjudgeable) return undefined;
  const errors = count(internalErrors.length, 'internal error');
  const unjudged = notJudged.map(({ reason, ids }) => {
    const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
    const named = html`(${links(ids.slice(0, MOST_NAMED))}${more})`;
    return html`<strong>${count(ids.length, 'requirement')} not judged:</strong> ${prose(reason)} <span class="soft">${named}</span>`;
  });
  const steps = [
    ...(staleAdvice.length === 0 ? [] : [prose(staleAdvice.join('; '))]),
    ...(internalErrors.length === 0
      ? []
      : [html`<a href="#errors">${errors} of the suite</a>: ${view.internalErrorAdvice}`]),
    ...unjudged,
  ];
  const fix = fixing(view);
  const points = html` Where the specification is silent, <a href="#observations">${count(observations.length, 'observation')}</a> tell what this service does.`;
  const nothing = html`<p>Nothing needs fixing.${observations.length === 0 ? undefined : points}</p>`;
  return html`<section class="advice" aria-labelledby="advice"><h2 id="advice">What to do</h2>
${fix}${fix === undefined && steps.length === 0 ? nothing : list(steps)}</section>
`;
}
