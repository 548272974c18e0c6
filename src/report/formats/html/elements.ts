import type { RequirementStatus, RunResult } from '../../model/result.ts';
import { html, type Markup, type MarkupValue, trusted } from './markup.ts';

/** How something turned out, as its colour shows it. */
export type Tone = 'good' | 'bad' | 'unsure' | 'plain';

const SIGNS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', unsure: '?', plain: '–' };

/** The colour of each outcome of a requirement. */
export const TONES: Readonly<Record<RequirementStatus, Tone>> = {
  holds: 'good',
  violated: 'bad',
  'not judged': 'unsure',
  'not applicable': 'plain',
  untestable: 'plain',
  'not selected': 'plain',
};

/** The colour of each verdict, by its exit code. */
export const VERDICT_TONES: Readonly<Record<RunResult['exitCode'], Tone>> = {
  0: 'good',
  1: 'bad',
  2: 'unsure',
  3: 'unsure',
};

/** The sign of a tone. Words always stand beside it: it is not read aloud. */
export const sign = (tone: Tone): Markup => html`<span class="sign ${tone}" aria-hidden="true">${SIGNS[tone]}</span>`;

/** A status in its colour, after its sign. */
export const status = (tone: Tone, text: string): Markup =>
  html`<span class="status ${tone}">${sign(tone)} ${text}</span>`;

/** A list; nothing without items. */
export const list = (items: readonly MarkupValue[]): Markup | undefined =>
  items.length === 0 ? undefined : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** What is shown once its summary is clicked; nothing without content. */
export const details = (summary: MarkupValue, content: Markup | undefined): Markup | undefined =>
  content && html`<details><summary>${summary}</summary>${content}</details>`;

/** Parts of a whole in a bar, each in its colour. It only repeats numbers that stand beside it as text. */
export function bar(parts: readonly { readonly of: string; readonly share: number }[]): Markup {
  let start = 0;
  const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
  const rects = parts.map(({ of, share }) => {
    start += share;
    return html`<rect class="${of}" x="${percent(start - share)}" width="${percent(share)}" height="12"/>`;
  });
  return html`<svg class="meter" width="100%" height="12" aria-hidden="true">${rects}</svg>`;
}

/** The heading of a column, with the class of its cells. */
type Column = string | { readonly name: string; readonly of: 'number' | 'state' | 'bar' };

/** Columns of numbers. */
export const numbers = (...names: readonly string[]): readonly Column[] =>
  names.map((name) => ({ name, of: 'number' }));

interface Table {
  /** The class of the table. */
  readonly of?: 'requirements' | 'matrix';
  readonly caption?: Markup;
  readonly columns: readonly Column[];
  /** A `tr` each, or its cells, of which the first is the heading of the row. */
  readonly rows: readonly (Markup | { readonly cells: readonly MarkupValue[] })[];
}

const classOf = (name: string | undefined): Markup => trusted(name === undefined ? '' : ` class="${name}"`);

/** A table with headings for its columns. */
export function table({ of, caption, columns, rows }: Table): Markup {
  const named = columns.map((column) => (typeof column === 'string' ? { name: column, of: undefined } : column));
  const lines = rows.map((row) => {
    if (!('cells' in row)) return row;
    const [first, ...others] = row.cells;
    const cells = others.map((cell, at) => html`<td${classOf(named[at + 1]?.of)}>${cell}</td>`);
    return html`<tr><th scope="row">${first}</th>${cells}</tr>\n`;
  });
  return html`<table${classOf(of)}>${caption}
<thead><tr>${named.map((column) => html`<th scope="col"${classOf(column.of)}>${column.name}</th>`)}</tr></thead>
<tbody>${lines}</tbody></table>
`;
}

/** A table that may be wider than the page: it scrolls by itself, by keyboard too. */
export const wide = (label: string, content: Markup): Markup =>
  html`<div class="wide" role="region" aria-label="Table: ${label}" tabindex="0">
${content}</div>`;

/** The id of the place of a requirement or check in the page: that of the requirement LIST-2 is `LIST-2`. */
export const anchor = (id: string): string => id.replace(/[^A-Za-z0-9.-]/g, '_');

/** The id of the place of a check, which may have the name of its requirement. */
export const checkAnchor = (id: string): string => `check-${anchor(id)}`;

/** A link to the place of a requirement. */
export const requirementLink = (id: string): Markup => html`<a class="id" href="#${anchor(id)}">${id}</a>`;
