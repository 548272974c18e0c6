import type { ExchangeEvidence } from '../../report/model/evidence.ts';
import { causesOf } from '../../report/model/queries.ts';
import type { CheckResult, FailingInput, RunResult } from '../../report/model/result.ts';

/** What a developer who has only the report of a run learns of a fault from the first cause that is printed. */
export interface FirstCause {
  /** The cause in one line. */
  readonly says: string;
  /** It names the requirement that the fault breaks. */
  readonly isNamed: boolean;
  /** It shows a request that violates that requirement. */
  readonly isShown: boolean;
}

/**
 * Reads the first cause of a result.
 *
 * @param owner the requirement that the fault breaks
 * @returns undefined where nothing of that requirement was found, or there is no cause
 */
export function firstCauseOf(
  owner: string,
  result: Pick<RunResult, 'checks' | 'causes' | 'requirements'>,
): FirstCause | undefined {
  const [first] = causesOf(result);
  const own = result.checks.filter(({ requirement }) => requirement === owner);
  if (first === undefined || !own.some(({ outcome }) => outcome.kind === 'failed')) return undefined;
  return {
    says: `${first.says}: ${first.requirements.join(', ')}`,
    isNamed: first.requirements.includes(owner),
    isShown: first.exchange !== undefined && isAmong(first.exchange, own),
  };
}

/** Whether these checks found this very request answered wrongly, or the same wrong answer of the same operation. */
function isAmong(shown: ExchangeEvidence, checks: readonly CheckResult[]): boolean {
  return checks.some(({ outcome }) => {
    if (outcome.kind !== 'failed') return false;
    const judged = outcome.violations.flatMap(
      ({ exchanges }) => exchanges.findLast(({ role }) => role === 'judged') ?? [],
    );
    const isAnsweredAlike = judged.some(
      ({ operation, answer }) => operation === shown.operation && headOf(answer) === headOf(shown.answer),
    );
    return isAnsweredAlike || (outcome.inputs ?? []).some((input) => isSentAs(input, shown));
  });
}

function headOf(answer: ExchangeEvidence['answer']): string {
  if (answer.kind === 'no response') return answer.code;
  return `${answer.status} ${answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]}`;
}

/** Whether an input is this request, as far as its line shows it. */
function isSentAs({ sent }: FailingInput, { request: { method, url, body } }: ExchangeEvidence): boolean {
  const { pathname, search } = new URL(url);
  const line = `${method} ${pathname}${search}${body?.encoding === 'text' ? ` ${body.text}` : ''}`;
  const [beginning = ''] = sent.split('…');
  return sent.includes('…') ? line.startsWith(beginning) : line === sent;
}
