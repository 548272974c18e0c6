import { printable } from '../../text.ts';

const MADE_HERE: unique symbol = Symbol('markup');

/** HTML or XML in which everything is properly escaped; only this module makes it. */
export interface Markup {
  readonly [MADE_HERE]: true;
  readonly markup: string;
}

/** Our own text that goes into a page as it is, such as the style sheet; never what was received. */
export const trusted = (markup: string): Markup => ({ [MADE_HERE]: true, markup });

/** What a template accepts: text is escaped, markup is not, and `undefined` is left out. */
export type MarkupValue = string | number | Markup | readonly Markup[] | undefined;

/** Text for an element or a quoted attribute, which it cannot end; nothing in it is invisible. */
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

// A backtick within a word does not begin a code span.
const CODE = /(?<=^|[\s(“])`([^`\n]+)`(?=$|[\s).,;:!?”’'-])/g;

/** A sentence of ours; its parts in backticks are shown as code. */
export function prose(text: string): Markup {
  const pieces: Markup[] = [];
  let end = 0;
  for (const { index, 0: whole, 1: code = '' } of text.matchAll(CODE)) {
    pieces.push(html`${text.slice(end, index)}<code>${code}</code>`);
    end = index + whole.length;
  }
  return html`${pieces}${text.slice(end)}`;
}
