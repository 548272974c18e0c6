import { describe, expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

const SECRET = `S3cr3t/K+y="é<&>'x`;
const redact = createRedactor([SECRET]);

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

describe('createRedactor', () => {
  test.each([
    ['plain', SECRET],
    ['lower case', SECRET.toLowerCase()],
    ['upper case', SECRET.toUpperCase()],
    ['encodeURIComponent', encodeURIComponent(SECRET)],
    ['lower hex', encodeURIComponent(SECRET).replace(/%../g, (found) => found.toLowerCase())],
    ['every byte percent-encoded', [...Buffer.from(SECRET)].map((byte) => `%${byte.toString(16)}`).join('')],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
    ['JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['JSON in JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ['JSON with \\/', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
    [
      'JSON, every unit escaped',
      [...SECRET].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    ],
    [
      'JSON, every unit escaped in capitals',
      [...SECRET].map((c) => `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`).join(''),
    ],
    ['HTML', html(SECRET)],
    ['HTML with apos', html(SECRET).replaceAll("'", '&#39;')],
    ['XML with apos', html(SECRET).replaceAll("'", '&apos;')],
    ['decimal references', [...SECRET].map((c) => `&#${c.charCodeAt(0)};`).join('')],
    ['hexadecimal references', [...SECRET].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join('')],
    ['shell', SECRET.replaceAll("'", `'\\''`)],
    ['shell with double quotes', SECRET.replaceAll("'", `'"'"'`)],
    ['a beginning', SECRET.slice(0, Math.ceil(SECRET.length * 0.6))],
    ['an ending', SECRET.slice(Math.floor(SECRET.length * 0.4))],
    ['all but the first character', SECRET.slice(1)],
    ['the middle', SECRET.slice(2, 2 + Math.ceil(SECRET.length * 0.6))],
    ['hexadecimal of an ending', Buffer.from(SECRET.slice(1)).toString('hex')],
  ])('%s', (_form, written) => {
    expect(redact(`key: ${written}, next`)).toBe('key: [redacted], next');
  });

  test.each(['', 'u:', 'us:', 'usr:', ':', 'Bearer ', 'bearer '])('base64 behind %j', (prefix) => {
    for (const suffix of ['', '.', '..', ' tail']) {
      const plain = base64(prefix + SECRET + suffix);
      for (const written of [plain, plain.replace(/=+$/, ''), plain.replaceAll('+', '-').replaceAll('/', '_')]) {
        const shown = redact(`key: ${written}, next`);
        expect(shown).toContain('[redacted]');
        const rest = Buffer.from(shown.replace(/^key: |, next$/g, '').replace('[redacted]', ' '), 'base64').toString(
          'latin1',
        );
        expect(rest).not.toMatch(/3cr|K\+y/);
      }
    }
  });

  test('base64 of a beginning, and of the other letter case', () => {
    expect(redact(base64(SECRET.slice(0, 14)))).toContain('[redacted]');
    expect(redact(base64(`u:${SECRET.toUpperCase()}`))).toContain('[redacted]');
  });

  test('base64 of an ending', () => {
    const shown = redact(base64(`q${SECRET.slice(1)}`));
    expect(shown).toContain('[redacted]');
    expect(shown.length).toBeLessThan('[redacted]'.length + 8);
  });

  test('several in a row, and the text between them is kept', () => {
    expect(redact(`${SECRET}${SECRET} and ${SECRET}`)).toBe('[redacted][redacted] and [redacted]');
  });

  test('a beginning that is too short is not a secret', () => {
    const redactShort = createRedactor(['abcdefghij']);
    expect(redactShort('abcde fghij')).toBe('abcde fghij');
    expect(redactShort('abcdef')).toBe('[redacted]');
  });

  test('the middle of a secret alone is kept, also where it begins with a character of two units', () => {
    const astral = createRedactor(['abcd𝒦fghij']);
    expect(astral('𝒦f abcd𝒦fx, d𝒦fg')).toBe('𝒦f [redacted]x, d𝒦fg');
  });

  test('two secrets with the same beginning are both removed completely', () => {
    const both = createRedactor(['token-abc-1', 'token-abc-2', 'token-abc']);
    expect(both('token-abc-2|token-abc-1|token-abc|token-abc-')).toBe('[redacted]|[redacted]|[redacted]|[redacted]');
  });

  test('a secret that is a form of another is removed in forms that the other does not have', () => {
    const encoded = base64('pets-8fK2-Q7xyz');
    const both = createRedactor(['pets-8fK2-Q7xyz', encoded]);
    expect(both([...encoded].map((c) => `&#${c.charCodeAt(0)};`).join(''))).toBe('[redacted]');
  });

  test('every beginning and ending that reveals a secret is removed where one of its characters is escaped', () => {
    const secret = 'pets-8fK2-Q7x';
    const redactKey = createRedactor([secret]);
    const least = Math.ceil(secret.length * 0.6);
    for (let start = 0; start + least <= secret.length; start += 1) {
      for (let escaped = 0; escaped < least; escaped += 1) {
        const part = secret.slice(start, start + least);
        const code = part.charCodeAt(escaped).toString(16);
        const written = `${part.slice(0, escaped)}%${code}${part.slice(escaped + 1)}`;
        expect(redactKey(`key: ${written}, next`)).toBe('key: [redacted], next');
      }
    }
  });

  test('each character in a spelling of its own, where other secrets are nearly the same', () => {
    const secret = 'pets-8fK2-Q7x';
    const codes = [...secret].map((c) => c.charCodeAt(0).toString(16));
    const percentEncoded = codes.map((code) => `%${code}`).join('');
    const nearly = [
      percentEncoded,
      base64(secret),
      codes.join(''),
      secret.toUpperCase(),
      'pets_8fK2-Q7x',
      'pet-8fK2-Q7x',
    ];
    const redactKeys = createRedactor([secret, ...nearly]);
    const spellings: readonly ((c: string, code: string) => string)[] = [
      (c) => c,
      (_, code) => `%${code}`,
      (_, code) => `%25${code.toUpperCase()}`,
      (_, code) => `\\u00${code}`,
      (c) => `&#${c.charCodeAt(0)};`,
      (_, code) => `&#x${code};`,
    ];
    for (let round = 0; round < 500; round += 1) {
      let state = round * 2_654_435_761;
      const written = [...secret].map((c, at) => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        return spellings[Math.floor(state / 65_536) % spellings.length]?.(c, codes[at] ?? '');
      });
      expect(redactKeys(`at 100%2541 ${written.join('')}, next`)).toBe('at 100%2541 [redacted], next');
    }
  });

  test('a percent sign in the secret', () => {
    const percent = createRedactor(['%25ab%2Fzz']);
    expect(percent('x %25ab%2Fzz y')).toBe('x [redacted] y');
    expect(percent(`x ${encodeURIComponent('%25ab%2Fzz')} y`)).toBe('x [redacted] y');
  });

  test('a short secret is removed only where it is a word of its own', () => {
    const short = createRedactor(['k1']);
    expect(short('Bearer k1, "k1" k12 ak1')).toBe('Bearer [redacted], "[redacted]" k12 ak1');
    expect(short(`Basic ${base64(':k1')}`)).toBe('Basic [redacted]');
    expect(createRedactor(['%41'])('A key, %41')).toBe('A key, [redacted]');
  });

  test('no secret, blank secrets and unusual secrets do no harm', () => {
    expect(createRedactor([])('text')).toBe('text');
    expect(createRedactor(['', '   '])('a   b')).toBe('a   b');
    const unusual = createRedactor(['\ud800\ud800\ud800\ud800xyz', '(.*)+[a-z', '\\', '𝒦𝑒𝓎-🗝️-key', 'x'.repeat(9000)]);
    expect(unusual('plain (.*)+[a-z 𝒦𝑒𝓎-🗝️-key')).toBe('plain [redacted] [redacted]');
    expect(unusual('x'.repeat(9000))).toBe('[redacted]');
    expect(
      unusual(JSON.stringify('𝒦𝑒𝓎-🗝️-key').replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)),
    ).toBe('"[redacted]"');
  });

  test('a megabyte is redacted in linear time', () => {
    const long = createRedactor([SECRET, 'another-secret-of-some-length', 'eyJhbGciOi'.repeat(100)]);
    const text = '{"id":1,"name":"%41\\u0041&amp;","categoryId":12345678901234567890}'.repeat(16_000);
    const quarter = text.slice(0, text.length / 4);
    // Processor time is counted, so that a busy machine makes no difference; of three times, the least disturbed.
    const timeOf = (given: string): number => {
      const times = [1, 2, 3].map(() => {
        const before = process.cpuUsage();
        expect(long(given)).toBe(given);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...times);
    };
    timeOf(quarter);
    // Four times the text takes four times as long; in quadratic time it would be sixteen.
    expect(timeOf(text) / timeOf(quarter)).toBeLessThan(8);
  });
});
