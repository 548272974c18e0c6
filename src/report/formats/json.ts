import type { RunResult } from '../model/result.ts';

/** Every key of the format in the order a reader wants them; one key never means two things in one object. */
export const KEYS: readonly string[] = `
  format suite name version specification run id seed profile narrowedTo of startedAt target baseUrl embedded verdict exitCode
  conclusion look firstViolation leftOut summary testable judged holding violated requirement title part source says
  since because readings kind code message stack expected actual status reason reading does see byOption expectedFailure
  outcome role sentAt operation method url encoding text pointer base64 size cut headers body request answer excerpt
  sentence curl violations from to passed failed inconclusive notApplicable input sent answered times unjudged exchange
  causes inputs inputsLeftOut harnessErrors requirements checks observations requests creations throttled exchanges
  intermittent shrunk frequency replay milliseconds interrupted options minJudged reachedWith p50 p95 p99 max latencies answers count coverage
  space tuples covered possible baseline file stale entries check expires line lastLine state sends end attempts notes
`
  .trim()
  .split(/\s+/);

const RANK: ReadonlyMap<string, number> = new Map(KEYS.map((key, index) => [key, index]));

const rank = (key: string): number => RANK.get(key) ?? KEYS.length;

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  return Object.fromEntries(
    entries.toSorted(([left], [right]) => rank(left) - rank(right) || (left < right ? -1 : left > right ? 1 : 0)),
  );
}

/**
 * The result as conformance.json: the model itself, described by spec/conformance.schema.json, with two spaces and
 * keys in one fixed order, so that two results differ only where the runs do.
 */
export function jsonReport(result: RunResult): string {
  return `${JSON.stringify(result, inOrder, 2)}\n`;
}
