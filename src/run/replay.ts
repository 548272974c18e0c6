import { readFileSync } from 'node:fs';
import type { Profile } from '../report/model.ts';
import type { ReplayTarget } from './plan.ts';
import { UsageError } from './usage-error.ts';

const FORMAT = 'petstore-conformance-replay/1';

/** A recorded failure: which check failed, and what to send again. It holds no key. */
export interface ReplayRecord {
  readonly format: typeof FORMAT;
  readonly check: string;
  readonly seed: number;
  readonly profile: Profile;
  readonly target: ReplayTarget;
}

export function replayRecord(check: string, seed: number, profile: Profile, target: ReplayTarget): ReplayRecord {
  return { format: FORMAT, check, seed, profile, target };
}

/**
 * Reads a file that an earlier run wrote into `failures/`.
 *
 * @throws UsageError where the file is not one of them
 */
export function readReplay(file: string): ReplayRecord {
  const wrong = new UsageError(
    'value-invalid',
    `--replay: ${file}: is not a recorded failure; give a file from the failures folder of a run's reports`,
  );
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw wrong;
  }
  if (!isRecord(content)) throw wrong;
  return content;
}

function isRecord(content: unknown): content is ReplayRecord {
  if (typeof content !== 'object' || content === null) return false;
  const { format, check, seed, target }: { format?: unknown; check?: unknown; seed?: unknown; target?: unknown } =
    content;
  if (format !== FORMAT || typeof check !== 'string' || typeof seed !== 'number') return false;
  if (typeof target !== 'object' || target === null || !('kind' in target)) return false;
  switch (target.kind) {
    case 'check':
      return true;
    case 'request':
      return 'request' in target && typeof target.request === 'object';
    case 'sample':
      return 'place' in target && typeof target.place === 'object';
    default:
      return false;
  }
}
