import { CHECKS } from '../../../suites/index.ts';
import { loadContract } from '../../contract/contract.ts';
import { FAULTS } from '../../reference/index.ts';
import { codesInSources } from './codes.ts';
import { type Hunt, hunt } from './hunt.ts';

/** Weakens every expectation of every check in turn, or of those whose ids begin as the arguments say. */
const beginnings = process.argv.slice(2);
const started = performance.now();
const contract = await loadContract();
const hunts: Hunt[] = [];
for (const check of CHECKS) {
  if (beginnings.length > 0 && !beginnings.some((beginning) => check.id.startsWith(beginning))) continue;
  const faults = FAULTS.filter(({ breaks }) => breaks === check.requirement);
  if (faults.length === 0) continue;
  const found = await hunt(check, faults, contract);
  hunts.push(found);
  for (const { label, still } of found.survived) {
    const because = still === '' ? 'no fault shows this alone' : `all faults are still noticed (${still})`;
    process.stdout.write(`survived  ${check.id}: ${label}; ${because}\n`);
  }
  if (found.failing === 0) process.stdout.write(`unproven  ${check.id}: fails on none of ${found.tried} faults\n`);
}
if (beginnings.length === 0) {
  const seen = new Set(hunts.flatMap(({ codes }) => codes));
  const idle = codesInSources().filter((code) => !seen.has(code));
  for (const code of idle) process.stdout.write(`idle      ${code}: no fault of a check's own requirement shows it\n`);
}
const sum = (count: (hunt: Hunt) => number): number => hunts.reduce((total, one) => total + count(one), 0);
const survived = sum((one) => one.survived.length);
const seconds = ((performance.now() - started) / 1_000).toFixed(1);
process.stdout.write(
  `${hunts.length} checks, ${sum((one) => one.killed.length) + survived} weakened expectations: ${survived} survived · ${sum((one) => one.trials)} trials · ${seconds} s\n`,
);
process.exitCode = survived === 0 ? 0 : 1;
