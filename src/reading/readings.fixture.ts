import { type Call, create, get, JSON_TYPE, list, PLAIN } from './call.ts';
import type { IdState } from './expected.ts';
import type { Names, Terms } from './fill.ts';
import type { Reading } from './reading.ts';

/**
 * The verdict policy: what a request says, whose requirement says what is right of it, which statuses may answer
 * (`*`: with any body), and what comes of it: what a page may hold, or which id is asked for.
 */
type Row = readonly [
  call: Call | Asked,
  kind: Reading['kind'],
  requirement: string,
  statuses: string,
  means?: string | undefined,
];

interface Asked {
  readonly call: Call;
  readonly idState?: IdState;
  readonly mayBeGone?: boolean;
  readonly categories?: readonly bigint[];
}

export const TERMS: Terms = {
  basePath: '/v1',
  key: 'Pet-1Store_Key',
  agent: 'agent',
  categories: [],
  today: '2026-01-01',
  settleMs: 5_000,
};
/** What the names in its calls stand for. */
export const NAMES: Names = {
  NAME: 'conformance abcde 0001',
  NUMBER: '912340001',
  ID: '12',
  FREE: '700000000',
  COOKIE: 'session=5f2',
};

/** What a row asks, and what is known before it. */
export const askedBy = ([asked]: Row): Required<Asked> => ({
  idState: 'unknown',
  mayBeGone: false,
  categories: [],
  ...('call' in asked ? asked : { call: asked }),
});

const own = (id: string): Asked => ({ call: get(id), idState: 'own' });
const free = (id: string): Asked => ({ call: get(id), idState: 'free' });
const gone = (call: Call, whereabouts: IdState): Asked => ({ call, idState: whereabouts, mayBeGone: true });
const at = (target: string, headers = PLAIN): Call => ({ ...list('', headers), target });
const typed = (type: string, body: string): Call => create(body, [...PLAIN, ['Content-Type', type]]);
const coded = (coding: string, body: string): Call => create(body, [...PLAIN, JSON_TYPE, ['Content-Encoding', coding]]);
const chunked = (body: string): Call => ({ ...create(body), chunkBytes: 7 });
const among = (call: Call): Asked => ({ call, categories: [1n, 2n] });
const under = (call: Call, ...headers: Call['headers']): Call => ({ ...call, headers: [...call.headers, ...headers] });
const accepting = (accept: string, call: Call = list()): Call => ({
  ...call,
  headers: [['Accept', accept], ...call.headers.slice(1)],
});
const WITHOUT_KEY = PLAIN.slice(0, 2);
const keyed = (authorization: string | undefined, call: Call = list()): Call => ({
  ...call,
  headers: [
    ...call.headers.filter(([name]) => name !== 'Authorization'),
    ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
  ],
});
const animal = (name: string, category: string, status = '"sold"'): Call =>
  create(`{"name":${name},"categoryId":${category},"status":${status}}`);

const BODY = '{"name":"$NAME","categoryId":7,"status":"sold"}';
const ANY_PAGE = 'at most 100';

// biome-ignore format: one table
export const READINGS: readonly Row[] = [
  // limit and status as they are specified, in whatever order and escapes
  [list(), 'valid', 'LIST-1', '200', 'at most 20'],
  [at('/pets?'), 'valid', 'LIST-1', '200', 'at most 20'],
  [list('limit=1'), 'valid', 'LIM-1', '200', 'at most 1'],
  [list('limit=100'), 'valid', 'LIM-2', '200', 'at most 100'],
  [list('limit=7'), 'valid', 'LIST-5', '200', 'at most 7'],
  [list('l%69mit=%35'), 'valid', 'LIST-5', '200', 'at most 5'],
  [list('status=sold'), 'valid', 'LIST-6', '200', 'at most 20 sold'],
  [list('st%61tus=%73old'), 'valid', 'LIST-6', '200', 'at most 20 sold'],
  [list('limit=5&status=pending'), 'valid', 'LIST-9', '200', 'at most 5 pending'],
  [list('status=available&limit=100'), 'valid', 'LIST-9', '200', 'at most 100 available'],
  // limit below 1, above 100 or no integer; empty only for a value of 0
  [list('limit=0'), 'open', 'LIST-10', '200 400', 'at most 100, or none'],
  [list('limit=-0'), 'open', 'LIST-10', '200 400', 'at most 100, or none'],
  [list('limit=00'), 'open', 'LIST-10', '200 400', 'at most 100, or none'],
  [list('limit=0.0'), 'open', 'LIST-10', '200 400', 'at most 100, or none'],
  ...['-1', '101', '1000', '2147483648', '9223372036854775808', 'abc', '5abc', '1.5', '0.5', '1e1', '0x10', 'NaN', '-Infinity',
    'null', '1,5', '%EF%BC%95', '%C2%B2', '%D9%A3', '1_0', '5%20or', '5;status=sold'].map((limit): Row => [list(`limit=${limit}`), 'open', 'LIST-10', '200 400', ANY_PAGE]),
  [list('limit=0&status=sold'), 'open', 'LIST-10', '200 400', 'at most 100 sold, or none'],
  [list('limit=1000&status=sold'), 'open', 'LIST-10', '200 400', 'at most 100 sold'],
  [list('limit=abc&status=unknown'), 'open', 'LIST-10', '200 400', 'none'],
  // limit in another spelling, empty or given twice; a & with no parameter
  ...['05', '+5', '%2B5', '5.0', '5.', '%205', '5%20', '', '5&limit=7', '5&limit=5', '5&limit=', 'x&limit=5'].map((limit): Row => [list(`limit=${limit}`), 'open', 'LIST-10', '200 400', ANY_PAGE]),
  [list('limit'), 'open', 'LIST-10', '200 400', ANY_PAGE],
  [list('limit=5&'), 'open', 'LIST-10', '200 400', 'at most 5'],
  [list('&'), 'open', 'LIST-10', '200 400', 'at most 20'],
  [list('&status=sold'), 'open', 'LIST-10', '200 400', 'at most 20 sold'],
  // status outside the enumeration, empty or given twice
  ...['unknown', 'SOLD', 'Sold', '%20sold', 'sold+', 'sold,pending', 'sold%2Cpending', 'sol', '.*', '*', 'constructor', 'toString', '%2573old', 'availableX', 'unsold', '1', 'sold,%20pending'].map(
    (status): Row => [list(`status=${status}`), 'open', 'LIST-11', '200 400', 'none']),
  [list('limit=5&status=unknown'), 'open', 'LIST-11', '200 400', 'none'],
  [list('status='), 'open', 'LIST-11', '200 400', 'at most 20, or none'],
  [list('status=sold&status=pending'), 'open', 'LIST-11', '200 400', 'at most 20 pending or sold, or none'],
  [list('status=sold&status=unknown'), 'open', 'LIST-11', '200 400', 'at most 20 sold, or none'],
  [list('status=&status=sold'), 'open', 'LIST-11', '200 400', 'at most 20, or none'],
  [list('status=x&status=y'), 'open', 'LIST-11', '200 400', 'none'],
  // a parameter that the specification does not name
  [list('limit=5&sort=name'), 'open', 'LIST-5', '200 400', 'at most 5'],
  // control characters, which gateways refuse; no valid URI; too long
  ...['5%00', '5%1f', '%7F5'].map((limit): Row => [list(`limit=${limit}`), 'open', 'LIST-10', '200 4xx*', ANY_PAGE]),
  ...['sold%00', 'sold%0A'].map((status): Row => [list(`status=${status}`), 'open', 'LIST-11', '200 4xx*', 'none']),
  [list('limit=%ZZ'), 'open', 'LIST-10', '200 4xx*', ANY_PAGE],
  [list('limit=5%'), 'open', 'LIST-10', '200 4xx*', ANY_PAGE],
  [list('status=%ZZ'), 'open', 'LIST-11', '200 4xx*', 'none'],
  [list('limit=$TIMES:5000<9>'), 'open', 'LIST-10', '200 4xx*', ANY_PAGE],
  [list('status=$TIMES:5000<x>'), 'open', 'LIST-11', '200 4xx*', 'none'],

  // ids
  [own('12'), 'valid', 'GET-1', '200', 'id 12'],
  [own('%31%32'), 'valid', 'GET-1', '200', 'id 12'],
  [own('-12'), 'valid', 'GET-1', '200', 'id -12'],
  [own('9223372036854775807'), 'valid', 'GET-1', '200', 'id 9223372036854775807'],
  [free('700000000'), 'valid', 'GET-2', '404', 'id 700000000'],
  ...['0', '-1', '1', '9223372036854775806', '-9223372036854775808'].map((id): Row => [get(id), 'valid', 'GET-2', '200 404', `id ${id}`]),
  ...['01', '+1', '1.0', '%2B1', '1%2E00', '0001', '0000000000000000001', '00000000000000000001', `${'0'.repeat(300)}1`, '1.00000000000000000000000000000'].map((id): Row => [own(id), 'open', 'GET-5', '200 400 404', 'id 1']),
  [own('-012'), 'open', 'GET-5', '200 400 404', 'id -12'],
  [own('-0'), 'open', 'GET-5', '200 400 404', 'id 0'],
  [free('01'), 'open', 'GET-5', '400 404', 'id 1'],
  ...['abc', '12abc', '0x1', '1e2', '1.5', '1.00000000000000000001', '9223372036854775808', '-9223372036854775809', '99999999999999999999',
    '09223372036854775808', 'null', '%EF%BC%91', '%D9%A1', '12%20', '%0912', '1,2', '--1', '*', '%22', '1_2', '%2012', '12%C2%B2', '%2531'.replace('%25', 'p')].map((id): Row => [own(id), 'invalid', 'GET-5', /%0/.test(id) ? '4xx*' : '400 404']),
  ...['12%2F', '%2F12'].map((id): Row => [own(id), 'open', 'GET-5', '200 302* 400* 404*', 'id 12']),
  [free('12%2F'), 'open', 'GET-5', '302* 400* 404*', 'id 12'],
  ...['a%2Fb', '%2F12%2F', '12%2F%2F', '1%2F2'].map((id): Row => [own(id), 'invalid', 'GET-5', '302* 400* 404*']),
  ...['..%2F12', '%2E%2E%2F12', '.', '%2E', '12%2F..', 'x%2F..%2F..%2F12'].map((id): Row => [own(id), 'invalid', 'GET-5', '302* 4xx*']),
  ...['12%2F..%2F12', 'x%2F..%2F12', 'x%2F%2E%2E%2F12', '.%2F12', '..%2Fpets%2F12'].map((id): Row => [own(id), 'open', 'GET-5', '200 302* 4xx*', 'id 12']),
  [free('x%2F..%2F12'), 'open', 'GET-5', '302* 4xx*', 'id 12'],
  [{ call: keyed(undefined, get('x%2F..%2F12')), idState: 'own' }, 'invalid', 'AUTH-2', '302* 401 4xx*'],
  ...['12;v=1', '12:', '12&x=1', '12%25', '%2531', '12%3Bv=1', '12%23x', '12%3Fx=1', '12%5C', '12%00', '%FF', '%', '12%ZZ', '12%0A',
    '$TIMES:5000<9>'].map((id): Row => [own(id), 'invalid', 'GET-5', '4xx*']),
  // on and after the day of removal
  [gone(get('12'), 'own'), 'valid', 'GET-1', '200 404 410', 'id 12'],
  [gone(get('12'), 'free'), 'valid', 'GET-2', '404 410', 'id 12'],
  [gone(get('abc'), 'unknown'), 'invalid', 'GET-5', '400 404 410'],
  [gone(list(), 'unknown'), 'valid', 'LIST-1', '200', 'at most 20'],

  // valid bodies
  [create(BODY), 'valid', 'CREATE-1', '201'],
  [create('{"name":"$NAME","categoryId":7}'), 'valid', 'STATE-1', '201'],
  ...['"Rex"', '" "', '"Émile 🐾"', '"<b>\\"\\\\ \'; DROP TABLE"', '"$TIMES:1000<日>"', '"$TIMES:500<🐾>"', '"null"', '"\u00a0"', '"\u{10ffff}\ufffe"'].map(
    (name): Row => [animal(name, '7'), 'valid', 'RES-6', '201']),
  ...['0', '-1', '100', '9007199254740993', '9223372036854775807', '-9223372036854775808'].map((category): Row => [animal('"$NAME"', category), 'valid', 'RES-7', '201']),
  ...['{"categoryId":7,"name":"$NAME"}', '{"name":"$NAME", "categoryId":7}', '\r\n\t {"name":"$NAME","categoryId":7}\n', '{"n\\u0061me":"$NAME","categoryId":7}',
    '{"name":"$NAME \\/ \\ud83d\\udc3e","categoryId":7}'].map((body): Row => [create(body), 'valid', 'CREATE-12', '201']),
  ...['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'application/json; Charset="utf-8"'].map((type): Row => [typed(type, BODY), 'valid', 'CREATE-12', '201']),
  [chunked(BODY), 'valid', 'CREATE-16', '201 411*'],
  [create('{"name":"$NAME"$TIMES:66000< >,"categoryId":7}'), 'valid', 'CREATE-12', '201 413*'],
  [among(create('{"name":"$NAME","categoryId":1,"status":"sold"}')), 'valid', 'CREATE-1', '201'],
  [among(create(BODY)), 'open', 'RES-14', '201 400'],
  // invalid bodies
  [create(undefined), 'invalid', 'CREATE-3', '400'],
  [create(''), 'invalid', 'CREATE-3', '400'],
  [create(undefined, PLAIN), 'invalid', 'CREATE-3', '400 415'],
  [chunked(''), 'invalid', 'CREATE-3', '400 411*'],
  ...['{', '{"name":"$NAME","categoryId":7,}', '{"name":"$NAME","categoryId":7} x', '{"name":"$NAME","categoryId":01}', "{'name':'$NAME','categoryId':7}",
    '{"name":"$NAME","categoryId":7,"x":NaN}', '{"name":"$NAME\t","categoryId":7}', 'name=$NAME&categoryId=7', ' ', '$TIMES:100000<[>'].map(
    (body): Row => [create(body), 'invalid', 'CREATE-4', /100000/.test(body) ? '400 413*' : '400']),
  [chunked('{'), 'invalid', 'CREATE-4', '400 411*'],
  ...['null', '[]', '42', '"x"', `[${BODY}]`, '$TIMES:10000<[>$TIMES:10000<]>'].map((body): Row => [create(body), 'invalid', 'CREATE-8', '400']),
  ...['{}', '{"name":"$NAME"}', '{"categoryId":7}', '{"Name":"$NAME","categoryId":7}', `{"pet":${BODY}}`, '{"name":7}', '{"name":"$NAME","status":"none"}'].map(
    (body): Row => [create(body), 'invalid', 'CREATE-2', '400']),
  ...['null', '7', 'true', '["$NAME"]', '{}'].map((name): Row => [animal(name, '7'), 'invalid', 'CREATE-5', '400']),
  ...['"7"', 'null', '1.5', '1e-1', '9223372036854775808', '9223372036854775808.0', '-9223372036854775809', '1e19', '1e400', 'true', '[7]'].map(
    (category): Row => [animal('"$NAME"', category), 'invalid', 'CREATE-6', '400']),
  ...['"SOLD"', '""', 'null', '"sold "', '1', '["sold"]', '"none"', '0', 'true', '"1"', '"available,sold"', '"pending, sold"', '"xpendingx"', '"unsold"', '"toString"'].map((status): Row => [animal('"$NAME"', '7', status), 'invalid', 'CREATE-7', '400']),
  [animal('null', '"7"', 'null'), 'invalid', 'CREATE-5', '400'],
  [animal('"$NAME"', '"7"', 'null'), 'invalid', 'CREATE-6', '400'],
  [typed('text/plain', '{'), 'invalid', 'CREATE-4', '400 415'],
  [typed('text/plain', '{"name":"$NAME","categoryId":"7"}'), 'invalid', 'CREATE-6', '400 415'],
  [create('{"name":null,"name":7,"categoryId":7}'), 'invalid', 'CREATE-5', '400'],
  // bodies that may be accepted or rejected
  ...['{"x":1,"name":"$NAME","categoryId":7}', '{"name":"$NAME","categoryId":7,"__proto__":{"status":"sold"}}', '{"name":"$NAME","categoryId":7,"x":$TIMES:100<[>$TIMES:100<]>}'].map((body): Row => [create(body), 'open', 'RES-11', '201 400']),
  ...['{"id":$FREE,"name":"$NAME","categoryId":7}', '{"id":null,"name":"$NAME","categoryId":7}'].map((body): Row => [create(body), 'open', 'RES-12', '201 400']),
  ...['1.0', '1e2', '-0', '12300e-2', '9.223372036854775807E+18'].map((category): Row => [animal('"$NAME"', category), 'open', 'RES-13', '201 400']),
  ...['""', '"\\u0000$NAME"', '"$NAME\\u001f"', '"$NAME\u007f"', '"$NAME\u0085"', '"$NAME \\ud83d"', '"$TIMES:1001<n>"', '"$TIMES:501<🐾>"'].map(
    (name): Row => [animal(name, '7'), 'open', 'RES-10', '201 400']),
  ...['{"name":"$NAME","name":"x","categoryId":7}', '{"name":null,"name":"$NAME","categoryId":7}', '{"name":"$NAME","categoryId":7,"categoryId":7}'].map(
    (body): Row => [create(body), 'open', 'CREATE-14', '201 400']),
  ...['\ufeff{"name":"$NAME","categoryId":7}', '{"name":"$NAME $BYTES:e9","categoryId":7}', '$UTF16LE<{"name":"$NAME","categoryId":7}>', '{"name":"$BYTES:eda080","categoryId":7}'].map(
    (body): Row => [create(body), 'open', 'CREATE-17', '201 400']),
  [create(BODY, PLAIN), 'open', 'CREATE-13', '201 400 415'],
  ...['text/plain', 'APPLICATION/JSON', 'application/json; charset=iso-8859-1', 'application/json ; charset=utf-8', 'application/vnd.petstore+json'].map(
    (type): Row => [typed(type, BODY), 'open', 'CREATE-13', '201 400 415']),
  [typed('application/xml', BODY), 'open', 'CREATE-13', '201 400 415*'],
  // multipart without a boundary, which servers answer themselves
  [typed('multipart/form-data', '{'), 'open', 'CREATE-13', '201 4xx*'],
  [typed('multipart/form-data', '{"name":"$NAME","categoryId":"7"}'), 'invalid', 'CREATE-6', '4xx*'],
  [typed('multipart/mixed; charset=utf-8', ''), 'invalid', 'CREATE-3', '4xx*'],
  [typed('multipart/form-data; boundary=x', '{'), 'open', 'CREATE-13', '201 400* 415*'],
  [keyed(undefined, typed('multipart/form-data', BODY)), 'invalid', 'AUTH-2', '401 4xx*'],
  [typed('application/x-www-form-urlencoded', 'name=$NAME&categoryId=7'), 'open', 'CREATE-13', '201 400* 415*'],
  [typed('application/xml', '<pet><name>$NAME</name></pet>'), 'open', 'CREATE-13', '201 400* 415*'],
  [typed('application/yaml', 'name: $NAME'), 'open', 'CREATE-13', '201 400* 415*'],
  [coded('gzip', '$GZIP<{"name":"$NAME","categoryId":7}>'), 'open', 'CREATE-13', '201 4xx*'],
  [coded('br', BODY), 'open', 'CREATE-13', '201 4xx*'],

  // keys
  [keyed('Bearer $KEY'), 'valid', 'LIST-1', '200', 'at most 20'],
  [{ ...list(), headers: [...WITHOUT_KEY, ['aUTHORIZATION', 'Bearer $KEY']] }, 'valid', 'LIST-1', '200', 'at most 20'],
  ...[undefined, '', 'Bearer', 'Bearer ', 'bearer'].map((value): Row => [keyed(value), 'invalid', 'AUTH-2', '401']),
  [keyed(undefined, create(BODY)), 'invalid', 'AUTH-2', '401'],
  [{ call: keyed(undefined, get('12')), idState: 'own' }, 'invalid', 'AUTH-2', '401'],
  ...['Bearer wrong-key-7', 'bearer wrong-key-7', 'Basic d3Jvbmc6a2V5', 'wrong-key-7', 'Bearer null', "Bearer ' OR '1'='1"].map((value): Row => [keyed(value), 'invalid', 'AUTH-3', '401']),
  ...['last-changed', 'without-last', 'in-capitals', 'in-small-letters', 'first-half', 'and-x', 'twice', 'reversed', 'percent'].map(
    (form): Row => [keyed(`Bearer $KEY:${form}`), 'invalid', 'AUTH-4', '401']),
  ...['Bearer $KEY extra', 'Bearer "$KEY"', 'Bearer other,$KEY', 'bearer $KEY:and-x', 'Bearer $KEY $KEY', 'Bearer $KEY,Bearer $KEY'].map((value): Row => [keyed(value), 'invalid', 'AUTH-4', '401']),
  ...['$KEY', 'Token $KEY', 'XBearer $KEY', 'Bearerx $KEY', 'Basic $KEY', 'Bearer$KEY', 'Bearer:$KEY', 'Basic $KEY:basic-user'].map((value): Row => [keyed(value), 'invalid', 'AUTH-5', '401']),
  [under(keyed(undefined), ['X-API-Key', '$KEY']), 'invalid', 'AUTH-5', '401'],
  [under(keyed(undefined), ['Cookie', '$COOKIE']), 'invalid', 'AUTH-2', '401'],
  [under(keyed('Bearer wrong'), ['Cookie', 'token=$KEY']), 'invalid', 'AUTH-5', '401'],
  [keyed(undefined, list('api_key=$KEY:in-query')), 'invalid', 'AUTH-5', '400 401'],
  [keyed(undefined, { ...create(BODY), target: '/pets?access_token=$KEY:in-query' }), 'invalid', 'AUTH-5', '400 401'],
  [keyed(undefined, create('{"name":"$NAME","categoryId":7,"token":"$KEY:in-json"}')), 'invalid', 'AUTH-5', '400 401'],
  [keyed('Bearer $KEY$BYTES:e9'), 'invalid', 'AUTH-4', '401 4xx*'],
  [keyed('Bearer $TIMES:8192<x>'), 'invalid', 'AUTH-3', '401 4xx*'],
  ...['bearer $KEY', 'BEARER $KEY', 'Bearer  $KEY', 'Bearer $KEY '].map((value): Row => [keyed(value), 'open', 'AUTH-8', '200 401']),
  [keyed('Bearer\t$KEY'), 'open', 'AUTH-8', '200 401 4xx*'],
  [keyed('bearer $KEY', create('{}')), 'open', 'AUTH-8', '400 401'],
  [keyed(undefined, create('{')), 'invalid', 'AUTH-9', '400 401'],
  [keyed('Bearer wrong', get('abc')), 'invalid', 'AUTH-9', '400 401 404'],
  [{ call: keyed(undefined, get('12')), idState: 'free' }, 'invalid', 'AUTH-2', '401 404'],
  [keyed(undefined, list('limit=0')), 'invalid', 'AUTH-2', '400 401'],
  [keyed(undefined, typed('text/plain', BODY)), 'invalid', 'AUTH-2', '400 401 415'],
  ...['/PETS', '/pets/', '//pets', '/PETS/12', '//pets/12', '/pets/12/', '/pets//12', '/pets;x', '/pets%3Bx', '/%70ets', '/pet%73/12', '/./pets', '/x/../pets'].map((path): Row => [at(path, WITHOUT_KEY), 'invalid', 'AUTH-2', '200* 201* 302* 401* 4xx*']),

  [{ call: at('/pets/12;x', WITHOUT_KEY), idState: 'own' }, 'invalid', 'AUTH-9', '401 4xx*'],

  // heads
  ...['*/*', 'APPLICATION/JSON', 'text/html, application/json;q=0.5', 'application/json;charset=utf-8, */*', 'text/html,*/*; q=0.8'].map(
    (accept): Row => [accepting(accept), 'valid', 'LIST-1', '200', 'at most 20']),
  ...['text/html', 'application/*', 'image/*', 'application/vnd.petstore+json', 'application/jsonx', 'application/json;charset=utf-8', '*/*;v=1;q=0.5'].map((accept): Row => [accepting(accept), 'valid', 'LIST-1', '200 406*', 'at most 20']),
  [accepting('text/html', create('{')), 'invalid', 'CREATE-4', '400 406*'],
  [{ ...list(), headers: list().headers.slice(1) }, 'valid', 'LIST-1', '200', 'at most 20'],
  [under(list(), ['Range', 'bytes=0-99']), 'valid', 'LIST-1', '200 206*', 'at most 20'],
  [{ call: under(get('12'), ['Range', 'bytes=0-99']), idState: 'own' }, 'valid', 'GET-1', '200 206*', 'id 12'],
  [{ call: under(get('12'), ['Range', 'bytes=0-99']), idState: 'free' }, 'valid', 'GET-2', '404', 'id 12'],
  [under(keyed(undefined), ['Range', 'bytes=0-99']), 'invalid', 'AUTH-2', '401'],
  [under(create(BODY), ['Range', 'bytes=0-99']), 'valid', 'CREATE-1', '201'],
  [under(list(), ['Accept-Language', 'de-DE'], ['X-Requested-With', 'XMLHttpRequest']), 'valid', 'LIST-1', '200', 'at most 20'],
  [under(list(), ['Origin', 'https://shop.example']), 'valid', 'LIST-1', '200 403*', 'at most 20'],
  [under(create(BODY), ['Origin', 'null']), 'valid', 'CREATE-1', '201 403*'],
  [under(list(), ['Accept-Encoding', 'gzip'], ['traceparent', '00-0'], ['If-None-Match', '*'], ['X-Empty', '']), 'valid', 'LIST-1', '200', 'at most 20'],
  [under(list(), ['Content-Type', 'text/plain']), 'valid', 'LIST-1', '200', 'at most 20'],
  [under(list(), ['X-Long', '$TIMES:4000<x>']), 'valid', 'LIST-1', '200 4xx*', 'at most 20'],
  [under(list(), ...Array.from({ length: 25 }, (_, n) => [`X-${n}`, 'x'] as const)), 'valid', 'LIST-1', '200 4xx*', 'at most 20'],
  [under(list(), ['X-Name', 'a\tb']), 'valid', 'LIST-1', '200 4xx*', 'at most 20'],
  [under(list(), ['X-Name', 'caf$BYTES:e9']), 'valid', 'LIST-1', '200 4xx*', 'at most 20'],
];
