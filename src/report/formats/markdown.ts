import { distinct } from '../model/queries.ts';
import { count, excerptText } from '../model/text.ts';
import { VERDICT_NAMES } from '../model/verdict.ts';
import type { FoundCause, ReportView } from '../view.ts';
import { causeLines, evidenceBlock, lookLines } from './evidence.ts';
import { fenced, markdownText } from './markdown-text.ts';

/** A page of a CI job shows the summaries of many jobs: each is short. */
const MOST_BYTES = 4_096;
/** Of that, so much is left to what comes after the causes. */
const AFTER_THE_CAUSES = 1_100;
/** Most bytes of one cause with the exchange that shows it; of a longer one, the exchange is left out. */
const MOST_OF_A_CAUSE = 1_400;
const MOST_READINGS = 600;
const SENTENCE = 400;
const BODY_LIMIT = 160;
const REQUIREMENTS_NAMED = 12;

const sizeOf = (text: string): number => Buffer.byteLength(`${text}\n\n`);

/** A sentence that may hold what a service has sent. */
const sentence = (text: string): string => markdownText(excerptText(text, SENTENCE));

/** What a cause says, the requirements that it violates, and the exchange that shows it. */
function causeText(cause: FoundCause, view: ReportView): string {
  const { number, says, requirements, explains, unjudged, since } = cause;
  const names = requirements.length > REQUIREMENTS_NAMED ? explains : requirements.join(', ');
  const more = [...unjudged.text, ...since].map(sentence);
  const text = `**${number}.** ${[`${sentence(says)}: ${markdownText(names)}`, ...more].join('; ')}`;
  const lines = causeLines(cause, view, BODY_LIMIT);
  const shown = lines.length === 0 ? text : `${text}\n\n${fenced(evidenceBlock(lines, ''))}`;
  return sizeOf(shown) <= MOST_OF_A_CAUSE ? shown : text;
}

/** As many causes as fit into `maxBytes`, and how many there are beside those. */
function causesWithin(maxBytes: number, view: ReportView): readonly string[] {
  const texts = view.causes.filter(({ expected }) => !expected).map((cause) => causeText(cause, view));
  const shown = fitting(texts, maxBytes);
  const more = texts.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`${count(more, 'more cause')}: see report.html.`])];
}

/** The first of the texts that fit. */
function fitting(texts: readonly string[], maxBytes: number): readonly string[] {
  let left = maxBytes;
  const end = texts.findIndex((text) => {
    left -= sizeOf(text);
    return left < 0;
  });
  return end === -1 ? texts : texts.slice(0, end);
}

/** What the service does at open points, as much as fits. */
function openPoints({ observations }: ReportView): readonly string[] {
  const readings = distinct(observations.map(({ reading }) => reading)).map(markdownText);
  if (readings.length === 0) return [];
  const shown = fitting(readings, MOST_READINGS);
  const more = readings.length - shown.length;
  const all = [...shown, ...(more === 0 ? [] : [`${more} more in report.html`])];
  return [`**Where the specification is silent, this service:** ${all.join(' · ')}`];
}

/** The sections that fit, and where the others are. */
function withinBytes(sections: readonly string[], maxBytes: number): string {
  const more = 'There is more in report.html: a job page has no room for the rest.';
  const all = fitting(sections, maxBytes).length === sections.length;
  const shown = all ? sections : [...fitting(sections, maxBytes - sizeOf(more)), more];
  return `${shown.join('\n\n')}\n`;
}

/**
 * The result as Markdown for the page of a CI job: the verdict, the causes, and what the service does at open points.
 * Everything else is in the other reports.
 * @param maxBytes what does not fit is left out, whole sections from the end
 */
export function markdownReport(view: ReportView, maxBytes = MOST_BYTES): string {
  const { exitCode, conclusion, verdict, baseline, notes } = view.result;
  const sign = exitCode === 0 ? '✅' : exitCode === 1 ? '❌' : '⚠️';
  const head = [
    `## ${sign} ${view.heading}: ${markdownText(VERDICT_NAMES[verdict])}`,
    sentence(conclusion),
    [sentence(view.target), ...view.made].join(' · '),
  ];
  const most = Math.min(maxBytes, MOST_BYTES);
  const remarks = notes.map((note) => `Note: ${sentence(note)}`);
  if (view.isUnjudgeable) {
    const look = lookLines(view, BODY_LIMIT);
    return withinBytes([...head, ...(look.length === 0 ? [] : [fenced(evidenceBlock(look, ''))]), ...remarks], most);
  }
  const { expectedFailures: expected } = view;
  const known = `**Expected failures** (${markdownText(baseline?.file ?? '')}): ${sentence(expected.join(', '))}`;
  const errors = view.internalErrors.map(
    ({ check, message }) => `**Internal error of the suite:** ${markdownText(check.id)}: ${sentence(message)}`,
  );
  const before = [...head, markdownText(view.figures), ...errors.slice(0, 2)];
  const left = most - AFTER_THE_CAUSES - before.reduce((sum, text) => sum + sizeOf(text), 0);
  const sections = [
    ...before,
    ...causesWithin(left, view),
    ...(expected.length === 0 ? [] : [known]),
    ...view.staleAdvice.map(sentence),
    ...openPoints(view),
    ...remarks,
  ];
  return withinBytes(sections, most);
}
