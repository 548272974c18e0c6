import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import { KEY, type Reply, type Rig, startRig } from './client.fixture.ts';
import { findVariant } from './index.ts';
import type { ReferenceOptions } from './server.ts';

const started = (name: string, options: Partial<ReferenceOptions> = {}): Promise<Rig> =>
  startRig({ variants: [findVariant(name)].flatMap((variant) => variant ?? []), ...options });

/** Starts a variant for as long as something is done with it. */
async function using<Result>(name: string, act: (rig: Rig) => Promise<Result>, options?: Partial<ReferenceOptions>) {
  const rig = await started(name, options);
  try {
    return await act(rig);
  } finally {
    await rig.stop();
  }
}

const list = (query: string) => (rig: Rig) => rig.send(`/pets${query}`);
const get = (id: string) => (rig: Rig) => rig.send(`/pets/${id}`);
const add =
  (body: string | Buffer, mediaType = 'application/json') =>
  (rig: Rig) =>
    rig.send('/pets', { method: 'POST', body, headers: mediaType === '' ? {} : { 'content-type': mediaType } });
const withKey = (authorization: string, path: string) => (rig: Rig) => rig.send(path, { headers: { authorization } });
const unauthorized = (path: string) => withKey('', path);
const addUnauthorized = (body: string) => (rig: Rig) =>
  rig.send('/pets', { method: 'POST', body, headers: { authorization: '' } });
/** A list, or a createPet where there is a body, with headers. */
const sending = (headers: Readonly<Record<string, string>>, body?: string | Buffer) => (rig: Rig) =>
  body === undefined
    ? rig.send('/pets', { headers })
    : rig.send('/pets', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
const coded =
  (coding: string, path = '/pets') =>
  (rig: Rig) =>
    rig.send(path, { headers: { 'accept-encoding': coding } });

const holding = (count: number) => ({ status: 200, body: { length: count } });
const ids = (...of: readonly number[]) => ({ body: of.map((id) => expect.objectContaining({ id: BigInt(id) })) });
const withStatus = (status: number) => ({ status });
const page = (status: number) => ({ status, text: expect.stringContaining('<html>') });
const nothing = (status: number) => ({ status, text: '' });
const FORM = 'application/x-www-form-urlencoded';
const created = (members: object) => ({ status: 201, body: members });
const animal = (members: string) => `{"name":"a","categoryId":1${members}}`;
const named = (name: string) => `{"name":${name},"categoryId":1}`;

/** A list of all animals after two more were added, numbers 6 and 7; the first of these has a name of that length. */
const withLongName = (length: number) => async (rig: Rig) => {
  await add(named(`"${'x'.repeat(length)}"`))(rig);
  await add(animal(''))(rig);
  return rig.send('/pets?limit=100');
};
const sevenListed = withLongName(1);

/** A variant, a request, and what its response shows; by default there are 5 animals. */
const SHOWN: readonly (readonly [string, (rig: Rig) => Promise<Reply>, object])[] = [
  ['limits-below-clamped-above-refused', list('?limit=0'), holding(1)],
  ['limits-below-clamped-above-refused', list('?limit=101'), withStatus(400)],
  ['limits-below-clamped-above-refused', list('?limit=x'), withStatus(400)],
  ['limits-below-refused-above-clamped', list('?limit=0'), withStatus(400)],
  ['limits-below-refused-above-clamped', list('?limit=101'), holding(5)],
  ['limits-below-ignored-above-clamped', list('?limit=-3'), holding(5)],
  ['limits-below-ignored-above-clamped', list('?limit=x'), withStatus(400)],
  ['limits-words-ignored-numbers-refused', list('?limit=x'), holding(5)],
  ['limits-words-ignored-numbers-refused', list('?limit=0'), withStatus(400)],
  ['limits-odd-give-100', list('?limit=0'), holding(5)],
  ['limits-odd-give-1', list('?limit=1000'), holding(1)],
  ['limits-by-their-first-digits', list('?limit=3abc'), holding(3)],
  ['limits-as-doubles', list('?limit=0x2'), holding(2)],
  ['limits-as-doubles', list('?limit=2.9'), holding(2)],
  ['limits-as-doubles', list('?limit=x'), withStatus(400)],
  ['limits-of-32-bits', list('?limit=2147483648'), withStatus(400)],
  ['limits-of-32-bits', list('?limit=-1'), holding(1)],
  ['limits-in-other-spellings-read', list('?limit=%2B03.0'), holding(3)],
  ['limits-with-zeros-before-refused', list('?limit=05'), withStatus(400)],
  ['limits-in-odd-spellings-ignored', list('?limit=03'), holding(5)],
  ['limit-empty-as-absent', list('?limit='), holding(5)],
  ['limit-twice-last-counts', list('?limit=2&limit=3'), holding(3)],
  ['limit-twice-smallest-counts', list('?limit=3&limit=2'), holding(2)],
  ['limit-twice-largest-counts', list('?limit=2&limit=3'), holding(3)],
  ['limit-twice-refused', list('?limit=2&limit=2'), withStatus(400)],
  ['status-in-other-case-refused-others-give-nothing', list('?status=SOLD'), withStatus(400)],
  ['status-in-other-case-refused-others-give-nothing', list('?status=x'), holding(0)],
  ['status-words-refused-other-case-gives-nothing', list('?status=%20Sold'), holding(0)],
  ['status-words-refused-other-case-gives-nothing', list('?status=x'), withStatus(400)],
  ['status-lists-refused-words-give-nothing', list('?status=sold,pending'), withStatus(400)],
  ['status-lists-refused-words-give-nothing', list('?status=x'), holding(0)],
  ['status-unknown-gives-nothing-and-limits-clamped', list('?status=x&limit=0'), holding(0)],
  ['status-unknown-gives-nothing-and-limits-clamped', list('?status=pending&limit=0'), holding(1)],
  ['status-empty-as-absent', list('?status='), holding(5)],
  ['status-empty-gives-nothing', list('?status='), holding(0)],
  ['status-and-limit-empty-as-absent', list('?status=&limit='), holding(5)],
  ['status-twice-last-counts', list('?status=sold&status=pending'), holding(2)],
  ['status-twice-first-counts-empty-as-absent', list('?status=sold&status=pending'), holding(1)],
  ['status-twice-first-counts-empty-as-absent', list('?status=&status=pending'), holding(5)],
  ['status-twice-refused', list('?status=sold&status=sold'), withStatus(400)],
  ['status-twice-either', list('?status=sold&status=pending'), holding(3)],
  ['status-twice-either', list('?status=sold&status=pending&limit=2'), holding(2)],
  ['status-twice-known-one-counts', list('?status=x&status=pending'), holding(2)],
  ['malformed-encoding-refused-before-key', unauthorized('/pets?status=%ZZ'), withStatus(400)],
  ['malformed-encoding-answered-404', list('?status=%ZZ'), withStatus(404)],
  ['unknown-parameters-refused', list('?sort=name'), withStatus(400)],
  ['unknown-parameters-refused', list('?st%61tus=sold'), withStatus(200)],
  ['unknown-parameters-refused-before-key', unauthorized('/pets?api_key=k'), withStatus(400)],
  ['ids-in-other-spellings-read', get('01.0'), { status: 200, body: { id: 1n } }],
  ['ids-with-sign-or-zeros-read-words-refused', get('+1'), { status: 200, body: { id: 1n } }],
  ['ids-with-sign-or-zeros-read-words-refused', get('1.0'), withStatus(400)],
  ['slashes-beside-ids-merged', get('%2F1'), { status: 200, body: { id: 1n } }],
  ['slashes-beside-ids-merged', get('1%2f'), { status: 200, body: { id: 1n } }],
  ['slashes-beside-ids-merged', get('%2F1%2F'), withStatus(404)],
  ['slashes-beside-ids-merged', unauthorized('/pets/%2F1'), withStatus(401)],
  ['slashes-beside-ids-redirected', get('%2F1'), { status: 308, headers: { location: '/v1/pets/1' } }],
  [
    'slashes-beside-ids-redirected-without-a-body',
    get('1%2F'),
    { ...nothing(302), headers: { location: '/v1/pets/1' } },
  ],
  ['zeros-before-ids-ignored', get(`${'0'.repeat(40)}1`), { status: 200, body: { id: 1n } }],
  ['zeros-before-ids-ignored', get('00'), withStatus(404)],
  ['slashes-and-zeros-beside-ids-ignored', get('%2F001'), { status: 200, body: { id: 1n } }],
  ['refuses-with-400-whatever-it-may', list('?limit=05'), withStatus(400)],
  ['refuses-with-400-whatever-it-may', get('01'), withStatus(400)],
  ['refuses-with-400-whatever-it-may', addUnauthorized('{'), withStatus(400)],
  ['refuses-with-400-whatever-it-may', add(animal(''), ''), withStatus(400)],
  ['refuses-with-400-whatever-it-may', add(animal(''), 'application/json;charset="UTF-8"'), withStatus(201)],
  ['accepts-whatever-it-may', list('?limit=x&status='), holding(5)],
  ['accepts-whatever-it-may', list('?status=x'), holding(0)],
  ['accepts-whatever-it-may', get('%2F0001'), { status: 200, body: { id: 1n } }],
  ['accepts-whatever-it-may', add(animal(',"categoryId":2'), 'text/plain'), created({ categoryId: 2n })],
  ['ids-words-refused-large-not-found', get('x'), withStatus(400)],
  ['ids-words-refused-large-not-found', get('9'.repeat(30)), withStatus(404)],
  ['ids-large-refused-words-not-found', get('9'.repeat(30)), withStatus(400)],
  ['ids-large-refused-words-not-found', get('x'), withStatus(404)],
  ['ids-not-int64-refused-before-key', unauthorized('/pets/x'), withStatus(400)],
  ['unknown-ids-not-found-before-key', unauthorized('/pets/99'), withStatus(404)],
  ['unknown-ids-not-found-before-key', unauthorized('/pets/1'), withStatus(401)],

  ['duplicates-first-counts', add('{"name":"a","name":"b","categoryId":1}'), created({ name: 'a' })],
  ['duplicates-refused-even-if-equal', add(animal(',"x":[{"y":1,"y":1}]')), withStatus(400)],
  ['duplicates-refused-even-if-equal', add(animal(',"x":{"name":"name","y":{"name":1}}')), withStatus(201)],
  ['byte-order-mark-skipped', add(`\ufeff${animal('')}`), withStatus(201)],
  ['not-utf8-replaced', add(Buffer.from(named('"\xe9"'), 'latin1')), created({ name: '\ufffd' })],
  ['not-utf8-read-as-latin1', add(Buffer.from(named('"\xe9"'), 'latin1')), created({ name: 'é' })],
  ['not-utf8-read-as-latin1', add(named('"é"')), created({ name: 'é' })],
  ['names-empty-refused', add(named('""')), withStatus(400)],
  ['names-with-nul-refused', add(named('"\\u0000"')), withStatus(400)],
  ['names-with-nul-refused', add(named('"\\u0001"')), withStatus(201)],
  ['names-with-control-characters-refused', add(named('"\\t"')), withStatus(400)],
  ['names-over-1000-units-refused', add(named(`"${'😀'.repeat(501)}"`)), withStatus(400)],
  ['names-over-1000-units-refused', add(named(`"${'😀'.repeat(500)}"`)), withStatus(201)],
  ['names-over-4000-bytes-refused', add(named(`"${'x'.repeat(4001)}"`)), withStatus(400)],
  ['names-with-lone-surrogates-refused', add(named('"\\ud800"')), withStatus(400)],
  ['names-with-lone-surrogates-refused', add(named('"\\ud83d\\ude00"')), withStatus(201)],
  ['names-lose-lone-surrogates', add(named('"\\ud800"')), created({ name: '?' })],
  ['integers-with-exponent-refused', add('{"name":"a","categoryId":1e2}'), withStatus(400)],
  ['integers-with-exponent-refused', add('{"name":"a","categoryId":1.0}'), withStatus(201)],
  ['integers-with-fraction-refused', add('{"name":"a","categoryId":1.0}'), withStatus(400)],
  ['integers-with-fraction-refused', add('{"name":"a","categoryId":1E+2}'), withStatus(201)],
  ['minus-zero-refused', add('{"name":"a","categoryId":-0}'), withStatus(400)],
  ['minus-zero-refused', add('{"name":"a","categoryId":-10}'), withStatus(201)],
  ['unknown-members-echoed', add(animal(',"x":[1,{"y":null}]')), created({ x: [1n, { y: null }] })],
  ['unknown-members-echoed-once', add(animal(',"x":1')), created({ x: 1n })],
  ['unknown-members-kept-together', add(animal(',"x":1')), created({ metadata: { x: 1n } })],
  ['unknown-members-with-objects-refused', add(animal(',"x":{}')), withStatus(400)],
  ['unknown-members-with-objects-refused', add(animal(',"x":null')), withStatus(201)],
  ['client-id-kept-as-reference', add(animal(',"id":3')), created({ id: 6n, clientReference: 3n })],
  ['media-type-missing-answered-400', add(animal(''), ''), withStatus(400)],
  ['media-type-missing-answered-400', add(animal(''), 'text/plain'), withStatus(415)],
  ['media-type-other-answered-400', add(animal(''), 'text/plain'), withStatus(400)],
  ['media-type-other-answered-400', add(animal(''), ''), withStatus(201)],
  ['media-type-in-small-letters-only', add(animal(''), 'Application/json'), withStatus(415)],
  ['media-type-in-small-letters-only', add(animal(''), 'application/json;Charset=UTF-8'), withStatus(201)],
  ['media-type-any-json', add(animal(''), 'application/vnd.api+json'), withStatus(201)],
  ['media-type-any-json', add(animal(''), 'text/plain'), withStatus(415)],
  ['limit-twice-ignored', list('?limit=2&limit=3'), holding(5)],
  ['limit-twice-gives-100', list('?limit=2&limit=3'), holding(5)],
  ['limit-twice-gives-100', list('?limit=0'), withStatus(400)],
  ['limit-0-gives-nothing', list('?limit=-0.0'), holding(0)],
  ['limit-0-gives-nothing', list('?limit=0&status=sold'), holding(0)],
  ['limit-0-gives-nothing', list('?limit=0&status=x'), withStatus(400)],
  ['limit-0-gives-nothing', list('?limit='), withStatus(400)],
  ['limit-0-beside-status-empty', list('?limit=0&status=sold'), holding(0)],
  ['limit-0-beside-status-empty', list('?limit=0'), withStatus(400)],
  ['ids-in-other-spellings-read', get('0000000000000000001'), withStatus(200)],
  ['ids-in-other-spellings-read', get('00000000000000000001'), withStatus(404)],
  ['ids-from-zero-in-other-spellings-read', get('-0'), { status: 200, body: { id: 0n } }],
  ['names-with-c1-controls-refused', add(named('"\\u0085"')), withStatus(400)],
  ['names-with-c1-controls-refused', add(named('"\\t"')), withStatus(201)],
  ['large-heads-answered-431-without-a-body', sending({ x: 'x'.repeat(4000) }), nothing(431)],
  ['long-addresses-answered-414-with-a-page', get('1'.repeat(4000)), page(414)],
  ['long-addresses-answered-414-with-a-page', sending({ x: 'x'.repeat(4000) }), withStatus(200)],
  ['post-from-another-origin-answered-403', sending({ origin: 'null' }, animal('')), withStatus(403)],
  ['post-from-another-origin-answered-403', sending({ origin: 'null' }), withStatus(200)],
  ['getpet-with-origin-answered-403', (rig) => rig.send('/pets/1', { headers: { origin: 'null' } }), withStatus(403)],
  ['origins-answered-403-with-a-page', sending({ origin: 'null' }), page(403)],
  ['origins-answered-403-without-a-body', sending({ origin: 'null' }), nothing(403)],
  ['accept-without-json-answered-406', sending({ accept: 'text/html, application/problem+json' }), withStatus(406)],
  ['accept-without-json-answered-406', sending({ accept: 'text/html, application/*;q=0.1' }), withStatus(200)],
  ['accept-of-ranges-answered-406', sending({ accept: 'application/*, text/html' }), withStatus(406)],
  ['accept-of-ranges-answered-406', sending({ accept: 'application/*, */*;q=0.1' }), withStatus(200)],
  ['accept-of-ranges-answered-406-without-a-body', sending({ accept: 'application/*' }), nothing(406)],
  ['tabs-in-headers-answered-400-with-a-page', sending({ 'x-note': 'a\tb' }), page(400)],
  ['accept-without-json-answered-406-with-a-page', sending({ accept: 'text/html' }), page(406)],
  ['accept-without-json-answered-406-with-a-page', sending({ accept: 'text/html, */*;q=0.8' }), withStatus(200)],
  ['characters-of-paths-answered-400-with-a-page', get('1;v=1'), page(400)],
  ['characters-of-paths-answered-400-with-a-page', get('1%3Bv=1'), withStatus(404)],
  ['escapes-of-paths-answered-403-without-a-body', get('%2531'), nothing(403)],
  ['escapes-of-paths-answered-403-without-a-body', get('%31'), withStatus(200)],
  ['escapes-of-paths-answered-421-with-a-page', get('1%5C'), page(421)],
  ['dot-segments-answered-403-with-a-page', get('..%2F1'), page(403)],
  ['dot-segments-answered-403-with-a-page', get('1%2F'), withStatus(404)],
  ['paths-not-utf8-answered-400-with-a-page', get('%FF'), page(400)],
  ['bodies-above-64-kib-answered-413-with-a-page', add(animal(' '.repeat(70_000))), page(413)],
  ['bodies-above-64-kib-answered-413-with-a-page', add(animal(' '.repeat(60_000))), withStatus(201)],
  ['bodies-above-64-kib-answered-413-without-a-body', add(animal(' '.repeat(70_000))), nothing(413)],
  ['blank-before-semicolon-answered-415', add(animal(''), 'application/json ; charset=utf-8'), withStatus(415)],
  ['blank-before-semicolon-answered-415', add(animal(''), 'application/json; charset=utf-8'), withStatus(201)],
  ['blank-before-semicolon-answered-400', add(animal(''), 'application/json ; charset=utf-8'), withStatus(400)],
  ['other-charsets-answered-415', add(animal(''), 'application/json; charset=iso-8859-1'), withStatus(415)],
  ['other-charsets-answered-415', add(animal(''), 'application/json; charset="UTF-8"'), withStatus(201)],
  ['forms-read', add('name=Rex+2&categoryId=7&status=sold', FORM), created({ name: 'Rex 2', categoryId: 7n })],
  ['forms-read', add('name=Rex&categoryId=7'), withStatus(400)],
  ['forms-read', add('name=Rex', FORM), withStatus(400)],
  ['other-formats-answered-415-with-a-page', add('name=Rex&categoryId=7', FORM), page(415)],
  ['other-formats-answered-415-with-a-page', add(animal(''), FORM), { ...withStatus(415), body: { status: 415n } }],
  ['other-formats-answered-400-without-a-body', add('<pet/>', 'text/xml'), nothing(400)],
  ['coded-bodies-decoded', sending({ 'content-encoding': 'gzip' }, gzipSync(animal(''))), withStatus(201)],
  ['coded-bodies-decoded', sending({ 'content-encoding': 'gzip' }, animal('')), withStatus(400)],
  ['coded-bodies-answered-403-with-a-page', sending({ 'content-encoding': 'gzip' }, animal('')), page(403)],
  ['coded-bodies-answered-422-without-a-body', sending({ 'content-encoding': 'gzip' }, animal('')), nothing(422)],
  ['content-encoding-ignored', sending({ 'content-encoding': 'gzip' }, animal('')), withStatus(201)],
  ['media-type-after-body', add('{', 'text/plain'), withStatus(400)],
  ['media-type-after-body', add(animal(''), 'text/plain'), withStatus(415)],
  ['omitted-status-pending', add(animal('')), created({ status: 'pending' })],
  ['omitted-status-sold', add(animal('')), created({ status: 'sold' })],
  ['omitted-status-sold', add(animal(',"status":"pending"')), created({ status: 'pending' })],
  ['omitted-status-by-name', add(named('"aa"')), created({ status: 'sold' })],
  ['omitted-status-by-name', add(named('"aaa"')), { text: '{"id":6,"name":"aaa","categoryId":1}' }],
  ['missing-body-before-key', addUnauthorized(''), withStatus(400)],
  ['missing-body-before-key', addUnauthorized('{'), withStatus(401)],
  ['malformed-body-before-key', addUnauthorized('{'), withStatus(400)],
  ['malformed-body-before-key', addUnauthorized('{}'), withStatus(401)],
  ['answered-by-a-gate', withKey(`Bearer ${'k'.repeat(4_000)}`, '/pets'), withStatus(400)],
  ['answered-by-a-gate', get('%00'), { status: 400, text: '<h1>Bad Request</h1>' }],
  ...[400, 431].map((status): [string, (rig: Rig) => Promise<Reply>, object] => [
    `keys-of-8-kb-answered-${status}`,
    withKey(`Bearer ${'k'.repeat(8192)}`, '/pets'),
    withStatus(status),
  ]),
  ['keys-of-8-kb-answered-431', withKey(`Bearer ${'k'.repeat(8191)}`, '/pets'), withStatus(401)],
  ['bearer-with-one-blank-only', withKey(`Bearer  ${KEY}`, '/pets'), withStatus(401)],
  ['bearer-with-one-blank-only', withKey(`BEARER ${KEY}`, '/pets'), withStatus(200)],
  ['bearer-capitalized-or-small', withKey(`BEARER ${KEY}`, '/pets'), withStatus(401)],
  ['bearer-capitalized-or-small', withKey(`bearer ${KEY}`, '/pets'), withStatus(200)],
  ['strictest-of-all', add(animal(',"x":1')), withStatus(400)],
  ['strictest-of-all', add(animal(''), 'application/json; charset="utf-8"'), withStatus(201)],
  ['most-lenient-of-all', add('\ufeff{"name":"a","name":"b","categoryId":1}', 'text/plain'), created({ name: 'b' })],

  ['by-name', list(''), ids(1, 5, 3, 2, 4)],
  ['by-category-descending', list('?limit=2'), ids(5, 4)],
  ['by-hash-of-id', list(''), holding(5)],
  ['by-id-as-text', list('?limit=3'), ids(1, 2, 3)],
  ['by-status', list(''), ids(3, 5, 4, 2, 1)],
  ['rotating', list('?limit=2'), ids(2, 3)],
  ['order-by-limit', list('?limit=100'), ids(1, 2, 3, 4, 5)],
  ['filtered-lists-in-other-order', list('?status=pending'), ids(2, 5)],
  ['pages-of-3', list(''), holding(3)],
  ['pages-of-50', list('?limit=100'), holding(50)],
  ['pages-of-half-the-limit', list('?limit=5'), holding(3)],
  ['pages-shorter-with-filter', list('?limit=2&status=pending'), holding(2)],
  ['pages-of-600-bytes', list('?limit=2'), ids(5, 4)],
  ['pages-of-2-kb-of-150', list(''), holding(20)],
  ['pages-of-2-kb-of-150', list('?limit=100'), { text: expect.stringMatching(/^.{1930,2000}$/s) }],
  ['window-of-40-then-filter', list('?status=sold&limit=100'), holding(13)],
  ['window-of-limit-then-filter', list('?status=sold&limit=1'), ids(3)],
  ['window-of-limit-then-filter', list('?status=sold&limit=7'), ids(3, 6)],
  ['pages-of-5-oldest-first', sevenListed, ids(1, 2, 3, 4, 5)],
  ['pages-of-5-by-chance', sevenListed, holding(5)],
  ['pages-end-at-1-kb', withLongName(900), ids(7, 6)],
  ['pages-end-at-1-kb', withLongName(2000), ids(7)],
  ['pages-end-at-1-kb-oldest-first', withLongName(900), ids(1, 2, 3, 4, 5)],
  ['window-of-20-newest-first', list('?status=pending'), ids(5, 2)],
  ['window-of-limit-newest-first', list('?status=sold&limit=2'), ids(3)],
  ['window-of-limit-newest-first', list('?status=pending&limit=4'), ids(5, 2)],
  ['window-of-limit-newest-first', list('?status=pending&limit=3'), ids(5)],
  ['animals-with-long-member-name', get('1'), { body: { ['n'.repeat(9000)]: 1n } }],
  ['one-animal-at-start', list('?limit=100'), holding(1)],
  ['twenty-animals-at-start', list('?limit=100'), holding(20)],
  ['101-animals-at-start', list('?limit=100'), holding(100)],
  ['3000-animals-at-start', list('?limit=1'), ids(3000)],
  ['only-sold-at-start', list('?status=available'), holding(0)],
  ['no-status-at-start', list('?status=available'), holding(10)],
  ['same-name-at-start', list('?status=available&limit=100'), holding(40)],
  ['odd-animals-at-start', get('-9223372036854775808'), { status: 200, body: { name: '' } }],
  ['ids-by-tens', list('?limit=2'), ids(47, 37)],
  ['ids-positive-and-negative', list('?limit=4'), ids(3, -2, 2, -1)],
  ['ids-at-both-ends-in-turn', get('9223372036854775805'), withStatus(200)],
  ['ids-at-both-ends-in-turn', get('-9223372036854775807'), withStatus(200)],
  ['ids-random-of-19-digits', list('?limit=1'), { text: expect.stringMatching(/^\[\{"id":[1-9]\d{18},/) }],
  ['ids-in-blocks', list(''), ids(52, 2, 101, 51, 1)],

  [
    'integers-with-fraction-zero',
    get('1'),
    { text: '{"id":1.0,"name":"Bella","categoryId":1.0,"status":"available"}' },
  ],
  ['integers-with-fraction-zero', get('99'), { status: 404, text: expect.stringContaining('"status":404.0') }],
  [
    'integers-with-exponent',
    add('{"name":"1","categoryId":-9223372036854775807}'),
    { text: expect.stringContaining('"name":"1","categoryId":-9.223372036854775807E+18,') },
  ],
  ['integers-with-exponent', get('99'), { text: expect.stringContaining('"status":4.04E+2') }],
  [
    'integers-without-zeros-at-end',
    add('{"name":"a","categoryId":-1200}'),
    { text: expect.stringContaining(':-1.2E+3,') },
  ],
  [
    'large-integers-with-exponent',
    add('{"name":"a","categoryId":9007199254740993}'),
    { text: expect.stringContaining(':9.007199254740993e+15,'), body: { categoryId: 9007199254740993n } },
  ],
  ['integers-with-fraction-in-lists', list('?limit=1'), { text: expect.stringContaining('"id":5.00,') }],
  [
    'members-twice-with-same-value',
    list('?limit=1'),
    {
      text: '[{"id":5,"name":"Coco","categoryId":5,"status":"pending","id":5,"name":"Coco","categoryId":5,"status":"pending"}]',
    },
  ],
  ['members-of-errors-twice', get('99'), { text: expect.stringMatching(/"status":404,"code":.*"status":404\}$/) }],
  [
    'html-characters-escaped',
    add(named('"<&>"')),
    { text: expect.stringContaining('\\u003c\\u0026\\u003e'), body: { name: '<&>' } },
  ],
  ['errors-with-more-members', get('99'), { body: { id: null, path: '/v1/pets/99', status: 404n } }],
  ['errors-in-many-languages', get('99'), { body: { code: expect.stringContaining('错误') } }],
  ['error-codes-empty', get('99'), { body: { code: '' } }],
  ['error-codes-of-digits', get('99'), { body: { code: '404', status: 404n } }],
  ['error-message-is-request', get('99'), { body: { message: 'GET /v1/pets/99' } }],
  ['error-messages-long', get('99'), { body: { message: expect.stringMatching(/^.{20000}/s) } }],
  ['animals-with-lookalike-members', get('1'), { body: { name: 'Bella', NAME: 7n } }],
  ['animals-with-members-of-errors', get('1'), { body: { id: 1n, code: 500n } }],
  ['animals-with-members-of-languages', get('1'), { text: expect.stringContaining('"__proto__":{'), body: { id: 1n } }],
  ['animals-within-animals', get('1'), { body: { id: 1n, previous: { id: 'none' } } }],
  ['animals-with-odd-numbers', get('1'), { body: { stars: 10n ** 300n, serial: 10n ** 40n } }],
  ['encoding-that-is-none', coded('gzip'), { status: 200, headers: { 'content-encoding': 'utf-8' } }],
  ['deflate-as-asked', coded('gzip, deflate'), { headers: { 'content-encoding': 'deflate' }, body: { length: 5 } }],
  ['brotli-as-asked', coded('br;q=0.5, gzip'), { headers: { 'content-encoding': 'br' }, body: { length: 5 } }],
  ['coding-as-asked', coded('br;q=0, gzip'), { headers: { 'content-encoding': 'gzip' }, body: { length: 5 } }],
  ['lists-compressed-as-asked', coded('gzip'), { headers: { 'content-encoding': 'gzip' } }],
  ['errors-compressed-as-asked', coded('gzip', '/pets/99'), { status: 404, headers: { 'content-encoding': 'gzip' } }],
  ['many-headers', list(''), { headers: { 'x-header-58': '"58", a=b; c' } }],
  ['cookies-and-caching-headers', list(''), { headers: { etag: 'W/"1"' } }],
  ['paging-headers', list(''), { headers: { 'x-total-count': '5' } }],
  ['location-absolute', add(animal('')), { headers: { location: 'https://pets.example.org/v1/pets/6' } }],
  ['deprecation-in-old-form', get('99'), { headers: { deprecation: 'true' } }],
  [
    'challenges-of-several-schemes',
    unauthorized('/pets'),
    { headers: { 'www-authenticate': expect.stringContaining('Basic') } },
  ],
  [
    'charset-label-latin1',
    add(named('"é"')),
    { headers: { 'content-type': 'application/json; charset=ISO-8859-1' }, body: { name: 'é' } },
  ],
  ['errors-close-connection', get('99'), { headers: { connection: 'close' } }],
];

test.each(SHOWN.map(([name, send, shows]) => [name, send, shows] as const))('%s', async (name, send, shows) => {
  expect(findVariant(name)).toBeDefined();
  expect(await using(name, send)).toMatchObject(shows);
});

/** Pairs that change the same step, with 60 animals at first: a request for each of the two, and what it shows. */
const BOTH_SHOWN: readonly (readonly [string, (rig: Rig) => Promise<Reply>, object])[] = [
  ['pages-end-at-1-kb-plus-pages-of-15', list('?limit=100'), holding(15)],
  ['pages-end-at-1-kb-plus-pages-of-15', withLongName(1000), ids(62)],
  ['window-of-50-newest-first-plus-pages-of-10', list('?limit=100'), holding(10)],
  ['window-of-50-newest-first-plus-pages-of-10', list('?limit=9&status=sold'), holding(9)],
  [
    'window-of-20-newest-first-plus-pages-end-at-1-kb',
    list('?limit=100'),
    { text: expect.stringMatching(/^.{960,1024}$/) },
  ],
  ['window-of-20-newest-first-plus-pages-end-at-1-kb', list('?status=sold'), holding(7)],
  ['pages-of-10-by-chance-plus-late-on-every-second-list', list('?limit=100'), holding(10)],
  ['pages-of-30-oldest-first-plus-late-on-one-replica-of-five', list('?limit=2'), ids(1, 2)],
  [
    'pages-end-at-2-kb-plus-late-on-three-replicas-in-turn',
    list('?limit=100'),
    { text: expect.stringMatching(/^.{1960,2048}$/) },
  ],
  ['window-of-limit-newest-first-plus-late-by-chance', list('?status=sold&limit=3'), ids(60)],
  [
    'tabs-in-headers-answered-400-with-a-page-plus-throttled-to-60-for-a-second',
    sending({ 'x-note': 'a\tb' }),
    page(400),
  ],
];

test.each(BOTH_SHOWN)('%s', async (name, send, shows) => {
  expect(await using(name, send, { seedAnimals: 60 })).toMatchObject(shows);
});

test.each(['chunked-bodies-answered-411', 'chunked-bodies-answered-411-with-a-page'])('%s', async (name) => {
  const post = (body: string | Readable) => (rig: Rig) =>
    request(`${rig.baseUrl}/pets`, { method: 'POST', headers: { authorization: `Bearer ${KEY}` }, body });
  expect((await using(name, post(Readable.from([animal('')])))).statusCode).toBe(411);
  expect((await using(name, post(animal('')))).statusCode).toBe(201);
});

test('creations-answered-late', async () => {
  await using('creations-answered-late', async (rig) => {
    let isAnswered = false;
    const adding = rig.post(animal('')).then(() => {
      isAnswered = true;
    });
    await vi.waitFor(async () => expect((await rig.send('/pets/6')).status).toBe(200), { interval: 5 });
    expect(isAnswered).toBe(false);
    await adding;
  });
});

test('unknown members that are echoed once do not come back later', async () => {
  const later = await using('unknown-members-echoed-once', async (rig) => {
    await rig.post(animal(',"x":1'));
    return rig.send('/pets/6');
  });
  expect(later.body).toEqual({ id: 6n, name: 'a', categoryId: 1n, status: 'available' });
});

describe('lists lag, and getPet does not', () => {
  /** Adds an animal and asks for the newest several times, at once and after a time. */
  const newest = (name: string, wait: number, query = '?limit=1') =>
    using(name, async (rig) => {
      await rig.send(`/pets${query}`);
      await rig.post(animal(''));
      const asked = async () => (await rig.send(`/pets${query}`)).text.includes('"id":6');
      const found = (await rig.send('/pets/6')).status;
      const first = [await asked(), await asked(), await asked(), await asked()];
      await setTimeout(wait);
      return { found, first, later: [await asked(), await asked(), await asked(), await asked()] };
    });
  const ALL = [true, true, true, true];
  const NONE = [false, false, false, false];

  test.concurrent.each([
    ['replicas-of-0-and-1-s-in-turn', 1100, [true, false, true, false]],
    ['lists-renewed-every-second', 1100, NONE],
    ['lists-cached-for-1500-ms', 1600, NONE],
    ['only-lists-without-filter-lag', 1300, NONE],
    ['only-filtered-lists-lag', 1300, ALL],
    ['replica-by-limit', 1300, NONE],
    ['late-on-one-replica', 4900, NONE],
    ['late-on-every-second-list', 4900, [true, false, true, false]],
    ['late-on-three-replicas-in-turn', 4900, NONE],
    ['late-without-filter', 4900, NONE],
  ])('%s', async (name, wait, first) => {
    expect(await newest(name, wait)).toEqual({ found: 200, first, later: ALL });
  });

  test.concurrent('only-filtered-lists-lag, with a filter', async () => {
    const query = '?limit=1&status=available';
    expect(await newest('only-filtered-lists-lag', 1300, query)).toEqual({ found: 200, first: NONE, later: ALL });
  });

  test.concurrent.each([
    'replicas-of-100-ms-700-ms-1900-ms-by-chance',
    'one-of-five-replicas-lags',
    'replica-by-connection',
    'replicas-of-uneven-lag',
  ])('%s', async (name) => {
    expect(await newest(name, 2000)).toMatchObject({ found: 200, later: ALL });
  });
});

describe('others change the collection', () => {
  const seen = (name: string, pauses: number) =>
    using(name, async (rig) => {
      const pages = new Set<string>();
      for (let turn = 0; turn < 200 && pages.size < 2; turn += 1) {
        pages.add((await rig.send('/pets?limit=100')).text);
        await setTimeout(pauses);
      }
      return pages.size;
    });
  test.each([
    ['others-add-every-25-ms', 30],
    ['others-add-and-remove-at-once', 17],
    ['others-change-status', 10],
    ['others-rename', 10],
    ['others-leave', 30],
    ['others-in-bursts', 130],
    ['others-come-and-go-in-an-empty-store', 60],
    ['others-remove-at-random', 10],
    ['replicas-of-a-busy-store', 250],
    ['crowd-of-60-every-5-ms', 10],
    ['crowd-of-500-every-20-ms', 30],
    ['crowd-of-5000-every-50-ms', 60],
  ])('%s', async (name, pauses) => {
    expect(await seen(name, pauses)).toBeGreaterThan(1);
  });

  test.each([
    ['others-follow-at-once', 8n],
    ['others-follow-in-numbers', 12n],
  ])('%s', async (name, next) => {
    const second = await using(name, async (rig) => {
      await rig.post(animal(''));
      return rig.post(animal(''));
    });
    expect(second.body).toMatchObject({ id: next });
  });
});

describe('on the wire', () => {
  /** The bytes of the response to one request, as text. */
  const bytes = (name: string, path = '/v1/pets?limit=1') =>
    using(name, async (rig) => {
      const socket = connect(Number(new URL(rig.baseUrl).port), '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nConnection: close\r\n\r\n`);
      const chunks: Buffer[] = [];
      for await (const chunk of socket) if (chunk instanceof Buffer) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    });

  test.each([
    ['http-1-0', /^HTTP\/1\.0 200 OK\r\n.*Content-Length: 58\r\nConnection: close\r\n\r\n\[.*\]$/s],
    [
      'http-1-0-without-connection-header',
      /^HTTP\/1\.0 200 OK\r\nContent-Type: application\/json\r\nContent-Length: 58\r\n\r\n\[.*\]$/s,
    ],
    [
      'http-1-0-until-close',
      /^HTTP\/1\.0 200 OK\r\nContent-Type: application\/json\r\nConnection: close\r\n\r\n\[.*\]$/s,
    ],
    ['chunk-extensions', /\r\n0001E;part="a b";last\r\n\[.{29}\r\n/s],
    ['chunks-of-seven-bytes', /\r\n7\r\n\[\{"id":\r\n.*\r\n0\r\nServer-Timing: db;dur=1\r\n\r\n$/s],
    ['continue-unasked', /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/],
    ['processing-twice', /^(HTTP\/1\.1 102 Processing\r\n\r\n){2}HTTP\/1\.1 200 OK\r\n/],
    ['no-reason-phrase', /^HTTP\/1\.1 200 \r\n(?!.*\r\nDate:)/s],
    ['header-names-in-small-letters', /\r\ncontent-type: application\/json\r\n/],
    ['header-names-in-capitals', /\r\nCONTENT-TYPE: application\/json\r\n/],
    ['media-type-with-many-parameters', /\r\nContent-Type: Application\/Json ; profile="[^\r]*;v=1;charset=utf-8\r\n/],
  ])('%s', async (name, written) => {
    expect(await bytes(name)).toMatch(written);
  });

  test('animals nested 3,000 deep, and pages of megabytes', async () => {
    const { text } = await using('animals-nested-3000-deep', list('?limit=100'));
    expect(text).toContain('{"in":'.repeat(2990));
    const large = await using('pages-of-megabytes', list('?limit=100'));
    expect(large.text.length).toBeGreaterThan(2_000_000);
  });

  test('connections-of-three-requests', async () => {
    const closing = await using('connections-of-three-requests', async (rig) => {
      const replies = [];
      for (let turn = 0; turn < 6; turn += 1) replies.push(await rig.send('/pets/1'));
      return replies.map(({ headers }) => headers['connection']);
    });
    expect(closing).toContain('close');
  });
});

describe('connections', () => {
  /** A connection on which a request can be sent again and again, and what came on it. */
  async function opened({ baseUrl }: Rig) {
    let text = '';
    let isClosed = false;
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
      .on('data', (chunk) => {
        text += chunk;
      })
      .on('close', () => {
        isClosed = true;
      })
      .on('error', () => {});
    await once(socket, 'connect');
    const responses = () => text.split('HTTP/1.1 200').length - 1;
    return {
      ask: () => socket.write(`GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`),
      close: () => socket.destroy(),
      text: () => text,
      responses,
      /** Resolves once it has had so many responses. */
      answered: (count: number) => vi.waitFor(() => expect(responses()).toBe(count), SOON),
      closed: () => vi.waitFor(() => expect(isClosed).toBe(true), SOON),
    };
  }
  const SOON = { timeout: 20_000, interval: 5 };
  const NOTICE = 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

  /** Opens so many connections, sends a request on each, and resolves once all of them have been answered. */
  async function allAnswered(rig: Rig, count: number) {
    const connections = [];
    for (let nth = 0; nth < count; nth += 1) connections.push(await opened(rig));
    for (const { ask } of connections) ask();
    await Promise.all(connections.map(({ answered }) => answered(1)));
    return connections;
  }

  test.each([16, 8, 4, 1])('connections-above-%i-wait', async (most) => {
    const waiting = await using(`connections-above-${most}-wait`, async (rig) => {
      const [first] = await allAnswered(rig, most);
      const gone = await opened(rig);
      const next = await opened(rig);
      next.ask();
      gone.close();
      first?.ask();
      await first?.answered(2);
      expect(next.responses()).toBe(0);
      first?.close();
      await next.answered(1);
      return opened(rig);
    });
    // Stopping the service closes it, too.
    await waiting.closed();
  });

  test.each([16, 8, 4, 1])('connections-above-%i-closed', async (most) => {
    await using(`connections-above-${most}-closed`, async (rig) => {
      const [first] = await allAnswered(rig, most);
      const next = await opened(rig);
      next.ask();
      await next.closed();
      expect(next.text()).toBe('');
      first?.ask();
      await first?.answered(2);
    });
  });

  test('eight-workers', async () => {
    await using('eight-workers', async (rig) => {
      const [first] = await allAnswered(rig, 8);
      const next = await opened(rig);
      next.ask();
      first?.ask();
      await first?.answered(2);
      expect(next.responses()).toBe(0);
      await next.answered(1);
    });
  });

  test.each([
    ['connection-closed', 1, true],
    ['connection-closed-unannounced', 1, false],
    ['connection-closed-after-one-in-10', 10, true],
    ['connection-closed-unannounced-after-one-in-10', 10, false],
  ])('%s', async (name, count, isAnnounced) => {
    const text = await using(name, async (rig) => {
      const connection = await opened(rig);
      for (let nth = 1; nth <= count; nth += 1) {
        connection.ask();
        await connection.answered(nth);
      }
      await connection.closed();
      return connection.text();
    });
    expect(/^Connection: close\r$/im.test(text)).toBe(isAnnounced);
  });

  test.each([
    ['idle-connections-closed-at-5-ms', ''],
    ['idle-connections-closed', ''],
    ['idle-connections-answered-408-at-5-ms', NOTICE],
    ['idle-connections-answered-408-at-50-ms', NOTICE],
    ['idle-connections-answered-408-at-500-ms', NOTICE],
  ])('%s', async (name, notice) => {
    await using(name, async (rig) => {
      const connection = await opened(rig);
      connection.ask();
      await connection.answered(1);
      // Node.js itself would take a second more than it was told.
      await Promise.race([connection.closed(), setTimeout(900).then(() => expect.fail('still open'))]);
      expect(connection.text().split('}')[1]).toBe(notice);
    });
  });
});

describe('too many requests', () => {
  test('throttled-to-30-without-word-plus-slow-by-150-ms', async () => {
    const replies = await using('throttled-to-30-without-word-plus-slow-by-150-ms', (rig) =>
      Promise.all(Array.from({ length: 150 }, () => rig.send('/pets'))),
    );
    const refused = replies.filter(({ status }) => status === 429);
    expect([refused.length > 0, refused[0]?.headers['retry-after']]).toEqual([true, undefined]);
  });

  test('throttled-creations', async () => {
    const replies = await using('throttled-creations', (rig) =>
      Promise.all(Array.from({ length: 40 }, () => rig.post(animal('')))),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 429]));
  });
});

test('from the day of its removal, getPet answers 410', async () => {
  const today = '2030-12-05';
  const found = 'removed-with-410-where-found';
  expect((await using(found, get('1'), { today })).status).toBe(410);
  expect((await using(found, get('99'), { today })).status).toBe(404);
  expect((await using(found, list(''), { today })).status).toBe(200);
  expect((await using(found, get('1'), { today: '2030-12-04' })).status).toBe(200);
  expect((await using('removed-before-key', unauthorized('/pets/1'), { today })).status).toBe(410);
  expect((await using('removed-before-key', unauthorized('/pets'), { today })).status).toBe(401);
});
