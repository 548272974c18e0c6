import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { loadCatalogue } from '../../engine/catalogue.ts';
import { PARTS } from '../../petstore/parts.ts';
import { FAULTS, VARIANTS } from '../../reference/index.ts';
import { reportError, writeAtomically } from '../../report/write.ts';
import { classify } from './classify.ts';
import { matrixPage } from './html.ts';
import type { MatrixResult } from './model.ts';
import { inOrder } from './order.ts';
import { tryAll } from './queue.ts';
import { summaryText } from './summary.ts';

export interface MatrixOptions {
  /** The faults and variants to try; undefined for all. */
  readonly names: readonly string[] | undefined;
  /** Worker processes. */
  readonly jobs: number;
  readonly seed: number;
  readonly reportDir: string;
  readonly color: boolean;
  /** Whether progress may be redrawn in place. */
  readonly interactive: boolean;
}

/**
 * Tries the checks on faults and variants, writes faults.json and faults.html, and prints the summary.
 *
 * @throws ReportError where a report cannot be written
 */
export async function runMatrix(
  options: MatrixOptions,
  { stdout, stderr }: { readonly stdout: Writable; readonly stderr: Writable },
): Promise<MatrixResult> {
  const { names, jobs, seed, reportDir, color, interactive } = options;
  const asked = ({ name }: { readonly name: string }) => names === undefined || names.includes(name);
  const changes = { faults: FAULTS.filter(asked), variants: VARIANTS.filter(asked) };
  const startedAt = new Date();
  const started = performance.now();
  let done = 0;
  const queue = inOrder(changes, seed);
  const trials = await tryAll(queue, {
    workers: jobs,
    onTrial: ({ name }) => {
      done += 1;
      if (interactive) stderr.write(`\r\u001b[K${done} of ${queue.length} tried (${name})`);
    },
  });
  if (interactive) stderr.write('\r\u001b[K');
  const result = classify(trials, loadCatalogue(PARTS).requirements, changes, {
    version: readVersion(),
    startedAt,
    milliseconds: performance.now() - started,
    jobs,
    seed,
    complete: names === undefined,
  });
  await mkdir(reportDir, { recursive: true }).catch((cause: unknown) => {
    throw reportError(cause, reportDir);
  });
  await writeAtomically(reportDir, 'faults.json', `${JSON.stringify(result, undefined, 2)}\n`);
  await writeAtomically(reportDir, 'faults.html', matrixPage(result));
  stdout.write(`${summaryText(result, { color })}Reports in ${join(reportDir, 'faults.html')} and faults.json\n`);
  return result;
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(version);
}
