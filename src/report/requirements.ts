/** The requirements of a result by part of the specification, as pages list them. */

import { PARTS } from '../../suites/index.ts';
import type { Finding, RequirementOutcome, RequirementResult, RunResult } from '../result/result.ts';
import { outcomeText } from '../result/verdict.ts';
import { count, distinct, grouped } from '../text.ts';
import type { Block, RequirementRow, Tone } from './blocks.ts';

const TONES: Readonly<Record<RequirementOutcome, Tone>> = {
  passed: 'good',
  failed: 'bad',
  'not tested': 'unsure',
  'not applicable': 'plain',
  untestable: 'plain',
  'not selected': 'plain',
};

/** Requirements by part, in the order of the specification; empty parts are left out. */
export const byPart = (rows: readonly RequirementResult[]) =>
  PARTS.map(({ number, title, file }) => ({
    number,
    title,
    file,
    rows: rows.filter(({ part }) => part === number),
  })).filter(({ rows: own }) => own.length > 0);

function rowOf(row: RequirementResult, findings: readonly Finding[]): RequirementRow {
  const { id, outcome, says, kind, source, because, readings, recorded, cause, reason, responses } = row;
  const facts: readonly (readonly [name: string, texts: readonly (string | undefined)[]])[] = [
    ['kind', [`${kind}, specification ${source.join(', ')}`]],
    ['because', [because]],
    ['permitted', readings ?? []],
    ['recorded', recorded.map((one) => `${one.reading}: ${count(one.count, 'request')}, such as \`${one.request}\``)],
    ['reason', [reason]],
    ['often caused by', [outcome === 'failed' ? cause : undefined]],
    ['baseline', [row.expectedFailure ? 'Listed as an expected failure.' : undefined]],
  ];
  return {
    id,
    tone: row.expectedFailure || row.partly === true ? 'unsure' : TONES[outcome],
    outcome: outcomeText(row),
    says,
    note: row.expectedFailure ? 'as expected' : responses === 0 ? undefined : `${count(responses, 'response')} checked`,
    facts: facts
      .map(([name, texts]) => [name, texts.flatMap((text) => text ?? [])] as const)
      .filter(([, texts]) => texts.length > 0),
    findings: findings.flatMap((finding, at) =>
      finding.requirements.includes(id) ? { number: at + 1, says: finding.says, request: finding.requests[id] } : [],
    ),
  };
}

/** Every requirement with its outcome. @param findings in the order of their numbers */
export function requirementsBlock({ requirements }: RunResult, findings: readonly Finding[]): readonly Block[] {
  const groups = byPart(requirements).map(({ number, title, rows }) => {
    const outcomes = rows.map(outcomeText);
    const numbers = distinct(outcomes).map(
      (name) => `${grouped(outcomes.filter((one) => one === name).length)} ${name}`,
    );
    return { title: `${number} ${title}`, summary: numbers.join(', '), rows: rows.map((row) => rowOf(row, findings)) };
  });
  return groups.length === 0 ? [] : [{ kind: 'requirements', groups }];
}
