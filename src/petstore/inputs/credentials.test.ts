import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Credential } from '../../http/credential.ts';
import {
  credentialNamed,
  inventedKeys,
  KEY_VARIABLE,
  missingKeys,
  NO_KEY,
  nearMisses,
  oneInventedKey,
  otherCases,
  otherSchemes,
  rightKey,
} from './credentials.ts';

/** Keys of many kinds: of one character, of one kind of character, long, with every symbol that a token may hold. */
const KEYS = [
  'Key-For-Tests',
  'a',
  'A',
  'q',
  'Q',
  '7',
  'z',
  '-',
  'qq',
  'qqqq',
  '0000',
  '1234567890',
  'lowercase',
  'UPPERCASE',
  'MiXeD',
  'wrong',
  'admin',
  'null',
  '*',
  'aaaaaaaaaa',
  'abba',
  '-._~+/=',
  'sk_live_51H8xQ2eZvKYlo2C',
  "!#$%&'*+-.^_`|~",
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
];

const authorizations = ({ headers }: Credential): readonly string[] =>
  headers.filter(([name]) => name.toLowerCase() === 'authorization').map(([, value]) => value);

describe.each(KEYS)('beside the key %s', (key) => {
  const invalid = [...missingKeys(), ...inventedKeys(key), ...nearMisses(key), ...otherSchemes(key)];

  test('no other credential is the right one, in any letter case of the scheme', () => {
    for (const credential of invalid) {
      expect(credential.valid, credential.name).toBe(false);
      for (const value of authorizations(credential)) {
        expect(value.replace(/^bearer\s+/i, '').trim() === key && /^bearer\s/i.test(value), credential.name).toBe(
          false,
        );
      }
    }
  });

  test('near misses hold a token that is neither empty nor the key', () => {
    const tokens = nearMisses(key).flatMap(authorizations);
    expect(tokens.length).toBeGreaterThan(8);
    for (const value of tokens) {
      expect(value).toMatch(/^Bearer [^\s]/);
      expect(value.slice('Bearer '.length)).not.toBe(key);
    }
  });

  test('every credential has a name of its own, and can be sent in a header', () => {
    const all = [...invalid, ...otherCases(key)];
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { headers } of all) for (const [, value] of headers) expect(value).toMatch(/^[\x20-\x7e]*$/);
  });

  test('what is shown of a credential holds nothing of the key', () => {
    if (key.length < 5) return;
    for (const { name, shown, shell, shellQuery, shownQuery } of [...invalid, ...otherCases(key)]) {
      if (name === `the key "${key}"`) continue;
      expect(JSON.stringify([shown, shell, shellQuery, shownQuery]), name).not.toContain(key);
    }
  });
});

test('no key is sent as no header, as an empty one, and as a scheme without a token', () => {
  expect(missingKeys().map(authorizations)).toEqual([[], [''], ['Bearer'], ['Bearer ']]);
  expect(missingKeys()[0]).toBe(NO_KEY);
});

test('the scheme in other letter cases carries the right key', () => {
  for (const credential of otherCases('Key-For-Tests')) {
    expect(authorizations(credential)[0]).toMatch(/^[Bb][Ee][Aa][Rr][Ee][Rr] Key-For-Tests$/);
  }
});

test.each(['Key-For-Tests', 'q', '-._~+/=', 'qQ-jJ', KEYS.find(({ length }) => length > 80) ?? ''])(
  'in the shell, each credential beside %s becomes the very header that was sent',
  (key) => {
    const invalid = [...missingKeys(), ...inventedKeys(key), ...nearMisses(key), ...otherSchemes(key)];
    const all = [...invalid, ...otherCases(key)].filter(({ shell }) => shell.length > 0);
    const lines = all.flatMap(({ shell }) => shell.map((line) => `printf '%s\\0' "${line}"`));
    const output = execFileSync('bash', ['--norc', '-c', lines.join('\n')], {
      env: { PATH: process.env['PATH'], PETSTORE_API_KEY: key, LC_ALL: 'C' },
    });
    const sent = all.flatMap(({ headers }) =>
      headers.map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`)),
    );
    const lower = (line: string): string => line.replace(/^[^:;]+/, (name) => name.toLowerCase());
    expect(output.toString().split('\0').slice(0, -1).map(lower)).toEqual(sent.map(lower));
  },
);

test.each(['Key-For-Tests', 'wrong', 'a'])('beside the key %s, every credential is found by its name', (key) => {
  const all = [rightKey(key), ...missingKeys(), ...inventedKeys(key), ...nearMisses(key), ...otherSchemes(key)];
  for (const credential of [...all, ...otherCases(key)]) {
    expect(credentialNamed(credential.name, key)).toEqual(credential);
    expect(credential.valid).toBe(credential.name === 'the right key');
  }
  expect(inventedKeys(key)).toContainEqual(oneInventedKey(key));
  expect(credentialNamed('the key in Klingon', key)).toBeUndefined();
});

test.each(['Key-For-Tests', '-._~+/=', 'it\'s-$HOME`x"\\y!&*+'])(
  'in the shell, the query that holds the key %s becomes the one that was sent',
  (key) => {
    const inQuery = otherSchemes(key).filter(({ query }) => query !== undefined);
    expect(inQuery).toHaveLength(3);
    const lines = inQuery.map(({ shellQuery }) => `printf '%s\\0' "${shellQuery}"`);
    const env = { PATH: process.env['PATH'], [KEY_VARIABLE]: key, LC_ALL: 'C' };
    const output = execFileSync('bash', ['--norc', '-c', lines.join('\n')], { env });
    const decoded = output.toString().split('\0').slice(0, -1).map(decodeURIComponent);
    expect(decoded).toEqual(inQuery.map(({ query = '' }) => decodeURIComponent(query)));
    for (const { shownQuery } of inQuery) expect(shownQuery).toMatch(/^[a-z_]+=\$PETSTORE_API_KEY$/);
  },
);
