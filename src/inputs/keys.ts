/** Wrong keys, and places where no key belongs. Most revealing first. */

type Header = readonly [name: string, value: string];

/** A way to send a key: headers that replace Authorization and those of the same name. */
export interface KeyRow {
  readonly headers: readonly Header[];
  /** Added to the query of the call. */
  readonly query?: string;
}

const authorizations = (...values: readonly string[]): readonly KeyRow[] =>
  values.map((value) => ({ headers: [['Authorization', value]] }));

const bearers = (...tokens: readonly string[]): readonly KeyRow[] =>
  authorizations(...tokens.map((token) => `Bearer ${token}`));

const under = (value: string, names: readonly string[]): readonly Header[] => names.map((name) => [name, value]);

const WRONG: Header = ['Authorization', 'Bearer wrong-key-7'];
const EMPTY: Header = ['Authorization', 'Bearer'];

/** Headers in which other services accept a key. */
// biome-ignore format: one table
const USUAL = [
  'X-API-Key', 'api_key', 'Api-Key', 'apikey', 'X-Auth-Token', 'X-Access-Token', 'Token', 'Authentication',
  'X-Authorization', 'Key', 'X-Token', 'Access-Token', 'Auth-Token', 'X-ApiKey',
] as const;
// biome-ignore format: one table
const LESS_USUAL = [
  'Proxy-Authorization', 'X-Auth', 'Auth', 'X-Authentication', 'Authorisation', 'X-Key', 'X-API-Token', 'X-Auth-Key',
  'X-Client-Key', 'X-App-Key', 'X-Secret', 'X-Session-Token', 'Bearer', 'Private-Token',
] as const;
// biome-ignore format: one table
const OF_GATEWAYS = [
  'X-Forwarded-Authorization', 'X-Original-Authorization', 'X-Forwarded-Access-Token', 'X-Auth-Request-Access-Token',
  'X-Vault-Token', 'Ocp-Apim-Subscription-Key', 'X-Functions-Key', 'X-Id-Token', 'X-JWT-Assertion', 'X-Petstore-Key',
  'X-User-Token', 'X-Security-Token', 'Api-Token', 'WWW-Authenticate',
] as const;

const PARAMETERS = 'api_key=$KEY:in-query&access_token=$KEY:in-query&token=$KEY:in-query&key=$KEY:in-query';
const MORE_PARAMETERS =
  'auth_token=$KEY:in-query&apikey=$KEY:in-query&apiKey=$KEY:in-query&auth=$KEY:in-query&jwt=$KEY:in-query';
const OTHER_PARAMETERS =
  'authorization=Bearer%20$KEY:in-query&Authorization=Bearer%20$KEY:in-query&access_token=Bearer%20$KEY:in-query';
const LAST_PARAMETERS =
  'api-key=$KEY:in-query&X-API-Key=$KEY:in-query&bearer=$KEY:in-query&secret=$KEY:in-query&api_token=$KEY:in-query';

const COOKIES =
  'token=$KEY; access_token=$KEY; api_key=$KEY; auth=$KEY; Authorization=$KEY; session=$KEY; jwt=$KEY; apikey=$KEY; sid=$KEY';

const ADDRESSES = ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP', 'X-Originating-IP', 'X-Remote-IP'];
const PATHS = ['X-Original-URL', 'X-Rewrite-URL', 'X-Original-URI', 'X-Forwarded-Uri'];
// biome-ignore format: one table
const USERS = [
  'X-Forwarded-User', 'X-Remote-User', 'Remote-User', 'X-User', 'X-Auth-Request-User', 'X-Username', 'X-Auth-User',
  'X-Authenticated-User', 'X-Consumer-Username', 'X-Role', 'X-Roles', 'X-Principal',
];
// biome-ignore format: one table
const FLAGS = [
  'X-Internal', 'X-Internal-Request', 'X-Debug', 'X-Test', 'X-Bypass-Auth', 'X-Skip-Auth', 'X-No-Auth', 'X-Trusted',
  'X-Is-Admin', 'X-Authenticated', 'X-Authorized', 'X-Health-Check', 'X-Gateway', 'X-Envoy-Internal',
];
const PAGE = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

export const KEYS = {
  /** The right key with the header name in another letter case, which is the same name (RFC 9110, 5.1). */
  right: [
    { headers: [['authorization', 'Bearer $KEY']] },
    { headers: [['AUTHORIZATION', 'Bearer $KEY']] },
    { headers: [['aUTHORIZATION', 'Bearer $KEY']] },
    { headers: [['AuThOrIzAtIoN', 'Bearer $KEY']] },
  ],

  /** No key at all. */
  none: [{ headers: [] }, ...authorizations('Bearer', '', 'Bearer ', 'bearer', 'BEARER', 'Basic')],

  /** Keys unrelated to the right one. */
  // biome-ignore format: one table
  invented: [
    ...bearers('wrong-key-7', "' OR '1'='1", 'constructor', '$TIMES:2048<x>', '$KEY:blanked', ' wrong-key-7'),
    { headers: [['AUTHORIZATION', 'Bearer wrong-key-7']] },
    ...bearers(
      // Tokens in the form of a JWT: unsigned, and signed by somebody else.
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZG1pbiJ9.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      'null', 'test', 'admin', 'demo', 'Authorization', 'two words', '$TIMES:512<x>', '__proto__', 'toString',
      "x' or 1=1 --", '$TIMES:2500<7>',
    ),
  ],

  /** The nearest misses, for all operations. */
  // biome-ignore format: one table
  nearestMisses: bearers(
    '$KEY:last-changed', '$KEY:without-last', '$KEY:in-capitals', '$KEY:changed-2-8', '$KEY:first-case-swapped',
    '$KEY:and-x', '$KEY:first-changed', '$KEY:case-swapped', '$KEY:first-half', '$KEY:in-small-letters',
  ),

  /** Further keys that differ from the right one in one respect. */
  // biome-ignore format: one table
  nearMisses: [
    ...bearers('$KEY extra', '$KEY,Bearer $KEY', '$KEY $KEY', 'token="$KEY"', '$KEY;v=1'),
    ...bearers('$KEY==', '7|$KEY', '$KEY:underscore-inside', '$KEY:and-colon-word', '$KEY:first-two-swapped'),
    ...authorizations('bearer $KEY:and-123'),
    ...bearers(
      '$KEY:last-doubled', '$KEY:percent', 'other,$KEY', '$KEY:second-changed', '$KEY:changed-1-8', '$KEY:changed-3-8',
      '$KEY:changed-4-8', '$KEY:reversed', '$KEY:without-first', '$KEY:twice', '"$KEY"',
      '$KEY:blank-inside', '$KEY:first-percent', '$KEY,', '$KEY, Bearer other', '$KEY:sorted', '$KEY:last-percent',
    ),
  ],

  /** Bytes beyond ASCII, none of which can be read as white space. */
  // biome-ignore format: one table
  rawBytes: bearers(
    '$KEY$BYTES:e9', '$KEY:accent-inside', '$KEY:without-last$BYTES:e9', 'é$KEY', '$KEY$BYTES:c2b7',
  ),

  /** Longer than many servers read, though no head is longer than any that is sent. */
  long: bearers('$TIMES:8192<x>', '$KEY:up-to-8192', '$TIMES:14000<x>'),

  /** The right key in the right header, but not as a bearer token. */
  // biome-ignore format: one table
  otherSchemes: authorizations(
    '$KEY', 'XBearer $KEY', 'Basic $KEY:basic-user', 'Bearerx $KEY', 'Token $KEY', 'Basic $KEY', 'Bearer$KEY', 'Bearer:$KEY', 'Bearer: $KEY',
    'Basic $KEY:basic-user-of-x', 'Basic $KEY:basic-both', 'Basic $KEY:base64', 'Bearer Bearer $KEY',
    'Basic Bearer $KEY', 'Basic, Bearer $KEY', 'OAuth $KEY',
  ),

  /** The right key where it does not belong, in many places at once. */
  // biome-ignore format: one table
  elsewhere: [
    { headers: under('$KEY', USUAL) },
    { headers: [WRONG, ...under('$KEY', USUAL)] },
    { headers: under('Bearer $KEY', LESS_USUAL) },
    { headers: [], query: PARAMETERS },
    { headers: [['Cookie', COOKIES]] },
    { headers: [], query: MORE_PARAMETERS },
    { headers: [EMPTY, ...under('$KEY', USUAL)] },
    { headers: [WRONG, ...under('Bearer $KEY', LESS_USUAL)] },
    { headers: [WRONG, ['Cookie', COOKIES]] },
    { headers: [EMPTY, ...under('Bearer $KEY', LESS_USUAL)] },
    { headers: [EMPTY], query: MORE_PARAMETERS },
    { headers: under('$KEY', OF_GATEWAYS) },
    { headers: [], query: OTHER_PARAMETERS },
    { headers: [], query: LAST_PARAMETERS },
  ],

  /** The right key in further members of a valid body, without a header. */
  inBody: ['"access_token":"$KEY:in-json","api_key":"$KEY:in-json","token":"$KEY:in-json"'],

  /** The right key with the scheme in another letter case, or with other blanks. */
  // biome-ignore format: one table
  openSpellings: authorizations(
    'bearer $KEY', 'BEARER $KEY', 'Bearer  $KEY', 'bEaReR $KEY', 'Bearer\t$KEY', 'Bearer $KEY  ', 'bearer   $KEY',
  ),

  /** No key, or a wrong one, and what may make a careless service skip authentication. */
  // biome-ignore format: one table
  signsOfTrust: [
    { headers: [['Accept', PAGE]] },
    { headers: [...under('10.0.0.1', ADDRESSES), ['Forwarded', 'for=10.0.0.1']] },
    { headers: under('/health', PATHS) },
    { headers: [['Content-Type', 'application/json; charset=utf-8']] },
    { headers: [WRONG, ['Accept', PAGE]] },
    { headers: [['Cookie', 'session=open; admin=true; auth=true; logged_in=1; role=admin; user=1']] },
    { headers: [...under('127.0.0.1', ADDRESSES), ['Forwarded', 'for=127.0.0.1']] },
    { headers: under('true', FLAGS) },
    { headers: under('admin', USERS) },
  ],

  /** Lists and animals to request without a key. */
  // biome-ignore format: one table
  guardedTargets: [
    '/pets?status=sold', '/pets/$ID:percent', '/pets?limit=100', '/pets/1', '/pets/2', '/pets/$ID:first-percent',
    '/pets?limit=5&status=available',
  ],

  /** Other faults besides the key: either error is permitted. */
  // biome-ignore format: one table
  faultyTargets: [
    '/pets/$FREE', '/pets/abc', '/pets?limit=0', '/pets?status=unknown', '/pets?limit=abc',
  ],

  /** The paths in other spellings: without a key, any response is permitted, but no animal (AUTH-2). */
  // biome-ignore format: one table
  otherPaths: [
    '/pets/', '/pets;x=1', '/%70ets', '/pets/$ID;x=1', '/PETS', '//pets', '/pets/$ID/', '/%70ets/$ID', '/pets%3Bx', '/./pets',
    '/PETS/$ID', '/pets//$ID', '//pets/$ID', '/pets.json', '/x/../pets', '/pet%73/$ID',
  ],
} as const;
