import type { AnswerEvidence, BodyEvidence, ExchangeEvidence, HeaderEvidence } from '../model/evidence.ts';
import type {
  Baseline,
  Cause,
  CheckResult,
  FailingInput,
  Observation,
  Outcome,
  RunResult,
  Violation,
} from '../model/result.ts';

type TextMap = (text: string) => string;
type ExchangeMap = (exchange: ExchangeEvidence) => ExchangeEvidence;

function mapOptional(text: string | undefined, map: TextMap): string | undefined {
  return text === undefined ? undefined : map(text);
}

// A body in base64 may contain a secret in its bytes, at any offset, or in the base64 text itself. Replacing either
// would break the encoding, so the whole body is removed.
function mapBody(body: BodyEvidence, map: TextMap): BodyEvidence {
  if (body.encoding === 'text') return { ...body, text: map(body.text) };
  const bytes = Buffer.from(body.base64, 'base64');
  const views = [bytes.toString('latin1'), bytes.toString('utf8'), bytes.toString('utf16le'), body.base64];
  if (views.every((view) => map(view) === view)) return body;
  return { encoding: 'text', text: '[redacted]', size: body.size, cut: true };
}

function mapHeaders(headers: readonly HeaderEvidence[], map: TextMap): readonly HeaderEvidence[] {
  return headers.map(([name, value]): HeaderEvidence => [map(name), map(value)]);
}

function mapAnswer(answer: AnswerEvidence, map: TextMap): AnswerEvidence {
  if (answer.kind === 'no response') return { ...answer, sentence: map(answer.sentence) };
  return { ...answer, headers: mapHeaders(answer.headers, map), body: mapBody(answer.body, map) };
}

/** One exchange with every free text of it mapped. */
export function mapExchangeText(exchange: ExchangeEvidence, map: TextMap): ExchangeEvidence {
  const { request } = exchange;
  return {
    ...exchange,
    request: {
      method: map(request.method),
      url: map(request.url),
      headers: mapHeaders(request.headers, map),
      body: request.body && mapBody(request.body, map),
    },
    answer: mapAnswer(exchange.answer, map),
    excerpt: exchange.excerpt && { ...exchange.excerpt, text: map(exchange.excerpt.text) },
    curl: map(exchange.curl),
  };
}

function mapViolation(violation: Violation, map: TextMap, mapExchange: ExchangeMap): Violation {
  const { shrunk } = violation;
  return {
    ...violation,
    message: map(violation.message),
    expected: map(violation.expected),
    actual: map(violation.actual),
    exchanges: violation.exchanges.map(mapExchange),
    shrunk: shrunk && { ...shrunk, from: map(shrunk.from), to: map(shrunk.to) },
  };
}

function mapInput(input: FailingInput, map: TextMap): FailingInput {
  return { ...input, input: map(input.input), sent: map(input.sent), answered: map(input.answered) };
}

function mapCause(cause: Cause, map: TextMap, mapExchange: ExchangeMap): Cause {
  const { says, since, exchange } = cause;
  return { ...cause, says: map(says), since: mapOptional(since, map), exchange: exchange && mapExchange(exchange) };
}

function mapOutcome(outcome: Outcome, map: TextMap, mapExchange: ExchangeMap): Outcome {
  switch (outcome.kind) {
    case 'passed':
      return outcome;
    case 'failed':
      return {
        ...outcome,
        violations: outcome.violations.map((one) => mapViolation(one, map, mapExchange)),
        inputs: outcome.inputs?.map((one) => mapInput(one, map)),
      };
    case 'inconclusive':
    case 'not applicable':
      return { ...outcome, reason: map(outcome.reason) };
    case 'harness error':
      return { ...outcome, message: map(outcome.message), stack: mapOptional(outcome.stack, map) };
  }
}

function mapObservation(observation: Observation, map: TextMap): Observation {
  const { reading, does, inputs, requests } = observation;
  const mapped = requests?.map((one) => ({
    ...one,
    method: map(one.method),
    url: map(one.url),
    ...(one.curl === undefined ? {} : { curl: map(one.curl) }),
  }));
  return {
    ...observation,
    reading: map(reading),
    ...(does === undefined ? {} : { does: map(does) }),
    ...(inputs === undefined ? {} : { inputs: inputs.map(map) }),
    ...(mapped === undefined ? {} : { requests: mapped }),
  };
}

function mapBaseline({ entries, ...baseline }: Baseline, map: TextMap): Baseline {
  const mapped = entries.map((entry) => ({
    ...entry,
    ...(entry.reason === undefined ? {} : { reason: map(entry.reason) }),
    text: map(entry.text),
  }));
  return { ...baseline, file: map(baseline.file), entries: mapped };
}

/** A check with every free text of it mapped, as {@link mapResultText} does. */
export function mapCheckText(
  check: CheckResult,
  map: TextMap,
  mapExchange: ExchangeMap = (exchange) => mapExchangeText(exchange, map),
): CheckResult {
  return {
    ...check,
    outcome: mapOutcome(check.outcome, map, mapExchange),
    observations: check.observations.map((one) => mapObservation(one, map)),
  };
}

/**
 * A result with every free text mapped: what the service or the user's options put there. The words of the format
 * itself (ids, kinds, statuses, the catalogue's sentences) are kept, so the result is as valid as before.
 * `mapExchange` is for a caller that must recognise an exchange which is used in several places.
 */
export function mapResultText(
  result: RunResult,
  map: TextMap,
  mapExchange: ExchangeMap = (exchange) => mapExchangeText(exchange, map),
): RunResult {
  const { baseline, replay } = result;
  return {
    ...result,
    run: { ...result.run, options: result.run.options.map(map), reachedWith: result.run.reachedWith?.map(map) },
    target: { ...result.target, baseUrl: map(result.target.baseUrl) },
    conclusion: map(result.conclusion),
    requirements: result.requirements.map((row) => ({ ...row, reason: mapOptional(row.reason, map) })),
    checks: result.checks.map((check) => mapCheckText(check, map, mapExchange)),
    replay: replay && {
      ...replay,
      attempts: replay.attempts.map((attempt) => ({ ...attempt, reason: mapOptional(attempt.reason, map) })),
    },
    causes: result.causes.map((cause) => mapCause(cause, map, mapExchange)),
    baseline: baseline && mapBaseline(baseline, map),
    ...(result.look === undefined ? {} : { look: result.look.map(mapExchange) }),
    notes: result.notes.map(map),
  };
}
