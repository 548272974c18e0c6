import { readFileSync, writeFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../../package.ts';
import { ALL_PARTS, type BenchResult, isBenchResult } from './result.ts';
import { benchTable } from './table.ts';

/** The figures that the README shows, under version control. */
export const PUBLISHED = new URL('src/quality/bench/published.json', PACKAGE_ROOT);
export const README = new URL('README.md', PACKAGE_ROOT);

const BEGIN = '<!-- bench -->';
const END = '<!-- /bench -->';

/** A text with the table between its two markers. @throws Error where they are missing */
export function withTable(text: string, table: string): string {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  if (from === -1 || to < from) throw new Error(`README.md has lost its markers: write ${BEGIN} and ${END} into it.`);
  return `${text.slice(0, from)}${BEGIN}\n${table}\n${text.slice(to)}`;
}

/** A result that a benchmark has written. @throws Error where the file holds none */
export function readBench(file: URL | string): BenchResult {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (isBenchResult(value)) return value;
  throw new Error(`${file} holds no result of the benchmark; \`npm run bench\` writes one to reports/bench.json.`);
}

/** The text of a bench.json; no clock here tells more than a hundredth of a millisecond. */
export function benchJson(result: BenchResult): string {
  const rounded = (_key: string, value: unknown): unknown =>
    typeof value === 'number' ? Math.round(value * 100) / 100 : value;
  return `${JSON.stringify(result, rounded, 2)}\n`;
}

/**
 * Keeps a result as the published one, and writes its table into the README.
 * @throws Error where something failed, or a part is missing: what is side by side in the README was measured side by side
 */
export function publish(result: BenchResult): void {
  const failed = result.rows.find(({ failures }) => failures.length > 0);
  if (failed !== undefined) throw new Error(`Nothing is published: "${failed.name}" has failed. bench.json says why.`);
  const missing = ALL_PARTS.filter((part) => !result.parts.includes(part));
  if (missing.length > 0)
    throw new Error(`Nothing is published: part ${missing.join(', ')} is missing. Leave out --only.`);
  writeFileSync(PUBLISHED, benchJson(result));
  // Of the figures as they were written: rounded a second time, some would come out otherwise.
  writeFileSync(README, withTable(readFileSync(README, 'utf8'), benchTable(readBench(PUBLISHED))));
}
