import type { Address } from '../http/connect/route.ts';
import { evidenceOf } from '../http/evidence/evidence.ts';
import type {
  Frequency,
  Outcome,
  FailingInput as ReportedInput,
  Violation as ReportedViolation,
  ShrinkEvidence,
} from '../report/model/result.ts';
import { count } from '../report/model/text.ts';
import type { EveryAnswer, RunState } from './every-answer.ts';
import { InconclusiveError, NotApplicableError, SuiteError, ViolationError } from './outcome-errors.ts';
import type { RecordedCall, ReplayTarget } from './plan.ts';
import type { Reply } from './reply.ts';
import type { Violation } from './violation.ts';
import type { FailingInput } from './wrong-answers.ts';

export interface OutcomeParts<R extends Reply, S extends RunState<R>> {
  readonly checkId: string;
  /** What ended the check's own part before its last line, if anything did. */
  readonly error: unknown;
  readonly hasExercise: boolean;
  readonly hasRule: boolean;
  readonly everyAnswer: EveryAnswer<R, S>;
  /** Why the run ended early, where it did. */
  readonly cutShort: InconclusiveError | undefined;
  readonly address: Address;
  readonly record: (call: R['call']) => RecordedCall | undefined;
}

/** The outcome of a check; a violation counts whatever else happened, unless the suite contradicted itself. */
export function outcomeOf<R extends Reply, S extends RunState<R>>(
  parts: OutcomeParts<R, S>,
): { readonly outcome: Outcome; readonly replay: ReplayTarget | undefined } {
  const { error, checkId, everyAnswer } = parts;
  const seen = everyAnswer.violationsOf(checkId);
  const isViolated = error instanceof ViolationError || seen.length > 0;
  if (isViolated && !(error instanceof SuiteError)) return failed(parts, seen);
  return { outcome: error === undefined ? outcomeWithoutError(parts) : outcomeOfError(error), replay: undefined };
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
  const { checkId, cutShort, everyAnswer, hasExercise, hasRule } = parts;
  // A rule about every answer has not been judged to the end where the run did not reach its end.
  if (!hasExercise && cutShort !== undefined) return outcomeOfError(cutShort);
  // An exercise that did not throw says nothing where no answer was one that the rule is about.
  const { judged, undecided } = everyAnswer.tally(checkId);
  if (!hasRule || judged > 0) return { kind: 'passed' };
  if (undecided > 0) {
    const reason = `whatever the rule is about looked wrong, and may have been late only (${count(undecided, 'answer')})`;
    return { kind: 'inconclusive', code: 'undecided', reason, byOption: false };
  }
  const reason = 'no answer of this run was one that the rule is about';
  return { kind: 'inconclusive', code: 'nothing-to-judge', reason, byOption: false };
}

function failed<R extends Reply, S extends RunState<R>>(
  { error, checkId, everyAnswer, address, record }: OutcomeParts<R, S>,
  seen: readonly Violation[],
) {
  const { violation: own, details = {} }: Partial<ViolationError> = error instanceof ViolationError ? error : {};
  const { place, shrunk } = details;
  const samples = details.frequency && ({ ...details.frequency, of: 'samples' } as const);
  const others = own === undefined ? seen : everyAnswer.othersThan(checkId, own);
  const violations = [
    // What the rule itself has found is told with the rule's own rate; beside it, only the samples were counted.
    ...(own === undefined ? [] : [reported(own, address, everyAnswer.frequencyOf(checkId, own) ?? samples, shrunk)]),
    ...others.map((violation) => reported(violation, address, everyAnswer.frequencyOf(checkId, violation), undefined)),
  ];
  everyAnswer.noteFound(checkId, [...(own === undefined ? [] : [own]), ...(details.all ?? [])]);
  const { inputs, leftOut } = everyAnswer.tally(checkId).wrong;
  const replay = place === undefined ? replayOf(own ?? seen[0], record) : ({ kind: 'sample', place } as const);
  return {
    outcome: {
      kind: 'failed',
      violations,
      inputs: inputs.map((input) => shownInput(input, address)),
      ...(leftOut === 0 ? {} : { inputsLeftOut: leftOut }),
    } as const,
    replay,
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

function reported(
  { code, message, expected, actual, proof }: Violation,
  address: Address,
  frequency: Frequency | undefined,
  shrunk: ShrinkEvidence | undefined,
): ReportedViolation {
  const last = proof.length - 1;
  return {
    code,
    message,
    expected,
    actual,
    exchanges: proof.map((exchange, at) => evidenceOf(exchange, at === last ? 'judged' : 'control', address)),
    // Where no smaller sample fails, or only one that reads the same, there is nothing to tell.
    ...(shrunk === undefined || shrunk.from === shrunk.to ? {} : { shrunk }),
    ...(frequency === undefined ? {} : { frequency }),
  };
}

/** A rule about one answer alone is replayed by one request; one that compares needs its whole check again. */
function replayOf<R extends Reply>(
  violation: Violation | undefined,
  record: (call: R['call']) => RecordedCall | undefined,
): ReplayTarget {
  if (violation === undefined || violation.proof.length > 1) return { kind: 'check' };
  const request = record(violation.call);
  return request === undefined ? { kind: 'check' } : { kind: 'request', request };
}
