import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from './command.ts';
import { BENCH_KEY } from './service.ts';

/** Another tool that tests a service against its OpenAPI document. */
export interface Tool {
  readonly name: string;
  /** npm packages with exact versions, the tool itself first. */
  readonly packages: readonly string[];
  /** The files that it is configured with, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** @param home where it is installed, with its files */
  command(home: string, baseUrl: string, folder: string): Command;
  /** The names of the tests that failed, from what it wrote into the folder of the run or printed. */
  failures(folder: string, output: string): readonly string[];
}

/** The OpenAPI document, in the folder of each tool. */
export const DOCUMENT = 'openapi.json';
/** No animal of a fresh service has it. */
const UNKNOWN_ID = '987654321987';
/** What a tool writes down of its tests, in the folder of the run. */
const OUTPUT = 'output';

/**
 * Dredd sends one request for each documented response. Its hooks are the usual ones: no key for 401, a body without
 * its required fields for 400, an unknown id for 404.
 */
const dredd: Tool = {
  name: 'Dredd 14.1.0',
  packages: ['dredd@14.1.0'],
  files: {
    'hooks.js': `const hooks = require('hooks');
hooks.beforeEach((transaction, done) => {
  const { expected, request } = transaction;
  if (expected.statusCode === '401') delete request.headers.Authorization;
  if (expected.statusCode === '400') request.body = '{}';
  if (expected.statusCode === '404') transaction.fullPath = transaction.fullPath.replace(/[^/]+$/, '${UNKNOWN_ID}');
  transaction.skip = false;
  done();
});
`,
  },
  command: (home, baseUrl, folder) => ({
    program: process.execPath,
    args: [
      join(home, 'node_modules/dredd/bin/dredd'),
      join(home, DOCUMENT),
      baseUrl,
      ...['--header', `Authorization: Bearer ${BENCH_KEY}`],
      `--hookfiles=${join(home, 'hooks.js')}`,
      ...['--reporter', 'xunit', '--output', join(folder, OUTPUT), '--loglevel', 'error'],
    ],
  }),
  failures: (folder) =>
    readFileSync(join(folder, OUTPUT), 'utf8')
      .split('<testcase ')
      .filter((test) => /<(failure|error)\b/.test(test))
      .map((test) => /name="([^"]*)"/.exec(test)?.[1] ?? 'a test without a name'),
};

const enabled = { enabled: true };
/** What Portman expects of a refusal. */
const refused = (code: number) => ({
  contractTests: [
    { statusCode: { enabled: true, code } },
    { contentType: enabled },
    { jsonBody: enabled },
    { schemaValidation: enabled },
  ],
});

/** Portman makes a Postman collection of the document, with all of its contract tests and its fuzzing, and runs it with Newman. */
const portman: Tool = {
  name: 'Portman 1.33.0',
  // It imports tslib without depending on it.
  packages: ['@apideck/portman@1.33.0', 'tslib@2.8.1'],
  files: {
    'portman.json': JSON.stringify({
      version: 1,
      tests: {
        contractTests: ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation', 'headersPresent'].map(
          (name) => ({
            openApiOperation: '*::/*',
            [name]: enabled,
          }),
        ),
        variationTests: [
          {
            openApiOperation: 'POST::/pets',
            openApiResponse: '400',
            variations: [
              {
                name: 'invalid',
                fuzzing: [
                  {
                    requestBody: [
                      {
                        requiredFields: enabled,
                        minimumNumberFields: enabled,
                        maximumNumberFields: enabled,
                        minLengthFields: enabled,
                        maxLengthFields: enabled,
                      },
                    ],
                  },
                ],
                tests: refused(400),
              },
            ],
          },
          {
            openApiOperation: '*::/*',
            openApiResponse: '401',
            variations: [
              {
                name: 'unauthorized',
                overwrites: [{ overwriteRequestSecurity: { bearer: { token: 'not-the-key' } } }],
                tests: refused(401),
              },
            ],
          },
          {
            openApiOperation: 'GET::/pets/{petId}',
            openApiResponse: '404',
            variations: [
              {
                name: 'unknown',
                overwrites: [{ overwriteRequestPathVariables: [{ key: 'petId', value: UNKNOWN_ID, overwrite: true }] }],
                tests: refused(404),
              },
            ],
          },
        ],
      },
      overwrites: [
        {
          openApiOperation: 'GET::/pets/{petId}',
          overwriteRequestPathVariables: [{ key: 'petId', value: '1', overwrite: true }],
        },
      ],
      globals: { securityOverwrites: { bearer: { token: BENCH_KEY } } },
    }),
  },
  command: (home, baseUrl, folder) => ({
    program: process.execPath,
    args: [
      join(home, 'node_modules/@apideck/portman/bin/portman'),
      ...['--local', join(home, DOCUMENT), '--baseUrl', baseUrl, '--portmanConfigFile', join(home, 'portman.json')],
      ...['--output', join(folder, 'collection.json'), '--runNewman', '--newmanRunOptions'],
      JSON.stringify({ reporters: ['cli'], color: 'off' }),
    ],
    cwd: folder,
  }),
  // It ends at the first request that fails, before Newman has written any report.
  failures: (_folder, output) => newmanFailures(output),
};

export const TOOLS: readonly Tool[] = [dredd, portman];

/** The failures in what Newman prints: the request, and what was expected of it. */
function newmanFailures(output: string): readonly string[] {
  const failures: string[] = [];
  let request = '';
  for (const line of output.split('\n')) {
    request = /^↳ (.*)$/.exec(line)?.[1] ?? request;
    // In the summary below, the numbers of the failures have two spaces after them.
    const failure = /^ *\d+\. (\S.*)$/.exec(line)?.[1];
    if (failure !== undefined) failures.push(`${request}: ${failure}`);
  }
  return failures;
}
