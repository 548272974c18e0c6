import { printable } from '../text.ts';

const MADE_HERE: unique symbol = Symbol('markup');

/** HTML or XML in which everything is escaped that must be; only this module makes it. */
export interface Markup {
  readonly [MADE_HERE]: true;
  readonly markup: string;
}

/** Text of the suite's own that goes into a page as it is, such as its style sheet; never what was received. */
export const trusted = (markup: string): Markup => ({ [MADE_HERE]: true, markup });

/** What a template takes: text is escaped, markup is not, and nothing stands for `undefined`. */
export type MarkupValue = string | number | Markup | readonly Markup[] | undefined;

/** Text for an element or a quoted attribute: nothing in it can end either, and nothing in it is invisible. */
function escapeHtml(text: string): string {
  return printable(text, { lines: 'keep' })
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function render(value: MarkupValue): string {
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map(render).join('');
  return escapeHtml(String(value ?? ''));
}

/** A template in which every value is escaped unless it is markup already. */
export function html(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return trusted(parts.map((part, index) => part + render(values[index])).join(''));
}

/** Markup, one after another, with a separator between them. */
export function joined(items: readonly Markup[], separator: string): Markup {
  return html`${items.map((item, index) => (index === 0 ? item : html`${separator}${item}`))}`;
}

// A code span stands between other words; a back-tick within a word is part of it.
const CODE = /(?<=^|[\s(“])`([^`\n]+)`(?=$|[\s).,;:!?”’'-])/g;

/** A sentence of the suite's: what it has in back-ticks is shown as code. */
export function prose(text: string): Markup {
  const pieces: Markup[] = [];
  let end = 0;
  for (const { index, 0: whole, 1: code = '' } of text.matchAll(CODE)) {
    pieces.push(html`${text.slice(end, index)}<code>${code}</code>`);
    end = index + whole.length;
  }
  return html`${pieces}${text.slice(end)}`;
}
