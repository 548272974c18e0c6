/** What follows `/pets/`. `reading.ts` says what a text means, and so what it permits. Most revealing first. */

export const IDS = {
  /** Int64s in plain digits that no animal of the run has. Some are requested twice. */
  // biome-ignore format: one table
  free: [
    '$FREE', '-1', '0', '9223372036854775807', '$ID:sign-bit', '$ID:plus-2-to-16', '-9223372036854775808',
    '$ID:plus-10-to-9', '-2147483648', '9007199254740993', '2147483648', '9223372036854775807', '$ID:plus-2-to-32',
    '$ID:times-10', '-100', '1$ID', '$FREE',
  ],

  /** An id of the run in other spellings. */
  // biome-ignore format: one table
  ownSpellings: [
    '$ID:percent', '$ID:zero', '$ID.0', '$ID:sign', '$ID:first-percent', '$ID:last-percent', '$ID:percent-sign',
    '$ID:zeros',
  ],

  /** Numbers in spellings that may be read as the id of an animal that is there by now. */
  shortSpellings: ['1.0', '010', '2.0', '012', '1.00', '-0'],

  /** Not an int64. */
  // biome-ignore format: one table
  malformed: [
    'abc', '$ID.json', '9223372036854775808', 'null', '$ID:underscore-inside', '$ID:hexadecimal', '%20$ID', '$ID:comma-inside', '_', 'constructor',
    '$ID:full-width', '$ID%C2%B2', 'NaN',
    '$ID.00000000000000000001', '$ID:minus-2-to-64', '$ID%0A', '$ID:percent-twice', '$TIMES:300<9>', '$ID:and-abc',
    '$ID.5', 'a%22%5Cq%09%3C', '$ID:plus-2-to-64', '$ID:arabic', '__proto__', 'toString', '$TIMES:1000<a>', 'undefined',
    'Infinity', '$TIMES:400<9>', '0x1', '$ID:last-percent-twice', '$ID:octal', '%22$ID%22', '$ID.html', '%22', '1e2',
    '$ID%20', '%C2%A0$ID', '99999999999999999999', 'pets', '$ID,', '--1', '$ID:and-x', '$ID.',
  ],

  /** The id of the run where slashes are merged or dot segments resolved: the animal of that number may be returned. */
  merged: ['%2F$ID', '$ID%2F', 'x%2F..%2F$ID'],

  /** What a gateway, a proxy or a router may reject before the service sees it, or read as another path. */
  // biome-ignore format: one table
  gateway: [
    '$ID;v=1', '%', '..%2F$ID', '%25', '%ZZ', '$ID%ZZ', '$ID;', '$ID%00', '%FF', '$ID%3Bv=1',
    '$ID:', '$ID%', '$ID%FF', '$ID%3Fx=1', '$ID%23x', '$ID%5C', '$ID&x=1', '%00$ID', 'id:$ID', '%2E%2E%2F$ID',
    '%C3%28', '%u0031', '.',
  ],
} as const;
