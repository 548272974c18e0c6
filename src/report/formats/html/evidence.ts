import type { ExchangeEvidence } from '../../model/evidence.ts';
import type { Violation } from '../../model/result.ts';
import { count, duration, excerptText } from '../../model/text.ts';
import type { ReportView } from '../../view.ts';
import { type EvidenceLine, evidenceLines } from '../evidence.ts';
import { details } from './elements.ts';
import { html, type Markup, prose } from './markup.ts';

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
