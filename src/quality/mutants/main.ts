import { CHECKS } from '../../../suites/index.ts';
import { loadContract } from '../../contract/contract.ts';
import { FAULTS } from '../../reference/index.ts';
import { assess } from './assess.ts';
import { EXPLANATIONS } from './explanations.ts';
import { codesInSources, type MutationResult, testMutants } from './mutation-test.ts';

/** Mutation testing of all checks, or of those whose ids begin with one of the arguments. */
async function main(prefixes: readonly string[]): Promise<void> {
  const started = performance.now();
  const contract = await loadContract();
  const results: MutationResult[] = [];
  const print = (line: string) => process.stdout.write(`${line}\n`);
  for (const check of CHECKS) {
    if (prefixes.length > 0 && !prefixes.some((prefix) => check.id.startsWith(prefix))) continue;
    const faults = FAULTS.filter(({ breaks }) => breaks === check.requirement);
    if (faults.length === 0) continue;
    const result = await testMutants({ check, faults, library: CHECKS, contract });
    results.push(result);
    for (const line of assess([result], undefined, EXPLANATIONS).unexplained) print(line);
  }
  const reported = new Set(results.flatMap(({ codes }) => codes));
  const unused = prefixes.length === 0 ? codesInSources().filter((code) => !reported.has(code)) : undefined;
  const { unexplained, outdated, explained } = assess(results, unused, EXPLANATIONS);
  for (const line of [...unexplained.filter((told) => told.startsWith('unused')), ...outdated]) print(line);
  const sum = (count: (result: MutationResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  const survived = sum((result) => result.survived.length);
  const mutants = sum((result) => result.killed.length) + survived;
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const isExplained = unexplained.length + outdated.length === 0;
  print(
    `${results.length} checks, ${mutants} mutants: ${survived} survived · ${explained} findings explained · ${sum(({ runs }) => runs)} runs · ${seconds} s`,
  );
  process.exitCode = isExplained ? 0 : 1;
}

void main(process.argv.slice(2));
