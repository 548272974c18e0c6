/** A document as one self-contained HTML page. It loads nothing, and its policy forbids all scripts but its own. */
import { createHash } from 'node:crypto';
import type { Document, Section } from '../blocks.ts';
import { blockMarkup } from './blocks.ts';
import { html, joined, type Markup, prose, trusted } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const ALLOWED = `style-src ${digest(STYLE)}; script-src ${digest(SCRIPT)}`;
const POLICY = `default-src 'none'; ${ALLOWED}; base-uri 'none'; form-action 'none'`;

function sectionMarkup({ id, heading, blocks }: Section): Markup {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${blocks.map((block) => blockMarkup(block))}</section>
`;
}

function navigation(sections: readonly Section[]): Markup | undefined {
  if (sections.length < 2) return undefined;
  const items = sections.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`);
  return html`<nav class="bar" aria-label="Sections"><ul>${items}</ul></nav>
`;
}

/** The headlines of the findings, if there are several. Those that a baseline accepts are among the remarks. */
function headlines(sections: readonly Section[]): Markup | undefined {
  const all = sections.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'finding' ? block : [])));
  const findings = all.filter(({ tone }) => tone === 'bad');
  if (findings.length < 2) return undefined;
  const items = findings.map(({ number, says, requirements }) => {
    const ids = requirements.map((id) => html`<span class="id">${id}</span>`);
    const link = html`<a href="#finding-${number}">${number}. ${prose(says)}</a>`;
    return html`<li>${link} <span class="soft">(${joined(ids, ', ')})</span></li>\n`;
  });
  return html`<nav class="headlines" aria-label="Headlines"><ul>${items}</ul></nav>
`;
}

export function htmlPage({ heading, about, began, tone, conclusion, figures, sections, footer }: Document): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${conclusion} · ${heading}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<header><h1>${heading}</h1><p class="soft">${[...about, began].join(' · ')}</p></header>
<main>
<section class="verdict ${tone}" aria-label="Verdict"><p class="conclusion">${prose(conclusion)}</p>
<p class="soft">${figures.join(' · ')}</p></section>
${navigation(sections)}${headlines(sections)}${sections.map(sectionMarkup)}</main>
<footer class="soft"><p>${footer}</p></footer>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`.markup;
}
