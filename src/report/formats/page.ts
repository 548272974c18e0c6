import { html, type Markup } from './markup.ts';
import { PAGE_POLICY, PAGE_STYLE } from './page-style.ts';

/** How a thing turned out, as its colour tells it. */
export type Tone = 'good' | 'bad' | 'unsure' | 'plain';

/** What a page says; text is escaped. */
export interface Page {
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

/** One HTML page that needs nothing else: no script, no request, a policy that forbids both. */
export function pageOf({ title, heading, about, tone, conclusion, inShort, figures, sections, footer }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ markup: PAGE_POLICY }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ markup: PAGE_STYLE }}</style>
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
