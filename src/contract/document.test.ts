import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContractError } from './contract-error.ts';
import { DOCUMENT } from './document.prebuilt.ts';
import { factsOf, type OpenApiDocument } from './document.ts';
import { readDocument } from './read-document.ts';

const TOOLS = `
openapi: 3.1.0
info: { title: Tools, version: 1.0.0 }
paths:
  /tools/{toolId}:
    parameters:
      - $ref: '#/components/parameters/toolId'
      - { name: size, in: query, schema: { type: integer, maximum: 5 } }
    get:
      operationId: getTool
      parameters:
        - { name: size, in: query, schema: { type: integer, minimum: 0, default: 3 } }
        - { name: kind, in: query, schema: { $ref: '#/components/schemas/Kind' } }
        - { name: any, in: query }
        - { name: exact, in: query, schema: { type: boolean, default: false } }
    delete:
      operationId: deleteTool
components:
  parameters:
    toolId: { name: toolId, in: path, schema: { type: string, format: uuid } }
  schemas:
    Kind: { type: string, enum: [hammer, saw] }
    OtherKind: { $ref: '#/components/schemas/Kind' }
    Tool:
      allOf:
        - type: object
          properties: { id: {}, maker: { type: object, properties: { city: {} } } }
        - { properties: { id: {} } }
    Tools: { type: array, items: { properties: { price: {} } } }
`;

let folder: string;
let tools: OpenApiDocument;

async function saved(text: string): Promise<URL> {
  const file = join(folder, 'openapi.yaml');
  await writeFile(file, text);
  return pathToFileURL(file);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-document-'));
  tools = factsOf(readDocument(await saved(TOOLS)));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the facts of an OpenAPI document', () => {
  it('are read from spec/openapi.yaml by default', () => {
    const document = factsOf(DOCUMENT);
    expect(document.operation('getPet')).toMatchObject({ id: 'getPet', path: '/pets/{petId}' });
    expect(document.parameter('listPets', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
    expect(document.parameter('listPets', 'status')).toEqual(document.schema('PetStatus'));
    expect([...document.propertyNames].sort()).toEqual(['categoryId', 'code', 'id', 'message', 'name', 'status']);
  });

  it('an operation', () => {
    const path = '/tools/{toolId}';
    const pointer = '/paths/~1tools~1{toolId}';
    expect(tools.operation('getTool')).toEqual({ id: 'getTool', path, pointer: `${pointer}/get` });
    expect(tools.operation('deleteTool')).toEqual({ id: 'deleteTool', path, pointer: `${pointer}/delete` });
  });

  it('a parameter of the operation, or of its path', () => {
    expect(tools.parameter('getTool', 'size')).toEqual({ type: 'integer', minimum: 0, default: 3 });
    expect(tools.parameter('deleteTool', 'size')).toEqual({ type: 'integer', maximum: 5 });
    expect(tools.parameter('getTool', 'toolId')).toEqual({ type: 'string', format: 'uuid' });
    expect(tools.parameter('getTool', 'kind')).toEqual({ type: 'string', enum: ['hammer', 'saw'] });
    expect(tools.parameter('getTool', 'exact')).toEqual({ type: 'boolean', default: false });
  });

  it('a schema, and the names of all properties', () => {
    expect(tools.schema('OtherKind')).toEqual({ type: 'string', enum: ['hammer', 'saw'] });
    expect([...tools.propertyNames].sort()).toEqual(['city', 'id', 'maker', 'price']);
  });
});

describe('facts that are missing', () => {
  it.each([
    ['operation addTool at /paths', () => tools.operation('addTool')],
    ['parameter color at /paths/~1tools~1{toolId}/get', () => tools.parameter('getTool', 'color')],
    ['JSON schema at /paths/~1tools~1{toolId}/get/parameters', () => tools.parameter('getTool', 'any')],
    ['JSON schema at /components/schemas/Nail', () => tools.schema('Nail')],
  ])('no %s', (what, read) => {
    expect(read).toThrow(new ContractError('contract-incomplete', `The OpenAPI document has no ${what}.`));
  });

  it('an operation without an id', async () => {
    const file = await saved(TOOLS.replace('operationId: getTool', 'x-id: getTool'));
    expect(() => factsOf(readDocument(file))).toThrow(
      new ContractError(
        'contract-incomplete',
        'The OpenAPI document has no operationId at /paths/~1tools~1{toolId}/get.',
      ),
    );
  });
});

it.each(['openapi: [', '', '[1]', 'swagger: "2.0"'])('a file that is no OpenAPI document: %j', async (text) => {
  const file = await saved(text);
  expect(() => readDocument(file)).toThrow(
    expect.objectContaining({
      code: 'contract-invalid',
      message: expect.stringMatching(/^The OpenAPI document is broken: .+$/),
    }),
  );
});

it('a file that is missing', () => {
  const file = pathToFileURL(join(folder, 'none.yaml'));
  expect(() => readDocument(file)).toThrow(/^The OpenAPI document is broken: .*'the file'$/);
});
