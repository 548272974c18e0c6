import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INT64_MAX, INT64_MIN } from './exact-integer.ts';
import { integerAt, type Json, type NotJson, readJson } from './json.ts';
import { scanJson, spanAt, stringIn } from './json-scanner.ts';
import { isAllIn, readWritten } from './written-json.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function parsed(text: string): Json {
  const result = readJson(bytesOf(text));
  if (result.kind !== 'json') throw new Error(result.sentence);
  return result;
}

function rejected(body: string | Uint8Array): NotJson {
  const result = readJson(typeof body === 'string' ? bytesOf(body) : body);
  if (result.kind !== 'not json') throw new Error(`the body is ${result.kind}`);
  return result;
}

describe('integers', () => {
  // biome-ignore format: one table
  it.each([
    ['0', 0n], ['-0', 0n], ['1.0', 1n], ['1e3', 1000n], ['1E+2', 100n], ['120e-1', 12n], ['0e999999999', 0n],
    ['9007199254740991', 9007199254740991n], ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n], ['9007199254740993.0', 9007199254740993n],
    ['900719925474099.3e1', 9007199254740993n], ['9223372036854775807', INT64_MAX],
    ['9.223372036854775807e18', INT64_MAX], ['9223372036854775807000e-3', INT64_MAX],
    ['-9223372036854775808', INT64_MIN], ['9223372036854775808', INT64_MAX + 1n],
    ['-9223372036854775809', INT64_MIN - 1n], ['9e18', 9_000_000_000_000_000_000n], ['1e30', 10n ** 30n],
  ])('%s is the integer %s', (literal, integer) => {
    expect(integerAt(parsed(literal), '')).toBe(integer);
    expect(integerAt(parsed(`[{"a": ${literal}}]`), '/0/a')).toBe(integer);
  });

  // biome-ignore format: one table
  it.each([
    '1.5', '1e-3', '1.00000000000000001', '9007199254740993.5', '99999999999999.999', '1e-400', '0.1e-999999999',
  ])('%s is no integer, whatever the double nearest to it', (literal) => {
    expect(integerAt(parsed(literal), '')).toBeUndefined();
  });

  it.each(['1e999999999', '-1e999999999', '1e99999999999999999999999999', `1${'0'.repeat(5_000)}`])(
    '%# an integer out of the range of a double is not written out',
    (literal) => {
      const json = parsed(`{"id":${literal}}`);
      expect(json.exact.size).toBe(0);
      expect(integerAt(json, '/id')).toBeUndefined();
    },
  );

  it('long literals take time in proportion to their length', () => {
    const zeros = '0'.repeat(200_000);
    expect(integerAt(parsed(`1${zeros}e-200000`), '')).toBe(1n);
    expect(integerAt(parsed(`0.${zeros}1`), '')).toBeUndefined();
    expect(integerAt(parsed(`[1.${zeros}, 9007199254740993]`), '/0')).toBe(1n);
  });

  it('every int64 comes out digit by digit, in a tree as well', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), { maxLength: 20 }), (integers) => {
        const json = parsed(`{"a/b~c": [${integers.join(', ')}]}`);
        expect(integers.map((_, index) => integerAt(json, `/a~1b~0c/${index}`))).toEqual(integers);
      }),
      { seed: 1729, numRuns: 100 },
    );
  });

  it('holds exactly only what a double cannot', () => {
    const json = parsed('[1, 9007199254740993, "9007199254740995", {"id": -9223372036854775808, "n": 1.25}]');
    expect([...json.exact].sort()).toEqual([
      ['/1', 9007199254740993n],
      ['/3/id', INT64_MIN],
    ]);
  });

  it('there is none where the pointer names no number', () => {
    const json = parsed('{"a": "1", "b": null, "c": [1], "d": true}');
    for (const pointer of ['', '/a', '/b', '/c', '/c/1', '/c/00', '/c/length', '/d', '/e', '/toString', '/b/x']) {
      expect(integerAt(json, pointer), pointer).toBeUndefined();
    }
    expect(integerAt(json, '/c/0')).toBe(1n);
  });
});

describe('values', () => {
  it('are those of JSON.parse for every JSON text', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parsed(text).value).toEqual(JSON.parse(text));
      }),
      { seed: 1729, numRuns: 200 },
    );
  });

  it('keep lone surrogates, NUL and a member named __proto__', () => {
    expect(parsed('"\\ud800"').value).toBe('\ud800');
    expect(parsed('"\\u0000"').value).toBe('\0');
    const json = parsed('{"__proto__": {"id": 9007199254740993}}');
    expect(integerAt(json, '/__proto__/id')).toBe(9007199254740993n);
    expect(integerAt(json, '/id')).toBeUndefined();
  });

  it('may be surrounded by any white space of JSON', () => {
    expect(parsed(' \t\r\n{ "a" :\n1 } \n').value).toEqual({ a: 1 });
  });
});

describe('bodies that are not strict JSON', () => {
  it('an empty body', () => {
    expect(rejected('')).toMatchObject({ code: 'empty-body' });
  });

  it('a byte order mark', () => {
    expect(rejected(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d))).toMatchObject({ code: 'byte-order-mark' });
    expect(rejected(Uint8Array.of(0xff, 0xfe, 0x7b, 0x00))).toMatchObject({ code: 'not-utf8' });
  });

  it('a byte order mark inside a string is a character like any other', () => {
    expect(parsed('"\ufeff"').value).toBe('\ufeff');
  });

  it.each([
    ['a byte of Latin-1', [0x22, 0x6b, 0xe9, 0x22], 'byte 3 (E9)'],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22], 'byte 2 (C0)'],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 'byte 2 (ED)'],
    [
      'a bad byte after a replacement character',
      [0x22, 0xef, 0xbf, 0xbd, 0xc3, 0xa9, 0xff, 0x22],
      'byte 7 (FF) begins no character.',
    ],
    ['a body that ends inside a character', [0x22, 0xc3], 'after byte 2'],
  ])('%s', (_, bytes, place) => {
    const { code, sentence } = rejected(Uint8Array.from(bytes));
    expect(code).toBe('not-utf8');
    expect(sentence).toContain(place);
  });

  it.each([
    ['{"a":1,}', 'at character 8.'],
    ['[1,]', 'at character 4.'],
    ["{'a':1}", 'at character 2.'],
    ['{"a":01}', 'at character 7.'],
    ['[.5]', 'at character 2.'],
    ['[+1]', 'at character 2.'],
    ['[NaN]', 'at character 2.'],
    ['// note\n{}', 'it begins with "// note\\n{}".'],
    ['{} {}', 'at character 4.'],
    ['["a\nb"]', 'at character 4.'],
    ['["\\x41"]', 'at character 3.'],
    ['<!doctype html>', 'it begins with "<!doctype html>".'],
    ['{"name":"Rex"', 'is cut off after character 13'],
    ['  \n', 'only white space'],
    ['\u00a0{}', 'it begins with'],
  ])('%j', (text, words) => {
    const { code, sentence } = rejected(text);
    expect(code).toBe('not-json');
    expect(sentence).toContain(words);
  });

  it('what is quoted is short and shows control characters', () => {
    expect(rejected(`["\u0007"]`).sentence).toContain('unexpected "\\u0007" at character 3.');
    expect(rejected('x'.repeat(500)).sentence).toContain(`it begins with "${'x'.repeat(60)}…".`);
  });

  it('a member that is given twice with different values, where integers are read exactly', () => {
    const { code, sentence } = rejected('[{"id": 9007199254740993, "name": "a", "name": "b"}]');
    expect(code).toBe('repeated-member');
    expect(sentence).toBe('The member "name" is given twice with different values, at character 40.');
  });

  it('a member that is given twice with different values, also among small numbers and deep inside', () => {
    expect(rejected('{"id": 1, "id": 2}').sentence).toMatch(/^The member "id" is given twice/);
    expect(rejected('[{"id":1},{"id":2,"more":{"a":[{"b":1,"b" : 2}]}}]').sentence).toMatch(/^The member "b"/);
  });

  it('but not one that is given twice with the same value, or that only seems to be', () => {
    expect(parsed('{"id":1,"id":1}').value).toEqual({ id: 1 });
    expect(parsed('{"a":"\\"a\\":1","b":"\\\\"}').value).toEqual({ a: '"a":1', b: '\\' });
  });

  it.each([50_000, 400_000])('no depth of nesting crashes: %i', (depth) => {
    const deep = `${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`;
    const tooMany = 'the body has over 320,000 values, which is too many to read';
    const result = readJson(bytesOf(deep));
    expect(result.kind === 'json' ? [] : [result.sentence]).toEqual(depth > 320_000 ? [tooMany] : []);
    expect(['not json', 'unread']).toContain(readJson(bytesOf('['.repeat(depth))).kind);
    expect(['json', 'unread']).toContain(readJson(bytesOf(`${'['.repeat(depth)}${']'.repeat(depth)}`)).kind);
  });

  it('arbitrary bytes are never an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(['json', 'not json', 'unread']).toContain(readJson(bytes).kind);
      }),
      { seed: 1729, numRuns: 300 },
    );
  });
});

it('a number beyond a double is read exactly beside what is nested deeply', () => {
  const deep = `${'{"a":['.repeat(20_000)}"]"${']}'.repeat(20_000)}`;
  const json = readJson(
    new TextEncoder().encode(`{"id":9223372036854775807,"deep":${deep},"status":-9007199254740993}`),
  );
  if (json.kind !== 'json') throw new Error(json.sentence);
  expect(integerAt(json, '/id')).toBe(9223372036854775807n);
  expect(integerAt(json, '/status')).toBe(-9007199254740993n);
});

describe('an object as it is written', () => {
  it('has all values of its members, also those of a member that is given twice', () => {
    const text = '{ "a" : 1.0 , "b":[1, {"a":7}],"\\u0061":"\\u0061" }';
    const { members, repeatsMembers } = readWritten(text);
    expect([...(members ?? [])]).toEqual([
      ['a', ['1.0', '"\\u0061"']],
      ['b', ['[1, {"a":7}]']],
    ]);
    expect(repeatsMembers).toBe(true);
  });

  it('repeats a member where an object in it does', () => {
    expect(readWritten('{"a":[{"b":1,"b":1}]}')).toMatchObject({ repeatsMembers: true, contradiction: undefined });
    expect(readWritten('{"a":{"b":1},"b":1}')).toMatchObject({ repeatsMembers: false });
  });

  it.each(['[{"a":1}]', '"a"', '1'])('is none in %s', (text) => {
    expect(readWritten(text).members).toBeUndefined();
  });

  it('has strings by what they mean', () => {
    expect(['"a"', '"\\u0061"', '""', 'null', '1'].map(stringIn)).toEqual(['a', 'a', '', undefined, undefined]);
  });
});

it('strings and nesting of any length have their spans', () => {
  for (const text of [`["${'\\n'.repeat(400_000)}"]`, `[${'['.repeat(50_000)}${']'.repeat(50_000)}]`])
    expect(scanJson(text)).toMatchObject({ from: 0, to: text.length, parts: [{ key: '0', from: 1 }] });
  const spans = scanJson('{"a":[1, {"b~/c" : "x"}]}');
  if (typeof spans === 'number') throw new Error('it is JSON');
  expect(spanAt(spans, '/a/1/b~0~1c')).toEqual({ from: 19, to: 22 });
  expect(spanAt(spans, '/a/1/missing')).toMatchObject({ from: 9, to: 23 });
});

// biome-ignore format: one table
it.each([
  '{"a":1,"a":1}', '{"a" :1,"a":":b"}', '{"a":[{"b":1,"b":2}]}', '{"a":9007199254740993}', '{"\\u0061":1}',
  '{"a":":"}',
])('of %s, JSON.parse may have lost something', (text) => expect(isAllIn(JSON.parse(text), text)).toBe(false));

it('of a usual page, JSON.parse has lost nothing', () => {
  const text = '[{"id":1,"name":"Rex {2}, [3]","categoryId":-7,"status":"sold"},{"id":2,"tags":[],"more":{"a":null}}]';
  expect(isAllIn(JSON.parse(text), text)).toBe(true);
});
