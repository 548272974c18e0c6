import type { Address } from '../http/connect/route.ts';
import { evidenceOf } from '../http/evidence/evidence.ts';
import { LOCKED_OUT } from '../http/not-sent.ts';
import type {
  Frequency,
  Outcome,
  FailingInput as ReportedInput,
  Violation as ReportedViolation,
  ShrinkEvidence,
} from '../report/model/result.ts';
import { count } from '../report/model/text.ts';
import type { EveryAnswer, RunState } from './every-answer.ts';
import {
  InconclusiveError,
  NotApplicableError,
  SuiteError,
  type ViolationDetails,
  ViolationError,
} from './outcome-errors.ts';
import type { Recording } from './plan.ts';
import { type Recorder, recordingOf } from './replay/recording.ts';
import type { Reply } from './reply.ts';
import { asTold, type Violation } from './violation.ts';
import type { FailingInput } from './wrong-answers.ts';

export interface OutcomeParts<R extends Reply, S extends RunState<R>> {
  readonly checkId: string;
  /** What ended the check's own part before its last line, if anything did. */
  readonly error: unknown;
  readonly hasExercise: boolean;
  readonly hasRule: boolean;
  /** Of the check's own part: how many were about the replies that they were held against, and how many were not. */
  readonly expectations: { readonly judged: number; readonly irrelevant: number };
  /** Why the proof of a violation does not show it, judged again; undefined where it does. */
  readonly proofFault: (violation: Violation) => string | undefined;
  readonly everyAnswer: EveryAnswer<R, S>;
  /** Why the run ended early, where it did. */
  readonly cutShort: InconclusiveError | undefined;
  readonly address: Address;
  readonly recorder: Recorder<R>;
}

/** The outcome of a check; a violation counts whatever else happened, unless the suite contradicted itself. */
export function outcomeOf<R extends Reply, S extends RunState<R>>(
  parts: OutcomeParts<R, S>,
): { readonly outcome: Outcome; readonly replay: Recording | undefined } {
  const { error, checkId, everyAnswer } = parts;
  const tally = everyAnswer.tally(checkId);
  const all = error instanceof ViolationError ? tally.violationsWith(error.violation) : tally.violations;
  if (all.length > 0 && !(error instanceof SuiteError)) return failed(parts, all);
  return { outcome: isJudgedInPart(parts) ? outcomeWithoutError(parts) : outcomeOfError(error), replay: undefined };
}

/** Whether nothing ended the check early, or what was answered before the service locked wrong keys out shows enough. */
function isJudgedInPart<R extends Reply, S extends RunState<R>>(parts: OutcomeParts<R, S>): boolean {
  const { error, checkId, everyAnswer, hasRule, expectations } = parts;
  if (error === undefined) return true;
  if (!(error instanceof InconclusiveError && error.code === LOCKED_OUT)) return false;
  return (hasRule ? everyAnswer.tally(checkId).judged : expectations.judged) > 0;
}

function outcomeOfError(error: unknown): Outcome {
  if (error instanceof InconclusiveError) {
    const { code, message: reason, see, byOption } = error;
    return { kind: 'inconclusive', code, reason, byOption, ...(see === undefined ? {} : { see }) };
  }
  if (error instanceof NotApplicableError) return { kind: 'not applicable', reason: error.message };
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  return { kind: 'harness error', message, ...(stack === undefined ? {} : { stack }) };
}

function outcomeWithoutError<R extends Reply, S extends RunState<R>>(parts: OutcomeParts<R, S>): Outcome {
  const { checkId, cutShort, everyAnswer, hasExercise, hasRule, expectations } = parts;
  // A rule about every answer has not been judged to the end where the run did not reach its end.
  if (!hasExercise && cutShort !== undefined) return outcomeOfError(cutShort);
  // An exercise that did not throw says nothing where no answer was one that the rule is about.
  const { judged, undecided } = everyAnswer.tally(checkId);
  const saidNothing = expectations.irrelevant > 0 && expectations.judged === 0;
  if (hasRule ? judged > 0 : !saidNothing) return { kind: 'passed' };
  if (undecided > 0) {
    const reason = `what looked wrong may only have been late (${count(undecided, 'response')})`;
    return { kind: 'inconclusive', code: 'undecided', reason, byOption: false };
  }
  const reason = 'no response in this run was covered by the rule';
  return { kind: 'inconclusive', code: 'nothing-to-judge', reason, byOption: false };
}

function failed<R extends Reply, S extends RunState<R>>(
  { error, checkId, everyAnswer, address, recorder, proofFault }: OutcomeParts<R, S>,
  all: readonly Violation[],
): { readonly outcome: Outcome; readonly replay: Recording | undefined } {
  const faults = all.map(proofFault);
  const [first, ...others] = all.filter((_, at) => faults[at] === undefined);
  // What the suite cannot prove it does not say of the service.
  if (first === undefined) return { outcome: unproven(all[0], faults[0]), replay: undefined };
  const isOwn = error instanceof ViolationError && error.violation === first;
  const { place, shrunk, frequency: ofSamples }: ViolationDetails = isOwn ? error.details : {};
  const samples = ofSamples && ({ ...ofSamples, of: 'samples' } as const);
  const rateOf = (violation: Violation): Frequency | undefined => everyAnswer.tally(checkId).frequencyOf(violation);
  const violations = [
    // What the rule itself has found has the rule's own rate; otherwise only the samples were counted.
    reported(first, address, rateOf(first) ?? samples, shrunk),
    ...others.map((violation) => reported(violation, address, rateOf(violation))),
  ];
  if (error instanceof ViolationError && proofFault(error.violation) === undefined) {
    everyAnswer.tally(checkId).noteFound([error.violation, ...(error.details.all ?? [])]);
  }
  const { inputs, leftOut } = everyAnswer.tally(checkId).wrong;
  // What only the check's own part can compare says nothing when its exchanges alone are sent again.
  const isTold = isOfRule(first) || first.permitted !== undefined;
  const shown = isTold ? first : (others.find(isOfRule) ?? first);
  const rate: Frequency = rateOf(shown) ?? ofSamples ?? { violated: 1, judged: 1 };
  const { violated, judged, intermittent = false } = rate;
  const replay = recordingOf(shown, { place, byRule: isOfRule(shown), violated, judged, intermittent }, recorder);
  return {
    outcome: {
      kind: 'failed',
      violations,
      inputs: inputs.map((input) => shownInput(input, address)),
      ...(leftOut === 0 ? {} : { inputsLeftOut: leftOut }),
    },
    replay,
  };
}

/** Whether a rule judged it, and not a check's own expectation. */
const isOfRule = ({ again }: Violation): boolean => again === undefined;

function unproven(violation: Violation | undefined, fault = ''): Outcome {
  const what = `${violation?.message} (${violation?.code})`;
  return {
    kind: 'harness error',
    message: `a violation was found, and its own proof does not show it: ${what}: ${fault}`,
  };
}

function shownInput(
  { method, path, body, operation, input, answered, times }: FailingInput,
  { basePath }: Address,
): ReportedInput {
  return {
    operation,
    input,
    answered,
    times,
    sent: `${method} ${basePath}${path}${body === undefined ? '' : ` ${body}`}`,
  };
}

/** A violation with the evidence of its proof, as reports show it. */
function reported(
  { code, message, expected, actual, proof, excerpts = [] }: Violation,
  address: Address,
  frequency?: Frequency,
  shrunk?: ShrinkEvidence,
): ReportedViolation {
  const last = proof.length - 1;
  return {
    code,
    message,
    expected,
    actual,
    exchanges: asTold(proof).map((exchange, at) => {
      const evidence = evidenceOf(exchange, at === last ? 'judged' : 'control', address);
      const excerpt = excerpts.find((one) => one.exchange === exchange);
      return excerpt === undefined
        ? evidence
        : { ...evidence, excerpt: { pointer: excerpt.pointer, text: excerpt.text } };
    }),
    // Where no smaller sample fails, or only one that reads the same, there is nothing to report.
    ...(shrunk === undefined || shrunk.from === shrunk.to ? {} : { shrunk }),
    ...(frequency === undefined ? {} : { frequency }),
  };
}
