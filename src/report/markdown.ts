/** A document as short Markdown, as the page of a CI job may show many. */

import { count, excerpt, harmless, named, printable } from '../text.ts';
import type { Block, Document, FindingBlock, Item, Section } from './blocks.ts';
import { bodyText, type EvidenceLine } from './evidence-lines.ts';

/**
 * What is shown as code: parts in backticks, and what GitHub would turn into a link or a mention (web and mail
 * addresses, names after `@`).
 */
const AS_CODE =
  /(?:`[^`]+`|(?:(?:https?|ftp):\/\/|www\.)[^\s`<]*[^\s`<.,;:!?'")\]*_~]|[\w.+-]{0,64}@\w(?:[\w.-]*\w)?)+/gi;

/** What starts a list, a heading, a quotation or a rule where a paragraph begins, or a box to tick in an item. */
const START = /^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|[-=]+(?=\s*$)|\[(?=[ x]\]))/i;
const NUMBER_OF_A_LIST = /^(\d{1,9})(?=[.)](?:\s|$))/;

/** What has a meaning within a paragraph. */
const INLINE =
  /\\(?=[!-/:-@[-`{-~]|$)|`|\*(?=\S)|(?<=\S)\*|(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])|~|\[(?=\^)|\](?=[([:])|<(?=[a-z/!?])|&(?=#?\w+;)/giu;

const escaped = (text: string): string => text.replace(INLINE, (found) => `\\${found}`);

/** Text in which nothing is Markdown or HTML, except parts in backticks, which are code. */
function markdownText(text: string): string {
  const shown = harmless(text).trim();
  const marks = [...shown.matchAll(AS_CODE)];
  const between = [...marks, undefined].map((mark, at) => {
    const last = marks[at - 1];
    return shown.slice(last === undefined ? 0 : last.index + last[0].length, mark?.index);
  });
  const [first = '', ...rest] = between.map(escaped);
  const start = first.replace(START, '\\$&').replace(NUMBER_OF_A_LIST, '$1\\');
  const code = (at: number): string => (marks[at] === undefined ? '' : `\`${marks[at][0].replaceAll('`', '')}\``);
  return [start, ...rest].map((part, at) => part + code(at)).join('');
}

/** A fenced block that nothing inside can close: its fence is longer than any run of backticks in the text. */
function fenced(text: string): string {
  const shown = text
    .split('\n')
    .map((line) => harmless(printable(line)))
    .join('\n');
  const runs = shown.match(/`+/g) ?? [];
  const fence = runs.reduce((longest, run) => (run.length < longest.length ? longest : `${run}\``), '```');
  return `${fence}text\n${shown}\n${fence}`;
}

const MOST_LINES = 58;
/** How many of those are left for what follows the findings. */
const AFTER_FINDINGS = 6;
const LONGEST_BODY = 200;
const LONGEST_LINE = 600;

/** The lines of evidence, each with its body. */
function evidenceLines(lines: readonly EvidenceLine[]): readonly string[] {
  return lines.flatMap(({ kind, label, text, body, isExtra }) => {
    // A single line replays all findings.
    if (isExtra === true || label === 'replay') return [];
    // Part of a command would send something else.
    if (kind === 'command') return text.length > LONGEST_LINE ? [] : label === 'curl' ? [text] : [`# ${label}`, text];
    const sign = kind === 'response' ? '→ ' : kind === 'request' ? '' : kind === 'header' ? '  ' : `${label}: `;
    return `${sign}${excerpt(text, LONGEST_LINE)}${body === undefined ? '' : `   ${bodyText(body, LONGEST_BODY)}`}`;
  });
}

const titleOf = ({ number, says, requirements, rate }: FindingBlock): string =>
  `**${number}. ${markdownText(says)}** (${named(requirements)}; ${rate})`;

const findingText = (block: FindingBlock): string =>
  `${titleOf(block)}\n\n${fenced(evidenceLines(block.lines).join('\n'))}`;

function itemText({ lead, text, ids }: Item): string {
  const about = ids === undefined ? '' : ` (${named(ids)})`;
  const start = lead === undefined ? '' : `**${markdownText(lead)}** `;
  return `- ${start}${markdownText(excerpt(text, LONGEST_LINE))}${about}`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'list':
      return block.items.map(itemText).join('\n');
    case 'evidence':
      return fenced(evidenceLines(block.lines).join('\n'));
    case 'finding':
      return findingText(block);
    // Shown only in pages and with `--verbose`.
    case 'requirements':
    case 'table':
      return '';
  }
}

interface Piece {
  readonly text: string;
  /** Only for a finding. */
  readonly title?: string | undefined;
}

const piecesOf = ({ heading, bare, blocks }: Section): readonly Piece[] =>
  blocks.map((block, at) => {
    const head = bare === true || at > 0 ? '' : `### ${markdownText(heading)}\n\n`;
    return { text: head + blockText(block), title: block.kind === 'finding' ? titleOf(block) : undefined };
  });

const SIGNS = { good: '✅', bad: '❌', unsure: '⚠️', plain: '•' };
const linesOf = (text: string): number => text.split('\n').length + 1;

/** As many findings as fit, with their evidence; only the titles of the others. */
function findingsIn(findings: readonly Piece[], lines: number): readonly string[] {
  const costOf = (whole: number): number =>
    findings.slice(0, whole).reduce((sum, { text }) => sum + linesOf(text), findings.length - whole);
  let whole = findings.length;
  while (whole > 0 && costOf(whole) > lines) whole -= 1;
  const texts = findings.slice(0, whole).map(({ text }) => text);
  const titles = findings.slice(whole).map(({ title }) => `- ${title}`);
  const more = count(titles.length - lines + 1, 'more finding');
  const shown = titles.length > lines ? [...titles.slice(0, lines - 1), `- ${more} in report.html`] : titles;
  return titles.length === 0 ? texts : [...texts, shown.join('\n')];
}

/** The document in fewer than 60 lines: of findings that do not fit, only titles are shown; long lists are cut. */
export function markdownOf(document: Document): string {
  const { heading, about, tone, conclusion, figures, sections } = document;
  const head = [
    `## ${SIGNS[tone]} ${markdownText(heading)}: ${markdownText(conclusion)}`,
    [...about, ...figures].map(markdownText).join(' · '),
  ];
  const pieces = sections.filter(({ level }) => level === 'brief').flatMap(piecesOf);
  const begun = MOST_LINES - head.reduce((sum, text) => sum + linesOf(text), 0);
  const findings = findingsIn(
    pieces.filter(({ title }) => title !== undefined),
    begun - AFTER_FINDINGS,
  );
  let left = begun - findings.reduce((sum, text) => sum + linesOf(text), 0);
  const others: string[] = [];
  for (const { text } of pieces.filter(({ title }) => title === undefined)) {
    if (left < 4) break;
    const lines = text.split('\n');
    const isCut = lines.length + 1 > left;
    // Cutting would leave a fence open.
    if (isCut && text.includes('```')) continue;
    const shown = isCut ? [...lines.slice(0, left - 2), '- more in report.html'] : lines;
    others.push(shown.join('\n'));
    left -= shown.length + 1;
  }
  return `${[...head, ...findings, ...others].join('\n\n')}\n`;
}
