/** A document as short Markdown, as the page of a CI job may show many. */

import { count, excerpt, named, printable } from '../text.ts';
import type { Block, Document, Item, Section } from './blocks.ts';
import { harmless } from './harmless.ts';
import { plainText } from './terminal.ts';

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

/** More findings are only counted, as the page of a CI job would not show them. */
const MOST_FINDINGS = 20;
const LONGEST_LINE = 600;

function itemText({ lead, text, ids }: Item): string {
  const about = ids === undefined ? '' : ` (${named(ids)})`;
  const start = lead === undefined ? '' : `**${markdownText(lead)}** `;
  return `- ${start}${markdownText(excerpt(text, LONGEST_LINE))}${about}`;
}

/** A table; no cell ends it. */
function tableText(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => markdownText(excerpt(cell, LONGEST_LINE)).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), `|${' --- |'.repeat(columns.length)}`, ...rows.map(line)].join('\n');
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'list':
      return block.items.map(itemText).join('\n');
    case 'evidence':
    case 'finding':
      return fenced(plainText(block));
    case 'table':
      return `${tableText(block.columns, block.rows)}\n\n${markdownText(block.caption)}`;
    // Those that failed have a table of their own.
    case 'requirements':
      return '';
  }
}

/** The requirements that failed. */
function failedText(sections: readonly Section[]): readonly string[] {
  const rows = sections
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'requirements' ? block.groups : [])))
    .flatMap((group) => group.rows.filter(({ outcome }) => outcome === 'failed'))
    .map(({ id, says }) => [id, says]);
  return rows.length === 0 ? [] : [tableText(['Failed', 'Requirement'], rows)];
}

const SIGNS = { good: '✅', bad: '❌', unsure: '⚠️', plain: '•' };

/** The document as the verdict, the requirements that failed, and each finding as the terminal shows it. */
export function markdownOf(document: Document): string {
  const { heading, about, tone, conclusion, figures, sections } = document;
  const head = [
    `## ${SIGNS[tone]} ${markdownText(heading)}: ${markdownText(conclusion)}`,
    [...about, ...figures].map(markdownText).join(' · '),
    ...failedText(sections),
  ];
  const shown = sections.filter(({ level }) => level === 'brief' || level === 'page');
  const texts = shown.flatMap(({ heading: title, bare, blocks }) => {
    const kept = blocks.filter((block) => block.kind !== 'finding' || block.number <= MOST_FINDINGS);
    const more = blocks.length - kept.length;
    return [
      ...(bare === true ? [] : [`### ${markdownText(title)}`]),
      ...kept.map(blockText),
      ...(more > 0 ? [`- ${count(more, 'more finding')} in report.html`] : []),
    ];
  });
  return `${[...head, ...texts].join('\n\n')}\n`;
}
