/** Bodies that are missing, not JSON, or not an object: each must be rejected with 400. Most revealing first. */

export const MALFORMED = {
  /** A media type (empty for none), with no body or an empty one. */
  // biome-ignore format: one table
  noBodies: [
    ['application/json', ''],
    ['', undefined],
    ['application/json', undefined],
    ['multipart/form-data', ''],
    ['', ''],
  ],

  // biome-ignore format: one table
  json: [
    '{"name":"$NAME","categoryId":7,"status":"sold"',
    '{"name":"$NAME","categoryId":7,}',
    '{"name":"$NAME",/* a pet */"categoryId":7}',
    '{"name":"$NAME","categoryId":7} x',
    '{\'name\':\'$NAME\',\'categoryId\':7}',
    '{name:"$NAME",categoryId:7}',
    '{"name":"$NAME","categoryId":7.}',
    '{"name":"$NAME","categoryId":+7}',
    '{"name":"$NAME","categoryId":0x7}',
    '{"name":"$NAME","categoryId":7,"x":NaN}',
    '{"name":"$NAME",// a pet\n"categoryId":7}',
    '{"name":"$NAME","categoryId":07}',
    '{"name":"$NAME\t","categoryId":7}',
    '{"name"="$NAME","categoryId"=7}',
    '{"name":"$NAME";"categoryId":7}',
    '{"name":"$NAME",# a pet\n"categoryId":7}',
    '$TIMES:100000<[>',
    'name=$NAME&categoryId=7',
    ' \n\t ',
    '{"name":"$NAME","categoryId":7,"x":tru}',
    '{"name":"$NAME","categoryId":7]',
    '{"name":"$NAME\\u00g1","categoryId":7}',
    // Commas, colons, quotes and braces.
    '{"name":"$NAME","categoryId":7}}',
    '{{"name":"$NAME","categoryId":7}',
    '"name":"$NAME","categoryId":7}',
    '{',
    '({"name":"$NAME","categoryId":7})',
    '{"name":"$NAME","cat',
    '{"name":"$NAME","categoryId":',
    '{"name":"$NAME","categoryId":7,"x":[1,]}',
    '{"name":"$NAME","categoryId":7,"x":True}',
    '{"name":"$NAME" "categoryId":7}',
    '{"name" "$NAME","categoryId":7}',
    '{"name":"$NAME","categoryId":7,"x":}',
    '{"name":$NAME,"categoryId":7}',
    '{"name":"$NAME","categoryId":7},',
    // More than one value, and text around it.
    '{"name":"$NAME","categoryId":7}{"name":"$NAME","categoryId":7}',
    'callback({"name":"$NAME","categoryId":7});',
    '{"name":"$NAME","categoryId":7}\u0000x',
    // Characters and escapes in strings.
    '{"name":"$NAME\n","categoryId":7}',
    '{"name":"$NAME \\\n x","categoryId":7}',
    '{"name":"$NAME\\x52","categoryId":7}',
    '{"name":"$NAME","categoryId":7,"x\t":1}',
    '{"name":"$NAME\\\'","categoryId":7}',
    // Numbers and literals.
    '{"name":"$NAME","categoryId":7,"x":.7}',
    '{"name":"$NAME","categoryId":1_000}',
    '{"name":"$NAME","categoryId":-01}',
    '{"name":"$NAME","categoryId":1e}',
    '{"name":"$NAME","categoryId":7,"x":-Infinity}',
    '{"name":"$NAME","categoryId":7,"x":{a:1}}',
    // White space that JSON does not permit, and other formats.
    '{\u00a0"name":"$NAME","categoryId":7}',
    '{"name":"$NAME",\u2028"categoryId":7}',
    '{"name":"$NAME",\f"categoryId":7}',
    '\u000b{"name":"$NAME","categoryId":7}\u000b',
    '<pet><name>$NAME</name><categoryId>7</categoryId></pet>',
    'name: "$NAME"\ncategoryId: 7\n',
    // Deep or long.
    '{"name":"$NAME","categoryId":7,"x":$TIMES:10000<[>}',
    '$TIMES:10000<{"a":>',
    '{"name":$TIMES:10000<[>$TIMES:9999<]>,"categoryId":$NUMBER}',
    '{"name":"$NAME","categoryId":7$TIMES:60000< >,}',
    '{"name":"$NAME","categoryId":7,"x":1.$TIMES:5000<7>.1}',
  ],

  // biome-ignore format: one table
  noObjects: [
    '[{"name":"$NAME","categoryId":7,"status":"sold"}]',
    'null',
    '"{\\"name\\":\\"$NAME\\",\\"categoryId\\":7}"',
    '["$NAME",7,"sold"]',
    '42',
    '[]',
    'true',
    '""',
    '["$NAME",7]',
    '[{"name":"$NAME","categoryId":7},{"name":"$NAME","categoryId":7}]',
    '0',
  ],
} as const;
