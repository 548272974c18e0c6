import { CHECKS } from '../../../suites/index.ts';
import { loadContract } from '../../contract/contract.ts';
import { FAULTS } from '../../reference/index.ts';
import { codesInSources, type MutationResult, testMutants } from './mutation-test.ts';

/** Mutation testing of all checks, or of those whose ids begin with one of the arguments. */
const prefixes = process.argv.slice(2);
const started = performance.now();
const contract = await loadContract();
const results: MutationResult[] = [];
const print = (line: string) => process.stdout.write(`${line}\n`);
for (const check of CHECKS) {
  if (prefixes.length > 0 && !prefixes.some((prefix) => check.id.startsWith(prefix))) continue;
  const faults = FAULTS.filter(({ breaks }) => breaks === check.requirement);
  if (faults.length === 0) continue;
  const result = await testMutants(check, faults, contract);
  results.push(result);
  for (const { label, stillReports } of result.survived) {
    const reason = stillReports === '' ? 'no fault needs this expectation' : `it still reports ${stillReports}`;
    print(`survived  ${check.id}: the check that ${label}; ${reason}`);
  }
  if (result.failing === 0) print(`unproven  ${check.id}: fails on none of ${result.tried} faults`);
}
if (prefixes.length === 0) {
  const reported = new Set(results.flatMap(({ codes }) => codes));
  const unused = codesInSources().filter((code) => !reported.has(code));
  for (const code of unused) print(`unused    ${code}: no fault of a check's own requirement leads to it`);
}
const sum = (count: (result: MutationResult) => number) => results.reduce((total, result) => total + count(result), 0);
const survived = sum((result) => result.survived.length);
const mutants = sum((result) => result.killed.length) + survived;
const seconds = ((performance.now() - started) / 1_000).toFixed(1);
print(
  `${results.length} checks, ${mutants} mutants: ${survived} survived · ${sum(({ runs }) => runs)} runs · ${seconds} s`,
);
process.exitCode = survived === 0 ? 0 : 1;
