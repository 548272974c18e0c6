import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Profile } from '../../report/model/result.ts';
import type { Recording, RunSettings } from '../plan.ts';

/**
 * Reads a file that an earlier run wrote into `failures/`.
 *
 * @param callSchema the JSON Schema of a recorded call, from the service's replay format
 * @throws ReplayFileError where the file is not one of them
 */
export function readReplay(file: string, program: string, callSchema: object): ReplayRecord {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // What cannot be read is no recorded failure either.
  }
  return parseReplay(text, file, program, callSchema);
}

/** As {@link readReplay}, of the text of a file. @throws ReplayFileError */
export function parseReplay(text: string, file: string, program: string, callSchema: object): ReplayRecord {
  const content = parsed(text);
  const validate = new Ajv2020({ strict: true }).compile<ReplayRecord>(schemaOf(formatOf(program), callSchema));
  if (validate(content)) return content;
  throw new ReplayFileError(
    `${file} is not a recorded failure; pass a file from the failures folder of a run's reports`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function schemaOf(format: string, call: object): object {
  const object = (properties: object, optional: object = {}) => ({
    type: 'object',
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
  });
  const [flag, text, count] = [{ type: 'boolean' }, { type: 'string' }, { type: 'integer', minimum: 0 }];
  const place = object({
    property: { type: 'integer' },
    // As fast-check writes it: where the sample was drawn, and in which direction it was shrunk.
    path: { type: 'string', pattern: '^\\d+(:\\d+)*$' },
  });
  const targets = { check: {}, sample: { place } };
  const step = object(
    {
      calls: { type: 'array', minItems: 1, items: object({ call }, { idOf: count }) },
      at: count,
      judged: flag,
      created: count,
      after: count,
    },
    { together: { enum: ['on one connection', 'at one moment'] }, status: { type: 'integer' }, given: text },
  );
  const violation = object(
    { code: text, expected: text, byRule: flag, violated: count, judged: count, intermittent: flag },
    { permitted: { type: 'array', items: { type: 'integer' } }, asFound: { const: true } },
  );
  const members = {
    format: { const: format },
    check: text,
    seed: { type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    profile: { enum: ['smoke', 'standard', 'thorough'] satisfies Profile[] },
    judgedWith: object(
      {
        strict: flag,
        today: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
        settleMs: count,
        requestTimeoutMs: count,
      },
      {
        lingerMs: count,
        remembered: {
          type: 'array',
          items: object({ id: text, addedAt: text, fields: { type: 'object', additionalProperties: text } }),
        },
      },
    ),
    violation,
    steps: { type: 'array', items: step },
    target: { oneOf: Object.entries(targets).map(([kind, members]) => object({ kind: { const: kind }, ...members })) },
  };
  return object(members, { sizeAtStart: count });
}

/** Settings of the run without which the failure may not show, or not be one. */
type JudgedWith = Pick<RunSettings, 'strict' | 'today' | 'settleMs' | 'requestTimeoutMs' | 'remembered'> & {
  /** Missing where it was that of the profile. */
  readonly lingerMs?: number | undefined;
};

/** A recorded failure: which check failed, how it was judged, and what to send again. It holds no key. */
export interface ReplayRecord extends Recording {
  readonly format: string;
  readonly check: string;
  readonly seed: number;
  readonly profile: Profile;
  readonly judgedWith: JudgedWith;
}

/** The file is not a recorded failure of this suite. */
export class ReplayFileError extends Error {
  override readonly name = 'ReplayFileError';
  readonly code = 'replay-invalid';
}

/** What names the format of a replay file. */
const formatOf = (program: string): string => `${program}-replay/1`;

export function replayRecord(
  program: string,
  check: string,
  run: JudgedWith & { readonly seed: number; readonly profile: Profile },
  recording: Recording,
): ReplayRecord {
  const { seed, profile, strict, today, settleMs, requestTimeoutMs, lingerMs, remembered } = run;
  const judgedWith = { strict, today, settleMs, requestTimeoutMs, lingerMs, remembered };
  return { format: formatOf(program), check, seed, profile, judgedWith, ...recording };
}
