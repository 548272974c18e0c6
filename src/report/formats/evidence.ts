import { COMMAND } from '../../package.ts';
import type {
  BodyEvidence,
  ExcerptEvidence,
  ExchangeEvidence,
  HeaderEvidence,
  RequestEvidence,
} from '../model/evidence.ts';
import { inReportDir } from '../model/files.ts';
import { judgedExchange } from '../model/queries.ts';
import type { FailingInput, Frequency, Violation } from '../model/result.ts';
import { beginning, count, excerptText, grouped, printable, shellQuote } from '../model/text.ts';
import type { FoundCause, ReportView } from '../view.ts';

/** One labelled line of the evidence of a violation. The text is raw: each report escapes it in its own way. */
export interface EvidenceLine {
  readonly label: string;
  readonly text: string;
}

interface EvidenceOptions {
  /** The maximum number of characters shown of each body. */
  readonly bodyLimit: number;
  /** Whether the headers are shown. */
  readonly headers?: boolean;
  /** The run, where it has written what can be replayed. */
  readonly view?: ReportView;
}

/** Lines of evidence as text, label by label. */
export const evidenceBlock = (lines: readonly EvidenceLine[], indent: string): string =>
  lines.map(({ label, text }) => `${indent}${label.padEnd(10)} ${printable(text)}`).join('\n');

/** Longest value other than a body: a URL, a header, a command. */
const VALUE_LIMIT = 2000;

/** The value of the first header of that name in any letter case. */
export function headerValue(headers: readonly HeaderEvidence[], name: string): string | undefined {
  return headers.find(([header]) => header.toLowerCase() === name)?.[1];
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

/** `GET /v1/path?limit=1`, or with the whole URL where its path is not known. */
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
export function lookLines({ result: { look = [] } }: ReportView, bodyLimit: number): readonly EvidenceLine[] {
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
 */
export function evidenceLines(violation: Violation, options: EvidenceOptions): readonly EvidenceLine[] {
  const { exchanges, shrunk, frequency, actual, expected } = violation;
  const lines: EvidenceLine[] = [];
  const add = (label: string, text: string) => lines.push({ label, text });
  const addHeaders = (headers: readonly HeaderEvidence[]) => {
    if (options.headers) for (const [name, value] of headers) add('', `${name}: ${excerptText(value, VALUE_LIMIT)}`);
  };
  const judged = judgedExchange(violation) ?? exchanges.at(-1);
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
  if (frequency !== undefined) add('frequency', rateText(frequency));
  if (judged !== undefined) add('curl', curlText(judged.curl, options.bodyLimit));
  return [...lines, ...replayLine(violation, options.view)];
}

/** What was sent, what came back, what would have been right, and the commands that show it again. */
export function causeLines(
  { example, exchange }: FoundCause,
  view: ReportView,
  bodyLimit: number,
): readonly EvidenceLine[] {
  const judged = (example && judgedExchange(example)) ?? exchange;
  if (judged === undefined) return [];
  return [
    { label: 'sent', text: exchangeText(judged, bodyLimit) },
    ...(example === undefined ? [] : [{ label: 'expected', text: example.expected }]),
    { label: 'curl', text: curlText(judged.curl, bodyLimit) },
    ...(example === undefined ? [] : replayLine(example, view)),
  ];
}

/** The command that sends a recorded failure again; none where none was recorded. */
export function replayLine({ replay }: Violation, view: ReportView | undefined): readonly EvidenceLine[] {
  if (replay === undefined || view === undefined) return [];
  const { run, target } = view.result;
  const baseUrl = target.embedded ? '' : `--base-url ${shellWord(target.baseUrl)} `;
  const reached = (run.reachedWith ?? []).map((option) => ` ${option}`);
  const file = shellWord(inReportDir(view.reportDir, replay));
  return [{ label: 'replay', text: `${COMMAND} ${baseUrl}--replay ${file}${reached.join('')}` }];
}

/** `in 3 of the 812 answers that this rule judged` */
function rateText({ violated, judged, operation, of, intermittent }: Frequency): string {
  const ofAnswers = operation === undefined ? 'that this rule judged' : `of ${operation}`;
  const [noun, which] = of === 'samples' ? ['input', 'that this check sent'] : ['answer', ofAnswers];
  const counted = judged === 1 ? `the only ${noun}` : `${grouped(violated)} of the ${count(judged, noun)}`;
  return `${intermittent === true ? 'intermittent: ' : ''}in ${counted} ${which}`;
}

/** A failing input in one line: `GET /v1/path?limit=1 → 200 application/json · [] (3 times)`. */
export function inputText({ sent, answered, times }: FailingInput, limit: number): string {
  const often = times === 1 ? '' : ` (${count(times, 'time')})`;
  return `${excerptText(sent, limit)} → ${excerptText(answered, limit)}${often}`;
}

/** A word for a POSIX shell, in quotes only where it needs them. */
export const shellWord = (word: string): string => (/^[\w./:@%+=,-]+$/.test(word) ? word : shellQuote(word));
