import { printable } from './printable.ts';

/** HTML that is safe to put into a page as it stands; only `html` makes it. */
export interface Markup {
  readonly markup: string;
}

export type MarkupValue = string | number | Markup | readonly Markup[] | undefined;

/** Text for HTML, in an element or a quoted attribute: nothing in it can end either, and nothing in it is invisible. */
export function escapeHtml(text: string): string {
  return printable(text, { lines: 'keep' })
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function render(value: MarkupValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return 'markup' in value ? value.markup : value.map((one) => one.markup).join('');
}

/** A template in which every value is escaped unless it is markup already. */
export function html(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return {
    markup: parts.map((part, index) => part + render(values[index])).join(''),
  };
}
