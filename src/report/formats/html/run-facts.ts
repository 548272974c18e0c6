import { staleAdvice } from '../../model/queries.ts';
import type { RunResult } from '../../model/result.ts';
import { list } from './elements.ts';
import { evidenceList } from './evidence-markup.ts';
import { html, prose } from './markup.ts';
import type { PageSection } from './page.ts';

/** How the run was made, and remarks on it. */
export function runSection(result: RunResult): PageSection {
  const { run, suite } = result;
  const notes = [staleAdvice(result) ?? [], result.notes].flat().map(prose);
  const facts = [
    { label: 'Run', text: run.id },
    { label: 'Began', text: run.startedAt },
    { label: 'Suite', text: `${suite.name} ${suite.version}` },
    { label: 'Seed', text: String(run.seed) },
    { label: 'Options', text: run.options.join(' ') },
  ];
  return { id: 'notes', heading: 'About this run', content: html`${list(notes)}${evidenceList(facts)}` };
}
