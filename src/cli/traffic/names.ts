import type { CheckResult, Outcome } from '../../report/model/result.ts';
import { withTexts } from '../../report/redact/redact-result.ts';
import type { Tested } from '../run/conclusion.ts';

/** A name in JSON, which may be cut off. */
const NAME = /("name"\s*:\s*")((?:[^"\\]|\\.)*)("|$)/g;
const HIDDEN = '<name>';
/** What sentences quote: a value, or a part of a body. */
const QUOTATION = /"(?:[^"\\]|\\.)*"|‘[^’]*’/g;
/** Sentences show no more of a text. */
const SHOWN_IN_SENTENCES = 80;

/** A sentence about an answer without what it quotes, which may be a name. */
export const withoutQuotations = (sentence: string): string => sentence.replace(QUOTATION, '"…"');

/**
 * What was found, without the names of animals: they may be other people's data.
 *
 * @param which all of them, or those that are not the fault themselves
 */
export function withoutNames(tested: Tested, which: 'all' | 'others'): Tested {
  const { telemetry } = tested;
  const causes = telemetry?.causes?.map(({ exchange, ...cause }) => ({
    ...cause,
    says: which === 'all' ? withoutQuotations(cause.says) : cause.says,
    ...(exchange === undefined ? {} : { exchange: withTexts(exchange, (text) => hidden(text)) }),
  }));
  return {
    ...tested,
    checks: tested.checks.map((check) => ({
      ...check,
      result: which === 'all' ? withoutAnyName(check.result) : withoutOtherNames(check.result),
    })),
    telemetry: telemetry && { ...telemetry, ...(causes === undefined ? {} : { causes }) },
  };
}

function withoutAnyName(check: CheckResult): CheckResult {
  const nameless = withTexts(check, (text) => hidden(text));
  return { ...nameless, outcome: quotingNothing(nameless.outcome) };
}

function quotingNothing(outcome: Outcome): Outcome {
  if (outcome.kind === 'inconclusive') return { ...outcome, reason: withoutQuotations(outcome.reason) };
  if (outcome.kind !== 'failed') return outcome;
  const violations = outcome.violations.map((violation) => ({
    ...violation,
    message: withoutQuotations(violation.message),
    expected: withoutQuotations(violation.expected),
    actual: withoutQuotations(violation.actual),
  }));
  return { ...outcome, violations };
}

/** The values that were expected, and that came instead, are the fault. */
function withoutOtherNames(check: CheckResult): CheckResult {
  const violations = check.outcome.kind === 'failed' ? check.outcome.violations : [];
  const values = violations.flatMap(({ expected, actual }) => [expected, actual]);
  const isWrong = (name: string): boolean =>
    values.some((value) => value.includes(`"${name.slice(0, SHOWN_IN_SENTENCES)}`));
  return withTexts(check, (text) => hidden(text, isWrong));
}

const hidden = (text: string, isShown: (name: string) => boolean = () => false): string =>
  text.replace(NAME, (whole, before: string, name: string, after: string) =>
    name !== '' && isShown(name) ? whole : `${before}${HIDDEN}${after}`,
  );
