/**
 * Names and categories of valid animals as written in a body, names without the quotes of the JSON string. Each must be
 * accepted and returned unchanged. Most revealing first.
 */

export const NAMES = {
  /** Names with the mark of the row; several oddities in one where that hides none. */
  // biome-ignore format: one table
  odd: [
    'Émile $NAME \\"naïve\\" \\\\ 🐾 l\'été <b>&amp;</b>',
    ' $NAME ',
    '\'; DROP TABLE pets; -- $NAME <b>bold</b> &#39; O\'Brien <br/> \' OR \'1\'=\'1',
    'e\u0301 \u212b A\u030a $NAME \u1112\u1161\u11ab \u00e9 \u212a \uf900 a\u0307\u0323',
    '$NAME $TIMES:900<日>',
    '\u{20000} \u{1d11e} 👨‍👩‍👧‍👦 🏳️‍🌈 $NAME 🇩🇪 👍🏽 \u{10ffff} \u{f0000} \ue000',
    '%20%41 $NAME %% 100%s %d %n %0d%0aSet-Cookie %2527 %00 ..%2f',
    '${7*7} {{7*7}} #{7*7} <%= 7*7 %> {% x %} $NAME $(id) `id` ${jndi:ldap://x/a} %{(#a)} ${env:HOME}',
    '=1+1 $NAME =cmd|x',
    'two  blanks   $NAME    x',
    '../../etc/passwd $NAME C:\\\\new\\\\table\\\\..\\\\x php://input /bin/sh file:///etc/hosts',
    '\\\\n \\\\r \\\\u0041 \\\\x00 $NAME \\\\\\\\ \\\\t &#0;',
    '\ufeff$NAME\ufeff',
    '\ufb01 \uff21 \u2460 \u00b2 \u2122 \u00bd \u2116 ｆｕｌｌ $NAME ｶﾞ ㍿ \u00b5',
    'Łódź Ωmega Ж $NAME हिन्दी ไทย 日本語 한국어 Ÿ ž € \u0661\u0662 १२',
    're\u00adx \u200b\u200c\u200d \u2060\u2061\u2063 $NAME so\u00adft\ufe0f \u180e\u115f\u3164\u2800',
    '\ufdd0 \ufffd \ufff9 $NAME \ufffe \uffff \u{e0041}\u{e007f} \u0378 \u{1ffff}',
    'MiXeD $NAME CaSe ÀÉ ΣΑΣ İıŞş ß ẞ ſ ǅ ŉ',
    '$NAME Z\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0328\u0335\u0336a\u034fb \u20dd',
    '\u202e right to left $NAME \u2066שלום\u2069 العربية \u200f\u061c',
    '$NAME\\\\',
    'UNION all SELECT 1,2 information_schema $NAME AND SLEEP(5) xp_cmdshell WAITFOR DELAY benchmark( INTO OUTFILE @@version',
    '\u3000\u2003$NAME\u2009\u3000 \u202f\u180e no\u00a0break',
    '\u2028$NAME\u2029',
    '“$NAME” ‘x’ – — … \u2019 〜 \u2212 ×',
    '{\\"name\\":\\"Rex\\"} $NAME [x] $where {\\"$gt\\":\\"\\"} *)(uid=*',
    'http://example.com/?q=a+b&c=%41#x $NAME a/b/c',
    // What a replacement or a template takes for a reference.
    '$& $1 $$ $NAME $0 \\\\1 {0} %1',
    '$NAME $TIMES:80<a b >x',
  ],

  /** Names that are odd as a whole; the category is the mark of the row. */
  // biome-ignore format: one table
  bare: [
    'null',
    '007',
    '0',
    ' ',
    '2030-12-05T23:30:00+02:00',
    'x',
    '$TIMES:1000<日>',
    'true',
    '1e3',
    '42',
    '__proto__',
    'con',
    '1.0',
    '\\\\N',
    // They differ only in normalization, in letter case, or in the last of 1,000 characters.
    'é',
    'e\u0301',
    'conformance case',
    'conformance CASE',
    '$TIMES:999<n>a',
    '$TIMES:999<n>b',
    // Sizes of common buffers.
    '$TIMES:256<n>',
    '$TIMES:500<🐾>',
    '$TIMES:333<n\\"\\\\>n',
    '2030-12-05T21:30:00.5Z',
    '/Date(1000)/',
    '[1, 2]',
    'no',
    '🐾',
    '\u3000',
    '\\\\',
    '..',
    '\u00ad',
  ],

  /** Each is an int64, where services lose digits, a sign or a bit, or that they use as a special value. */
  // biome-ignore format: one table
  categories: [
    '9007199254740993', '0', '9223372036854775807', '-9223372036854775808', '-1', '9999', '-10', '2147483648', '123456789012', '-9007199254740993',
    '1', '4294967296', '-2147483649', '1234567890123456789', '9007199254740992', '9007199254740995', '9223372036854775806', '-9223372036854775807', '100', '-1000',
    '2147483647', '-2147483648', '4294967295', '9007199254740991', '-9007199254740991', '-1234567890123456789', '999999999999999999', '1000000000000000000', '1000000000', '4611686018427387905',
    '127', '128', '255', '256', '-128', '32767', '32768', '65535', '65536', '-32768', '-999', '-9999', '99', '10', '999999999',
  ],
} as const;
