/** A JSON body laid out letter by letter as it was sent, with what is wrong marked, and entries around it folded. */

import type { JsonSpan } from '../../result/json-spans.ts';
import { spansOf } from '../../result/json-spans.ts';
import type { BodyEvidence } from '../../result/result.ts';
import { count } from '../../text.ts';
import { html, type Markup } from './markup.ts';

/** Longer values are laid out over several lines. */
const ONE_LINE = 100;
/** More entries or members in a row, of which none is wrong, are folded. */
const MOST_IN_A_ROW = 3;

/** The markup of a body; undefined if it is not whole JSON. */
export function jsonMarkup({ text, cut, wrong }: BodyEvidence): Markup | undefined {
  const whole = cut ? undefined : spansOf(text);
  if (whole === undefined) return undefined;

  const isIn = ({ from, to }: JsonSpan): boolean => wrong !== undefined && from <= wrong.from && wrong.to <= to;

  function valueMarkup(span: JsonSpan, indent: string): Markup {
    const { from, to, parts = [] } = span;
    const isLong = to - from > ONE_LINE;
    if (wrong?.from === from && wrong.to === to && !(isLong && parts.length > 0))
      return html`<mark>${text.slice(from, to)}</mark>`;
    if (parts.length === 0 || !(isLong || isIn(span))) return html`${text.slice(from, to)}`;
    const inner = `${indent}  `;
    const line = (part: (typeof parts)[number]): Markup => {
      const comma = part === parts.at(-1) ? '' : ',';
      return html`\n${inner}${text.slice(part.from, part.value.from)}${valueMarkup(part.value, inner)}${comma}`;
    };
    const lines = rowsOf(parts, ({ value }) => isIn(value)).map((row) =>
      row.length > MOST_IN_A_ROW
        ? html`\n${inner}<details><summary>${count(row.length, 'more value')}</summary>${row.map(line)}</details>`
        : html`${row.map(line)}`,
    );
    return html`${text[from]}${lines}\n${indent}${text[to - 1]}`;
  }

  return html`<div class="json">${valueMarkup(whole, '')}</div>`;
}

/** A list in rows: what is wrong, or the first, alone, and what stands before and after it. */
function rowsOf<T>(all: readonly T[], isWrong: (one: T) => boolean): readonly (readonly T[])[] {
  const at = Math.max(0, all.findIndex(isWrong));
  return [all.slice(0, at), all.slice(at, at + 1), all.slice(at + 1)].filter(({ length }) => length > 0);
}
