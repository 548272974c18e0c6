/** What a result has to say, worked out once: every report lays out the same causes, findings, open points and reasons. */
import { baselineAdvice, expectedTexts } from './model/baseline.ts';
import type { ExchangeEvidence } from './model/evidence.ts';
import {
  causesOf,
  distinct,
  EMBEDDED_NAME,
  type FailedCheck,
  failedChecks,
  groupedByReason,
  observations,
} from './model/queries.ts';
import type {
  Cause,
  CheckResult,
  FailingInput,
  RequirementResult,
  RequirementStatus,
  RunResult,
} from './model/result.ts';
import type { ReportContext, ServiceDescription } from './model/service.ts';
import { figuresLine } from './model/summary.ts';
import { count } from './model/text.ts';

/** A check that failed, with what its requirement demands. */
export interface Finding extends FailedCheck {
  /** Where the specification says it: `specification 4.1, 8`. */
  readonly where: string;
  /** What the requirement demands: of an open point, what is permitted. */
  readonly rule: string;
  /** What the causes say that explain it, where that is not what its violation says. */
  readonly because: readonly string[];
}

/** A cause with the failed checks that are listed under it. */
export type FoundCause = ReturnType<typeof foundCauses>[number];

/** One part of the specification with its requirements and checks. */
export type PartView = ReturnType<typeof partsOf>[number];

export type ReportView = ReturnType<typeof viewOf>;

/** The target as reports name it; its address is not escaped. */
export const targetName = ({ target }: RunResult): string => (target.embedded ? EMBEDDED_NAME : target.baseUrl);

/** True where nothing was tried, because the target cannot be judged at all: the conclusion is all there is to say. */
export const isUnjudgeable = ({ verdict, checks }: RunResult): boolean =>
  verdict === 'not judged' && checks.length === 0;

/** Where the specification says it. */
export const whereSpecified = ({ source }: Pick<RequirementResult, 'source'>): string =>
  ['specification', source.join(', ')].join(' ').trim();

function findingsOf(result: RunResult): readonly Finding[] {
  const causes = causesOf(result);
  return failedChecks(result).map((failed) => {
    const { check, requirement, violations } = failed;
    const { says = '', kind, readings = [] } = requirement ?? {};
    const open = `The specification leaves this open; permitted: ${readings.join('; or ')}.`;
    return {
      ...failed,
      where: requirement === undefined ? '' : whereSpecified(requirement),
      rule: kind === 'open' && readings.length > 0 ? open : says,
      because: causes
        .filter((cause) => cause.checks.includes(check.id) && cause.says !== violations[0]?.message)
        .map((cause) => cause.says),
    };
  });
}

/** The violation that shows a cause: the one with the exchange that shows it best, or else the first. */
function exampleOf({ exchange }: Cause, findings: readonly Finding[]) {
  const violations = findings.flatMap((one) => one.violations);
  const isShown = ({ role, curl, sentAt }: ExchangeEvidence): boolean =>
    role === 'judged' && curl === exchange?.curl && sentAt === exchange.sentAt;
  return violations.find(({ exchanges }) => exchanges.some(isShown)) ?? violations[0];
}

/** The causes in their order, each failed check under the first that explains it; what is expected comes last. */
function foundCauses(result: RunResult, findings: readonly Finding[]) {
  const listed = new Set<string>();
  const causes = causesOf(result).map((cause) => {
    const { requirements, checks, unjudged = [], since } = cause;
    const [first = ''] = requirements;
    const own = checks.filter((id) => !listed.has(id));
    for (const id of own) listed.add(id);
    const failed = own.flatMap((id) => findings.filter(({ check }) => check.id === id));
    const violated = result.requirements.filter(({ id }) => requirements.includes(id));
    const hidden = `${count(unjudged.length, 'more requirement')} could not be judged because of it`;
    return {
      says: cause.says,
      requirements,
      exchange: cause.exchange,
      /** `10 requirements`, or the one. */
      explains: requirements.length === 1 ? first : count(requirements.length, 'requirement'),
      unjudged: { ids: unjudged, text: unjudged.length === 0 ? [] : [hidden] },
      since: since === undefined ? [] : [since],
      findings: failed,
      /** Checks that it explains too, and that are listed under another cause. */
      elsewhere: checks.filter((id) => failed.every(({ check }) => check.id !== id)),
      example: exampleOf(cause, failed),
      /** The baseline lists all that it violates. */
      expected: violated.length > 0 && violated.every(({ expectedFailure }) => expectedFailure),
    };
  });
  return causes
    .toSorted((one, other) => Number(one.expected) - Number(other.expected))
    .map((cause, at) => ({ ...cause, number: at + 1 }));
}

/** The failing inputs of a check beside those that its violations show: the first few, and how many more there are. */
export function furtherInputs({ check, violations }: FailedCheck, most: number) {
  const { inputs = [], inputsLeftOut = 0 } = check.outcome.kind === 'failed' ? check.outcome : {};
  const shown = violations.flatMap(({ exchanges }) => exchanges.findLast(({ role }) => role === 'judged') ?? []);
  const isShown = ({ sent }: FailingInput): boolean =>
    shown.some(({ request: { method, url, body } }) => {
      const text = body?.encoding === 'text' ? ` ${body.text}` : '';
      return sent.startsWith(`${method} `) && `${method} ${url}${text}`.endsWith(sent.slice(method.length + 1));
    });
  const further = inputs.filter((input) => !isShown(input));
  return { first: further.slice(0, most), more: Math.max(0, further.length - most) + inputsLeftOut };
}

/** What calls for action first. */
const OUTCOMES: readonly RequirementStatus[] = [
  'violated',
  'not judged',
  'holds',
  'not applicable',
  'not selected',
  'untestable',
];

/** How many requirements have each outcome; those that none has are left out. */
const outcomesOf = (requirements: readonly RequirementResult[]) =>
  OUTCOMES.map((status) => ({ status, number: requirements.filter((row) => row.status === status).length })).filter(
    ({ number }) => number > 0,
  );

/** An outcome after a number: `1 holds`, `50 hold`. */
export const counted = (status: RequirementStatus, number: number): string =>
  status === 'holds' && number !== 1 ? 'hold' : status;

/**
 * Requirements and checks by part, in the order of the specification; parts that have neither are left out. What belongs
 * to no requirement of the catalogue comes last, so that it is never lost.
 */
function partsOf(result: RunResult, { parts }: ServiceDescription) {
  const partOf = new Map(result.requirements.map(({ id, part }) => [id, part]));
  const described = new Map(parts.map((one) => [one.part, one]));
  const stray = 'Not in the catalogue';
  const seen = observations(result);
  return distinct([...described.keys(), ...partOf.values(), stray])
    .map((part) => {
      const isOwn = ({ requirement }: { readonly requirement: string }) => (partOf.get(requirement) ?? stray) === part;
      const requirements = result.requirements.filter((row) => row.part === part);
      const { title = part === stray ? part : `Part ${part}`, file } = described.get(part) ?? {};
      return {
        title,
        /** With its number. */
        heading: part === stray ? stray : `${part} ${title}`,
        /** The source file of its checks. */
        file,
        requirements,
        outcomes: outcomesOf(requirements),
        checks: result.checks.filter(isOwn),
        observations: seen.filter(isOwn),
      };
    })
    .filter(({ requirements, checks, observations: own }) => requirements.length + checks.length + own.length > 0);
}

const internalErrors = (checks: readonly CheckResult[]) =>
  checks.flatMap((check) => (check.outcome.kind === 'harness error' ? [{ check, ...check.outcome }] : []));

/** The one view of a result that every report shows. */
export function viewOf(result: RunResult, context: ReportContext) {
  const { run, suite, checks, requirements, baseline } = result;
  const findings = findingsOf(result);
  return {
    ...context,
    result,
    heading: `${context.service.title} conformance`,
    target: targetName(result),
    /** How the run was made: `standard · seed 7`. */
    made: [run.profile, `seed ${run.seed}`],
    isUnjudgeable: isUnjudgeable(result),
    /** Coverage, conformance and effort. */
    figures: figuresLine(result, context),
    outcomes: outcomesOf(requirements),
    /** Every failed check in the order of the run, those in the baseline too. */
    findings,
    causes: foundCauses(result, findings),
    internalErrors: internalErrors(checks),
    internalErrorAdvice: `Please report them to the maintainers of ${suite.name} ${suite.version}, with seed ${run.seed} and conformance.json.`,
    /** What to do about entries of the baseline that are stale or expired. */
    staleAdvice: baselineAdvice(result),
    expectedFailures: baseline === undefined ? [] : expectedTexts(baseline),
    parts: partsOf(result, context.service),
    /** What was observed at open points, in the order of the run. */
    observations: observations(result),
    notJudged: groupedByReason(result, 'not judged'),
    notApplicable: groupedByReason(result, 'not applicable'),
    untestable: groupedByReason(result, 'untestable'),
  };
}
