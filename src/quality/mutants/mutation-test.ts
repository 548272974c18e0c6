import { readdirSync, readFileSync } from 'node:fs';
import type { RunOptions } from '../../cli/run-options.ts';
import type { Contract } from '../../contract/contract.ts';
import { PACKAGE_ROOT } from '../../package.ts';
import type { PetCheck } from '../../petstore/index.ts';
import type { Fault } from '../../reference/index.ts';
import { BEFORE_REMOVAL, runPlan, withReference } from '../reference-run.ts';
import { lenientMutants, type Mutant, partialMutants, type Violation } from './mutants.ts';

/** How many faults of its requirement a check is tried on; a selection spread over all of them. */
const MAX_FAULTS = 40;

/** A check, and what its mutants are tested with. */
export interface MutationTest {
  readonly check: PetCheck;
  /** Those that break the check's requirement. */
  readonly faults: readonly Fault[];
  /** All checks. One that fails on no fault by itself is tried in their company. */
  readonly library?: readonly PetCheck[];
  readonly contract: Contract;
  /** Of each run, where they differ from those of mutation testing. */
  readonly options?: Partial<RunOptions>;
}

/**
 * Mutation testing of one check: weakens its expectations one at a time. A mutant is killed if it passes on a fault on
 * which the check fails. One that survives shows an expectation that is redundant, or that no fault needs yet.
 *
 * A check without a rule of its own may send what the rules of other checks judge, or look for what the requests of
 * other checks have left. It is tried with those rules, and then with the other checks of its requirement too: it is
 * proven by a fault that nobody finds where it sends nothing.
 */
export async function testMutants(test: MutationTest): Promise<MutationResult> {
  const { check, library = [] } = test;
  const alone = await testInCompany(test, []);
  if (alone.failing > 0 || check.everyAnswer !== undefined) return alone;
  const others = library.filter(({ id }) => id !== check.id);
  const silent = (other: PetCheck): PetCheck => ({ ...other, exercise: undefined });
  const withRules = await testInCompany(test, others.map(silent));
  if (withRules.failing > 0) return { ...withRules, runs: alone.runs + withRules.runs };
  const withSiblings = await testInCompany(
    test,
    others.map((other) => (other.requirement === check.requirement ? other : silent(other))),
  );
  return { ...withSiblings, runs: alone.runs + withRules.runs + withSiblings.runs };
}

/** Mutation testing of one check that runs together with others, which are not changed. */
async function testInCompany(
  { check, faults, contract, options = {} }: MutationTest,
  company: readonly PetCheck[],
): Promise<MutationResult> {
  const step = Math.max(1, faults.length / MAX_FAULTS);
  const chosen = faults.filter((_, index) => Math.floor(index % step) === 0).slice(0, MAX_FAULTS);
  const mutants = new Map<string, Mutant>(partialMutants(check).map((mutant) => [mutant.label, mutant]));
  const killed = new Set<string>();
  const stillReported = new Map<string, Set<string>>();
  const codes = new Set<string>();
  let failing = 0;
  let runs = 0;
  /** Runs the check and its company. It has little patience: a fault that hangs, or never shows an animal, must not hold it up. */
  const violationsOf = (tested: PetCheck, fault: Fault): Promise<readonly Violation[]> => {
    runs += 1;
    const impatient = { requestTimeoutMs: 300, maxTimeMs: 10_000, settleMs: 100 };
    const checks = [tested, ...company];
    const complete = { seed: 1, today: BEFORE_REMOVAL, ...impatient, ...options };
    return withReference({ faults: [fault], options: complete, checks }, async (plan) => {
      const { checks: judged } = await runPlan(checks, plan, contract);
      return judged.flatMap(({ result: { outcome } }) => (outcome.kind === 'failed' ? outcome.violations : []));
    });
  };
  for (const fault of chosen) {
    const violations = await violationsOf(check, fault);
    if (violations.length === 0) continue;
    failing += 1;
    for (const { code } of violations) codes.add(code);
    // In company, others report: what they expect is tested with them.
    const lenient = company.length === 0 ? lenientMutants(check, violations) : [];
    for (const mutant of lenient) mutants.set(mutant.label, mutant);
    for (const [label, mutant] of mutants) {
      if (killed.has(label) || !mutant.concerns(violations)) continue;
      const remaining = await violationsOf(mutant.check, fault);
      if (remaining.length === 0) killed.add(label);
      for (const { code } of remaining) stillReported.set(label, (stillReported.get(label) ?? new Set()).add(code));
    }
  }
  const survivors = failing === 0 ? [] : [...mutants.keys()].filter((label) => !killed.has(label));
  return {
    check: check.id,
    tried: chosen.length,
    failing,
    runs,
    killed: [...killed],
    survived: survivors.map((label) => ({ label, stillReports: [...(stillReported.get(label) ?? [])].join(', ') })),
    codes: [...codes],
  };
}

/** What mutation testing of one check has shown. */
export interface MutationResult {
  readonly check: string;
  readonly tried: number;
  /** On how many of the faults that were tried the check fails. */
  readonly failing: number;
  /** How often a check or a mutant was run. */
  readonly runs: number;
  /** Mutants that at least one of those faults survives: what they lack is needed. */
  readonly killed: readonly string[];
  /** Mutants that still fail on all of those faults, with the codes of what they report. */
  readonly survived: readonly Survivor[];
  /** Codes of all violations that were reported. */
  readonly codes: readonly string[];
}

export interface Survivor {
  readonly label: string;
  readonly stillReports: string;
}

const CODE = /\bviolates\(\s*[\w.]+,\s*'([a-z0-9-]+)'|\bfitsSchema\(\s*'([a-z0-9-]+)'/g;

/** The codes of all violations that the checks can report, as their sources name them at the call. */
export function codesInSources(): readonly string[] {
  const codes = ['src/petstore/rules/', 'src/petstore/'].flatMap((path) => {
    const folder = new URL(path, PACKAGE_ROOT);
    const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
    const text = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
    return [...text.matchAll(CODE)].flatMap(([, ...groups]) => groups.filter((code) => code !== undefined));
  });
  return [...new Set(codes)].toSorted();
}
