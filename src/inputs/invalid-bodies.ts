/** Objects that are not a NewPet: each must be rejected with 400. Most revealing first. */

export const INVALID = {
  /** Members that are omitted, misnamed, or one level too deep. */
  // biome-ignore format: one table
  lackingMembers: [
    '{}',
    '{"name":"$NAME"}',
    '{"categoryId":$NUMBER}',
    '{"categoryId":$NUMBER,"status":"available"}',
    '{"name":"$NAME","status":"available"}',
    '{"Name":"$NAME","CATEGORYID":7}',
    '{"pet":{"name":"$NAME","categoryId":7}}',
    '{"id":$ID,"name":"$NAME"}',
    '{"categoryId":$NUMBER,"__proto__":{"name":"$NAME"}}',
    '{"categoryId":$NUMBER,"displayName":"$NAME","label":"$NAME","title":"$NAME","petName":"$NAME","pet_name":"$NAME","fullName":"$NAME","nickname":"$NAME","names":"$NAME","text":"$NAME","value":"$NAME","first_name":"$NAME","alias":"$NAME","description":"$NAME","_name":"$NAME","name_":"$NAME","$name":"$NAME","@name":"$NAME","n":"$NAME"}',
    '{"name":"$NAME","category":7,"category_id":7,"categoryID":7,"categoryid":7,"CategoryId":7,"category-id":7,"catId":7,"cat_id":7,"categories":7,"categoryIds":7,"kind":7,"type":7,"typeId":7,"group":7,"class":7,"_categoryId":7,"$categoryId":7,"@categoryId":7,"cat":7}',
    '{"__proto__":{"name":"$NAME","categoryId":7}}',
    '{"":{"name":"$NAME","categoryId":7}}',
    '{"NAME":"$NAME","categoryId":7}',
    '{"displayName":"$NAME","categoryId":7,"status":"sold"}',
    '{"name":"$NAME","__proto__":{"categoryId":7},"prototype":{"categoryId":7},"toString":{"categoryId":7}}',
    '{ \r\n\t }',
    '{"x":1$TIMES:1048000< >}',
  ],

  // biome-ignore format: one table
  wrongNames: [
    '{"name":null,"categoryId":$NUMBER}',
    '{"name":$NUMBER,"categoryId":7,"status":"sold"}',
    '{"name":1.5,"categoryId":$NUMBER}',
    '{"name":{"en":"$NAME"},"categoryId":7,"status":"available"}',
    '{"name":$TIMES:10000<[>$TIMES:10000<]>,"categoryId":$NUMBER}',
    '{"name":["$NAME"],"categoryId":7}',
    '{"name":true,"categoryId":$NUMBER,"status":"pending"}',
    '{"name":{},"categoryId":$NUMBER}',
    '{"name":[],"categoryId":$NUMBER,"status":"sold"}',
    '{"name":null,"categoryId":$NUMBER,"status":"sold"}',
    '{"name":{"value":"$NAME","name":"$NAME","id":"$NAME","en":"$NAME","de":"$NAME","en-US":"$NAME","default":"$NAME","text":"$NAME","#text":"$NAME","_text":"$NAME","$t":"$NAME","_":"$NAME","$":"$NAME","@value":"$NAME","label":"$NAME","title":"$NAME","raw":"$NAME","content":"$NAME","string":"$NAME","first":"$NAME","0":"$NAME","":"$NAME","toString":"$NAME","valueOf":"$NAME"},"categoryId":7}',
    '{"name":1e400,"categoryId":$NUMBER}',
    '{"name":$TIMES:5000<7>,"categoryId":$NUMBER}',
  ],

  // biome-ignore format: one table
  wrongCategories: [
    '{"name":"$NAME","categoryId":"7"}',
    '{"name":"$NAME","categoryId":null}',
    '{"id":$ID,"name":"$NAME","categoryId":null,"status":"pending"}',
    '{"name":"$NAME","categoryId":1.5}',
    '{"name":"$NAME","categoryId":9223372036854775808}',
    '{"name":"$NAME","categoryId":"7","status":"sold"}',
    '{"name":"$NAME","categoryId":1e400,"status":"available"}',
    '{"name":"$NAME","categoryId":{"$numberLong":"7"}}',
    '{"name":"$NAME","categoryId":"１"}',
    '{"name":"$NAME","categoryId":"$TIMES:70000<1>"}',
    '{"name":"$NAME","categoryId":-9223372036854775809,"status":"sold"}',
    '{"name":"$NAME","categoryId":-1e400}',
    '{"name":"$NAME","categoryId":9223372036854775808.0}',
    '{"name":"$NAME","categoryId":1e99999}',
    '{"name":"$NAME","categoryId":0.1}',
    '{"name":"$NAME","categoryId":-0.5,"status":"sold"}',
    '{"name":"$NAME","categoryId":"\u0661"}',
    '{"name":"$NAME","categoryId":$TIMES:5000<7>}',
    '{"name":"$NAME","categoryId":true,"status":"pending"}',
    '{"name":"$NAME","categoryId":false}',
    '{"name":"$NAME","categoryId":[7]}',
    '{"name":"$NAME","categoryId":{"value":7}}',
    '{"name":"$NAME","categoryId":""}',
    '{"name":"$NAME","categoryId":18446744073709551617,"status":"pending"}',
    // It must not change an animal of the run, either.
    '{"name":"conformance namesake","categoryId":"$NUMBER","status":"available"}',
  ],

  // biome-ignore format: one table
  wrongStatuses: [
    '{"name":"$NAME","categoryId":7,"status":"SOLD"}',
    '{"name":"$NAME","categoryId":7,"status":null}',
    '{"name":"$NAME","categoryId":0,"status":"1"}',
    '{"name":"$NAME","categoryId":7,"status":"available,sold"}',
    '{"name":"$NAME","categoryId":7,"status":"xpendingx"}',
    '{"name":"$NAME","categoryId":7,"status":"toString"}',
    '{"name":"$NAME","categoryId":7,"status":1}',
    '{"name":"$NAME","categoryId":0,"status":"none"}',
    '{"name":"$NAME","categoryId":7,"status":"availableX"}',
    '{"name":"$NAME","categoryId":7,"status":"unsold"}',
    '{"name":"$NAME","categoryId":7,"status":"pending, sold"}',
    '{"name":"$NAME","categoryId":7,"status":"none","color":"brown"}',
    '{"name":"$NAME","categoryId":7,"status":"sold\\n"}',
    '{"name":"$NAME","categoryId":7,"status":"constructor"}',
    '{"name":"$NAME","categoryId":7,"status":"sold "}',
    '{"name":"$NAME","categoryId":7,"status":{"value":"sold"}}',
    '{"name":"$NAME","categoryId":7,"status":"ｓｏｌｄ"}',
    '{"name":"$NAME","categoryId":7,"status":"Available"}',
    '{"name":"$NAME","categoryId":7,"status":0}',
    '{"name":"$NAME","categoryId":7,"status":"0"}',
    '{"name":"$NAME","categoryId":7,"status":"pend\u0131ng"}',
    '{"name":"$NAME","categoryId":7,"status":{}}',
    '{"name":"$NAME","categoryId":7,"status":""}',
    '{"name":"$NAME","categoryId":7,"status":["sold"]}',
    '{"name":"$NAME","categoryId":7,"status":true}',
    '{"name":"$NAME","categoryId":7,"status":" available"}',
  ],

  /** Two faults in a body, or one fault and something that may hide it. */
  // biome-ignore format: one table
  severalWrong: [
    '{"name":7,"categoryId":$NUMBER,"status":"SOLD"}',
    '{"name":"$NAME","categoryId":"7","status":null}',
    '{"name":null,"categoryId":null,"status":null}',
    '{"name":"$NAME","status":"none"}',
    '{"name":[],"categoryId":$NUMBER,"status":1}',
    '{"owner":{"name":"$NAME","categoryId":7},"name":null,"categoryId":$NUMBER,"status":"sold"}',
  ],

  /** Invalid bodies with a media type (empty for none): 400, or 415 if it is not that of JSON. */
  // biome-ignore format: one table
  inMediaTypes: [
    ['', '{"name":"$NAME","categoryId":7,"status":"none"}'],
    ['text/plain', '{"name":"$NAME","categoryId":"7"}'],
    ['text/plain', '{"name":"$NAME","categoryId":7,}'],
    ['', '{"name":"$NAME","categoryId":"7"}'],
    ['', '{"name":"$NAME","status":"sold"}'],
    ['application/json; charset=utf-8', '{"name":"$NAME","categoryId":7,"status":"none"}'],
    ['application/json;charset="UTF-8"', '{"name":"$NAME","categoryId":"7"}'],
    ['application/x-www-form-urlencoded', '{"name":"$NAME","categoryId":7,"status":"none"}'],
    ['', 'name=$NAME&categoryId=7'],
    ['application/vnd.petstore+json', '{"name":"$NAME","categoryId":"7"}'],
  ],
} as const;
