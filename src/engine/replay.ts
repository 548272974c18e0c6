import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Profile } from '../report/model/result.ts';
import type { ReplayTarget } from './plan.ts';

/** A recorded failure: which check failed, and what to send again. It holds no key. */
export interface ReplayRecord {
  readonly format: string;
  readonly check: string;
  readonly seed: number;
  readonly profile: Profile;
  readonly target: ReplayTarget;
}

/** The file is not a recorded failure of this suite. */
export class ReplayFileError extends Error {
  override readonly name = 'ReplayFileError';
  readonly code = 'replay-invalid';
}

const formatOf = (program: string): string => `${program}-replay/1`;

export function replayRecord(
  program: string,
  check: string,
  { seed, profile }: { readonly seed: number; readonly profile: Profile },
  target: ReplayTarget,
): ReplayRecord {
  return { format: formatOf(program), check, seed, profile, target };
}

/**
 * Reads a file that an earlier run wrote into `failures/`.
 *
 * @param callSchema the JSON Schema of a recorded call, from the service's replay format
 * @throws ReplayFileError where the file is not one of them
 */
export function readReplay(file: string, program: string, callSchema: object): ReplayRecord {
  const wrong = new ReplayFileError(
    `${file} is not a recorded failure; pass a file from the failures folder of a run's reports`,
  );
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw wrong;
  }
  const validate = new Ajv2020({ strict: true }).compile<ReplayRecord>(schemaOf(formatOf(program), callSchema));
  if (validate(content)) return content;
  throw wrong;
}

function schemaOf(format: string, call: object): object {
  const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });
  const place = object({
    property: { type: 'integer' },
    // As fast-check writes it: where the sample was drawn, and in which direction it was shrunk.
    path: { type: 'string', pattern: '^\\d+(:\\d+)*$' },
  });
  const targets = { check: {}, sample: { place }, request: { request: call } };
  return object({
    format: { const: format },
    check: { type: 'string' },
    seed: { type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    profile: { enum: ['smoke', 'standard', 'thorough'] satisfies Profile[] },
    target: { oneOf: Object.entries(targets).map(([kind, members]) => object({ kind: { const: kind }, ...members })) },
  });
}
