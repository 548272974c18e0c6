/** Results of real runs, as golden.integration.test.ts checks them: one green, one red, and one that was cut short. */
import { fileURLToPath } from 'node:url';
import { applyBaseline } from '../result/baseline.ts';
import { parseBaseline } from '../result/baseline-file.ts';
import type { Finding, RequirementResult, RunResult } from '../result/result.ts';
import { readResult } from '../result/stored.ts';
import { conclude, requirementFigures } from '../result/verdict.ts';
import type { ReportContext } from './blocks.ts';

const resultOf = (name: string): Promise<RunResult> =>
  readResult(fileURLToPath(new URL(`golden/${name}.conformance.json.txt`, import.meta.url)));

export const GREEN = await resultOf('green');
export const RED = await resultOf('red');
export const CUT = await resultOf('cut');

export const CONTEXT: ReportContext = { reportDir: 'reports', hasResult: true };

const selected = RED.requirements.filter(({ outcome }) => outcome !== 'not selected');

/** The red run, had it only these findings, and were there only the requirements that were selected. */
export function redWith(findings: readonly Finding[]): RunResult {
  const requirements = selected.map((row): RequirementResult => {
    const isFixed = row.outcome === 'failed' && !findings.some((one) => one.requirements.includes(row.id));
    return isFixed ? { ...row, outcome: 'passed' } : row;
  });
  const summary = { ...RED.summary, ...requirementFigures(requirements) };
  return { ...RED, ...conclude({ requirements, findings }), summary, requirements, findings };
}

/** The same, with a baseline in YAML. */
export function baselined(findings: readonly Finding[], yaml: string): RunResult {
  const result = redWith(findings);
  const ids = result.requirements.map(({ id }) => id);
  const baseline = { file: 'known.yaml', entries: parseBaseline(yaml, 'known.yaml', ids) };
  const tested = applyBaseline(result, baseline, { day: '2026-03-04', profile: 'standard', interrupted: false });
  return { ...result, ...tested, ...conclude(tested) };
}
