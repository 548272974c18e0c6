/** Bodies of which the specification does not say whether they are valid. Most revealing first. */

/** Unknown members with different names. */
const members = (count: number): string => Array.from({ length: count }, (_, at) => `"x${at}":${at}`).join(',');

export const OPEN = {
  // biome-ignore format: one table
  names: [
    '{"name":"","categoryId":$NUMBER,"status":"available"}',
    '{"name":"$NAME\\u0000b","categoryId":7,"status":"available"}',
    '{"name":"$NAME \\ud83d b","categoryId":7,"status":"available"}',
    '{"name":"\\t$NAME a\\r\\nb\\n","categoryId":7,"status":"available"}',
    '{"name":"\\u0001$NAME\\u0007\\u000b\\u001b[31mred \\b\\f\\u001f \u007f","categoryId":7,"status":"available"}',
    '{"name":"$NAME $TIMES:1100<日>","categoryId":7,"status":"available"}',
    '{"name":"$NAME $TIMES:1000<n>","categoryId":7,"status":"available"}',
    '{"name":"$TIMES:1001<n>","categoryId":$NUMBER,"status":"available"}',
    '{"name":"$NAME \\ude00\\ud83d","categoryId":7,"status":"available"}',
    '{"name":"$NAME\\u0000","categoryId":7,"status":"available"}',
    '{"name":"$NAME \\u0080\\u0085\\u009f x","categoryId":7,"status":"available"}',
  ],

  // biome-ignore format: one table
  unknownMembers: [
    '{"color":"brown","name":"$NAME","categoryId":9007199254740993}',
    '{"owner":{"name":"Ann","categoryId":8,"status":"pending"},"name":"$NAME","categoryId":7,"status":"sold"}',
    '{"NAME":"Other","Status":"sold","CategoryId":8,"category_id":"x","name":"$NAME","categoryId":7,"status":"available","Name":"Else","STATUS":"pending","CATEGORYID":9}',
    '{"name":"$NAME","categoryId":7,"status":"sold","":1}',
    '{"name":"$NAME","categoryId":7,"status":"available","__proto__":{"status":"sold","name":"Rex","categoryId":8},"constructor":{"prototype":{"status":"sold"}},"prototype":{}}',
    '{"extra":1e400,"name":"$NAME","categoryId":7,"status":"available"}',
    `{${members(600)},"name":"$NAME","categoryId":7,"status":"sold"}`,
    '{"name":"$NAME","categoryId":7,"tags":["a","b"],"price":12.5,"vaccinated":true,"note":null,"owner":{"name":"Ann"},"category":{"name":"Dogs","categoryId":8},"kind":"none","type":"none","state":"none","title":"none","displayName":"none","nickname":"none","label":"none","key":"none","parent":"none","active":false,"version":1,"quantity":1,"limit":1,"status":"pending"}',
    '{"name":"$NAME","categoryId":7,"deleted":true,"archived":true,"hidden":true,"draft":true,"isDeleted":true,"is_deleted":true,"removed":true,"expired":true,"disabled":true,"private":true,"dryRun":true,"validateOnly":true,"upsert":true,"visible":false,"enabled":false,"published":false,"available":false,"sold":true,"pending":true,"ttl":1,"deletedAt":"2020-01-01T00:00:00Z","expiresAt":"2020-01-01T00:00:00Z","createdAt":"2020-01-01T00:00:00Z"}',
    '{"pet":{"name":"Ben","categoryId":8,"status":"available"},"data":{"name":"Ben","categoryId":8},"attributes":{"name":"Ben"},"name":"$NAME","categoryId":9007199254740993,"status":"sold","body":{"name":"Ben","status":"pending"},"last":{"name":"Ben"}}',
    '{"name":"$NAME","categoryId":7,"status":"available","a\\u0000b":1,"\\u0000":1,"name\\u0000":"Rex","note":"\\u0000 \\ud800"}',
    `{${members(1000)},"name":"$NAME","categoryId":7,"status":"available"}`,
  ],

  // biome-ignore format: one table
  clientIds: [
    '{"id":$ID,"name":"$NAME","categoryId":7}',
    '{"name":"$NAME","categoryId":7,"status":"available","id":$FREE}',
    '{"id":-$FREE,"name":"$NAME","categoryId":7,"status":"available"}',
    '{"name":"$NAME","categoryId":7,"status":"sold","id":$ID}',
    '{"id":"$FREE","name":"$NAME","categoryId":7,"status":"available"}',
    '{"id":null,"name":"$NAME","categoryId":7,"status":"available"}',
  ],

  // biome-ignore format: one table
  integers: [
    '{"name":"$NAME","categoryId":1e2,"status":"available"}',
    '{"name":"$NAME","categoryId":1.0,"status":"available"}',
    '{"name":"$NAME","categoryId":9007199254740993.0,"status":"available"}',
    '{"name":"$NAME","categoryId":-0,"status":"available"}',
    '{"name":"$NAME","categoryId":9.223372036854775807E+18,"status":"available"}',
    '{"name":"$NAME","categoryId":-7.00,"status":"available"}',
  ],

  // biome-ignore format: one table
  duplicateMembers: [
    '{"name":"$NAME","categoryId":7,"status":"available","name":"$NAME other"}',
    '{"categoryId":2,"name":"$NAME","categoryId":7,"status":"available"}',
    '{"status":"sold","name":"$NAME","categoryId":7,"status":"available"}',
    '{"name":"$NAME","categoryId":7,"status":"available","name":"$NAME"}',
    '{"name":null,"name":"$NAME","categoryId":7,"status":"available"}',
  ],

  /** A byte order mark, and bytes that are not UTF-8. */
  // biome-ignore format: one table
  encodings: [
    '{"name":"$NAME caf$BYTES:e9","categoryId":7,"status":"available"}',
    '\ufeff{"name":"$NAME","categoryId":7,"status":"available"}',
    '$UTF16LE<{"name":"$NAME é","categoryId":7,"status":"available"}>',
    '{"name":"$NAME $BYTES:eda080 ","categoryId":7,"status":"available"}',
    '$BYTES:fffe$UTF16LE<{"name":"$NAME é","categoryId":7,"status":"available"}>',
  ],

  /** No media type (empty), one that is not that of JSON, or one that a service need not know; with a body. */
  // biome-ignore format: one table
  mediaTypes: [
    ['', '{"name":"$NAME","categoryId":7,"status":"available"}'],
    ['text/plain', '{"name":"$NAME","categoryId":7,"status":"available"}'],
    ['application/x-www-form-urlencoded', 'name=$NAME&categoryId=7&status=available'],
    ['application/json; charset=iso-8859-1', '{"name":"$NAME","categoryId":7,"status":"available"}'],
    ['application/x-www-form-urlencoded; charset=x-unknown', 'name=$NAME&categoryId=7'],
    ['APPLICATION/JSON', '{"name":"$NAME","categoryId":7,"status":"available"}'],
    ['application/json ; charset=utf-8', '{"name":"$NAME é","categoryId":7,"status":"available"}'],
    ['application/vnd.petstore+json', '{"name":"$NAME","categoryId":7,"status":"available"}'],
    ['application/xml', '<pet><name>$NAME</name><categoryId>7</categoryId><status>available</status></pet>'],
    ['application/yaml', 'name: "$NAME"\ncategoryId: 7\nstatus: available\n'],
  ],

  /** A Content-Encoding, and a body that may or may not be encoded so. */
  // biome-ignore format: one table
  codings: [
    ['gzip', '{"name":"$NAME","categoryId":7,"status":"available"}'],
    ['gzip', '$GZIP<{"name":"$NAME","categoryId":7,"status":"available"}>'],
    ['deflate', '{"name":"$NAME","categoryId":7,"status":"available"}'],
    ['br', '{"name":"$NAME","categoryId":7,"status":"available"}'],
  ],

  /** The size of each chunk, and the body. */
  // biome-ignore format: one table
  chunkSizes: [
    [1, '{"name":"$NAME é 日 🐾","categoryId":7,"status":"available"}'],
    [8192, '{"name":"$NAME","categoryId":7,"status":"sold"}'],
    [7, '{"name":"$NAME","categoryId":7,"status":"sold"'],
    [16, '{"name":"$NAME 🐾🐾🐾🐾🐾🐾","categoryId":9007199254740993}'],
    [8, ''],
  ],

  /** More than 64 KiB, and more than 1 MB. */
  // biome-ignore format: one table
  large: [
    '{"name":"$NAME","categoryId":7,"status":"sold"$TIMES:100000< >}',
    '{"extra":"$TIMES:1048000<x>","name":"$NAME","categoryId":7,"status":"available"}',
    '$TIMES:2000000< >{"name":"$NAME","categoryId":7,"status":"available"}',
  ],
} as const;
