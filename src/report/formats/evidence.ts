import { COMMAND } from '../../package.ts';
import type {
  BodyEvidence,
  ExcerptEvidence,
  ExchangeEvidence,
  HeaderEvidence,
  RequestEvidence,
} from '../model/evidence.ts';
import { inReportDir } from '../model/files.ts';
import type { FailedCheck } from '../model/queries.ts';
import type { Cause, FailingInput, Frequency, RequirementResult, RunResult, Violation } from '../model/result.ts';
import { beginning, count, excerptText, grouped, shellQuote } from '../model/text.ts';

/** One labelled line of the evidence of a violation. The text is raw: each report escapes it in its own way. */
export interface EvidenceLine {
  readonly label: string;
  readonly text: string;
}

interface EvidenceOptions {
  /** At most so many characters of each body. */
  readonly bodyLimit: number;
  /** Whether the headers are shown. */
  readonly headers: boolean;
  /** The folder that the reports are in, as the user would type it. */
  readonly reportDir: string;
}

/** Longest value other than a body: a URL, a header, a command. */
const VALUE_LIMIT = 2000;

/** The value of the first header of that name in any letter case. */
export function headerValue(headers: readonly HeaderEvidence[], name: string): string | undefined {
  return headers.find(([header]) => header.toLowerCase() === name)?.[1];
}

/** Where the specification says it: `specification 4.1, 8`. */
export function whereSpecified(source: readonly string[]): string {
  return source.length === 0 ? 'specification' : `specification ${source.join(', ')}`;
}

/** What a requirement demands: of an open point, what is permitted. */
export function ruleText({ kind, says, readings = [] }: RequirementResult): string {
  if (kind !== 'open' || readings.length === 0) return says;
  return `The specification leaves this open; permitted: ${readings.join('; or ')}.`;
}

/** A body cut to `limit` characters, with its size where it is not whole. */
function bodyText(body: BodyEvidence, limit: number): string {
  if (body.size === 0) return '(empty)';
  const whole = body.encoding === 'text' ? body.text : body.base64;
  const prefix = body.encoding === 'text' ? '' : '(not UTF-8; in base64) ';
  const size = whole.length > limit || body.cut ? `… (${count(body.size, 'byte')})` : '';
  return `${prefix}${beginning(whole, limit)}${size}`;
}

/** The request and its answer, in one line. */
export function exchangeText(exchange: ExchangeEvidence, bodyLimit: number): string {
  const { request, excerpt } = exchange;
  const body = request.body === undefined ? '' : ` ${bodyText(request.body, bodyLimit)}`;
  const part = excerpt === undefined ? '' : ` · ${placeOf(excerpt)}: ${excerptText(excerpt.text, bodyLimit)}`;
  return `${requestLine(request)}${body} → ${answerLine(exchange, bodyLimit)}${part}`;
}

/** `GET /v1/path?limit=1`, or with the whole URL where its path cannot be told. */
function requestLine({ method, url }: RequestEvidence): string {
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([/?][^#]*)?/i.exec(url)?.[1];
  return `${method} ${excerptText(path ?? url, VALUE_LIMIT)}`;
}

/** Where a part of a body stands, as in `at /3`. */
const placeOf = ({ pointer }: ExcerptEvidence): string => `at ${pointer}`;

/**
 * `200 application/json · [{"id":1}]`, or why there was no response. Where a part of the body is shown apart, and the whole
 * is too long, only its size.
 */
function answerLine({ answer, excerpt }: Pick<ExchangeEvidence, 'answer' | 'excerpt'>, bodyLimit: number): string {
  if (answer.kind === 'no response') return `no response (${answer.code}): ${answer.sentence}`;
  const type = headerValue(answer.headers, 'content-type');
  const head = `${answer.status}${type === undefined ? '' : ` ${excerptText(type, 200)}`}`;
  const isLong = answer.body.cut || answer.body.size > bodyLimit;
  return `${head} · ${excerpt !== undefined && isLong ? count(answer.body.size, 'byte') : bodyText(answer.body, bodyLimit)}`;
}

/** A curl line, which is shown whole or not at all: the beginning of one would send something else. */
function curlText(curl: string, bodyLimit: number): string {
  const isShown = curl.length <= Math.max(VALUE_LIMIT, bodyLimit);
  return isShown ? curl : `(${count(curl.length, 'character')}: see conformance.json)`;
}

/** An exchange other than the one that was judged, in one line. */
function otherExchange(exchange: ExchangeEvidence, options: EvidenceOptions): EvidenceLine[] {
  const label = exchange.role === 'control' ? 'control' : 'before';
  const line = { label, text: exchangeText(exchange, options.bodyLimit) };
  return options.headers
    ? [line, { label: `${label} curl`, text: curlText(exchange.curl, options.bodyLimit) }]
    : [line];
}

/** What was sent to a target that cannot be judged, and what came back. */
export function lookLines({ look = [] }: RunResult, bodyLimit: number): readonly EvidenceLine[] {
  return look.flatMap((exchange) => {
    const { body } = exchange.request;
    return [
      { label: 'sent', text: requestLine(exchange.request) },
      ...(body === undefined ? [] : [{ label: 'body', text: bodyText(body, bodyLimit) }]),
      { label: 'answered', text: answerLine(exchange, bodyLimit) },
    ];
  });
}

/**
 * Everything a person needs to fix the service, line by line: what was sent, what came back, what would have been
 * right, the control, how the input was made smaller, how often it happened, and how to see it again.
 *
 * @param result of the run, where that has written what can be replayed
 */
export function evidenceLines(
  result: Pick<RunResult, 'run' | 'target'> | undefined,
  violation: Violation,
  options: EvidenceOptions,
): readonly EvidenceLine[] {
  const { exchanges, shrunk, frequency, actual, expected } = violation;
  const lines: EvidenceLine[] = [];
  const add = (label: string, text: string) => lines.push({ label, text });
  const addHeaders = (headers: readonly HeaderEvidence[]) => {
    if (options.headers) for (const [name, value] of headers) add('', `${name}: ${excerptText(value, VALUE_LIMIT)}`);
  };
  const judged = exchanges.findLast(({ role }) => role === 'judged') ?? exchanges.at(-1);
  if (judged !== undefined) {
    const { request } = judged;
    add('sent', requestLine(request));
    addHeaders(request.headers);
    if (request.body !== undefined) add('body', bodyText(request.body, options.bodyLimit));
  }
  add('answered', actual);
  if (judged !== undefined) {
    add('', answerLine(judged, options.bodyLimit));
    if (judged.excerpt !== undefined) {
      add(placeOf(judged.excerpt), excerptText(judged.excerpt.text, Math.max(options.bodyLimit, 600)));
    }
    if (judged.answer.kind === 'response') addHeaders(judged.answer.headers);
  }
  add('expected', expected);
  lines.push(...exchanges.filter((other) => other !== judged).flatMap((other) => otherExchange(other, options)));
  if (shrunk !== undefined) {
    const [from, to] = [excerptText(shrunk.from, 300), excerptText(shrunk.to, 300)];
    // Two long texts may differ only in what is cut.
    if (from !== to) add('shrunk', `from ${from} to ${to} in ${count(shrunk.requests, 'request')}`);
  }
  if (frequency !== undefined) {
    add('frequency', rateText(frequency));
  }
  if (judged !== undefined) add('curl', curlText(judged.curl, options.bodyLimit));
  const again = result && replayCommand(result, violation, options.reportDir);
  if (again !== undefined) add('replay', again);
  return lines;
}

/** The violation that shows a cause: the one with the exchange that shows it best, or else the first. */
export function exampleOf({ exchange }: Cause, failed: readonly FailedCheck[]): Violation | undefined {
  const violations = failed.flatMap((one) => one.violations);
  const shows = ({ exchanges }: Violation): boolean =>
    exchanges.some(
      ({ role, curl, sentAt }) => role === 'judged' && curl === exchange?.curl && sentAt === exchange.sentAt,
    );
  return violations.find(shows) ?? violations[0];
}

/** What was sent, what came back, what would have been right, and the commands that show it again. */
export function causeLines(
  result: RunResult,
  cause: Cause,
  failed: readonly FailedCheck[],
  options: EvidenceOptions,
): readonly EvidenceLine[] {
  const example = exampleOf(cause, failed);
  const judged = example?.exchanges.findLast(({ role }) => role === 'judged') ?? cause.exchange;
  if (judged === undefined) return [];
  const again = example && replayCommand(result, example, options.reportDir);
  return [
    { label: 'sent', text: exchangeText(judged, options.bodyLimit) },
    ...(example === undefined ? [] : [{ label: 'expected', text: example.expected }]),
    { label: 'curl', text: curlText(judged.curl, options.bodyLimit) },
    ...(again === undefined ? [] : [{ label: 'replay', text: again }]),
  ];
}

/** The command that sends a recorded failure again; undefined where none was recorded. */
export function replayCommand(
  { run, target }: Pick<RunResult, 'run' | 'target'>,
  { replay }: Violation,
  reportDir: string,
): string | undefined {
  if (replay === undefined) return undefined;
  const baseUrl = target.embedded ? '' : `--base-url ${shellWord(target.baseUrl)} `;
  const reached = (run.reachedWith ?? []).map((option) => ` ${option}`);
  return `${COMMAND} ${baseUrl}--replay ${shellWord(inReportDir(reportDir, replay))}${reached.join('')}`;
}

/** `in 3 of 812 answers` */
function rateText({ violated, judged, operation, of, intermittent }: Frequency): string {
  const counted = count(judged, of === 'samples' ? 'input' : 'answer');
  const rate = `in ${grouped(violated)} of ${counted}${operation === undefined ? '' : ` of ${operation}`}`;
  return intermittent === true ? `intermittent: ${rate}` : rate;
}

/** A failing input in one line: `GET /v1/path?limit=1 → 200 application/json · [] (3 times)`. */
export function inputText({ sent, answered, times }: FailingInput, limit: number): string {
  const often = times === 1 ? '' : ` (${count(times, 'time')})`;
  return `${excerptText(sent, limit)} → ${excerptText(answered, limit)}${often}`;
}

/** A word for a POSIX shell, in quotes only where it needs them. */
export const shellWord = (word: string): string => (/^[\w./:@%+=,-]+$/.test(word) ? word : shellQuote(word));
