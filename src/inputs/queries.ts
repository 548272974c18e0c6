/** Queries of listPets. `reading.ts` says what a text means, and so what it permits. Most revealing first. */

export const QUERIES = {
  /** A limit from 1 to 100, plain or percent-encoded. */
  // biome-ignore format: one table
  limits: [
    'limit=100', 'limit=1', 'limit=7', 'limit=37', 'limit=20', 'limit=21', 'limit=%35', 'l%69mit=5', 'limit=11',
    'limit=40', 'limit=%31%30%30',
  ],

  /** A status, plain or percent-encoded in either letter case. */
  // biome-ignore format: one table
  statuses: [
    'status=sold', 'status=pending', 'status=available', 'status=s%6fld', 'status=p%65%6E%64%69%6E%67',
    'status=a%76ailable', 'status=%73%6f%6c%64',
  ],

  /** A limit and a status, in either order. */
  // biome-ignore format: one table
  limitAndStatus: [
    'limit=100&status=pending', 'status=sold&limit=1', 'limit=5&status=sold', 'status=available&limit=100',
    'limit=5&status=%73old', 'limit=5&st%61tus=sold', 'limit=21&status=available', 'limit=99&status=sold',
    'status=pending&limit=50', '%6C%69%6D%69%74=%31%30&%73%74%61%74%75%73=%61%76%61%69%6C%61%62%6C%65',
    'status=sol%64&limit=100', '%73tatus=pending&limit=10',
    '%73%74%61%74%75%73=%70%65%6E%64%69%6E%67&%6C%69%6D%69%74=%31%30%30', 'status=p%65nding&%6Cimit=2',
    'status=sold&limit=21', 'limit=21&status=pending', 'limit=41&status=pending', 'status=pending&limit=100',
    'status=s%6fld&limit=9%39',
  ],

  /** A limit that is out of range, not an integer, in another spelling, empty, given twice, or malformed. */
  // biome-ignore format: one table
  oddLimits: [
    'limit=0', 'limit=-1', 'limit=101', 'limit=', 'limit=0150', 'limit=1000', 'limit=abc', 'limit=%C2%B2', 'limit=2147483648',
    'limit=5&limit=7', 'limit=-9223372036854775808', 'limit=-Infinity', 'limit=1,1000', 'limit=1e3', 'limit=005',
    'limit=4294967295', 'limit=%D9%A1%D9%A2%D9%A0', 'limit=%EF%BC%91%EF%BC%91%EF%BC%90', 'limit=5.00', 'limit=-2147483648', 'limit=0x10',
    'limit=%FF', 'limit=$TIMES:1200<9>', 'limit=05', 'limit=+5', 'limit=5.0', 'limit=%205', 'limit=100&limit=1',
    'limit=1&limit=100', 'limit=5&limit=1000', 'limit', 'limit=1e400', 'limit=5%00', 'limit=5%00101',
  ],

  /** A status that is not an allowed value, or is given twice. */
  // biome-ignore format: one table
  oddStatuses: [
    'status=unknown', 'status=SOLD', 'status=', 'status=sold,pending', 'status=availableX', 'status=xpendingx', 'status=1',
    'status=toString', 'status=sold&status=sold', 'status=pending,%20sold', 'status=sol', 'status=.*', 'status=unsold',
    'status=all', 'status=%25', 'status=null', 'status=constructor', 'status=%ZZ', 'status=sold%0A', 'status=sold%00x',
    'status=0', 'status=sold;pending', 'status=sold&status=unknown', 'status=sold;', 'status=%2573old',
    'status=__proto__', 'status=so%E2%80%8Bld', 'status=sold%26limit=5', 'status=available%2', 'status=%FF',
    'status=Available', 'status=*', 'status=unknown&status=sold', 'status=available&status=',
    'status=%20sold', 'status=sold+', 'status=sold%27', 'status=%F0%9F%90%BE',
    'status=sold%', 'status=!sold', 'status=eq:sold',
  ],

  /** A limit and a status, at least one of them odd. */
  // biome-ignore format: one table
  oddBoth: [
    'limit=0&status=unknown', 'limit=1000&status=sold', 'limit=5&status=unknown', 'limit=5&limit=7&status=sold',
    'limit=0&status=pending', 'limit=5&status=sold&limit=7', 'limit=20%ZZ&status=sold', 'limit=1e3&status=available',
    'limit=9223372036854775808&status=sold', 'limit=5&status=', 'limit=100&status=sold&status=sold',
    'limit=2147483648&status=pending', 'status=SOLD&limit=100', 'status=constructor&limit=5', 'limit=abc&status=unknown',
    'limit=-1&status=SOLD', 'limit=20%&status=sold', 'limit=5&status=sold%ZZ', 'limit=005&status=sold',
    'status=sold,pending&limit=100', 'status=sold;limit=5',
  ],

  /** One `&` too many. */
  // biome-ignore format: one table
  emptyParameters: [
    'limit=5&', 'limit=5&&status=sold', '&limit=5', '&', 'status=sold&', '&&', 'limit=7&status=available&',
  ],
} as const;
