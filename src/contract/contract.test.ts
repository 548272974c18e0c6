import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lint } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Contract, ContractError, loadContract } from './contract.ts';
import { type ReadJson, readJson } from './exact-json.ts';

const SPEC = new URL('../../spec/openapi.yaml', import.meta.url);

let contract: Contract;
let folder: string;
let description: string;

beforeAll(async () => {
  contract = await loadContract();
  description = await readFile(SPEC, 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'petstore-contract-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function reading(text: string): ReadJson {
  const read = readJson(new TextEncoder().encode(text));
  if (read.kind !== 'json') throw new Error(read.sentence);
  return read;
}

/** The description with one thing changed, as a file. */
async function changed(from: string, to: string): Promise<URL> {
  expect(description).toContain(from);
  const file = join(folder, 'openapi.yaml');
  await writeFile(file, description.replace(from, to));
  return pathToFileURL(file);
}

async function lintOf(file: URL): Promise<readonly string[]> {
  // The service has no licence that this document could name.
  const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } });
  const problems = await lint({ ref: fileURLToPath(file), config });
  return problems.map((problem) => `${problem.ruleId}: ${problem.message}`);
}

const pet = (over: string): string => `{"id": 1, "name": "Rex", "categoryId": 2, "status": "sold"${over}}`;

describe('the description', () => {
  it('is at version 1.0.0 and has every documented status', () => {
    expect(contract.version).toBe('1.0.0');
    expect(contract.statuses('listPets')).toEqual([200, 401]);
    expect(contract.statuses('createPet')).toEqual([201, 400, 401]);
    expect(contract.statuses('getPet')).toEqual([200, 401, 404]);
  });

  it('passes the linter', async () => {
    expect(await lintOf(SPEC)).toEqual([]);
  });

  it.each([
    ['a type that JSON schema does not have', 'called.\n          type: string', 'called.\n          type: strng'],
    ['a negative length', 'type: string\n      enum', 'type: string\n      minLength: -1\n      enum'],
    ['an operation id that stands twice', 'operationId: createPet', 'operationId: listPets'],
    ['a path parameter that is not declared', 'name: petId', 'name: id'],
  ])('the linter catches %s, which the parser lets through', async (_, from, to) => {
    const file = await changed(from, to);
    await expect(SwaggerParser.validate(fileURLToPath(file))).resolves.toBeDefined();
    expect(await lintOf(file)).not.toEqual([]);
  });
});

describe('bodies that fit', () => {
  it.each([
    ['listPets', 200, '[]'],
    ['listPets', 200, `[${pet('')}, ${pet(', "born": 2020')}]`],
    ['createPet', 201, '{"id": 1.0, "name": "", "categoryId": 1e3}'],
    ['getPet', 200, pet('')],
    ['getPet', 404, '{"code": "", "message": "", "status": 404, "hint": null}'],
  ] as const)('%s %i %s', (operation, status, text) => {
    expect(contract.validate(operation, status, reading(text))).toEqual([]);
  });
});

describe('bodies that do not', () => {
  it.each([
    ['{}', '', 'type', 'pets', 'the body must be array and is an object'],
    ['[7]', '/0', 'type', 'pets', '/0 must be object and is 7'],
    ['[{"id": 1, "categoryId": 2}]', '/0', 'required', 'pet.name', '/0 must have the member "name"'],
    ['[{"id": 1, "name": null, "categoryId": 2}]', '/0/name', 'type', 'pet.name', '/0/name must be string and is null'],
    [
      '[{"id": "1", "name": "a", "categoryId": 2}]',
      '/0/id',
      'type',
      'pet.id',
      '/0/id must be integer and is the string "1"',
    ],
    [
      '[{"id": 1, "name": "a", "categoryId": 1.5}]',
      '/0/categoryId',
      'type',
      'pet.categoryId',
      '/0/categoryId must be integer and is 1.5',
    ],
    [
      '[{"id": 1, "name": "a", "categoryId": 9223372036854775808}]',
      '/0/categoryId',
      'int64',
      'pet.categoryId',
      '/0/categoryId must be int64 and is 9223372036854775808',
    ],
    [
      '[{"id": 1, "name": "a", "categoryId": 2, "status": "Sold"}]',
      '/0/status',
      'enum',
      'pet.status',
      '/0/status must be one of "available", "pending", "sold" and is "Sold"',
    ],
    [
      '[{"id": 1, "name": "a", "categoryId": 2, "status": null}]',
      '/0/status',
      'type',
      'pet.status',
      '/0/status must be string and is null',
    ],
  ])('listPets 200 %s', (text, pointer, keyword, subject, message) => {
    expect(contract.validate('listPets', 200, reading(text))).toEqual([{ pointer, keyword, subject, message }]);
  });

  it('every fault of a body is named', () => {
    const faults = contract.validate('createPet', 201, reading('{"id": null, "status": 3}'));
    expect(faults.map((fault) => fault.subject).sort()).toEqual(['pet.categoryId', 'pet.id', 'pet.name', 'pet.status']);
    const page = contract.validate('listPets', 200, reading(`[${pet('')}, {"name": 1}]`));
    expect(page.map((fault) => fault.message)).toContain('/1 must have the member "id"');
    expect(page).toHaveLength(3);
  });

  it('errors of any status have the Error shape', () => {
    const wrong = reading('{"code": 1, "message": "no", "status": "401"}');
    const subjects = ['error.code', 'error.status'];
    expect(contract.validate('listPets', 401, wrong).map((fault) => fault.subject)).toEqual(subjects);
    expect(contract.validateError(wrong).map((fault) => fault.subject)).toEqual(subjects);
    expect(contract.validateError(reading('[]'))).toMatchObject([{ subject: 'error', keyword: 'type' }]);
    expect(contract.validateError(reading('{"code": "a", "message": "b"}'))).toMatchObject([
      { subject: 'error.status' },
    ]);
  });

  it('new animals have the NewPet shape, with further members left alone', () => {
    expect(contract.validateNewPet(reading('{"name": "Rex", "categoryId": 1, "id": "x"}'))).toEqual([]);
    expect(contract.validateNewPet(reading('{"name": "Rex"}'))).toMatchObject([{ subject: 'newPet.categoryId' }]);
    expect(contract.validateNewPet(reading('"Rex"'))).toMatchObject([{ subject: 'newPet' }]);
  });

  it('a status without documentation is an error of the caller', () => {
    expect(() => contract.validate('getPet', 418, reading('{}'))).toThrow(
      new ContractError(
        'status-undocumented',
        'The interface description has no status 418 for getPet; it has 200, 401, 404.',
      ),
    );
  });
});

describe('int64', () => {
  const faultsOf = (literal: string): readonly string[] =>
    contract.validateNewPet(reading(`{"name": "Rex", "categoryId": ${literal}}`)).map((fault) => fault.keyword);

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
    expect(contract.validate('listPets', 200, reading(page)).map((fault) => fault.pointer)).toEqual(['/1/categoryId']);
  });

  it('long digits are cut in the message', () => {
    const [fault] = contract.validateNewPet(reading(`{"name": "Rex", "categoryId": ${'9'.repeat(300)}}`));
    expect(fault?.message).toBe(`/categoryId must be int64 and is ${'9'.repeat(40)}… (300 characters)`);
  });
});

describe('a broken description', () => {
  it.each([
    ['contract-invalid', 'openapi: 3.1.0', 'openapi: 3.1.0\n  bad: [', 'is broken'],
    ['contract-invalid', 'title: Pet Store', 'name: Pet Store', 'title'],
    ['contract-invalid', "'#/components/schemas/Pets'", "'#/components/schemas/Animals'", 'Animals'],
    ['contract-schema', "'#/components/schemas/Pets'", "'other.yaml#/Pets'", 'other.yaml'],
    ['contract-incomplete', '    post:', '    put:', 'lacks a response with a status at /paths/~1pets/post/responses'],
    ['contract-invalid', '    Error:\n', '    Fault:\n', 'Error'],
    [
      'contract-incomplete',
      "application/json:\n              schema:\n                $ref: '#/components/schemas/Pets'",
      'text/plain: {}',
      'lacks a JSON schema at /paths/~1pets/get/responses/200',
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
