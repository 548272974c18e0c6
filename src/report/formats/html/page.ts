import { createHash } from 'node:crypto';
import type { Tone } from './elements.ts';
import { html, type Markup, trusted } from './markup.ts';
import { enhance } from './script.ts';
import { STYLE } from './style.ts';

/** A part of a page under a heading of its own, which the navigation leads to. */
export interface PageSection {
  /** Unique in the page. */
  readonly id: string;
  readonly heading: string;
  readonly content: Markup;
}

/** What a page shows; text is escaped. */
interface Page {
  readonly title: string;
  readonly heading: string;
  readonly about: string;
  readonly tone: Tone;
  readonly conclusion: string | Markup;
  readonly inShort: string;
  /** Stands in the box of the conclusion, above the figures in short. */
  readonly tally?: Markup | undefined;
  /** Stands below the box of the conclusion, above the sections. */
  readonly lead?: Markup | undefined;
  readonly figures?: readonly (readonly [name: string, value: string])[];
  readonly sections: readonly PageSection[];
  readonly footer: string;
}

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const SCRIPT = `(${enhance.toString()})(document, window);`;

/** Nothing may be loaded or sent from the page; its one style sheet and its one script are allowed by their digests. */
const POLICY = `default-src 'none'; style-src ${digest(STYLE)}; script-src ${digest(SCRIPT)}; base-uri 'none'; form-action 'none'`;

/** One self-contained HTML document: it requests nothing, and its policy forbids that and any script but its own. */
export function pageOf(parts: Page): string {
  const { title, heading, about, tone, conclusion, inShort, tally, lead, figures = [], sections, footer } = parts;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<header><h1>${heading}</h1><p class="soft">${about}</p></header>
<main>
<section class="verdict ${tone}" aria-label="Verdict"><p class="conclusion">${conclusion}</p>
${tally}<p class="soft">${inShort}</p></section>
${figures.length > 0 ? html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>` : undefined}
${lead}${navigation(sections)}${sections.map(sectionOf)}</main>
<footer class="soft"><p>${footer}</p></footer>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
  return page.markup;
}

function navigation(sections: readonly PageSection[]): Markup | undefined {
  if (sections.length < 2) return undefined;
  const links = sections.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`);
  return html`<nav aria-label="Sections"><ul>${links}</ul></nav>
`;
}

function sectionOf({ id, heading, content }: PageSection): Markup {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${content}</section>
`;
}
