import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lint } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Contract, loadContract } from './contract.ts';
import { ContractError } from './contract-error.ts';
import { type Json, parseJson } from './json.ts';

const SPEC = new URL('../../spec/openapi.yaml', import.meta.url);

let contract: Contract;
let folder: string;
let source: string;

beforeAll(async () => {
  contract = await loadContract();
  source = await readFile(SPEC, 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'petstore-contract-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function json(text: string): Json {
  const parsed = parseJson(new TextEncoder().encode(text));
  if (parsed.kind !== 'json') throw new Error(parsed.sentence);
  return parsed;
}

const LIST_RESPONSES = `'200':
          description: A page of animals.
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Pets'
        '401':
          $ref: '#/components/responses/Unauthorized'`;

/** The document with one thing changed, as a file. */
async function changed(from: string, to: string): Promise<URL> {
  expect(source).toContain(from);
  const file = join(folder, 'openapi.yaml');
  await writeFile(file, source.replace(from, to));
  return pathToFileURL(file);
}

async function lintOf(file: URL): Promise<readonly string[]> {
  // The service has no licence that this document could name.
  const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } });
  const problems = await lint({ ref: fileURLToPath(file), config });
  return problems.map((problem) => `${problem.ruleId}: ${problem.message}`);
}

const pet = (over: string): string => `{"id": 1, "name": "Rex", "categoryId": 2, "status": "sold"${over}}`;

describe('the document', () => {
  it('has operations and their documented statuses', () => {
    expect(contract.operations).toEqual(['listPets', 'createPet', 'getPet']);
    expect(contract.statuses('listPets')).toEqual([200, 401]);
    expect(contract.statuses('createPet')).toEqual([201, 400, 401]);
    expect(contract.statuses('getPet')).toEqual([200, 401, 404]);
  });

  it('passes the validator, which a run leaves out', async () => {
    await expect(SwaggerParser.validate(fileURLToPath(SPEC))).resolves.toBeDefined();
  });

  it('passes the linter', async () => {
    expect(await lintOf(SPEC)).toEqual([]);
  });

  it.each([
    ['a type that JSON schema does not have', 'called.\n          type: string', 'called.\n          type: strng'],
    ['a negative length', 'type: string\n      enum', 'type: string\n      minLength: -1\n      enum'],
    ['an operation id that is used twice', 'operationId: createPet', 'operationId: listPets'],
    ['a path parameter that is not declared', 'name: petId', 'name: id'],
  ])('the linter catches %s, which the parser lets through', async (_, from, to) => {
    const file = await changed(from, to);
    await expect(SwaggerParser.validate(fileURLToPath(file))).resolves.toBeDefined();
    expect(await lintOf(file)).not.toEqual([]);
  });
});

describe('valid bodies', () => {
  it.each([
    ['listPets', 200, '[]'],
    ['listPets', 200, `[${pet('')}, ${pet(', "born": 2020')}]`],
    ['createPet', 201, '{"id": 1.0, "name": "", "categoryId": 1e3}'],
    ['getPet', 200, pet('')],
    ['getPet', 404, '{"code": "", "message": "", "status": 404, "hint": null}'],
  ] as const)('%s %i %s', (operation, status, text) => {
    expect(contract.validateResponse(operation, status, json(text))).toEqual([]);
  });
});

describe('invalid bodies', () => {
  it.each([
    ['{}', '', 'type', 'the body must be an array and is an object'],
    ['[7]', '/0', 'type', '/0 must be an object and is 7'],
    ['[{"id": 1, "categoryId": 2}]', '/0/name', 'required', '/0 must have the member "name"'],
    ['[{"id": 1, "name": null, "categoryId": 2}]', '/0/name', 'type', '/0/name must be a string and is null'],
    ['[{"id": "1", "name": "a", "categoryId": 2}]', '/0/id', 'type', '/0/id must be an integer and is the string "1"'],
    [
      '[{"id": 1, "name": "a", "categoryId": 1.5}]',
      '/0/categoryId',
      'type',
      '/0/categoryId must be an integer and is 1.5',
    ],
    [
      '[{"id": 1, "name": "a", "categoryId": 9223372036854775808}]',
      '/0/categoryId',
      'int64',
      '/0/categoryId must be an int64 and is 9223372036854775808',
    ],
    [
      '[{"id": 1, "name": "a", "categoryId": 2, "status": "Sold"}]',
      '/0/status',
      'enum',
      '/0/status must be one of "available", "pending", "sold" and is "Sold"',
    ],
    [
      '[{"id": 1, "name": "a", "categoryId": 2, "status": null}]',
      '/0/status',
      'type',
      '/0/status must be a string and is null',
    ],
  ])('listPets 200 %s', (text, pointer, keyword, message) => {
    const faults = contract.validateResponse('listPets', 200, json(text));
    expect(faults).toEqual([{ pointer, keyword, message, found: expect.any(String) }]);
  });

  it('every fault of a body is named', () => {
    const faults = contract.validateResponse('createPet', 201, json('{"id": null, "status": 3}'));
    expect(faults.map(({ pointer }) => pointer).sort()).toEqual(['/categoryId', '/id', '/name', '/status']);
    const page = contract.validateResponse('listPets', 200, json(`[${pet('')}, {"name": 1}]`));
    expect(page.map((fault) => fault.message)).toContain('/1 must have the member "id"');
    expect(page).toHaveLength(3);
  });

  it('errors of any status have the Error shape', () => {
    const wrong = json('{"code": 1, "message": "no", "status": "401"}');
    const pointers = ['/code', '/status'];
    expect(contract.validateResponse('listPets', 401, wrong).map(({ pointer }) => pointer)).toEqual(pointers);
    expect(contract.validate('Error', wrong).map(({ pointer }) => pointer)).toEqual(pointers);
    expect(contract.validate('Error', json('[]'))).toMatchObject([{ pointer: '', keyword: 'type' }]);
    expect(contract.validate('Error', json('{"code": "a", "message": "b"}'))).toMatchObject([
      { pointer: '/status', keyword: 'required' },
    ]);
  });

  it('request bodies are compared with the schema of the operation, and may have further members', () => {
    expect(contract.validateRequest('createPet', json('{"name": "Rex", "categoryId": 1, "id": "x"}'))).toEqual([]);
    expect(contract.validateRequest('createPet', json('{"name": "Rex"}'))).toMatchObject([
      { pointer: '/categoryId', keyword: 'required' },
    ]);
    expect(contract.validateRequest('createPet', json('"Rex"'))).toMatchObject([{ pointer: '', keyword: 'type' }]);
  });

  it.each([
    ['maxLength: 2', '"Rex"'],
    ['format: date', '"Rex"'],
    ['pattern: "^[a-z]+$"', '"Rex"'],
  ])('a keyword that the document does not have yet is compared, too: %s', async (keyword, value) => {
    const code = 'code:\n          description: Tells a program what went wrong.\n          type: string';
    const bounded = await loadContract(await changed(code, `${code}\n          ${keyword}`));
    const error = json(`{"code": ${value}, "message": "no", "status": 401}`);
    expect(bounded.validate('Error', error)).toMatchObject([{ pointer: '/code', keyword: keyword.split(':', 1)[0] }]);
  });

  it('a status without documentation is an error of the caller', () => {
    expect(() => contract.validateResponse('getPet', 418, json('{}'))).toThrow(
      new ContractError(
        'status-undocumented',
        'The OpenAPI document has no status 418 for getPet; it has 200, 401, 404.',
      ),
    );
  });
});

describe('operations, statuses and schemas that the document does not have', () => {
  const code = 'contract-incomplete';

  it('are errors of the caller', () => {
    for (const call of [
      () => contract.statuses('deletePet'),
      () => contract.validateResponse('deletePet', 200, json('{}')),
      () => contract.validateRequest('deletePet', json('{}')),
    ]) {
      expect(call).toThrow(new ContractError(code, 'The OpenAPI document has no operation deletePet at /paths.'));
    }
    expect(() => contract.validateRequest('getPet', json('{}'))).toThrow(
      new ContractError(code, 'The OpenAPI document has no request body at /paths/~1pets~1{petId}/get/requestBody.'),
    );
    expect(() => contract.validate('Animal', json('{}'))).toThrow(
      new ContractError(code, 'The OpenAPI document has no JSON schema at /components/schemas/Animal.'),
    );
  });
});

it('a status without a body has no schema to compare with', async () => {
  const { validateResponse, statuses } = await loadContract(
    await changed(LIST_RESPONSES, "'204': { description: None. }"),
  );
  expect(statuses('listPets')).toEqual([204]);
  expect(validateResponse('listPets', 204, json('[7]'))).toEqual([]);
});

describe('int64', () => {
  const faultsOf = (literal: string): readonly string[] =>
    contract
      .validateRequest('createPet', json(`{"name": "Rex", "categoryId": ${literal}}`))
      .map((fault) => fault.keyword);

  it.each([
    '0',
    '-0',
    '1.0',
    '1e3',
    '9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
    '9223372036854775807.0',
    '9.223372036854775807e18',
    '9e18',
  ])('%s is one', (literal) => {
    expect(faultsOf(literal)).toEqual([]);
  });

  it.each([
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551615',
    '9.223372036854775808e18',
    '1e19',
    '1e30',
    '1e308',
    '9007199254740993.5',
    '1.00000000000000001',
    '1e-400',
  ])('%s is none', (literal) => {
    expect(faultsOf(literal)).toEqual(['int64']);
  });

  it.each(['1.5', '1e999', '1e999999999', '"1"', 'true', 'null', '[]', '{}'])('%s is no integer', (literal) => {
    expect(faultsOf(literal)).toEqual(['type']);
  });

  it('is judged on the value at its own place', () => {
    const page = `[${pet('')}, {"id": 9223372036854775807, "name": "a", "categoryId": 9223372036854775808}]`;
    expect(contract.validateResponse('listPets', 200, json(page)).map((fault) => fault.pointer)).toEqual([
      '/1/categoryId',
    ]);
  });

  it('long digits are cut in the message', () => {
    const [fault] = contract.validateRequest('createPet', json(`{"name": "Rex", "categoryId": ${'9'.repeat(300)}}`));
    expect(fault?.message).toBe(`/categoryId must be an int64 and is ${'9'.repeat(40)}… (300 characters)`);
  });
});

describe('a broken document', () => {
  it.each([
    ['contract-invalid', 'openapi: 3.1.0', 'openapi: 3.1.0\n  bad: [', 'is broken'],
    ['contract-invalid', 'title: Pet Store', 'name: Pet Store', 'title'],
    ['contract-invalid', "'#/components/schemas/Pets'", "'#/components/schemas/Animals'", 'Animals'],
    ['contract-schema', "'#/components/schemas/Pets'", "'other.yaml#/Pets'", 'other.yaml'],
    [
      'contract-incomplete',
      LIST_RESPONSES,
      'default: { description: Any. }',
      'no response with a status at /paths/~1pets/get/responses',
    ],
    ['contract-incomplete', 'operationId: createPet', 'x-id: createPet', 'no operationId at /paths/~1pets/post'],
    ['contract-invalid', '    Error:\n', '    Fault:\n', 'Error'],
    [
      'contract-incomplete',
      "application/json:\n              schema:\n                $ref: '#/components/schemas/Pets'",
      'text/plain: {}',
      'no JSON schema at /paths/~1pets/get/responses/200',
    ],
    ['contract-schema', 'enum: [available, pending, sold]', 'enumm: [available]', 'enumm'],
    ['contract-schema', 'called.\n          type: string', 'called.\n          type: strng', 'strng'],
  ])('is refused with %s (%#)', async (code, from, to, words) => {
    const error: unknown = await loadContract(await changed(from, to)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    const message = error instanceof ContractError ? error.message : '';
    expect(message).not.toContain('\n');
    expect(message).not.toContain(folder);
  });

  it('is refused where the file is missing', async () => {
    await expect(loadContract(pathToFileURL(join(folder, 'none.yaml')))).rejects.toThrow(/is broken: .*the file/);
  });
});
