/** The head of a response that no client can read, and why. */
export class UnreadableHead extends Error {
  override readonly name = 'UnreadableHead';
}

/** Not 101, after which another protocol follows. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/;
const STATUS_LINE = /^HTTP\/1\.[01] \d{3}[ \r\n]/;
/** Completes the beginning of a status line for the patterns. */
const ANY_STATUS_LINE = 'HTTP/1.1 200 ';
const NOTHING = Buffer.alloc(0);

/**
 * Filters what is received on one connection, in whatever pieces it arrives. Interim responses such as `100 Continue`,
 * which a server may send unasked (RFC 9110, 15.2), are skipped, and heads are normalized for undici, which does not
 * read all that RFC 9112 tells a client to read.
 */
export class ResponseHeads {
  readonly #maxBytes: number;
  /** The part of a head received so far. */
  #held: Buffer = NOTHING;
  #isExpected = false;

  /** @param maxBytes a longer head is passed on as it is */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** A request was sent: what is received next is the head of a response. */
  expectOne(): void {
    this.#isExpected = true;
  }

  /**
   * @returns the bytes to be read on; none while a head is incomplete
   * @throws UnreadableHead
   */
  pass(chunk: Buffer): Buffer {
    if (!this.#isExpected) return chunk;
    let rest: Buffer = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = NOTHING;
    while (startsLikeAHead(rest)) {
      const end = headEnd(rest);
      if (end === undefined) {
        if (rest.length > this.#maxBytes) break;
        this.#held = rest;
        return NOTHING;
      }
      const head = rest.toString('latin1', 0, end);
      rest = rest.subarray(end);
      if (INTERIM.test(head)) continue;
      this.#isExpected = false;
      return Buffer.concat([Buffer.from(normalized(head), 'latin1'), rest]);
    }
    if (rest.length > 0) this.#isExpected = false;
    return rest;
  }
}

/** Whether these bytes may be the beginning of a head. */
function startsLikeAHead(bytes: Buffer): boolean {
  const line = bytes.toString('latin1', 0, ANY_STATUS_LINE.length);
  return line !== '' && STATUS_LINE.test(line + ANY_STATUS_LINE.slice(line.length));
}

/** The position after the empty line that ends a head. A line may end without a carriage return (RFC 9112, 2.2). */
function headEnd(bytes: Buffer): number | undefined {
  const ends = ['\n\r\n', '\n\n'].flatMap((end) => {
    const at = bytes.indexOf(end);
    return at < 0 ? [] : at + end.length;
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** A name as RFC 9110 has it (5.6.2), and a value without control characters but tabs (5.5). */
const HEADER = /^[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*$/;
const LONGEST_EXCERPT = 40;

/**
 * Normalizes a head as RFC 9112 tells a client to read it: continued lines are joined (5.2), blanks after a value are
 * removed (5.1), equal lengths become one (RFC 9110, 8.6), and a length beside a body in chunks is ignored (6.3).
 *
 * @throws UnreadableHead
 */
function normalized(head: string): string {
  const [statusLine = '', ...received] = head.split(/\r?\n/).slice(0, -2);
  const lines: string[] = [];
  for (const line of received) {
    const isContinued = /^[ \t]/.test(line) && lines.length > 0;
    lines.push(isContinued ? `${lines.pop()} ${withoutBlanks(line)}` : withoutBlanks(line));
  }
  const invalid = lines.find((line) => !HEADER.test(line));
  if (invalid !== undefined) {
    const excerpt = JSON.stringify(invalid.slice(0, LONGEST_EXCERPT));
    throw new UnreadableHead(`a line of its head is not a valid header: ${excerpt}`);
  }
  return [statusLine, ...withSingleLength(lines), '', ''].join('\r\n');
}

function withSingleLength(lines: readonly string[]): readonly string[] {
  const named = (name: string): string[] => lines.filter((line) => line.toLowerCase().startsWith(`${name}:`));
  const announced = named('content-length');
  const values = announced.flatMap((line) => line.slice(line.indexOf(':') + 1).split(','));
  const lengths = new Set(values.map((value) => value.trim()));
  const isChunked = named('transfer-encoding').length > 0;
  if (values.length < 2 && !isChunked) return lines;
  if (lengths.size > 1 && !isChunked) {
    throw new UnreadableHead(`it has several values of Content-Length that differ: ${[...lengths].join(' and ')}`);
  }
  const [first] = announced;
  const others = lines.filter((line) => !announced.includes(line));
  return isChunked || first === undefined
    ? others
    : [...others, `${first.slice(0, first.indexOf(':'))}: ${[...lengths]}`];
}

/** Trims blanks and tabs in linear time. */
function withoutBlanks(line: string): string {
  const isBlank = (at: number): boolean => line[at] === ' ' || line[at] === '\t';
  let [start, end] = [0, line.length];
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return line.slice(start, end);
}

const NOTICE = /^(HTTP\/1\.[01] 408[\s\S]*?\r\n)\r\n([\s\S]*)$/;

/** Whether these bytes end with a whole 408 with which a service closes a connection (RFC 9110, 15.5.9), unasked. */
export function endsWithNotice(bytes: Buffer = NOTHING): boolean {
  const [, head = '', body = ''] = NOTICE.exec(bytes.toString('latin1', bytes.lastIndexOf('HTTP/1.'))) ?? [];
  const length = Number(/^content-length: *(\d+)\r$/im.exec(head)?.[1] ?? 0);
  return /^connection: *close\r$/im.test(head) && body.length === length;
}
