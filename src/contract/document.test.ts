import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lint } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { PACKAGE_ROOT } from '../package.ts';
import { DOCUMENT } from './document.prebuilt.ts';
import { MEMBER_NAMES, namedSchema, parameterSchema } from './document.ts';

const SPEC = fileURLToPath(new URL('spec/openapi.yaml', PACKAGE_ROOT));

describe('spec/openapi.yaml', () => {
  it('passes the validator, which the build leaves out', async () => {
    await expect(SwaggerParser.validate(SPEC)).resolves.toBeDefined();
  });

  it('passes the linter', async () => {
    // The specification names no licence.
    const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } });
    const problems = await lint({ ref: SPEC, config });
    expect(problems.map((problem) => `${problem.ruleId}: ${problem.message}`)).toEqual([]);
  });

  it('is read with its references resolved', () => {
    expect(JSON.stringify(DOCUMENT)).not.toContain('$ref');
    expect(parameterSchema(DOCUMENT, 'listPets', 'limit')).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
    });
    expect(parameterSchema(DOCUMENT, 'listPets', 'status')).toEqual(namedSchema(DOCUMENT, 'PetStatus'));
    expect([...MEMBER_NAMES].sort()).toEqual(['categoryId', 'code', 'id', 'message', 'name', 'status']);
  });
});

describe('the facts of a document', () => {
  const size = (keywords: object): object => ({ name: 'size', in: 'query', schema: keywords });
  const tools = {
    paths: {
      '/tools/{toolId}': {
        parameters: [size({ maximum: 5 })],
        get: { operationId: 'getTool', parameters: [size({ minimum: 0 }), { name: 'any', in: 'query' }] },
        delete: { operationId: 'deleteTool' },
      },
    },
    components: { schemas: { Kind: { type: 'string', enum: ['hammer', 'saw'] } } },
  };

  it('are a parameter of the operation, or of its path', () => {
    expect(parameterSchema(tools, 'getTool', 'size')).toEqual({ minimum: 0 });
    expect(parameterSchema(tools, 'deleteTool', 'size')).toEqual({ maximum: 5 });
  });

  it.each([
    ['the parameter size of addTool', () => parameterSchema(tools, 'addTool', 'size')],
    ['the parameter color of getTool', () => parameterSchema(tools, 'getTool', 'color')],
    ['the parameter any of getTool', () => parameterSchema(tools, 'getTool', 'any')],
    ['Nail', () => namedSchema(tools, 'Nail')],
    ['Kind', () => namedSchema({}, 'Kind')],
  ])('that are missing are an error: %s', (what, read) => {
    expect(read).toThrow(new Error(`The OpenAPI document has no schema of ${what}`));
  });
});
