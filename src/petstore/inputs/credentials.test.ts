import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Credential } from '../../http/credential.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { KEY_VARIABLE, type KeyCredential, type KeyRequirement, NO_KEY, rightKey, underHeader } from './credential.ts';
import {
  credentialNamed,
  credentialsByKind,
  everyCredential,
  MOST_CREDENTIAL_BYTES,
  oneInventedKey,
  oneOfEveryKind,
  sizeOf,
} from './credentials.ts';
import { drawnMisses, missesByKind, revealingMisses } from './near-misses.ts';

/** Keys of many kinds: of one character, of one kind of character, long, with every symbol that a token may hold. */
const KEYS = [
  ...['Key-For-Tests', 'a', 'Q', '7', '-', 'qq', '0000', 'wrong', 'admin', 'null', '*', 'aaaaaaaaaa', 'abba'],
  ...['-._~+/=', "!#$%&'*+-.^_`|~", '0f8fad5b-d9cb-469f-a165-70867728950e'],
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV',
];

const authorizations = ({ headers }: Credential): readonly string[] =>
  headers.filter(([name]) => name.toLowerCase() === 'authorization').map(([, value]) => value);

/** Those that belong to a requirement, in the order of their kinds. */
const of = (requirement: KeyRequirement, key: string): readonly KeyCredential[] =>
  everyCredential(key).filter((credential) => credential.requirement === requirement);

const invalidBeside = (key: string): readonly KeyCredential[] =>
  everyCredential(key).filter(({ isOpen }) => isOpen !== true);

describe.each(KEYS)('beside the key %s', (key) => {
  const invalid = invalidBeside(key);

  test('no other credential is the right one, in any letter case of the scheme, and without blanks around it', () => {
    for (const credential of invalid) {
      expect(credential.valid, credential.name).toBe(false);
      for (const value of authorizations(credential)) {
        // Some services trim every blank of Unicode, not those of HTTP alone.
        const token = Buffer.from(value, 'latin1')
          .toString('utf8')
          .replace(/^bearer\s+/i, '')
          .trim();
        expect(/^bearer\s+/i.test(value) && token === key, credential.name).toBe(false);
      }
    }
  });

  test('near misses hold a token that is neither empty nor the key', () => {
    const tokens = Object.values(missesByKind(key)).flat().flatMap(authorizations);
    expect(tokens.length).toBeGreaterThan(30);
    for (const value of tokens) {
      expect(/^Bearer \S/.test(value) && value !== `Bearer ${key}`, value).toBe(true);
    }
  });

  test('every credential has a name of its own, and can be sent in a header', () => {
    const all = everyCredential(key);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    const values = all.flatMap(({ headers }) => headers.map(([, value]) => value));
    expect(values.filter((value) => !/^[\x20-\x7e\x80-\xff\t]*$/.test(value))).toEqual([]);
  });

  test('what is shown of a credential holds nothing of the key', () => {
    if (key.length < 5) return;
    for (const { name, shown, shell, shellQuery, shownQuery } of everyCredential(key)) {
      if (name === `the key "${key}"`) continue;
      expect(JSON.stringify([shown, shell, shellQuery, shownQuery]), name).not.toContain(key);
    }
  });

  test('only the right key with the scheme or the blanks in another form may be accepted', () => {
    const openOnes = everyCredential(key).filter(({ isOpen }) => isOpen === true);
    expect(openOnes).toHaveLength(6);
    for (const credential of openOnes) {
      expect(authorizations(credential)[0]).toMatch(/^bearer[ \t]+/i);
      expect(
        authorizations(credential)[0]
          ?.replace(/^bearer[ \t]+/i, '')
          .trimEnd(),
      ).toBe(key.trimEnd());
      expect(credential).toMatchObject({ valid: false, requirement: 'AUTH-8' });
    }
  });

  test('the credentials of a kind belong to one requirement, but for those that are long or beyond ASCII', () => {
    const mixed = Object.entries(credentialsByKind(key)).filter(
      ([, all]) => new Set(all.map(({ requirement }) => requirement)).size > 1,
    );
    expect(mixed.map(([kind]) => kind)).toEqual(['a long key', 'a huge key', 'bytes beyond ASCII']);
  });
});

test('a typical key has several examples of every kind but those of which there is only one', () => {
  const few = Object.entries(credentialsByKind('Key-For-Tests')).filter(([, all]) => all.length < 2);
  expect(few.map(([kind]) => kind)).toEqual(['none', 'another first character', 'another last character']);
});

describe.each([KEYS[0] ?? '', 'k'.repeat(40), 'k'.repeat(2_000)])('the key in many places at once', (key) => {
  const many = of('AUTH-5', key).filter(({ parts = [] }) => parts.length > 0);

  test('stays short enough to be read', () => {
    expect(many.length).toBeGreaterThanOrEqual(6);
    for (const { headers, query = '' } of many) {
      const size = headers.reduce((total, header) => total + header.join(': ').length, query.length);
      expect(size).toBeLessThan(Math.max(4_000, key.length + 100));
    }
  });

  test('is all of its parts', () => {
    for (const credential of many) {
      const { parts = [], headers, query, name } = credential;
      // A token beside the key stands in the whole, and in each of its parts.
      const own = (one: KeyCredential) => one.headers.filter(([header]) => header !== 'authorization');
      const inHeaders = parts.flatMap(own);
      if (headers[0]?.[0] !== 'cookie') expect(inHeaders, name).toEqual(own(credential));
      if (query !== undefined) expect(parts.map((part) => part.query).join('&')).toBe(query);
      for (const part of parts) expect(credentialNamed(part.name, key)).toEqual(part);
    }
  });
});

test('every header is sent with the bare key, and with a scheme before it', () => {
  const sent = of('AUTH-5', 'k').flatMap(({ headers }) => headers.map(([name, value]) => `${name}: ${value}`));
  for (const name of ['apikey', 'x-api-key', 'authentication', 'x-auth-token']) {
    expect(sent).toEqual(expect.arrayContaining([`${name}: k`, `${name}: Bearer k`]));
  }
});

test('the key in other places is sent without a bearer token, beside a wrong one and beside an empty one', () => {
  const tokens = (which: RegExp) =>
    new Set(of('AUTH-5', 'Key-For-Tests').flatMap((one) => (which.test(one.name) ? [authorizations(one).join()] : [])));
  for (const which of [/many other headers/, /query parameter/]) {
    expect(tokens(which)).toEqual(new Set(['', 'Bearer wrong', 'Bearer ']));
  }
});

test('each place of a key is changed, and each mark of ASCII stands beside it', () => {
  const key = 'aB3+E-fG7hJ_';
  const tokens = Object.values(drawnMisses(key)).flat().flatMap(authorizations);
  for (const place of key.split('').keys()) {
    const isElsewhere = (letter: string, at: number): boolean => at === place || letter === key[at];
    const changed = tokens.filter((token) => [...token.slice('Bearer '.length)].every(isElsewhere));
    expect(changed.length, `${place}`).toBeGreaterThan(0);
  }
  expect(tokens).toEqual(expect.arrayContaining(['Bearer aB3-E-fG7hJ_', 'Bearer aB3+E-fG7hJ/', `Bearer ${key}@x`]));
});

test.each([17, 2_900, 6_000, 7_900])(
  'beside a key of %d characters, no credential is long but where that is its point',
  (length) => {
    const key = 'Ab3-'.repeat(length / 4 + 1).slice(0, length);
    const most = Math.max(MOST_CREDENTIAL_BYTES, sizeOf(rightKey(key)) + 64);
    const longer = everyCredential(key).filter((credential) => sizeOf(credential) > most);
    expect(longer.map(({ name }) => name)).toEqual([
      'a key of 8,192 characters',
      'the key, filled up to 8,192 characters',
      'a key of 70,000 characters',
    ]);
    expect(Object.values(credentialsByKind(key)).filter((all) => all.length === 0).length).toBeLessThan(5);
  },
);

test('one of every kind is invalid, and they stand for all requirements', () => {
  const all = oneOfEveryKind('Key-For-Tests');
  expect(all).toHaveLength(Object.keys(credentialsByKind('Key-For-Tests')).length - 2);
  expect(new Set(all.map(({ requirement }) => requirement))).toEqual(new Set(['AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5']));
});

test('the header of a credential can be written in another letter case, and no other header', () => {
  expect(underHeader('AUTHORIZATION', rightKey('k'))).toMatchObject({
    headers: [['AUTHORIZATION', 'Bearer k']],
    shown: [['AUTHORIZATION', 'Bearer $PETSTORE_API_KEY']],
    shell: [['AUTHORIZATION', 'Bearer $PETSTORE_API_KEY']],
  });
  for (const credential of [NO_KEY, ...of('AUTH-5', 'k')].filter((one) => authorizations(one).length === 0)) {
    expect(underHeader('AUTHORIZATION', credential)).toEqual(credential);
  }
});

test('nothing that gives the key away is left in a report, when the service repeats what it was sent', () => {
  const key = 'aB3dE-fG7hJ_kL9m';
  const redact = createRedactor([key, ...revealingMisses(key)]);
  for (const { headers, name } of invalidBeside(key)) {
    for (const [, value] of headers) {
      const left = redact(value);
      for (let at = 0; at + 6 <= key.length; at += 1) {
        const part = key.slice(at, at + 6);
        expect(left.includes(part) || left.includes([...part].reverse().join('')), `${name}: ${left}`).toBe(false);
      }
    }
  }
});

test('no key is sent as no header, as an empty one, and as a scheme without a token', () => {
  const missing = of('AUTH-2', 'Key-For-Tests');
  expect(missing.map(authorizations)).toEqual([[], [''], ['Bearer'], ['Bearer '], ['bearer']]);
  expect(missing[0]).toBe(NO_KEY);
});

test('the scheme in other letter cases carries the right key', () => {
  const kind = credentialsByKind('Key-For-Tests')['the scheme in another letter case'] ?? [];
  expect(kind.flatMap(authorizations)).toEqual(
    ['bearer', 'BEARER', 'bEaReR'].map((scheme) => `${scheme} Key-For-Tests`),
  );
});

/** Stands for the program in bash: repeats the name that it was given, in angle brackets. */
const PROGRAM = `petstore-conformance() { [ "$1" = key ] && printf '<%s>' "$2"; }`;

/** What bash makes of texts between double quotes, in Latin-1. */
function inBash(texts: readonly string[], key: string): readonly string[] {
  const lines = [PROGRAM, ...texts.map((text) => `printf '%s\\0' "${text}"`)];
  const env = { PATH: process.env['PATH'], [KEY_VARIABLE]: key };
  const output = execFileSync('bash', ['--norc'], { input: lines.join('\n'), env });
  return output.toString('latin1').split('\0').slice(0, -1);
}

/** What the only header, or the query, of the credential of a name holds; any text but such a name as it is. */
function sentFor(text: string, key: string): string {
  const [, name] = /^<(.*)>$/.exec(text) ?? [];
  if (name === undefined) return text;
  const { headers = [], query } = credentialNamed(name, key) ?? {};
  expect(headers.length + (query === undefined ? 0 : 1), name).toBe(1);
  return query ?? headers[0]?.[1] ?? '';
}

const LONG_KEY = KEYS.find(({ length }) => length > 80) ?? '';

test.each(['Key-For-Tests', 'q', '-._~+/=', 'qQ-jJ', 'it\'s-$HOME`x"\\y!&*+', 'Schl\u00fcssel-7', LONG_KEY])(
  'in bash, each credential beside %s becomes the very headers and the query that were sent',
  (key) => {
    const all = [rightKey(key), ...everyCredential(key)];
    const texts = (headers: KeyCredential['headers'], query: string | undefined): readonly string[] => [
      ...headers.map(([, value]) => value),
      ...(query === undefined ? [] : [query]),
    ];
    const shown = all.flatMap(({ shell, shellQuery }) => texts(shell, shellQuery));
    expect(inBash(shown, key).map((text) => sentFor(text, key))).toEqual(
      all.flatMap(({ headers, query }) => texts(headers, query)),
    );
    const names = (headers: KeyCredential['headers']) => headers.map(([name]) => name.toLowerCase());
    expect(all.map(({ shell }) => names(shell))).toEqual(all.map(({ headers }) => names(headers)));
  },
);

test.each<readonly [name: string, shown: string]>([
  ['the right key', 'Bearer $PETSTORE_API_KEY'],
  ['the key in X-API-Key', '$PETSTORE_API_KEY'],
  ['the key and one more character', 'Bearer ${PETSTORE_API_KEY}x'],
  ['the key in the cookie token', 'token=$PETSTORE_API_KEY'],
  ['the key "invalid-key"', 'Bearer invalid-key'],
  ['Bearer and a space without a key', 'Bearer '],
  ["the key \"' OR '1'='1\"", "Bearer ' OR '1'='1"],
  ...[
    'the key in upper case',
    'the key with its last character doubled',
    'the key after ! and before !',
    'a key of 8,192 characters',
  ].map((name) => [name, `$(petstore-conformance key '${name}')`] as const),
])('a curl line has %s as %s', (name, shown) => {
  expect(credentialNamed(name, 'Key-For-Tests')?.shell.map(([, value]) => value)).toEqual([shown]);
});

test('a curl line has a key beyond ASCII by its name: the variable holds other bytes than are sent', () => {
  expect(rightKey('Schl\u00fcssel').shell).toEqual([['Authorization', "$(petstore-conformance key 'the right key')"]]);
});

test.each(['Key-For-Tests', 'wrong', 'a'])('beside the key %s, every credential is found by its name', (key) => {
  for (const credential of [rightKey(key), ...everyCredential(key)]) {
    expect(credentialNamed(credential.name, key)).toEqual(credential);
    expect(credential.valid).toBe(credential.name === 'the right key');
  }
  expect(of('AUTH-3', key)).toContainEqual(oneInventedKey(key));
  expect(credentialNamed('the key in Klingon', key)).toBeUndefined();
});

const WITH_VARIABLE = /^(?:(?:^|&)[\w-]+=(?:Bearer%20)?\$PETSTORE_API_KEY)+$/;

test.each([
  ['Key-For-Tests', WITH_VARIABLE],
  ['-._~+/=', /^\$\(petstore-conformance key 'the key in the query parameter [^']*'\)$/],
])('of the key %s in a query, a curl line has the variable only where nothing of it is encoded', (key, shown) => {
  const inQuery = of('AUTH-5', key).filter(({ query }) => query !== undefined);
  expect(inQuery).toHaveLength(7);
  for (const { shellQuery, shownQuery } of inQuery) {
    expect(shellQuery).toMatch(shown);
    expect(shownQuery).toMatch(WITH_VARIABLE);
  }
});
