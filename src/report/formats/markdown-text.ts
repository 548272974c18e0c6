import { printable } from '../model/text.ts';

/**
 * What is shown as code: a part in backticks, and what GitHub would make a link or a mention of: an address of the web
 * or of mail, a name after `@`. Code is the one place where neither happens.
 */
const AS_CODE =
  /(?:`[^`]+`|(?:(?:https?|ftp):\/\/|www\.)[^\s`<]*[^\s`<.,;:!?'")\]*_~]|[\w.+-]{0,64}@\w(?:[\w.-]*\w)?)+/gi;

/** What starts a list, a heading, a quotation or a rule at the beginning of a paragraph, or a box to tick in an item. */
const START = /^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|[-=]+(?=\s*$)|\[(?=[ x]\]))/i;
const NUMBER_OF_A_LIST = /^(\d{1,9})(?=[.)](?:\s|$))/;

/**
 * What has a meaning inside of a paragraph, where it has one there: a backslash before punctuation, a lone backtick, stars
 * and underscores that stand at a word, tildes, brackets that could make a link, what looks like a tag or a character
 * reference.
 */
const INLINE =
  /\\(?=[!-/:-@[-`{-~]|$)|`|\*(?=\S)|(?<=\S)\*|(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])|~|\[(?=\^)|\](?=[([:])|<(?=[a-z/!?])|&(?=#?\w+;)/giu;

function escaped(text: string): string {
  return text.replace(INLINE, (found) => `\\${found}`);
}

/** Code that nothing in it can end. */
const code = (text: string): string => `\`${text.replaceAll('`', '')}\``;

/**
 * Text in a paragraph, a heading or a list: nothing in it is Markdown or HTML, but for parts in backticks, which are
 * code. What Markdown takes literally is not escaped.
 */
export function markdownText(text: string): string {
  const shown = printable(text).trim();
  const marks = [...shown.matchAll(AS_CODE)];
  const between = [...marks, undefined].map((mark, at) => {
    const last = marks[at - 1];
    return shown.slice(last === undefined ? 0 : last.index + last[0].length, mark?.index);
  });
  const [first = '', ...rest] = between.map(escaped);
  const start = first.replace(START, '\\$&').replace(NUMBER_OF_A_LIST, '$1\\');
  return [start, ...rest].map((part, at) => `${part}${marks[at] === undefined ? '' : code(marks[at][0])}`).join('');
}

/** A fenced block that nothing inside can close: its fence is longer than any run of backticks in the text. */
export function fenced(text: string): string {
  const shown = printable(text, { lines: 'keep' });
  const runs = shown.match(/`+/g) ?? [];
  const fence = runs.reduce((fence, run) => (run.length < fence.length ? fence : `${run}\``), '```');
  return `${fence}text\n${shown}\n${fence}`;
}
