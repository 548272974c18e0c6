/** Exchanges and findings as labelled lines, which each report escapes and cuts. */
import type { BodyEvidence, ExchangeEvidence, Finding, RunResult } from '../result/result.ts';
import { count, cutAround, duration, excerpt, grouped, shellWord } from '../text.ts';

/** A `command` is to be copied, a `sentence` is our own; all others show what was on the wire. */
type LineKind = 'request' | 'response' | 'header' | 'earlier' | 'sentence' | 'command';

export interface EvidenceLine {
  readonly kind: LineKind;
  readonly label: string;
  readonly text: string;
  readonly body?: BodyEvidence | undefined;
  /** When it was sent, for pages and JUnit. */
  readonly sentAt?: string | undefined;
  /** Shown only in pages, in JUnit and with `--verbose`. */
  readonly isExtra?: boolean | undefined;
}

function headerValue(headers: ExchangeEvidence['request']['headers'], name: string): string | undefined {
  return headers.find(([header]) => header.toLowerCase() === name)?.[1];
}

/** A body in at most `limit` UTF-16 units, cut around what is wrong in it: notes on what was left out, and its pieces. */
export function piecesOf({ encoding, text, bytes, cut, before = 0, wrong }: BodyEvidence, limit: number) {
  const all = { lead: '', before: text, wrong: '', after: '', tail: '' };
  if (bytes === 0) return { ...all, lead: '(empty)' };
  if (encoding === 'base64') {
    const [lead, tail] = ['(not UTF-8; in base64) ', cut || text.length > limit ? ` (${count(bytes, 'byte')})` : ''];
    return { ...all, lead, before: excerpt(text, limit), tail };
  }
  const { from, to } = wrong ?? { from: 0, to: 0 };
  const { text: shown, start } = cutAround(text, { from, to }, limit);
  const left = before + Buffer.byteLength(text.slice(0, start));
  const right = bytes - left - Buffer.byteLength(shown);
  return {
    lead: left === 0 ? '' : `(${count(left, 'byte')} before) …`,
    before: shown.slice(0, from - start),
    wrong: shown.slice(from - start, to - start),
    after: shown.slice(to - start),
    tail: right <= 0 ? '' : `… ${grouped(right)} more ${right === 1 ? 'byte' : 'bytes'}`,
  };
}

export function bodyText(body: BodyEvidence, limit: number): string {
  const { lead, before, wrong, after, tail } = piecesOf(body, limit);
  return `${lead}${before}${wrong}${after}${tail}`;
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
  const location = headerValue(answer.headers, 'location');
  const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
  const type = headerValue(answer.headers, 'content-type') ?? '(no Content-Type)';
  return [answer.status, type, ...(isRedirect ? [`Location: ${location}`] : [])].join(' ');
}

/** What was sent and what came back. */
export function exchangeLines(exchange: ExchangeEvidence): readonly EvidenceLine[] {
  const { request, answer, milliseconds } = exchange;
  const headers = unusualHeaders(exchange).map((text): EvidenceLine => ({ kind: 'header', label: 'header', text }));
  const all = [
    ...request.headers.map(([name, value]) => `> ${name}: ${value}`),
    ...('failure' in answer ? [] : answer.headers.map(([name, value]) => `< ${name}: ${value}`)),
    `after ${duration(milliseconds)}`,
  ];
  return [
    {
      kind: 'request',
      label: 'request',
      text: `${request.method} ${request.target}`,
      body: request.body,
      sentAt: exchange.sentAt,
    },
    ...headers,
    {
      kind: 'response',
      label: 'response',
      text: responseHead(exchange),
      body: 'failure' in answer ? undefined : answer.body,
    },
    { kind: 'header', label: 'headers', text: all.join('\n'), isExtra: true },
  ];
}

/** The most of a request body that is shown in one line. */
const LONGEST_EARLIER = 180;
/** More exchanges that a finding relies on are shown in full reports only. */
const MOST_EARLIER = 2;

/** An exchange that came before, in one line. */
function earlierLine(exchange: ExchangeEvidence, at: number, all: readonly ExchangeEvidence[]): EvidenceLine {
  const { request, answer } = exchange;
  const sent = request.body === undefined ? '' : ` ${bodyText(request.body, LONGEST_EARLIER)}`;
  const head = unusualHeaders(exchange).map((text) => ` ${text.startsWith('(') ? text : `(${text})`}`);
  return {
    kind: 'earlier',
    label: all.length > MOST_EARLIER ? `earlier (${at + 1} of ${all.length})` : 'earlier',
    text: `${request.method} ${request.target}${sent}${head.join('')} → ${responseHead(exchange)}`,
    body: 'failure' in answer ? undefined : answer.body,
    sentAt: exchange.sentAt,
    isExtra: at >= MOST_EARLIER,
  };
}

/** How often a finding was seen: `81 of 410 createPet requests`. */
export function rateOf({ failed, checked, operations, intermittent, passedAgain, seenOnce }: Finding): string {
  const [operation, ...others] = operations;
  const noun = operation === undefined || others.length > 0 ? 'request' : `${operation} request`;
  const rate = `${grouped(failed)} of ${count(checked, noun)}`;
  if (intermittent) return `intermittent: seen in ${rate}`;
  const again = passedAgain
    ? ', but not when sent again'
    : seenOnce
      ? '; these requests alone may not reproduce it'
      : '';
  return `seen in ${rate}${again}`;
}

/** Options that a replay needs too, as they say how the target is reached. */
const REACHING = /^(-H|--header|--ca|--cert|--key|--insecure|--token-file|--request-timeout)\b/;

/** The command that runs again, and says what became of the findings. @param reportDir the folder of the result */
export function replayLine({ run }: RunResult, reportDir: string): EvidenceLine {
  const options = run.options.filter((option) => REACHING.test(option));
  const text = [`npx petstore-conformance --replay ${shellWord(reportDir)}`, ...options].join(' ');
  return { kind: 'command', label: 'replay', text };
}

/** Of how many other requirements a request is shown, except in full reports. */
const MOST_REQUESTS = 2;

/** What a person needs to fix a finding. */
export function findingLines({
  example,
  earlier,
  violation,
  says,
  unusual,
  also,
  requests,
}: Finding): readonly EvidenceLine[] {
  const lines: readonly (EvidenceLine | undefined)[] = [
    ...earlier.map(earlierLine),
    ...exchangeLines(example),
    violation === says ? undefined : { kind: 'sentence', label: 'wrong', text: violation },
    unusual.length === 0 ? undefined : { kind: 'sentence', label: 'unusual', text: unusual.join(' · ') },
    also.length === 0 ? undefined : { kind: 'sentence', label: 'also', text: also.join(' · ') },
    ...Object.entries(requests).map(([id, text], at): EvidenceLine => {
      return { kind: 'sentence', label: id, text: `\`${text}\``, isExtra: at >= MOST_REQUESTS };
    }),
    example.curl === undefined ? undefined : { kind: 'command', label: 'curl', text: example.curl },
  ];
  return lines.flatMap((line) => line ?? []);
}
