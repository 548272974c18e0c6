import { createInterface } from 'node:readline/promises';
import { creationBudget } from '../../engine/plan.ts';
import { count } from '../../report/model/text.ts';
import { UsageError } from '../errors.ts';
import type { RunOptions } from '../run-options.ts';
import { looksLikeProduction } from './production.ts';

/** Up to this many animals are created anywhere without asking. */
const UNASKED = 20;

export interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  /** Called for Ctrl-C, which a question takes for itself. */
  readonly onInterrupt: () => void;
}

/**
 * Asks, once for all targets, before animals are created at an address that looks like production: they stay.
 * @throws UsageError if the answer is no
 */
export async function confirmCreations(targets: readonly RunOptions[], terminal: Terminal | undefined): Promise<void> {
  const doubtful = targets.filter((options) => {
    const { mayAsk, baseUrl } = options;
    return mayAsk && baseUrl !== undefined && creationBudget(options) > UNASKED && looksLikeProduction(baseUrl);
  });
  if (doubtful.length === 0 || terminal === undefined) return;
  const most = count(Math.max(...doubtful.map(creationBudget)), 'animal');
  const where = doubtful.map(({ baseUrl }) => baseUrl).join(', ');
  const [verb, each] = doubtful.length > 1 ? ['look', ' each'] : ['looks', ''];
  const question = `${where} ${verb} like production. The run may create up to ${most}${each}; they cannot be deleted. Continue? [y/N] `;
  if (await isAnsweredYes(question, terminal)) return;
  throw new UsageError(
    'creation-declined',
    `${where}: nothing was sent; --read-only creates nothing, --max-creates N sets a bound (up to ${UNASKED} need no confirmation), --yes skips this prompt`,
  );
}

/** Anything but y or yes means no, and so does the end of the input. */
async function isAnsweredYes(question: string, { stdin, stdout, onInterrupt }: Terminal): Promise<boolean> {
  const asking = createInterface({ input: stdin, output: stdout });
  try {
    const ended = new Promise<string>((resolve) => {
      asking.once('close', () => resolve(''));
      asking.once('SIGINT', () => {
        onInterrupt();
        resolve('');
      });
    });
    return /^\s*y(es)?\s*$/i.test(await Promise.race([asking.question(question), ended]));
  } finally {
    asking.close();
  }
}
