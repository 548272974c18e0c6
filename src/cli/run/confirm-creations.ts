import { createInterface } from 'node:readline/promises';
import type { RunOptions } from '../../engine/options.ts';
import { creationBudget } from '../../engine/plan.ts';
import { count } from '../../report/formats/excerpt.ts';
import { UsageError } from '../errors.ts';
import { looksLikeProduction } from './production.ts';

/** So many animals are added anywhere without asking. */
const UNASKED = 20;

export interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  /** Called for Ctrl-C, which a question takes for itself. */
  readonly onInterrupt: () => void;
}

/**
 * Asks, once for all targets, before animals are added at an address that looks like production, where somebody sits
 * at the terminal. There is no delete operation: what is added stays.
 *
 * @throws UsageError where the answer is no
 */
export async function confirmCreations(targets: readonly RunOptions[], terminal: Terminal | undefined): Promise<void> {
  const doubtful = targets.filter(
    (options) =>
      options.mayAsk &&
      options.baseUrl !== undefined &&
      creationBudget(options) > UNASKED &&
      looksLikeProduction(options.baseUrl),
  );
  if (doubtful.length === 0 || terminal === undefined) return;
  const most = Math.max(...doubtful.map(creationBudget));
  const where = doubtful.map(({ baseUrl }) => baseUrl).join(', ');
  const each = doubtful.length > 1 ? ' each' : '';
  const verb = doubtful.length > 1 ? 'look' : 'looks';
  const question = `${where} ${verb} like production. The run may create up to ${count(most, 'animal')}${each}, and they stay there: there is no delete. Go on? [y/N] `;
  if (await isAnsweredYes(question, terminal)) return;
  throw new UsageError(
    'creation-declined',
    `${where}: nothing was sent; --read-only creates nothing, --max-creates N sets a bound (up to ${UNASKED} are not asked about), --yes goes on without asking`,
  );
}

/** Anything but y or yes is a no, and so is the end of the input. */
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
    const answer = await Promise.race([asking.question(question), ended]);
    return /^\s*y(es)?\s*$/i.test(answer);
  } finally {
    asking.close();
  }
}
