/**
 * Removes secrets from what was sent and from what the service said. Evidence is redacted as a whole. In our own
 * sentences, only what is in double quotes is redacted, as that is what the service said. Our words, commands and the
 * user's paths never are, so that a key such as `petstore-key` does not destroy them; commands contain no secret.
 */
import type { BodyEvidence, ExchangeEvidence, Finding, Recorded, RunResult } from './result.ts';

interface Secrets {
  /** The key, and the values of secret headers. */
  readonly secrets: readonly string[];
  /** Wrong keys that were sent and differ little from the key. */
  readonly nearMisses: readonly string[];
}

export interface Redactor {
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

/** A text as consecutive patterns; backslashes belong to the pattern of the character that follows them. */
const escapedPatterns = (text: string): readonly string[] =>
  (text.match(/\\*[^\\]|\\+$/gu) ?? []).map((piece) => {
    const character = piece.replace(/^\\+/, '');
    const before = character !== piece ? BACKSLASHES : /["/']/.test(character) ? `(?:${BACKSLASHES})?` : '';
    const written = character === '' ? [''] : Object.values(FORMS).map((form) => form(character));
    return `${before}(?:${written.join('|')})`;
  });

/** A text within longer base64, at each of three offsets: the characters that bytes beside it cannot change. */
const base64Patterns = (text: string): readonly (readonly string[])[] =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    const inner = bytes.toString('base64').slice(from, to);
    return [...inner].map((sign) => (sign === '+' ? '[+-]' : sign === '/' ? '[/_]' : sign));
  });

type Remove = (text: string) => string;

/** Replaces what these patterns match; if it may be cut, only the first patterns must match. */
function replacing(patterns: readonly string[], replacement: string, mayBeCut: boolean): Remove {
  // A JWT as one pattern is more than V8 compiles.
  const beginning = new RegExp(patterns.slice(0, REVEALING).join(''), 'giu');
  let others: readonly RegExp[] | undefined;
  return (text) => {
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
      beginning.lastIndex = isFound ? at : found.index + 1;
    }
    return left + text.slice(end);
  };
}

/** Removes a secret in any form and case. */
function removing(secret: string, replacement: string, mayBeCut: boolean): Remove {
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
    all ??= forms().map((patterns) => replacing(patterns, replacement, mayBeCut));
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
  const all = [
    ...whole.map(({ secret, replacement }) => removing(secret, replacement, false)),
    ...own.map((secret) => removing(secret, '[redacted]', true)),
  ];
  const evidence: Remove = (text) => {
    // First as they were sent, as a near miss may be the key in another letter case or form.
    const long = whole.filter(({ secret }) => secret.length >= SHORTEST_ANYWHERE);
    const others = long.reduce((left, { secret, replacement }) => left.replaceAll(secret, replacement), text);
    return all.reduce((left, remove) => remove(left), others);
  };
  return { evidence, sentence: (text) => text.replace(/"(?:[^"\\]|\\.)*"/g, evidence) };
}

function redactBody(body: BodyEvidence, { evidence }: Redactor): BodyEvidence {
  if (body.encoding === 'text') return { ...body, text: evidence(body.text) };
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
    replays: result.replays?.map((one) => ({ ...withReason(one), says: sentence(one.says) })),
  };
}
