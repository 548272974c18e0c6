import { createHash } from 'node:crypto';

/** Texts and strings of up to this size (UTF-16 units) are kept whole. */
const LARGE = 8_192;
const START_KEPT = 1_024;
const ENTRIES_KEPT = 1_000;

/**
 * Cuts a parsed JSON text down to what is kept of it, so that memory stays bounded whatever a service sends. A text of
 * up to 8,192 characters is kept whole. Of a larger one, the first 1,000 entries of an array are kept; of each object
 * the members named in `keptMembers`; of a long string its {@link boundText}; arrays and objects further down are kept
 * empty.
 */
export function boundJson(value: unknown, textLength: number, keptMembers: ReadonlySet<string>): unknown {
  if (textLength <= LARGE) return value;
  // Copies, as a kept entry could keep the whole text in memory.
  return Array.isArray(value)
    ? value.slice(0, ENTRIES_KEPT).map((entry) => boundEntry(entry, keptMembers))
    : boundEntry(value, keptMembers);
}

function boundEntry(value: unknown, keptMembers: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return boundMember(value);
  // Most of what a run receives are entries of lists. Building them member by member takes half as long.
  const kept: Record<string, unknown> = {};
  for (const name of keptMembers) if (Object.hasOwn(value, name)) kept[name] = boundMember(Reflect.get(value, name));
  return kept;
}

function boundMember(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === 'object' && value !== null) return {};
  return typeof value === 'string' ? boundText(value) : value;
}

/**
 * A string of up to 8,192 characters as it is; of a longer one its start, its length and its SHA-256, so that two
 * strings still compare as equal or not.
 */
export function boundText(value: string): string {
  if (value.length <= LARGE) return value;
  const digest = createHash('sha256').update(value).digest('hex');
  // A copy: a slice would keep the whole string in memory.
  const start = Buffer.from(value.slice(0, START_KEPT), 'utf16le').toString('utf16le');
  return `${start}… (${value.length} characters, SHA-256 ${digest})`;
}
