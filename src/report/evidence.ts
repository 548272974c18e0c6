/** Exchanges and findings as labelled lines, which each report escapes and cuts. */
import type { BodyEvidence, ExchangeEvidence, Finding, RunResult } from './result.ts';
import { count, duration, grouped, shellWord } from './text.ts';

/** A `command` is to be copied, a `sentence` is our own; all others show what was on the wire. */
type LineKind = 'request' | 'response' | 'header' | 'earlier' | 'sentence' | 'command';

export interface EvidenceLine {
  readonly kind: LineKind;
  readonly label: string;
  readonly text: string;
  /** Its body, uncut. */
  readonly body?: string | undefined;
  /** Shown only in pages, in JUnit and with `--verbose`. */
  readonly isExtra?: boolean | undefined;
}

function headerValue(headers: ExchangeEvidence['request']['headers'], name: string): string | undefined {
  return headers.find(([header]) => header.toLowerCase() === name)?.[1];
}

function bodyText({ encoding, text, bytes, cut }: BodyEvidence): string {
  if (bytes === 0) return '(empty)';
  const size = cut ? `… (${count(bytes, 'byte')})` : '';
  return `${encoding === 'base64' ? '(not UTF-8; in base64) ' : ''}${text}${size}`;
}

/** Headers that every plain request has, with their usual values. */
const USUAL: Readonly<Record<string, RegExp>> = {
  host: /./,
  'user-agent': /./,
  'content-length': /^\d+$/,
  connection: /^keep-alive$/i,
  accept: /^(application\/json|\*\/\*)$/i,
  'content-type': /^application\/json$/i,
  authorization: /^Bearer (\[redacted\]|\$\w+)$/,
};

/** What is unusual about the head of a request, such as a key that is missing. */
function unusualHeaders({ request }: ExchangeEvidence): readonly string[] {
  const shown = request.headers
    .filter(([name, value]) => USUAL[name.toLowerCase()]?.test(value) !== true)
    .map(([name, value]) => `${name}: ${value}`);
  return headerValue(request.headers, 'authorization') === undefined ? ['(no Authorization)', ...shown] : shown;
}

function responseHead({ answer }: ExchangeEvidence): string {
  if ('failure' in answer) return `no response: ${answer.sentence}`;
  return [String(answer.status), headerValue(answer.headers, 'content-type') ?? '(no Content-Type)'].join(' ');
}

/** What was sent and what came back. */
export function exchangeLines(exchange: ExchangeEvidence): readonly EvidenceLine[] {
  const { request, answer, milliseconds } = exchange;
  const body = request.body && bodyText(request.body);
  const headers = unusualHeaders(exchange).map((text): EvidenceLine => ({ kind: 'header', label: 'header', text }));
  const all = [
    ...request.headers.map(([name, value]) => `> ${name}: ${value}`),
    ...('failure' in answer ? [] : answer.headers.map(([name, value]) => `< ${name}: ${value}`)),
    `after ${duration(milliseconds)}`,
  ];
  return [
    { kind: 'request', label: 'request', text: `${request.method} ${request.target}`, body },
    ...headers,
    {
      kind: 'response',
      label: 'response',
      text: responseHead(exchange),
      body: 'failure' in answer ? undefined : bodyText(answer.body),
    },
    { kind: 'header', label: 'headers', text: all.join('\n'), isExtra: true },
  ];
}

/** More exchanges that a finding relies on are shown in full reports only. */
const MOST_EARLIER = 2;

/** An exchange that came before, in one line. */
function earlierLine(exchange: ExchangeEvidence, at: number, all: readonly ExchangeEvidence[]): EvidenceLine {
  const { request, answer } = exchange;
  const sent = request.body === undefined ? '' : ` ${bodyText(request.body)}`;
  const head = unusualHeaders(exchange).map((text) => ` ${text.startsWith('(') ? text : `(${text})`}`);
  return {
    kind: 'earlier',
    label: all.length > MOST_EARLIER ? `before, ${at + 1} of ${all.length}` : 'before',
    text: `${request.method} ${request.target}${sent}${head.join('')} → ${responseHead(exchange)}`,
    body: 'failure' in answer ? undefined : bodyText(answer.body),
    isExtra: at >= MOST_EARLIER,
  };
}

/** How often a finding was seen: `81 of 81 such requests`. */
export function rateOf({ failed, checked, intermittent, seenOnce }: Finding): string {
  if (intermittent) return `intermittent: failed in ${grouped(failed)} of ${grouped(checked)}`;
  return `${grouped(failed)} of ${count(checked, 'such request')}${seenOnce ? ', seen once' : ''}`;
}

/** Options that a replay needs too, such as those that say how the target is reached. */
const REACHING =
  /^(-H|--header|--ca|--cert|--key|--insecure|--token-file|--request-timeout|--today|--category-id|--embedded)\b/;

/** The command that sends recorded failures again. @param path a file or a folder */
export function replayCommand({ run, target }: RunResult, command: string, path: string): string {
  const baseUrl = target.embedded ? [] : [`--base-url ${shellWord(target.baseUrl)}`];
  const options = run.options.filter((option) => REACHING.test(option));
  return [command, ...baseUrl, `--replay ${shellWord(path)}`, ...options].join(' ');
}

/** What a person needs to fix a finding. @param reportDir as the user typed it, without a slash at its end */
export function findingLines(finding: Finding, result: RunResult, command: string, reportDir: string) {
  const { example, earlier, violation, says, unusual, also, more, replay } = finding;
  const others = [...also, ...(also.length > 0 && more > 0 ? [`${grouped(more)} more`] : [])].join(' · ');
  const lines: readonly (EvidenceLine | undefined)[] = [
    ...earlier.map(earlierLine),
    ...exchangeLines(example),
    violation === says ? undefined : { kind: 'sentence', label: 'wrong', text: violation },
    unusual.length === 0 ? undefined : { kind: 'sentence', label: 'unusual', text: unusual.join(' · ') },
    others === '' ? undefined : { kind: 'sentence', label: 'also', text: others },
    example.curl === undefined ? undefined : { kind: 'command', label: 'curl', text: example.curl },
    replay === undefined
      ? undefined
      : { kind: 'command', label: 'replay', text: replayCommand(result, command, `${reportDir}/${replay}`) },
  ];
  return lines.flatMap((line) => line ?? []);
}
