import { internalErrorAdvice, internalErrors } from '../../model/queries.ts';
import type { RunResult } from '../../model/result.ts';
import { status } from './elements.ts';
import { html, prose } from './markup.ts';
import type { PageSection } from './page.ts';

/** What went wrong in the suite itself. */
export function internalErrorsSection(result: RunResult): PageSection | undefined {
  const articles = internalErrors(result).map(({ check: { id, title }, message, stack }) => {
    return html`<article class="unsure"><h3>${status('unsure', id)} ${prose(title)}</h3>
<pre>${stack ?? message}</pre></article>
`;
  });
  if (articles.length === 0) return undefined;
  const content = html`<p>They say nothing about the service. ${internalErrorAdvice(result)}</p>
${articles}`;
  return { id: 'errors', heading: 'Internal errors of the suite', content };
}
