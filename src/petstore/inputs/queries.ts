/** Queries of listPets. `reading.ts` says what a text means, and so what it permits. Most revealing first. */

/** A limit from 1 to 100, plain or percent-encoded. */
// biome-ignore format: one table
export const LIMITS_IN_RANGE: readonly string[] = [
  'limit=100', 'limit=1', 'limit=7', 'limit=37', 'limit=20', 'limit=21', 'limit=%35', 'l%69mit=5', 'limit=11',
  'limit=99', 'limit=50', 'limit=2', 'limit=3', 'limit=5', 'limit=10', 'limit=14', 'limit=19', 'limit=30', 'limit=40',
  'limit=%31%30%30', '%6C%69%6D%69%74=%31%30%30', '%6cimit=1%30', 'limi%74=%39', 'limit=1%30%30', 'limit=4',
  'limit=9', 'limit=15', 'limit=16', 'limit=25', 'limit=31', 'limit=32', 'limit=41', 'limit=49', 'limit=51',
  'limit=60', 'limit=64', 'limit=70', 'limit=75', 'limit=80', 'limit=90', 'limit=98',
];

/** A status, plain or percent-encoded in either letter case. */
// biome-ignore format: one table
export const STATUSES: readonly string[] = [
  'status=sold', 'status=pending', 'status=available', 'status=%73old', 'status=s%6fld', '%73tatus=sold',
  'status=%61%76%61%69%6C%61%62%6C%65', 'statu%73=pending', 'status=sol%64', 'status=p%65%6E%64%69%6E%67',
  'status=a%76ailable', '%73%74%61%74%75%73=%70%65%6E%64%69%6E%67', 'st%61tus=available', 'status=%73%6f%6c%64',
];

/** A limit and a status, in either order. */
// biome-ignore format: one table
export const LIMIT_AND_STATUS: readonly string[] = [
  'limit=100&status=pending', 'status=sold&limit=1', 'limit=5&status=sold', 'status=available&limit=100',
  'limit=5&status=%73old', 'limit=5&st%61tus=sold', 'limit=21&status=available', 'limit=99&status=sold',
  'status=pending&limit=50', 'limit=1&status=available', 'status=available&limit=7', 'limit=100&status=sold',
  '%6C%69%6D%69%74=%31%30&%73%74%61%74%75%73=%61%76%61%69%6C%61%62%6C%65', 'l%69mit=30&status=sold',
  'limit=%33%30&status=pending', 'status=sol%64&limit=100', '%73tatus=pending&limit=10',
  '%73%74%61%74%75%73=%70%65%6E%64%69%6E%67&%6C%69%6D%69%74=%31%30%30', 'status=p%65nding&%6Cimit=2',
  'limit=20&status=sold', 'limit=20&status=available', 'status=sold&limit=20', 'limit=2&status=sold',
  'limit=7&status=available', 'status=sold&limit=21', 'limit=21&status=pending', 'status=available&limit=30',
  'limit=30&status=available', 'limit=31&status=sold', 'status=pending&limit=37', 'limit=40&status=sold',
  'status=available&limit=41', 'limit=41&status=pending', 'limit=50&status=available', 'limit=60&status=sold',
  'limit=75&status=pending', 'status=available&limit=99', 'status=pending&limit=99', 'status=pending&limit=100',
  'status=sold&limit=100', 'limit=100&status=available', 'limit=1&status=sold', 'status=available&limit=1',
  'status=s%6fld&limit=9%39', 'li%6dit=12&stat%75s=pending',
];

/** A limit that is out of range, not an integer, in another spelling, empty, given twice, or malformed. */
// biome-ignore format: one table
export const ODD_LIMITS: readonly string[] = [
  'limit=0', 'limit=-1', 'limit=101', 'limit=', 'limit=0150', 'limit=1000', 'limit=abc', 'limit=2147483648',
  'limit=5&limit=7', 'limit=-9223372036854775808', 'limit=-Infinity', 'limit=1,1000', 'limit=1e3', 'limit=005',
  'limit=4294967295', 'limit=%EF%BC%91%EF%BC%91%EF%BC%90', 'limit=5.00', 'limit=-2147483648', 'limit=%ZZ',
  'limit=9223372036854775808', 'limit=1.5', 'limit=200', 'limit=NaN', 'limit=Infinity', 'limit=5abc', 'limit=null',
  'limit=0x10', 'limit=%FF', 'limit=$TIMES:1200<9>', 'limit=05', 'limit=%2B5', 'limit=+5', 'limit=5.0', 'limit=%205',
  'limit=5%20', 'limit=-100', 'limit=100&limit=1', 'limit=1&limit=100', 'limit=5&limit=1000', 'limit=1000&limit=5',
  'limit=5&limit=5', 'limit=abc&limit=5', 'limit=5&limit=', 'limit=0&limit=5', 'limit', 'limit=4294967297',
  'limit=9223372036854775807', 'limit=-9223372036854775809', 'limit=200.0', 'limit=%2B101', 'limit=-0', 'limit=00',
  'limit=1e1', 'limit=1e400', 'limit=5e-1', 'limit=0b101', 'limit=%D9%A2%D9%A0%D9%A0', 'limit=%C2%B2', 'limit=5%0A',
  'limit=5%00', 'limit=%005', 'limit=5%00101', 'limit=%20', 'limit=1%205', 'limit=5;status=sold',
  'limit=5%20OR%201=1', 'limit=5%26limit=200', 'limit==5', 'limit=%225%22', 'limit=%5B5%5D', 'limit=all',
  'limit=%2535', 'limit=5%', 'limit=20%C0%80', 'limit=%u0035', 'limit=5%E2%80%8B', 'limit=5.', 'limit=1,5',
  'limit=256', 'limit=9007199254740993',
];

/** A status that is not an allowed value, or is given twice. */
// biome-ignore format: one table
export const ODD_STATUSES: readonly string[] = [
  'status=unknown', 'status=SOLD', 'status=', 'status=sold,pending', 'status=null', 'status=all', 'status=%25',
  'status=sold&status=sold', 'status=sol', 'status=.*', 'status=constructor', 'status=%ZZ', 'status=sold%0A',
  'status=0', 'status=sold;pending', 'status=sold&status=unknown', 'status=!sold', 'status=sold;', 'status=eq:sold',
  'status=%2573old', 'status=__proto__', 'status=so%E2%80%8Bld', 'status=sold%26limit=5', 'status=available%2',
  'status=%FF', 'status=Available', 'status=AVAILABLE', 'status=Pending', 'status=*', 'status=any',
  'status=sold%7Cpending', 'status=sol_', 'status=s%25', 'status=-sold', 'status=1', 'status=unknown&status=sold',
  'status=available&status=pending', 'status=sold&status=available', 'status=available&status=available',
  'status=&status=pending', 'status=available&status=', 'status=SOLD&status=sold', 'status=avail', 'status=xsold',
  'status=unavailable', 'status=availabe', 'status=%20sold', 'status=sold%20', 'status=sold+', 'status=sold%09',
  'status=sold%00', 'status=pending%00x', 'status=%00', 'status=sold%C2%A0', 'status=%EF%BB%BFsold', 'status=so%20ld',
  'status=sold,', 'status=available,pending,sold', 'status=sold%20pending', 'status=sold/', 'status=sold%27',
  'status=%22sold%22', 'status=%5Bsold%5D', 'status=status:sold', 'status==sold', 'status=sold%7C', 'status=%5Esold$',
  'status=%27%20OR%20%271%27=%271', 'status=sold%27%20--', 'status=$%7B7*7%7D', 'status=undefined',
  'status', 'status=%EF%BD%93%EF%BD%8F%EF%BD%8C%EF%BD%84', 'status=%D1%95old', 'status=pend%C4%B1ng',
  'status=so%CC%81ld', 'status=%F0%9F%90%BE', 'status=sold%', 'status=sold%E9', 'status=%u0073old', 'status=sold?',
  'status=$TIMES:1500<x>', 'status=$TIMES:5000<x>',
];

/** A limit and a status, at least one of them odd. */
// biome-ignore format: one table
export const ODD_BOTH: readonly string[] = [
  'limit=0&status=unknown', 'limit=1000&status=sold', 'limit=5&status=unknown', 'limit=5&limit=7&status=sold',
  'limit=0&status=pending', 'limit=5&status=sold&limit=7', 'limit=20%ZZ&status=sold', 'limit=1e3&status=available',
  'limit=9223372036854775808&status=sold', 'limit=5&status=', 'limit=100&status=sold&status=sold',
  'limit=-1&status=sold', 'limit=-Infinity&status=pending', 'limit=0150&status=available', 'limit=&status=sold',
  'status=available&limit=101', 'limit=2147483648&status=pending', 'limit=%EF%BC%91%EF%BC%91%EF%BC%90&status=sold',
  'limit=abc&status=sold', 'status=SOLD&limit=100', 'status=constructor&limit=5', 'limit=abc&status=unknown',
  'limit=-1&status=SOLD', 'limit=100&status=&limit=1', 'limit=20%&status=sold', 'limit=20%C0%80&status=available',
  'limit=5&status=sold%ZZ', 'limit=1,1000&status=pending', 'limit=005&status=sold', 'limit=%205&status=available',
  'status=sold,pending&limit=100', 'status=.*&limit=5', 'status=sold&limit=5&status=pending',
  'limit=2&status=available&status=available', 'limit=5&status=unknown&status=sold', 'limit=NaN&status=available',
  'limit=3&status=%25', 'status=sold;limit=5',
];

/** One `&` too many. */
// biome-ignore format: one table
export const EMPTY_PARAMETERS: readonly string[] = [
  'limit=5&', 'limit=5&&status=sold', '&limit=5', '&', 'status=sold&', '&status=pending', 'status=sold&&limit=5',
  '&&', 'limit=7&status=available&',
];
