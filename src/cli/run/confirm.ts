import { BlockList, isIP } from 'node:net';
import { createInterface } from 'node:readline/promises';
import { count } from '../../text.ts';
import type { Context } from '../commands/command.ts';
import type { RunSettings } from '../engine.ts';
import { UsageError } from '../errors.ts';
import { creationBudget } from '../options/run-settings.ts';
import { isContinuousIntegration } from '../terminal.ts';
import type { Interruption } from './interruption.ts';

/** Up to this many animals are created without asking. */
const MOST_WITHOUT_ASKING = 20;

/** Words, with or without a number after them, that no production host has in its name. */
const TEST_WORDS =
  /^(?:test|tests|testing|tst|dev|devel|develop|development|stage|stg|qa|sandbox|sbx|uat|preview|local|localhost)\d*$/;
/** Words that count even within a longer one. */
const TEST_PARTS = /staging|sandbox/;
/** Top-level names that do not exist on the public network (RFC 2606, RFC 6762). */
const TEST_DOMAINS = /(?:^|\.)(?:test|local|localhost|example|invalid)$/;

const PRIVATE = new BlockList();
const PRIVATE_NETWORKS =
  '10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 ::1/128 fc00::/7 fe80::/10';
for (const [network = '', prefix] of PRIVATE_NETWORKS.split(' ').map((range) => range.split('/'))) {
  PRIVATE.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
}

/** Whether the host of an http or https URL is public and its name does not say that it is for tests. */
export function looksLikeProduction(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const family = isIP(host);
  if (family !== 0) return !PRIVATE.check(host, family === 4 ? 'ipv4' : 'ipv6');
  const words = host.split(/[.-]/);
  return !(TEST_DOMAINS.test(host) || TEST_PARTS.test(host) || words.some((word) => TEST_WORDS.test(word)));
}

/**
 * Asks before animals, which cannot be deleted, are created on a target that looks like production.
 * @throws UsageError if the user declines, or does not answer within --max-time
 */
export async function confirmCreations(settings: RunSettings, context: Context, { interrupt }: Interruption) {
  const { baseUrl, yes, maxTimeMs } = settings;
  const { stdin, stdout, environment } = context;
  const mayAsk = stdin?.isTTY === true && stdout.isTTY === true && !isContinuousIntegration(environment);
  const animals = creationBudget(settings);
  if (yes || !mayAsk || baseUrl === undefined || animals <= MOST_WITHOUT_ASKING || !looksLikeProduction(baseUrl))
    return;
  const what = `The run may create up to ${count(animals, 'animal')}; they cannot be deleted.`;
  const question = `${baseUrl} looks like production. ${what} Continue? [y/N] `;
  const answer = await answerTo(question, { input: stdin, output: stdout }, maxTimeMs, () => interrupt('SIGINT'));
  if (/^\s*y(es)?\s*$/i.test(answer ?? '')) return;
  const late = answer === undefined ? `no answer came within ${maxTimeMs / 1_000} s (--max-time), so ` : '';
  if (answer === undefined) stdout.write('\n');
  const ways = '--read-only creates nothing, --max-creates N sets a bound, --yes skips this question';
  const withoutAsking = `up to ${MOST_WITHOUT_ASKING} animals are created without asking`;
  throw new UsageError('creation-declined', `${baseUrl}: ${late}nothing was sent; ${ways} (${withoutAsking})`);
}

/** What is typed: nothing at the end of the input, undefined if time runs out. A question intercepts Ctrl+C. */
async function answerTo(
  question: string,
  terminal: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
  timeoutMs: number,
  onInterrupt: () => void,
): Promise<string | undefined> {
  const asking = createInterface(terminal);
  let timer: NodeJS.Timeout | undefined;
  try {
    const ended = new Promise<string | undefined>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, undefined);
      asking.once('close', () => resolve(''));
      asking.once('SIGINT', () => {
        onInterrupt();
        resolve('');
      });
    });
    return await Promise.race([asking.question(question), ended]);
  } finally {
    clearTimeout(timer);
    asking.close();
  }
}
