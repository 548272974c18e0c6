import { readFileSync } from 'node:fs';
import { UsageError } from '../cli/errors.ts';
import type { Profile } from '../report/model/result.ts';
import type { RecordedRequest, ReplayTarget } from './plan.ts';

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

const PROFILES: readonly unknown[] = ['smoke', 'standard', 'thorough'] satisfies Profile[];
const OPERATIONS: readonly unknown[] = ['listPets', 'createPet', 'getPet'] satisfies RecordedRequest['operation'][];
const TEXTS = ['credential', 'limit', 'status', 'petId', 'bodyBase64', 'contentType', 'label'] as const;

/** A sample's path as fast-check writes it: where it was drawn, and which way it was shrunk. */
const PATH = /^\d+(:\d+)*$/;

function isRecord(content: unknown): content is ReplayRecord {
  const { format, check, seed, profile, target } = membersOf(content);
  return (
    format === FORMAT &&
    typeof check === 'string' &&
    typeof seed === 'number' &&
    Number.isSafeInteger(seed) &&
    PROFILES.includes(profile) &&
    isTarget(membersOf(target))
  );
}

function isTarget({ kind, place, request }: Members): boolean {
  switch (kind) {
    case 'check':
      return true;
    case 'request':
      return isRequest(membersOf(request));
    case 'sample': {
      const { property, path } = membersOf(place);
      return Number.isSafeInteger(property) && typeof path === 'string' && PATH.test(path);
    }
    default:
      return false;
  }
}

function isRequest(request: Members): boolean {
  const { operation, credential, bodyIsSound } = request;
  const isWhole = OPERATIONS.includes(operation) && typeof credential === 'string';
  const areTexts = TEXTS.every((name) => request[name] === undefined || typeof request[name] === 'string');
  return isWhole && areTexts && (bodyIsSound === undefined || typeof bodyIsSound === 'boolean');
}

type Members = Readonly<Partial<Record<string, unknown>>>;

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
