import { createHash } from 'node:crypto';
import { printable } from '../model/text.ts';

/** How something turned out, as its colour shows it. */
export type Tone = 'good' | 'bad' | 'unsure' | 'plain';

/** HTML that is safe to put into a page; only the `html` template makes it. */
export interface Markup {
  readonly markup: string;
}

type MarkupValue = string | number | Markup | readonly Markup[] | undefined;

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
  return { markup: parts.map((part, index) => part + render(values[index])).join('') };
}

const SIGNS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', unsure: '?', plain: '–' };

/** A status in its colour, after its sign. */
export function status(tone: Tone, text: string): Markup {
  return html`<span class="status ${tone}">${SIGNS[tone]} ${text}</span>`;
}

/** A section under its own heading. */
export function section(id: string, heading: string, content: MarkupValue): Markup {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${content}</section>
`;
}

/** A list; nothing without items. */
export function list(items: readonly MarkupValue[]): Markup | undefined {
  return items.length === 0 ? undefined : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** What is shown once its summary is clicked; nothing without content. */
export function details(summary: string, content: Markup | undefined): Markup | undefined {
  return content && html`<details><summary>${summary}</summary>${content}</details>`;
}

/** The heading of a column, with the class of its cells. */
type Column = string | { readonly name: string; readonly of: 'number' | 'kind' | 'state' };

interface Table {
  /** The class of the table. */
  readonly of?: 'requirements';
  readonly caption?: Markup;
  readonly columns: readonly Column[];
  /** A `tr` each. */
  readonly rows: readonly Markup[];
}

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

/** A table that may be wider than the page. */
export const wide = (content: Markup): Markup => html`<div class="wide">
${content}</div>`;

/** What a page shows; text is escaped. */
interface Page {
  readonly title: string;
  readonly heading: string;
  readonly about: string;
  readonly tone: Tone;
  readonly conclusion: string;
  readonly inShort: string;
  readonly figures: readonly (readonly [name: string, value: string])[];
  readonly sections: Markup;
  readonly footer: string;
}

/** The style sheet of every page: light and dark, narrow and printed. */
const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --soft: #5a636d; --page: #fff; --card: #f5f7f9; --line: #d5dbe1;
  --good: #14692f; --bad: #b3171f; --unsure: #7a5200; --link: #0b57b0; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ec; --soft: #a3adb8; --page: #14171a; --card: #1d2125;
  --line: #363c43; --good: #5fcf80; --bad: #ff8a8a; --unsure: #e8b44c; --link: #7db5ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
h1 { font-size: 1.15rem; font-weight: 600; margin: 0 0 .25rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .75rem; }
h3, h4 { font-size: 1.05rem; margin: 0 0 .5rem; } h4 { font-size: 1rem; }
.cause { margin: 0 0 2rem; } .cause > pre { margin: .5rem 0 1rem; }
a { color: var(--link); }
code, pre { font: .875em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.verdict { border: 1px solid var(--line); border-left: .5rem solid var(--tone); border-radius: .4rem; padding: 1rem 1.25rem;
  margin: 1rem 0; background: var(--card); }
.verdict p { margin: .25rem 0; }
.verdict .conclusion { font-size: 1.4rem; font-weight: 650; color: var(--tone); overflow-wrap: anywhere; }
.good { --tone: var(--good); } .bad { --tone: var(--bad); } .unsure { --tone: var(--unsure); } .plain { --tone: var(--soft); }
.status { color: var(--tone); font-weight: 600; white-space: nowrap; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .75rem; margin: 1rem 0; padding: 0; }
.figures div { border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .9rem; }
.figures dt { color: var(--soft); font-size: .875rem; } .figures dd { margin: 0; font-size: 1.25rem; font-weight: 600; }
article { border: 1px solid var(--line); border-left: .35rem solid var(--tone); border-radius: .4rem; padding: 1rem 1.25rem; margin: 0 0 1rem; }
.evidence { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: .3rem .75rem; margin: .75rem 0 0; }
.evidence dt { color: var(--soft); } .evidence dd { margin: 0; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
caption { text-align: left; font-weight: 600; padding: 1.25rem 0 .4rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 600; } thead th { color: var(--soft); font-size: .85rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.requirements th:first-child { width: 7.5rem; white-space: nowrap; } .requirements .kind { width: 5.5rem; } .requirements .state { width: 9rem; }
.wide { overflow-x: auto; }
details { margin: .6rem 0; } summary { cursor: pointer; } details pre { margin: .5rem 0 1rem; padding: .6rem .8rem; background: var(--card); border-radius: .3rem; }
@media (max-width: 40rem) { .evidence { grid-template-columns: 1fr; } .evidence dt { margin-top: .4rem; } .requirements .kind { display: none; }
  body { padding: 1rem; } .requirements { table-layout: fixed; } .requirements th:first-child, .requirements .state { width: 5.75rem; }
  .requirements th, .requirements td { padding: .4rem .3rem; white-space: normal; } .status { white-space: normal; } }
@media print { body { max-width: none; padding: 0; font-size: 11px; } article, tr, .verdict { break-inside: avoid; } a { color: inherit; text-decoration: none; } }
`;

/** Nothing may be loaded, run or sent from the page; its one style sheet is allowed by its digest. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** One self-contained HTML document: no script, no request, and a policy that forbids both. */
export function pageOf({ title, heading, about, tone, conclusion, inShort, figures, sections, footer }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ markup: POLICY }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<header><h1>${heading}</h1><p class="soft">${about}</p></header>
<main>
<section class="verdict ${tone}" aria-label="Verdict"><p class="conclusion">${conclusion}</p>
<p>${inShort}</p></section>
<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${sections}</main>
<footer class="soft"><p>${footer}</p></footer>
</body>
</html>
`;
  return page.markup;
}
