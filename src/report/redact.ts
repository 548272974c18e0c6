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
  const own = [named, reference, units.join(''), percent, literal(character)].filter(Boolean).join('|');
  // The backslash of JSON or of a shell may be encoded itself.
  const slash = /["\\/']/.test(character) ? `(?:\\\\+u005[cC]|\\\\|%(?:25)*5[cC]|&#92;)+(?:${own})` : undefined;
  const blank = character === ' ' ? '\\+' : undefined;
  // What is longer comes first, so that a backslash does not stay behind.
  return `(?:${[slash, own, blank].filter(Boolean).join('|')})`;
}

/** Where a secret is cut: a JWT as one pattern is more than V8 compiles. After a letter or digit, no form can go on. */
const WHOLE = /[\s\S]{60,}?(?<=[A-Za-z0-9])|[\s\S]+/g;
/** So much of it tells enough, and then character by character. */
const BEGINNING = /^[\s\S]{12}|[\s\S]/gu;

/** A text as patterns, which match one after the other. */
function patternsOf(text: string, cut: RegExp, written: (character: string) => string): readonly string[] {
  return (text.match(cut) ?? []).map((piece) => [...piece].map(written).join(''));
}

/** The secret in base64 of itself or of anything longer: what the bytes before and after it cannot change. */
function base64Patterns(secret: string, cut: RegExp): readonly (readonly string[])[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((skip) => {
    const encoded = Buffer.concat([Buffer.alloc(skip), bytes]).toString('base64');
    const core = encoded.slice(Math.ceil((skip * 8) / 6), Math.floor(((skip + bytes.length) * 8) / 6));
    const safe = patternsOf(core, cut, (one) => (one === '+' ? '[+-]' : one === '/' ? '[/_]' : one));
    // The characters at both ends hold bits of it as well.
    const end = '[A-Za-z0-9+/_-]?';
    return safe.map((piece, at) => (skip > 0 && at === 0 ? end : '') + piece + (at === safe.length - 1 ? end : ''));
  });
}

interface Removal {
  readonly by: string;
  /** Whether its letters may be in the other case. */
  readonly inAnyCase: boolean;
  /** Whether its beginning is enough, such as where a body is cut. */
  readonly begun?: boolean;
}

/** A function that puts `by` in the place of what these patterns match, one after the other. */
function replacing([first = '', ...others]: readonly string[], { by, inAnyCase, begun }: Removal) {
  const flags = inAnyCase ? 'i' : '';
  const head = new RegExp(first, `g${flags}`);
  let rest: readonly RegExp[] | undefined;
  return (text: string): string => {
    let [left, end, from] = ['', 0, 0];
    for (;;) {
      head.lastIndex = from;
      const start = head.exec(text)?.index;
      if (start === undefined) return left + text.slice(end);
      let at = head.lastIndex;
      rest ??= others.map((one) => new RegExp(one, `y${flags}`));
      const isWhole = rest.every((piece) => {
        piece.lastIndex = at;
        const fits = piece.test(text);
        if (fits) at = piece.lastIndex;
        return fits;
      });
      const isFound = isWhole || begun === true;
      if (isFound) [left, end] = [left + text.slice(end, start) + by, at];
      from = isFound ? at : start + 1;
    }
  };
}

/** What removes a secret from a text. */
function removing(secret: string, removal: Removal): (text: string) => string {
  if (secret.length < SHORTEST_ANYWHERE) {
    const plain = [...secret].map(characterPattern).join('');
    const pattern = new RegExp(`(?<=^|\\b(?:bearer|basic|token)\\s+)${plain}$`, 'gimu');
    return (text) => text.replace(pattern, removal.by);
  }
  const cut = removal.begun ? BEGINNING : WHOLE;
  const texts = [...new Set([secret, JSON.stringify(secret).slice(1, -1)])];
  const forms = () => [
    patternsOf(secret, cut, characterPattern),
    ...texts.flatMap((text) => base64Patterns(text, cut)),
  ];
  let all: readonly ((text: string) => string)[] | undefined;
  return (text) => {
    // Every form is at least as long. Most texts are shorter than a secret.
    if (text.length < (removal.begun ? SHORTEST_ANYWHERE : secret.length)) return text;
    all ??= forms().map((form) => replacing(form, removal));
    return all.reduce((left, remove) => remove(left), text);
  };
}

/** The functions that remove secrets. Never throws. */
export function createRedactor({ secrets, nearMisses }: Secrets): Redactor {
  const own = [...new Set(secrets.map((secret) => secret.trim()).filter((secret) => secret !== ''))];
  const near = nearMisses.filter((key) => key.length >= SHORTEST_NEAR_MISS && !own.includes(key));
  // A near miss may contain the key, and the key a near miss: the longer is looked for first, and last what is left.
  const exact = [
    ...own.map((text) => ({ text, by: '[redacted]', inAnyCase: false })),
    ...near.map((text) => ({ text, by: '[redacted near miss]', inAnyCase: true })),
  ].toSorted((one, other) => other.text.length - one.text.length);
  const left = own.map((text) => ({ text, by: '[redacted]', inAnyCase: true, begun: true }));
  const all = [...exact, ...left].map(({ text, ...removal }) => removing(text, removal));
  const evidence = (text: string): string => all.reduce((shown, remove) => remove(shown), text);
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
