import type { RequirementStatus, RunResult } from '../../model/result.ts';
import { html, type Markup, type MarkupValue } from './markup.ts';

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
export function status(tone: Tone, text: string): Markup {
  return html`<span class="status ${tone}">${sign(tone)} ${text}</span>`;
}

/** A list; nothing without items. */
export function list(items: readonly MarkupValue[]): Markup | undefined {
  return items.length === 0 ? undefined : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** What is shown once its summary is clicked; nothing without content. */
export function details(summary: MarkupValue, content: Markup | undefined): Markup | undefined {
  return content && html`<details><summary>${summary}</summary>${content}</details>`;
}

/** The heading of a column, with the class of its cells. */
type Column = string | { readonly name: string; readonly of: 'number' | 'kind' | 'state' | 'bar' };

interface Table {
  /** The class of the table. */
  readonly of?: 'requirements' | 'matrix';
  readonly caption?: Markup;
  readonly columns: readonly Column[];
  /** A `tr` each. */
  readonly rows: readonly Markup[];
}

/** A table with headings for its columns. */
export function table({ of, caption, columns, rows }: Table): Markup {
  const headings = columns.map((column) =>
    typeof column === 'string'
      ? html`<th scope="col">${column}</th>`
      : html`<th scope="col" class="${column.of}">${column.name}</th>`,
  );
  const start = of === undefined ? html`<table>` : html`<table class="${of}">`;
  return html`${start}${caption}
<thead><tr>${headings}</tr></thead>
<tbody>${rows}</tbody></table>
`;
}

/** A table that may be wider than the page: it scrolls by itself, by keyboard too. */
export const wide = (label: string, content: Markup): Markup =>
  html`<div class="wide" role="region" aria-label="Table: ${label}" tabindex="0">
${content}</div>`;

/** The id of the place of a requirement or check in the page: that of the requirement LIST-2 is `LIST-2`. */
export function anchor(id: string): string {
  return id.replace(/[^A-Za-z0-9.-]/g, '_');
}

/** The id of the place of a check, which may have the name of its requirement. */
export const checkAnchor = (id: string): string => `check-${anchor(id)}`;

/** A link to the place of a requirement. */
export const requirementLink = (id: string): Markup => html`<a class="id" href="#${anchor(id)}">${id}</a>`;
