import { byPart, distinct, observations } from '../../model/queries.ts';
import { readingInFull } from '../../model/readings.ts';
import type { Observation, ObservedRequest, RunResult } from '../../model/result.ts';
import type { ReportContext } from '../../model/service.ts';
import { count } from '../../model/text.ts';
import { details, requirementLink } from './elements.ts';
import { html, type Markup, prose } from './markup.ts';
import type { PageSection } from './page.ts';

function observedRequests(requests: readonly ObservedRequest[]): Markup | undefined {
  if (requests.length === 0) return undefined;
  const lines = requests.map(
    ({ method, url, status, curl }) => `${curl ?? `${method} ${url}`}   # ${status ?? 'no response'}`,
  );
  return details(count(requests.length, 'request'), html`<pre>${lines.join('\n')}</pre>`);
}

function reading(observation: Observation): Markup {
  return html`<li>${prose(readingInFull(observation))}${observedRequests(observation.requests ?? [])}</li>`;
}

/** What was observed of one open point. */
function openPoint(id: string, says: string | undefined, seen: readonly Observation[]): Markup {
  return html`<dt>${requirementLink(id)}${says && html` <span class="soft">${prose(says)}</span>`}</dt>
<dd><ul>${seen.filter(({ requirement }) => requirement === id).map(reading)}</ul></dd>
`;
}

/** What the service does where the specification is silent, by part of the specification. */
export function observationsSection(result: RunResult, { service }: ReportContext): PageSection | undefined {
  const seen = observations(result);
  if (seen.length === 0) return undefined;
  const ids = distinct(seen.map(({ requirement }) => requirement));
  const known = new Map(result.requirements.map(({ id, says }) => [id, says]));
  const parts = byPart(result, service)
    .map(({ part, title, requirements }) => ({
      heading: `${part} ${title}`,
      ids: requirements.map(({ id }) => id).filter((id) => ids.includes(id)),
    }))
    .concat({ heading: 'Not in the catalogue', ids: ids.filter((id) => !known.has(id)) })
    .filter((part) => part.ids.length > 0);
  const groups = parts.map(
    (part) => html`<h3>${part.heading}</h3>
<dl class="points">${part.ids.map((id) => openPoint(id, known.get(id), seen))}</dl>
`,
  );
  return {
    id: 'observations',
    heading: 'Open points',
    content: html`<p class="soft">What this service does where the specification is silent. None of it is a violation.</p>
${groups}`,
  };
}
