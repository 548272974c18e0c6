import type { RunResult } from '../../model/result.ts';
import { lookLines } from '../evidence.ts';
import { BODY_LIMIT, evidenceList } from './evidence-markup.ts';
import type { PageSection } from './page.ts';

/** Of a target that cannot be judged: what was sent to it, and what came back. */
export function lookSection(result: RunResult): PageSection | undefined {
  const lines = lookLines(result, BODY_LIMIT);
  if (lines.length === 0) return undefined;
  return { id: 'look', heading: 'What was sent and what came back', content: evidenceList(lines) };
}
