import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PACKAGE_ROOT } from '../../package.ts';
import { FileError } from '../../report/files.ts';
import { readResult } from '../../report/read-result.ts';
import type { RunResult } from '../../report/result.ts';
import { UsageError } from '../errors.ts';
import { resultPath } from '../options/files.ts';

/** The validator of conformance.json. */
function resultValidator() {
  const schema: unknown = JSON.parse(readFileSync(new URL('spec/conformance.schema.json', PACKAGE_ROOT), 'utf8'));
  if (typeof schema !== 'object' || schema === null) throw new Error('spec/conformance.schema.json is no schema');
  return new Ajv2020({ strict: false }).compile<RunResult>(schema);
}

/** The result that a command was given, by its path or that of its folder. @throws UsageError */
export async function readResultOf(command: string, path: string): Promise<RunResult> {
  try {
    return await readResult(resultPath(path), resultValidator());
  } catch (error) {
    throw error instanceof FileError ? new UsageError('file-unreadable', `${command}: ${error.message}`) : error;
  }
}
