import { answering, answersOf, changing, errorAnswer, everyNth, fault, rewriting } from '../changing.ts';
import { invalidBody, Refusal } from '../errors.ts';
import { isObject, readJson } from '../json.ts';
import type { NewPet } from '../pet.ts';
import type { Answer, Call, Fault } from '../steps.ts';

const created = answersOf('createPet', 201);

/** Mends a text that is not JSON before it is refused. */
const mending = (mend: (text: string) => string) =>
  changing('parseBody', (usual) => (text, call) => {
    try {
      return usual(text, call);
    } catch (refusal) {
      const mended = mend(text);
      if (mended === text) throw refusal;
      return usual(mended, call);
    }
  });

/** Turns one member into something valid before the body is validated. */
const coercing = (name: string, coerce: (value: unknown) => unknown) =>
  changing(
    'validateNewPet',
    (usual) => (body, call) =>
      usual(
        isObject(body) ? { ...body, [name]: coerce(Object.hasOwn(body, name) ? body[name] : undefined) } : body,
        call,
      ),
  );

/** As `coercing`, for a member that is present. */
const coercingPresent = (name: string, coerce: (value: unknown) => unknown) =>
  changing(
    'validateNewPet',
    (usual) => (body, call) =>
      usual(isObject(body) && Object.hasOwn(body, name) ? { ...body, [name]: coerce(body[name]) } : body, call),
  );

/** Reads a body that is no object as one. */
const readingAsObject = (read: (body: unknown) => unknown) =>
  changing('validateNewPet', (usual) => (body, call) => usual(isObject(body) ? body : read(body), call));

/** Refuses a body that is valid. */
const refusingBodies = (refuses: (text: string) => boolean) =>
  changing('parseBody', (usual) => (text, call) => {
    const body = usual(text, call);
    if (refuses(text)) throw invalidBody('The body is not acceptable.');
    return body;
  });

/** Refuses an animal that is valid. */
const refusing = (refuses: (pet: NewPet, body: unknown) => boolean) =>
  changing('validateNewPet', (usual) => (body, call) => {
    const pet = usual(body, call);
    if (refuses(pet, body)) throw invalidBody('The animal is not acceptable.');
    return pet;
  });

/** Adds an animal of a body that is refused. */
const addingTheRefused = (which: (body: Readonly<Record<string, unknown>>) => boolean) =>
  changing('validateNewPet', (usual) => (body, call) => {
    try {
      return usual(body, call);
    } catch (refusal) {
      if (isObject(body) && which(body)) addWhatIsSound(body, call);
      throw refusal;
    }
  });

function addWhatIsSound(body: Readonly<Record<string, unknown>>, call: Call): void {
  const { steps } = call.shop;
  const id = steps.assignId(call.shop);
  const { name, categoryId } = body;
  if (typeof id !== 'bigint') return;
  steps.store(
    {
      id,
      name: typeof name === 'string' ? name : '',
      categoryId: typeof categoryId === 'bigint' ? categoryId : 0n,
      status: 'available',
    },
    call,
  );
}

const isBodiless = (call: Call): boolean =>
  (call.header('content-length') ?? '0') === '0' && call.header('transfer-encoding') === undefined;
const whenBodiless = (answer: (call: Call) => Answer | Promise<Answer>) =>
  changing('createPet', (usual) => async (call) => (isBodiless(call) ? answer(call) : usual(call)));

const has = (body: Readonly<Record<string, unknown>>, name: string): boolean => Object.hasOwn(body, name);
const withStatus =
  (status: number) =>
  (answer: Answer): Answer => ({ ...answer, status });
const refusedBody = answersOf('createPet', 400);

/** Answers a kind of refused body with another status; `which` judges the text of the body. */
const refusingTextWith = (status: number, which: (text: string) => boolean) =>
  changing('parseBody', (usual) => (text, call) => {
    try {
      return usual(text, call);
    } catch (refusal) {
      throw which(text) ? new Refusal(status, 'invalid_body', 'The body is not well-formed JSON.') : refusal;
    }
  });

export const creationFaults: readonly Fault[] = [
  fault('created-answered-200', 'CREATE-1', 'createPet answers 200.', answering(created, withStatus(200))),
  fault(
    'created-answered-303',
    'CREATE-1',
    'createPet sends the client on to the animal with 303.',
    answering(created, withStatus(303)),
  ),
  fault(
    'created-without-body',
    'SERV-3',
    'The 201 has no body.',
    answering(created, (answer) => ({ ...answer, body: '' })),
  ),
  fault(
    'created-wrapped',
    'RES-4',
    'The animal in the 201 stands under `pet`.',
    rewriting(created, (text) => `{"pet":${text}}`),
  ),
  fault(
    'pending-refused',
    'CREATE-1',
    'An animal cannot be added as pending.',
    refusing(({ status }) => status === 'pending'),
  ),

  fault(
    'name-missing-accepted',
    'CREATE-2',
    'Without `name`, the animal is called "unnamed".',
    coercing('name', (name) => (name === undefined ? 'unnamed' : name)),
  ),
  fault(
    'category-missing-accepted',
    'CREATE-2',
    'Without `categoryId`, the category is 0.',
    coercing('categoryId', (id) => (id === undefined ? 0n : id)),
  ),
  fault(
    'wrapped-body-unwrapped',
    'CREATE-2',
    'An object that holds the animal at `pet` is unwrapped.',
    changing('validateNewPet', (usual) => (body, call) => {
      const inner = isObject(body) ? body['pet'] : undefined;
      return usual(isObject(inner) ? inner : body, call);
    }),
  ),
  fault(
    'required-members-answered-422',
    'CREATE-2',
    'Every refused body is answered with 422.',
    answering(refusedBody, () => errorAnswer(422)),
  ),

  fault(
    'body-missing-accepted',
    'CREATE-3',
    'Without a body, an animal of defaults is added.',
    changing(
      'readBody',
      (usual) => async (call) => (isBodiless(call) ? '{"name":"unnamed","categoryId":0}' : usual(call)),
    ),
  ),
  fault(
    'body-missing-answered-411',
    'CREATE-3',
    'A missing body is answered with 411.',
    whenBodiless(() => errorAnswer(411)),
  ),

  fault(
    'trailing-comma-accepted',
    'CREATE-4',
    'A comma before the closing brace is accepted.',
    mending((text) => text.replace(/,(\s*[}\]])/g, '$1')),
  ),
  fault(
    'text-after-json-accepted',
    'CREATE-4',
    'What follows the first JSON value is ignored.',
    mending((text) => text.replace(/\}[^}]+(\{.*)?$|\}\}+$/s, '}')),
  ),
  fault(
    'truncated-json-accepted',
    'CREATE-4',
    'A missing closing brace is added.',
    mending((text) => (text.split('"').length % 2 === 0 ? `${text}"}` : `${text}}`)),
  ),
  fault(
    'form-body-accepted',
    'CREATE-4',
    'A body such as `name=Rex&categoryId=1` is read as a form.',
    mending((text) => {
      const form = new URLSearchParams(text);
      return form.has('name') && form.has('categoryId')
        ? JSON.stringify({ name: form.get('name'), categoryId: Number(form.get('categoryId')) })
        : text;
    }),
  ),
  fault(
    'malformed-json-answered-422',
    'CREATE-4',
    'A malformed body is answered with 422.',
    refusingTextWith(422, () => true),
  ),
  fault(
    'name-number-accepted',
    'CREATE-5',
    'A number as `name` is turned into a string.',
    coercingPresent('name', (name) => (typeof name === 'bigint' || typeof name === 'number' ? String(name) : name)),
  ),
  fault(
    'name-array-accepted',
    'CREATE-5',
    'An array as `name` is joined into a string.',
    coercingPresent('name', (name) => (Array.isArray(name) ? name.join(',') : name)),
  ),

  fault(
    'category-string-accepted',
    'CREATE-6',
    'Digits in a string are accepted as `categoryId`.',
    coercingPresent('categoryId', (id) => (typeof id === 'string' && /^-?\d+$/.test(id) ? BigInt(id) : id)),
  ),
  fault(
    'category-fraction-truncated',
    'CREATE-6',
    'A fraction as `categoryId` loses what stands after the point.',
    coercingPresent('categoryId', (id) =>
      typeof id === 'number' && Math.abs(id) < 1e15 ? BigInt(Math.trunc(id)) : id,
    ),
  ),
  fault(
    'category-beyond-int64-wrapped',
    'CREATE-6',
    'A `categoryId` beyond int64 wraps around.',
    coercingPresent('categoryId', (id) => (typeof id === 'bigint' ? BigInt.asIntN(64, id) : id)),
  ),

  fault(
    'status-in-any-letter-case',
    'CREATE-7',
    'A status in other letter cases is accepted.',
    coercingPresent('status', (status) => (typeof status === 'string' ? status.toLowerCase() : status)),
  ),
  fault(
    'status-null-accepted',
    'CREATE-7',
    'A status of null is taken for an omitted one.',
    coercingPresent('status', (status) => (status === null ? 'available' : status)),
  ),
  fault(
    'status-unknown-accepted',
    'CREATE-7',
    'A string outside the enumeration is taken for `available`.',
    coercingPresent('status', (status) =>
      typeof status === 'string' && !['available', 'pending', 'sold'].includes(status) ? 'available' : status,
    ),
  ),

  fault(
    'array-accepted',
    'CREATE-8',
    'Of an array of animals the first is added.',
    readingAsObject((body) => (Array.isArray(body) ? body[0] : body)),
  ),
  fault(
    'null-accepted',
    'CREATE-8',
    'A body of null adds an animal of defaults.',
    readingAsObject((body) => (body === null ? { name: 'unnamed', categoryId: 0n } : body)),
  ),
  fault(
    'json-in-string-accepted',
    'CREATE-8',
    'A body that is a JSON string of JSON is unpacked.',
    readingAsObject((body) => {
      try {
        return typeof body === 'string' ? readJson(body) : body;
      } catch {
        return body;
      }
    }),
  ),

  fault(
    'refused-status-added',
    'CREATE-9',
    'A body with an invalid status is refused, but the animal is added.',
    addingTheRefused((body) => has(body, 'name') && has(body, 'categoryId') && has(body, 'status')),
  ),
  fault(
    'refused-name-added',
    'CREATE-9',
    'A body whose `name` is a number is refused, but the animal is added.',
    addingTheRefused((body) => typeof body['name'] === 'bigint' || typeof body['name'] === 'number'),
  ),
  fault(
    'refused-incomplete-added',
    'CREATE-9',
    'A body without `categoryId` is refused, but the animal is added.',
    addingTheRefused((body) => has(body, 'name') && !has(body, 'categoryId')),
  ),
  fault(
    'refused-all-added',
    'CREATE-9',
    'Every object that is refused is added all the same.',
    addingTheRefused(() => true),
  ),
  fault('one-in-15-refused-bodies-added', 'CREATE-9', 'One refused body in 15 is added all the same.', (steps) => {
    const due = everyNth(15);
    return addingTheRefused((body) => has(body, 'name') && due())(steps);
  }),

  fault('same-body-answered-409', 'CREATE-10', 'A body that was added before is answered with 409.', (steps) => {
    const seen = new Set<string>();
    return changing('parseBody', (usual) => (text, call) => {
      const body = usual(text, call);
      if (seen.has(text)) throw new Refusal(409, 'conflict', 'The animal exists.');
      seen.add(text);
      return body;
    })(steps);
  }),
  fault('same-body-same-animal', 'CREATE-10', 'A body that was added before gives the animal of then.', (steps) => {
    const answers = new Map<string, Answer>();
    return changing('createPet', (usual) => async (call) => {
      const text = await call.shop.steps.readBody(call);
      const before = answers.get(text);
      if (before !== undefined) return before;
      const { steps: all } = call.shop;
      const answer = await usual({
        ...call,
        shop: { ...call.shop, steps: { ...all, readBody: async () => text } },
      });
      if (answer.status === 201) answers.set(text, answer);
      return answer;
    })(steps);
  }),
  fault(
    'client-id-adopted',
    'RES-12',
    'An `id` in the body becomes the id of the animal.',
    changing('createPet', (usual) => async (call) => {
      const { shop } = call;
      let wished: bigint | undefined;
      const own = shop.steps;
      return usual({
        ...call,
        shop: {
          ...shop,
          steps: {
            ...own,
            validateNewPet: (body, inner) => {
              wished = isObject(body) && typeof body['id'] === 'bigint' ? BigInt.asIntN(64, body['id']) : undefined;
              return own.validateNewPet(body, inner);
            },
            assignId: (inner) => wished ?? own.assignId(inner),
          },
        },
      });
    }),
  ),
  fault(
    'unknown-member-makes-500',
    'RES-11',
    'A member that a NewPet does not have makes the service fail.',
    changing('validateNewPet', (usual) => (body, call) => {
      const pet = usual(body, call);
      if (isObject(body) && Object.keys(body).some((name) => !['name', 'categoryId', 'status', 'id'].includes(name)))
        throw new Error('column not found');
      return pet;
    }),
  ),

  fault(
    'charset-parameter-refused',
    'CREATE-12',
    '`application/json; charset=utf-8` is refused.',
    changing('checkMediaType', (usual) => (call) => {
      usual(call);
      if (call.header('content-type')?.includes(';'))
        throw new Refusal(415, 'unsupported_media_type', 'Send application/json.');
    }),
  ),
  fault(
    'line-breaks-between-members-refused',
    'CREATE-12',
    'A body of several lines is refused.',
    refusingBodies((text) => /[\r\n]/.test(text)),
  ),
  fault(
    'other-member-order-refused',
    'CREATE-12',
    'Only `name` may come first.',
    refusingBodies((text) => !/^\s*\{\s*"name"/.test(text)),
  ),
  fault(
    'unicode-escapes-refused',
    'CREATE-12',
    'Escapes such as \\u00e9 are refused.',
    refusingBodies((text) => /(?<!\\)(?:\\\\)*\\u/.test(text)),
  ),

  fault(
    'omitted-status-refused',
    'STATE-1',
    'A body without a status is refused.',
    refusing((_, body) => isObject(body) && !has(body, 'status')),
  ),
  fault(
    'omitted-status-answered-422',
    'STATE-1',
    'A body without a status is answered with 422.',
    changing('validateNewPet', (usual) => (body, call) => {
      const pet = usual(body, call);
      if (isObject(body) && !has(body, 'status')) throw new Refusal(422, 'invalid_body', 'The status is missing.');
      return pet;
    }),
  ),
  fault(
    'omitted-status-answered-500',
    'SERV-4',
    'A body without a status makes the service fail.',
    changing('validateNewPet', (usual) => (body, call) => {
      const pet = usual(body, call);
      if (isObject(body) && !has(body, 'status')) throw new Error('status is undefined');
      return pet;
    }),
  ),
];
