/**
 * Removes secrets from what was sent and from what the service said. Structural: evidence is redacted as a whole; in a
 * sentence of ours only what stands in double quotes, which is what the service said; our words, commands and user's
 * paths never, so that no key, be it `petstore-key`, destroys them. Commands are made of names and hold no secret.
 */
import type { BodyEvidence, ExchangeEvidence, Finding, Recorded, RunResult } from './result.ts';

interface Secrets {
  /** The key, and the values of secret headers. */
  readonly secrets: readonly string[];
  /** Wrong keys that were sent and are nearly the key. */
  readonly nearMisses: readonly string[];
}

export interface Redactor {
  /** What was on the wire. */
  readonly evidence: (text: string) => string;
  /** A sentence of ours. */
  readonly sentence: (text: string) => string;
}

/** A near miss that is shorter reveals too little. */
const SHORTEST_NEAR_MISS = 12;
/** A shorter secret may be a part of any word: only as a credential, or as the whole of a text, is it one. */
const SHORTEST_ANYWHERE = 8;

const literal = (text: string): string => text.replace(/[^A-Za-z0-9]/g, (sign) => `\\u${hex(sign.charCodeAt(0), 4)}`);
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const anyCase = (digits: string): string => digits.replace(/[a-f]/g, (one) => `[${one}${one.toUpperCase()}]`);

/** A character as it is, percent-encoded (once or more often), or escaped as JSON, HTML or a shell does it. */
function characterPattern(character: string): string {
  const percent = [...Buffer.from(character, 'utf8')].map((byte) => `%(?:25)*${anyCase(hex(byte, 2))}`).join('');
  const units = character.split('').map((unit) => `\\\\+u${anyCase(hex(unit.charCodeAt(0), 4))}`);
  const code = character.codePointAt(0) ?? 0;
  const reference = `&#(?:0*${code}|[xX]0*${anyCase(hex(code, 1))});`;
  const named = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }[character];
  const slash = /["\\/']/.test(character) ? `\\\\+${literal(character)}` : undefined;
  const blank = character === ' ' ? '\\+' : undefined;
  // What is longer comes first, so that a backslash does not stay behind.
  const forms = [slash, named, reference, units.join(''), percent, literal(character), blank];
  return `(?:${forms.filter(Boolean).join('|')})`;
}

/** The secret in base64 of itself or of anything longer: what the bytes before and after it cannot change. */
function base64Patterns(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((skip) => {
    const encoded = Buffer.concat([Buffer.alloc(skip), bytes]).toString('base64');
    const core = encoded.slice(Math.ceil((skip * 8) / 6), Math.floor(((skip + bytes.length) * 8) / 6));
    const safe = [...core].map((one) => (one === '+' ? '[+-]' : one === '/' ? '[/_]' : one)).join('');
    // The characters at both ends hold bits of it as well.
    return `${skip > 0 ? '[A-Za-z0-9+/_-]?' : ''}${safe}[A-Za-z0-9+/_-]?`;
  });
}

function patternOf(secret: string): RegExp {
  const plain = [...secret].map(characterPattern).join('');
  if (secret.length < SHORTEST_ANYWHERE) return new RegExp(`(?<=^|\\b(?:bearer|basic|token)\\s+)${plain}$`, 'gimu');
  return new RegExp([plain, ...base64Patterns(secret)].join('|'), 'g');
}

/** The functions that remove secrets. Never throws. */
export function createRedactor({ secrets, nearMisses }: Secrets): Redactor {
  const own = new Set(secrets.map((secret) => secret.trim()).filter((secret) => secret !== ''));
  const near = nearMisses.filter((key) => key.length >= SHORTEST_NEAR_MISS && !own.has(key));
  // A near miss may contain the key, and the key a near miss: the longer is looked for first.
  const all = [
    ...[...own].map((text) => ({ length: text.length, pattern: patternOf(text), by: '[redacted]' })),
    ...near.map((text) => ({ length: text.length, pattern: patternOf(text), by: '[redacted near miss]' })),
  ].toSorted((one, other) => other.length - one.length);
  const evidence = (text: string): string => all.reduce((left, { pattern, by }) => left.replace(pattern, by), text);
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
  const exchange = (one: ExchangeEvidence) => redactExchange(one, redactor);
  const finding = (one: Finding): Finding => ({
    ...one,
    says: sentence(one.says),
    violation: sentence(one.violation),
    also: one.also.map(sentence),
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
