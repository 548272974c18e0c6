import type {
  AnswerEvidence,
  ExchangeEvidence,
  HeaderEvidence,
  RequestEvidence,
  RunResult,
  Violation,
} from '../model/result.ts';
import { count, excerptBody, excerptText } from './excerpt.ts';

/** One labelled line of a proof. The text is raw: each report escapes it in its own way. */
export interface ProofLine {
  readonly label: string;
  readonly text: string;
}

export interface ProofOptions {
  /** At most so many characters of each body. */
  readonly bodyLimit: number;
  /** Whether the headers are part of it. */
  readonly headers: boolean;
  /** The folder that the reports stand in, as the user would type it. */
  readonly reportDir: string;
}

/** Longest value other than a body: a URL, a header, a sample. */
const VALUE_LIMIT = 2000;

/** Path and query of a request, which is what differs from one to the next; the whole URL where it cannot be split. */
export function requestTarget(request: RequestEvidence): string {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([/?][^#]*)?/i.exec(request.url);
  return found?.[1] ?? request.url;
}

/** `GET /v1/pets?limit=1`. */
export function requestLine(request: RequestEvidence): string {
  return `${request.method} ${excerptText(requestTarget(request), VALUE_LIMIT)}`;
}

/** The value of the first header of that name in any letter case. */
export function headerValue(headers: readonly HeaderEvidence[], name: string): string | undefined {
  return headers.find(([header]) => header.toLowerCase() === name)?.[1];
}

/** `200 application/json · [{"id":1}]`, or why there was no response. */
export function answerLine(answer: AnswerEvidence, bodyLimit: number): string {
  if (answer.kind === 'no response') return `no response (${answer.code}): ${answer.sentence}`;
  const type = headerValue(answer.headers, 'content-type');
  const head = `${answer.status}${type === undefined ? '' : ` ${excerptText(type, 200)}`}`;
  return `${head} · ${excerptBody(answer.body, bodyLimit)}`;
}

function headerLines(label: string, headers: readonly HeaderEvidence[]): readonly ProofLine[] {
  return headers.map(([name, value]) => ({
    label,
    text: `${name}: ${excerptText(value, VALUE_LIMIT)}`,
  }));
}

/** A shell line that is too long to copy by hand is cut, and says where the whole of it is. */
function shellLine(curl: string): string {
  return curl.length <= VALUE_LIMIT
    ? curl
    : `${excerptText(curl, VALUE_LIMIT)} (the whole line is in conformance.json)`;
}

function besides(exchange: ExchangeEvidence, options: ProofOptions): readonly ProofLine[] {
  const { request, answer } = exchange;
  const body = request.body === undefined ? '' : ` ${excerptBody(request.body, options.bodyLimit)}`;
  const label = exchange.role === 'control' ? 'control' : 'before';
  const line = {
    label,
    text: `${requestLine(request)}${body} → ${answerLine(answer, options.bodyLimit)}`,
  };
  return options.headers ? [line, { label: `${label} curl`, text: shellLine(exchange.curl) }] : [line];
}

function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The command that sends one recorded failure again, from the root of the project. */
export function replayCommand(result: RunResult, replay: string, reportDir: string): string {
  const target = result.target.embedded ? '' : `--base-url ${quoted(result.target.baseUrl)} `;
  const folder = reportDir.replace(/\/+$/, '');
  return `npm test -- ${target}--replay ${quoted(folder === '' ? replay : `${folder}/${replay}`)}`;
}

/** `in 3 of 812 answers`, led by `intermittent` where it comes and goes; undefined where nobody counted. */
function frequencyText(violation: Violation): string | undefined {
  const { frequency } = violation;
  if (frequency === undefined) return undefined;
  const rate = `in ${frequency.violated.toLocaleString('en-GB')} of ${count(frequency.judged, 'answer')}`;
  return frequency.intermittent === true ? `intermittent: ${rate}` : rate;
}

/**
 * All that a person needs to mend the service, line by line: what was sent, what came back, what would have been
 * right, the control, how the sample was made small, how often, and how to see it again.
 */
export function proofLines(result: RunResult, violation: Violation, options: ProofOptions): readonly ProofLine[] {
  const lines: ProofLine[] = [];
  const judged = violation.exchanges.findLast((exchange) => exchange.role === 'judged') ?? violation.exchanges.at(-1);
  if (judged !== undefined) {
    lines.push({ label: 'sent', text: requestLine(judged.request) });
    if (options.headers) lines.push(...headerLines('', judged.request.headers));
    if (judged.request.body !== undefined) {
      lines.push({
        label: 'body',
        text: excerptBody(judged.request.body, options.bodyLimit),
      });
    }
  }
  lines.push({ label: 'answered', text: violation.actual });
  if (judged !== undefined) {
    lines.push({
      label: '',
      text: answerLine(judged.answer, options.bodyLimit),
    });
    if (options.headers && judged.answer.kind === 'response') lines.push(...headerLines('', judged.answer.headers));
  }
  lines.push({ label: 'expected', text: violation.expected });
  for (const exchange of violation.exchanges) if (exchange !== judged) lines.push(...besides(exchange, options));
  if (violation.shrunk !== undefined) {
    const { from, to, requests } = violation.shrunk;
    const text = `from ${excerptText(from, 300)} to ${excerptText(to, 300)} in ${count(requests, 'request')}`;
    lines.push({ label: 'shrunk', text });
  }
  const frequency = frequencyText(violation);
  if (frequency !== undefined) lines.push({ label: 'frequency', text: frequency });
  if (judged !== undefined) lines.push({ label: 'curl', text: shellLine(judged.curl) });
  if (violation.replay !== undefined) {
    lines.push({
      label: 'replay',
      text: replayCommand(result, violation.replay, options.reportDir),
    });
  }
  return lines;
}

/** Where the specification says it: `specification 4.1, 8`. */
export function whereSpecified(source: readonly string[]): string {
  return source.length === 0 ? 'specification' : `specification ${source.join(', ')}`;
}
