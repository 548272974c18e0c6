import { isUnjudgeable, runName, targetName } from '../model/queries.ts';
import type { RunResult } from '../model/result.ts';
import type { ReportContext } from '../model/service.ts';
import { figuresLine } from '../model/summary.ts';
import { count } from '../model/text.ts';
import { VERDICT_NAMES } from '../model/verdict.ts';
import { adviceBox } from './html/advice.ts';
import { causesSection } from './html/causes.ts';
import { coverageSection } from './html/coverage.ts';
import { VERDICT_TONES } from './html/elements.ts';
import { internalErrorsSection } from './html/internal-errors.ts';
import { latencySection } from './html/latency.ts';
import { lookSection } from './html/look.ts';
import { prose } from './html/markup.ts';
import { observationsSection } from './html/observations.ts';
import { type PageSection, pageOf } from './html/page.ts';
import { requirementsSection } from './html/requirements.ts';
import { runSection } from './html/run-facts.ts';
import { tallyOf } from './html/tally.ts';
import { trendSection } from './html/trend.ts';

/** The sections in their order. Each is left out where the run has nothing for it. */
const SECTIONS: readonly ((result: RunResult, context: ReportContext) => PageSection | undefined)[] = [
  causesSection,
  internalErrorsSection,
  lookSection,
  requirementsSection,
  observationsSection,
  coverageSection,
  latencySection,
  trendSection,
  runSection,
];

/**
 * The result as one self-contained HTML page: the verdict, its causes and what to do on the first screen, everything
 * else folded below. It reads in light and dark, on a narrow screen, in print and with assistive technology; without its
 * script it lacks only search and filter.
 */
export function htmlReport(result: RunResult, context: ReportContext): string {
  const { run, suite } = result;
  const heading = `${context.service.title} conformance`;
  const target = targetName(result);
  const began = run.startedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  return pageOf({
    title: `${VERDICT_NAMES[result.verdict]} · ${heading} · ${target}`,
    heading,
    about: `${target} · ${runName(result)} · ${began}`,
    tone: VERDICT_TONES[result.exitCode],
    conclusion: prose(result.conclusion),
    tally: isUnjudgeable(result) ? undefined : tallyOf(result.requirements),
    inShort: figuresLine(result, context),
    lead: adviceBox(result, context),
    sections: SECTIONS.flatMap((section) => section(result, context) ?? []),
    footer: `${count(result.checks.length, 'check')} · ${suite.name} ${suite.version}`,
  });
}
