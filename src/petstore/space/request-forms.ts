import fc from 'fast-check';
import { anyIn, type LevelTable } from '../../engine/request-space.ts';
import type { RequestForm } from '../calls.ts';
import {
  ACCEPTED_BY_CLIENTS,
  ACCEPTED_CODINGS,
  HARMLESS_HEADERS,
  HEADERS_OF_A_GET,
  type Headers,
  SIGNS_OF_TRUST,
  tracingIds,
} from '../inputs/headers.ts';

/** Stands for a request without a User-Agent. */
const NO_USER_AGENT = ['User-Agent', ''] as const;

const asksForJson = ([name, value]: Headers[number]): boolean => /^accept$/i.test(name) && value === 'application/json';

const isUsualForTheKey = (keyHeader: string): boolean => ['', 'authorization', 'Authorization'].includes(keyHeader);

/** One header in a form that the specification does not name, so that it makes no difference. */
const one = (name: string, ...values: readonly string[]): readonly Headers[] => values.map((value) => [[name, value]]);

const anyOf = (name: string, values: readonly string[]): fc.Arbitrary<Headers> =>
  fc.constantFrom(...one(name, ...values));

const ACCEPT: LevelTable<Headers> = {
  'application/json': { examples: ['Accept', 'accept', 'ACCEPT'].flatMap((name) => one(name, 'application/json')) },
  absent: { examples: [[]] },
  'a browser': {
    examples: one(
      'Accept',
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    ),
    others: anyOf('Accept', ACCEPTED_BY_CLIENTS.pages),
  },
  'JSON among others': {
    examples: one(
      'Accept',
      '*/*',
      'application/json, text/plain, */*',
      'application/*',
      'text/plain;q=0.5, application/json;q=0.9',
      'application/json;charset=utf-8',
      'APPLICATION/JSON',
    ),
    others: anyOf('Accept', [...ACCEPTED_BY_CLIENTS.anything, ...ACCEPTED_BY_CLIENTS.json]),
  },
};

const ACCEPT_ENCODING: LevelTable<Headers> = {
  absent: { examples: [[]] },
  usual: { examples: one('Accept-Encoding', 'gzip, deflate, br', 'gzip', 'gzip;q=1.0, identity;q=0.5, *;q=0'), others: anyOf('Accept-Encoding', ACCEPTED_CODINGS.several) },
  identity: { examples: one('Accept-Encoding', 'identity', 'gzip;q=0, identity', 'deflate', 'br', 'gzip;q=0, deflate;q=0, br;q=0'), others: anyOf('Accept-Encoding', ACCEPTED_CODINGS.one) },
}; // biome-ignore format: one table

export const OTHER_HEADERS: LevelTable<Headers> = {
  none: { examples: [[]] },
  'a web page or tracing': {
    examples: [
      [['Origin', 'https://shop.example'], ['Sec-Fetch-Mode', 'cors']],
      [['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01']],
      [['Origin', 'null']],
      [['X-Request-Id', 'c0ffee00-0000-4000-8000-000000000000'], ['X-Forwarded-For', '203.0.113.7']],
      [['Origin', 'http://localhost:3000'], ['Referer', 'http://localhost:3000/pets']],
      [['X-Forwarded-For', '127.0.0.1'], ['X-Real-IP', '127.0.0.1'], ['Forwarded', 'for=127.0.0.1;proto=https']],
    ],
    others: tracingIds().map((header) => [header]),
  },
  'another client': {
    examples: [
      [['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0']],
      [['User-Agent', 'curl/8.5.0']],
      [['User-Agent', 'kube-probe/1.31']],
      [NO_USER_AGENT],
      [['User-Agent', 'python-requests/2.32.3']],
    ],
  },
  'a language and a cache': {
    examples: [
      [['Accept-Language', 'tr-TR, de;q=0.7'], ['Cache-Control', 'no-cache']],
      [['Accept-Language', 'fr-FR,fr;q=0.9'], ['Accept-Charset', 'iso-8859-1'], ['Pragma', 'no-cache']],
      [['Accept-Language', 'es-ES, es;q=0.9'], ['If-None-Match', '"none"'], ['Cookie', 'session=none']],
    ],
  },
}; // biome-ignore format: one table

/** The name of the header that holds the key; names of headers are the same in every letter case. */
const KEY_HEADERS: LevelTable<string> = {
  authorization: { examples: ['authorization'] },
  Authorization: { examples: ['Authorization'] },
  // Capitals are what real clients send: every second time.
  'other letter case': { examples: ['AUTHORIZATION', 'aUTHORIZATION', 'AUTHORIZATION', 'AuThOrIzAtIoN'] },
};

export const USUAL: Headers = [['Accept', 'application/json']];

/** Forms with one thing unusual, for requests that must succeed: a service that refuses a request never shows the rest. */
const FORMS_IN_TURN: readonly RequestForm[] = [
  withHeaders(USUAL),
  ...examplesOf(ACCEPT).map((accept) => withHeaders(accept)),
  ...[...examplesOf(ACCEPT_ENCODING), ...examplesOf(OTHER_HEADERS)].map(withUsual),
  ...[...new Set(examplesOf(KEY_HEADERS))].map(withKeyIn),
  ...HARMLESS_HEADERS.map(withUsual),
];

/** The same for requests without a body. */
export const FORMS_OF_A_GET: readonly RequestForm[] = [...HEADERS_OF_A_GET.map(withUsual), ...FORMS_IN_TURN];

/**
 * All of these at once, in as few requests as there are values of one header: of each header, every request has one value
 * at most, as have the requests of a client.
 */
export const ALL_FORMS_OF_A_GET: readonly RequestForm[] = inCompany(FORMS_OF_A_GET);

/** The same for requests that add an animal: a browser's own pages, and other clients, first. */
export const FORMS_OF_A_POST: readonly RequestForm[] = [
  withUsual([['Prefer', 'return=minimal']]),
  withUsual([['X-Requested-With', 'XMLHttpRequest']]),
  withHeaders([]),
  // Clients keep these for as long as they run; the forms in turn have them too.
  ...[['X-Request-Id', '1'] as const, ['X-Correlation-Id', 'a7b3e1f0-9c1d-4e57-8b1d-0f1e2d3c4b5a'] as const].map((id) =>
    withUsual([id]),
  ),
  ...FORMS_IN_TURN.toReversed(),
];

/** Forms that a careless service takes for a sign that no key is needed: one of each kind in turn. */
export const FORMS_OF_TRUST: readonly RequestForm[] = inRounds(Object.values(SIGNS_OF_TRUST)).map(withUsual);

/** Forms that say that the body is coded, whatever it is. */
export const FORMS_THAT_NAME_A_CODING: readonly RequestForm[] = ['gzip', 'deflate', 'br', 'identity, gzip'].map(
  (coding) => ({ name: `under Content-Encoding: ${coding}`, headers: [['Content-Encoding', coding]] }),
);

/** What was coded for the first of them is not for the second, whatever was kept. */
export const CODED_THEN_PLAIN: readonly RequestForm[] = ['gzip', 'identity'].map((coding) =>
  withUsual([['Accept-Encoding', coding]]),
);

/** The headers of a request that have nothing to do with what it asks for. */
export const HEADERS: LevelTable<RequestForm> = {
  'as usual': { examples: [withHeaders(USUAL)] },
  'those of any client': { examples: [], others: anyHeaders() },
};

/** As {@link HEADERS}, or with something that a careless service may trust. */
export const HEADERS_TO_TRUST: LevelTable<RequestForm> = {
  ...HEADERS,
  'what may be trusted': { examples: [], others: anyHeaders(fc.constantFrom(...Object.values(SIGNS_OF_TRUST).flat())) },
};

/** Any of the headers of a level of each table at once, and the key under any of its names. */
function anyHeaders(others = anyIn(OTHER_HEADERS)): fc.Arbitrary<RequestForm> {
  return fc
    .record({
      accept: anyIn(ACCEPT),
      encoding: anyIn(ACCEPT_ENCODING),
      others: fc.oneof(others, fc.constantFrom(...HARMLESS_HEADERS)),
      keyHeader: anyIn(KEY_HEADERS),
    })
    .map(({ accept, encoding, others: more, keyHeader }) => {
      const form = withHeaders([...accept, ...encoding, ...more]);
      const words = isUsualForTheKey(keyHeader) ? [] : [`the key in ${keyHeader}`];
      return { ...form, name: [form.name, ...words].filter((word) => word !== '').join(', '), keyHeader };
    });
}

/** The first of each list, then the second of each, and so on. */
function inRounds<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const rounds = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function examplesOf<T>(table: LevelTable<T>): readonly T[] {
  return Object.values(table).flatMap(({ examples }) => examples);
}

/** The headers of all forms, dealt out so that no request has two values of one. */
function inCompany(forms: readonly RequestForm[]): readonly RequestForm[] {
  const values = new Map<string, Map<string, Headers[number]>>();
  for (const header of forms.flatMap(({ headers = [] }) => headers)) {
    const [name, value] = header;
    const known = values.get(name.toLowerCase()) ?? new Map<string, Headers[number]>();
    values.set(name.toLowerCase(), known.set(value, header));
  }
  const ofEach = [...values.values()].map((known) => [...known.values()]);
  const count = Math.max(...ofEach.map(({ length }) => length));
  const keyHeaders = forms.flatMap(({ keyHeader }) => keyHeader ?? []);
  const withoutUserAgent = forms.filter((form) => form.withoutUserAgent === true);
  // Each header begins at another request, so that all have about as many.
  const companies = Array.from({ length: count }, (_, nth): RequestForm => {
    const headers = ofEach.flatMap((known, place) => known.slice((nth + place) % count).slice(0, 1));
    const form = { name: `with ${headers.length} headers of clients`, headers };
    const keyHeader = keyHeaders[nth];
    return keyHeader === undefined ? form : { ...form, keyHeader };
  });
  return [...companies, ...withoutUserAgent];
}

/** Where a form has several unusual headers, counting the one of the key, each of them alone. */
export function eachHeaderOf({ headers = [], keyHeader = '' }: RequestForm): readonly RequestForm[] {
  const unusual = headers.filter((header) => !asksForJson(header)).map((header) => withHeaders([header]));
  const parts = [...unusual, ...(isUsualForTheKey(keyHeader) ? [] : [withKeyIn(keyHeader)])];
  return parts.length > 1 ? parts : [];
}

function withKeyIn(keyHeader: string): RequestForm {
  return { name: `the key in ${keyHeader}`, keyHeader };
}

function withUsual(others: Headers): RequestForm {
  return withHeaders([...USUAL, ...others]);
}

/** The same form, its body sent in chunks. */
export const inChunks = (form: RequestForm = { name: '' }): RequestForm => ({
  ...form,
  name: form.name === '' ? 'in chunks' : `in chunks, ${form.name}`,
  chunked: true,
});

/** The form of a request with these headers and no others. */
export function withHeaders(headers: Headers): RequestForm {
  const sent = headers.filter((header) => header !== NO_USER_AGENT);
  const isUsual = sent.length === 1 && sent.every(asksForJson);
  const words = sent.filter((header) => !asksForJson(header)).map(([name, value]) => `${name}: ${value}`);
  const name = words.length === 0 ? 'without Accept' : `with ${words.join(' and ')}`;
  const form = { name: isUsual ? '' : name, headers: sent };
  if (sent.length === headers.length) return form;
  return { ...form, name: isUsual ? 'without User-Agent' : `${name}, without User-Agent`, withoutUserAgent: true };
}
