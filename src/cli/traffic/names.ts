import type { CheckResult } from '../../report/model/result.ts';
import { withTexts } from '../../report/redact/redact-result.ts';
import type { Tested } from '../run/conclusion.ts';

/** A name in JSON, which may be cut off. */
const NAME = /("name"\s*:\s*")((?:[^"\\]|\\.)*)("|$)/g;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const HIDDEN = '<name>';
/** Sentences show no more of a text. */
const SHOWN_IN_SENTENCES = 80;

/**
 * What was found, without the names of animals: they may be other people's data.
 *
 * @param which all of them, or those that are not the fault themselves
 */
export function withoutNames(tested: Tested, which: 'all' | 'others'): Tested {
  const { telemetry } = tested;
  const causes = telemetry?.causes?.map(({ exchange, ...cause }) => ({
    ...cause,
    ...(exchange === undefined ? {} : { exchange: withTexts(exchange, (text) => hidden(text, () => false)) }),
  }));
  return {
    ...tested,
    checks: tested.checks.map((check) => ({ ...check, result: checkWithoutNames(check.result, which) })),
    telemetry: telemetry && { ...telemetry, ...(causes === undefined ? {} : { causes }) },
  };
}

function checkWithoutNames(check: CheckResult, which: 'all' | 'others'): CheckResult {
  if (which === 'others') {
    // The values that were expected, and that came instead, are the fault.
    const violations = check.outcome.kind === 'failed' ? check.outcome.violations : [];
    const values = violations.flatMap(({ expected, actual }) => [expected, actual]);
    const isWrong = (name: string): boolean =>
      values.some((value) => value.includes(`"${name.slice(0, SHOWN_IN_SENTENCES)}`));
    return withTexts(check, (text) => hidden(text, isWrong));
  }
  if (check.outcome.kind === 'inconclusive') {
    // A suspicion has no exchanges from which names could be learned: whatever its reason quotes may be one.
    const reason = check.outcome.reason.replace(QUOTED, `"${HIDDEN}"`);
    return { ...check, outcome: { ...check.outcome, reason } };
  }
  const names = new Set<string>();
  withTexts(check, (text) => hidden(text, (name) => names.add(name).size < 0));
  const quoted = [...names].map((name) => `"${name.slice(0, SHOWN_IN_SENTENCES)}`);
  return withTexts(check, (text) =>
    quoted.reduce(
      (left, name) => left.replaceAll(name, `"${HIDDEN}`),
      hidden(text, () => false),
    ),
  );
}

const hidden = (text: string, isShown: (name: string) => boolean): string =>
  text.replace(NAME, (whole, before: string, name: string, after: string) =>
    name !== '' && isShown(name) ? whole : `${before}${HIDDEN}${after}`,
  );
