/**
 * Removes secrets from what was sent and from what the service said. Evidence is redacted as a whole. In our own
 * sentences, only what is in double quotes is redacted, as that is what the service said. Our words, commands and the
 * user's paths never are, so that a key such as `petstore-key` does not destroy them; commands contain no secret.
 */
import type { BodyEvidence, ExchangeEvidence, Finding, Recorded, RunResult } from '../result/result.ts';

interface Secrets {
  /** The key, and the values of secret headers. */
  readonly secrets: readonly string[];
  /** Wrong keys that were sent and differ little from the key. */
  readonly nearMisses: readonly string[];
}

interface Redactor {
  /** What was on the wire. */
  readonly evidence: (text: string) => string;
  /** A sentence of ours. */
  readonly sentence: (text: string) => string;
}

/** Shorter near misses reveal too little. */
const SHORTEST_NEAR_MISS = 12;
/** A shorter secret may be part of any word; it is redacted only as a credential, or as a whole text. */
const SHORTEST_ANYWHERE = 8;
/** This many characters of a secret reveal too much, even where a body is cut. */
const REVEALING = 12;

const literal = (text: string): string => text.replace(/[^A-Za-z0-9]/g, (sign) => `\\u${hex(sign.charCodeAt(0), 4)}`);
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const HTML_NAMES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** Patterns, in any letter case, for the ways in which a service may write a character. */
const FORMS: Readonly<Record<string, (character: string) => string>> = {
  'percent-encoded, once or more often': (character) =>
    [...Buffer.from(character)].map((byte) => `%(?:25)*${hex(byte, 2)}`).join(''),
  'code of JSON': (character) => character.replace(/[\s\S]/g, (unit) => `\\\\+u${hex(unit.charCodeAt(0), 4)}`),
  'number in HTML': (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `&#(?:0*${code}|x0*${hex(code, 1)});`;
  },
  'name in HTML': (character) => `&${HTML_NAMES[character] ?? literal(character)};`,
  'form data': (character) => (character === ' ' ? '\\+' : literal(character)),
  'as it is': literal,
};

/** Backslashes, which JSON and shells multiply, in any form. */
const BACKSLASHES = '(?:\\\\+u005c|\\\\|%(?:25)*5c|&#92;)+';

/** The pattern for a character, or for backslashes and the character that follows them. */
function patternOf(piece: string): string {
  const character = piece.replace(/^\\+/, '');
  const before = character !== piece ? BACKSLASHES : /["/']/.test(character) ? `(?:${BACKSLASHES})?` : '';
  const written = character === '' ? [''] : Object.values(FORMS).map((form) => form(character));
  return `${before}(?:${written.join('|')})`;
}

/** A text as consecutive patterns. */
function escapedPatterns(text: string): readonly string[] {
  const pieces = text.match(/\\*[^\\]|\\+$/gu) ?? [];
  const patterns = new Map([...new Set(pieces)].map((piece) => [piece, patternOf(piece)]));
  return pieces.map((piece) => patterns.get(piece) ?? patternOf(piece));
}

/** A text within longer base64, at each of three offsets: the characters that bytes beside it cannot change. */
const base64Patterns = (text: string): readonly (readonly string[])[] =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    const inner = bytes.toString('base64').slice(from, to);
    return [...inner].map((sign) => (sign === '+' ? '[+-]' : sign === '/' ? '[/_]' : sign));
  });

type Remove = (text: string) => string;

/** So many consecutive patterns tell most texts from those that contain all of them. */
const SAMPLE = 4;

/** Whether a text matches a sample of patterns. Successive calls with the same text search it once. */
function quickTest(sample: string): (text: string) => boolean {
  let pattern: RegExp | undefined;
  let [last, isMatch] = ['', false];
  return (text) => {
    pattern ??= new RegExp(sample.replaceAll('\n', ''), 'iu');
    if (text !== last) [last, isMatch] = [text, pattern.test(text)];
    return isMatch;
  };
}

/** Makes a test that every text passes that these patterns match, and hardly any other. */
type QuickTests = (patterns: readonly string[]) => (text: string) => boolean;

/**
 * A text that patterns match also matches their middle and their end. Most wrong keys share one of these with the key,
 * so a few samples exclude most texts, and the patterns of most keys are never compiled, which takes the most time.
 */
function createQuickTests(): QuickTests {
  const tests = new Map<string, (text: string) => boolean>();
  const lines = (patterns: readonly string[]) => `\n${patterns.join('\n')}\n`;
  return (patterns) => {
    const [all, at] = [lines(patterns), Math.floor(patterns.length / 2)];
    const shared = [...tests.keys()].find((sample) => all.includes(sample));
    const samples = [shared ?? lines(patterns.slice(at, at + SAMPLE)), lines(patterns.slice(-SAMPLE))];
    const own = samples.map((sample) => {
      const test = tests.get(sample) ?? quickTest(sample);
      tests.set(sample, test);
      return test;
    });
    return (text) => own.every((test) => test(text));
  };
}

/** How a secret is replaced. */
interface Replacing {
  readonly replacement: string;
  /** Only the first patterns must match. */
  readonly mayBeCut: boolean;
  readonly quickTests: QuickTests;
}

/** Replaces what these patterns match. */
function replacing(patterns: readonly string[], { replacement, mayBeCut, quickTests }: Replacing): Remove {
  const first = patterns.slice(0, REVEALING);
  const mayMatch = quickTests(mayBeCut ? first : patterns);
  let beginning: RegExp | undefined;
  let others: readonly RegExp[] | undefined;
  return (text) => {
    if (!mayMatch(text)) return text;
    // A JWT as one pattern is more than V8 compiles.
    beginning ??= new RegExp(first.join(''), 'giu');
    let [left, end] = ['', 0];
    beginning.lastIndex = 0;
    for (let found = beginning.exec(text); found !== null; found = beginning.exec(text)) {
      let at = beginning.lastIndex;
      others ??= patterns.slice(REVEALING).map((pattern) => new RegExp(pattern, 'yiu'));
      const isWhole = others.every((pattern) => {
        pattern.lastIndex = at;
        const fits = pattern.test(text);
        if (fits) at = pattern.lastIndex;
        return fits;
      });
      const isFound = isWhole || mayBeCut;
      if (isFound) [left, end] = [left + text.slice(end, found.index) + replacement, at];
      // In the middle of a surrogate pair, it would be found again.
      beginning.lastIndex = isFound ? at : found.index + ((text.codePointAt(found.index) ?? 0) > 0xffff ? 2 : 1);
    }
    return left + text.slice(end);
  };
}

/** Removes a secret in any form and case. */
function removing(secret: string, how: Replacing): Remove {
  const { replacement, mayBeCut } = how;
  if (secret.length < SHORTEST_ANYWHERE) {
    const plain = escapedPatterns(secret).join('');
    const pattern = new RegExp(`(?<=^|\\b(?:bearer|basic|token)\\s+)${plain}$`, 'gimu');
    return (text) => text.replace(pattern, replacement);
  }
  // Every form is at least as long as the secret, and most texts are shorter.
  const shortest = mayBeCut ? Math.min(secret.length, REVEALING) : secret.length;
  const texts = [...new Set([secret, JSON.stringify(secret).slice(1, -1)])];
  const forms = () => [escapedPatterns(secret), ...texts.flatMap(base64Patterns)];
  let all: readonly Remove[] | undefined;
  return (text) => {
    if (text.length < shortest) return text;
    all ??= forms().map((patterns) => replacing(patterns, how));
    return all.reduce((left, remove) => remove(left), text);
  };
}

/** Makes the functions that remove secrets. They never throw. */
export function createRedactor({ secrets, nearMisses }: Secrets): Redactor {
  const own = [...new Set(secrets.map((secret) => secret.trim()).filter((secret) => secret !== ''))];
  const near = nearMisses.filter((key) => key.length >= SHORTEST_NEAR_MISS && !own.includes(key));
  // A near miss may contain the key, or the key a near miss: longer ones are replaced first, cut secrets last.
  const whole = [
    ...own.map((secret) => ({ secret, replacement: '[redacted]' })),
    ...near.map((secret) => ({ secret, replacement: '[redacted near miss]' })),
  ].toSorted((a, b) => b.secret.length - a.secret.length);
  const quickTests = createQuickTests();
  // Codes and base64 are other ones for the other letter case, so a body that is cut may show the beginning in that case.
  const startOf = (secret: string): string => secret.slice(0, REVEALING);
  const starts = new Set(own.map((secret) => startOf(secret).toLowerCase()));
  const beginnings = new Map(
    [...near.filter((key) => starts.has(startOf(key).toLowerCase())), ...own].map((key) => [startOf(key), key]),
  );
  const all = [
    ...whole.map(({ secret, replacement }) => removing(secret, { replacement, mayBeCut: false, quickTests })),
    ...[...beginnings.values()].map((key) => removing(key, { replacement: '[redacted]', mayBeCut: true, quickTests })),
  ];
  const long = whole.filter(({ secret }) => secret.length >= SHORTEST_ANYWHERE);
  const evidence: Remove = (text) => {
    // First as they were sent, as a near miss may be the key in another letter case or form.
    const others = long.reduce((left, { secret, replacement }) => left.replaceAll(secret, replacement), text);
    return all.reduce((left, remove) => remove(left), others);
  };
  return { evidence, sentence: (text) => text.replace(/"(?:[^"\\]|\\.)*"/g, evidence) };
}

function redactBody(body: BodyEvidence, { evidence }: Redactor): BodyEvidence {
  if (body.encoding === 'text') {
    const text = evidence(body.text);
    return { ...body, text, wrong: text === body.text ? body.wrong : undefined };
  }
  const bytes = Buffer.from(body.text, 'base64');
  const views = [bytes.toString('latin1'), bytes.toString('utf8'), bytes.toString('utf16le'), body.text];
  if (views.every((view) => evidence(view) === view)) return body;
  return { ...body, encoding: 'text', text: '[redacted]', cut: true };
}

/** An exchange without secrets. */
function redactExchange(exchange: ExchangeEvidence, redactor: Redactor): ExchangeEvidence {
  const { evidence, sentence } = redactor;
  const headers = (all: ExchangeEvidence['request']['headers']) =>
    all.map(([name, value]) => [evidence(name), evidence(value)] as const);
  const { request, answer } = exchange;
  const body = request.body && redactBody(request.body, redactor);
  return {
    ...exchange,
    request: { ...request, target: evidence(request.target), headers: headers(request.headers), body },
    answer:
      'failure' in answer
        ? { ...answer, sentence: sentence(answer.sentence) }
        : { ...answer, headers: headers(answer.headers), body: redactBody(answer.body, redactor) },
  };
}

/** A result without secrets. */
export function redactResult(result: RunResult, redactor: Redactor): RunResult {
  const { evidence, sentence } = redactor;
  const exchange = (given: ExchangeEvidence) => redactExchange(given, redactor);
  const finding = (one: Finding): Finding => ({
    ...one,
    says: sentence(one.says),
    violation: sentence(one.violation),
    also: one.also.map(sentence),
    requests: Object.fromEntries(Object.entries(one.requests).map(([id, request]) => [id, sentence(request)])),
    example: exchange(one.example),
    earlier: one.earlier.map(exchange),
  });
  const recorded = (one: Recorded): Recorded => {
    return { ...one, reading: sentence(one.reading), request: evidence(one.request) };
  };
  const withReason = <T extends { readonly reason?: string | undefined }>(one: T): T =>
    one.reason === undefined ? one : { ...one, reason: sentence(one.reason) };
  return {
    ...result,
    conclusion: sentence(result.conclusion),
    notes: result.notes.map(sentence),
    requirements: result.requirements.map((row) => ({ ...withReason(row), recorded: row.recorded.map(recorded) })),
    findings: result.findings.map(finding),
    preflight: result.preflight?.map(exchange),
    replay: result.replay?.map((one) => ({ ...withReason(one), says: sentence(one.says) })),
  };
}
